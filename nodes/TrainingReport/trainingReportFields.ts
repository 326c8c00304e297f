import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../core/response/responseHandler';
import type { KnownFields } from '../core/response/outputFields';
import { pages } from '../core/response/listResponse';
import type { Subject } from '../core/response/fileOwner';
import { mustHaveValue, mustHaveValues, type FieldMap } from '../core/fields/field';
import { text, wholeNumber } from '../core/fields/fieldTypes';
import type { FormValues } from '../core/fields/formValues';
import { optionsOf } from '../core/operation/operationFields';
import { defineOperation, type Operation, type PerformTools, type Words } from '../core/operation/defineOperation';
import { platformPicker } from '../domain/pickers/platformLists';
import { pickerOf } from '../domain/pickers/resourcePickers';
import { identityOf, toJson, type Choice } from '../core/values';

/** Every report is about one enrollment: {enrollmentId} in the paths of contract 4.8. */
export const aboutEnrollment = { enrollment: pickerOf('enrollments') };

/** What a report has, with the enrollment that it is about, which not all rows say. */
export const ofEnrollment = (json: IDataObject, { enrollment }: { enrollment: { id: string } }): IDataObject => ({
	enrollmentId: enrollment.id,
	...json,
});

/** The enrollment that a file is of. */
export function fileOfEnrollment(form: FormValues): Subject {
	const { id, name } = form.of(aboutEnrollment).enrollment;
	return {
		id,
		name,
		as: 'enrollmentName',
		isOf: ({ enrollmentId }) => enrollmentId === id,
		nameIn: (record) => identityOf(record, ['enrollmentName', 'name']),
		request: { endpoint: 'GET /api/enrollments/{resourceId}', path: { resourceId: id } },
	};
}

/** The fields that mails and users of a report can be sorted by. */
export const REPORT_SORT = { Email: 'Email', 'Create Time': 'CreateTime' };

type ReportList =
	| `POST /api/training-reports/{enrollmentId}/${'sending-report' | 'reminder-mails' | 'users'}/search`
	| 'POST /api/enrollments/{enrollmentId}/certificates/search'
	| 'POST /api/notifications/{enrollmentId}/search';

interface ReportDefinition extends Words {
	endpoint: ReportList;
	/** The fields of a row, for 'Output'. */
	known?: KnownFields;
	narrowing?: FieldMap;
	perform?: (values: { enrollment: Choice }, tools: PerformTools) => Promise<Answered[]>;
}

/**
 * Defines an operation that lists what belongs to an enrollment. Its rows have no ID in the contract, and the same person
 * or mail may be in several rows.
 * @param definition.narrowing further fields of the request body, by the service's names
 */
export function reportList(definition: ReportDefinition): Operation {
	const { narrowing = {}, known, perform, ...words } = definition;
	const fields = optionsOf(narrowing);
	return defineOperation({
		...words,
		scope: 'company',
		fields: aboutEnrollment,
		request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
		answer: pages({
			identity: [],
			...(known ? { known } : {}),
			sortable: REPORT_SORT,
			fields,
			toRequest: ({ options }) => ({ body: toJson(options) }),
		}),
		...(perform ? { perform } : {}),
		output: ofEnrollment,
	});
}

/** What narrows reminders and the users' export down. */
export const statusAndType = mustHaveValues({
	showByExamStatus: platformPicker('examStatuses', {
		displayName: 'Exam Status',
		description: 'Only people whose exam has this status',
		example: 'FailedAnyAttempt',
	}),
	trainingType: platformPicker('trainingTypes', {
		displayName: 'Training Type',
		description: 'Only this type of training',
		example: 'Survey',
	}),
});

/** The type of training, which some services require for a report (deployment shapes); a survey is type 0. */
const trainingType = wholeNumber({
	displayName: 'Training Type',
	description:
		'The type of the training, by its number; 0 is a survey. If it is empty and the service refuses the report, it is requested again as that of a survey.',
	default: 0,
	min: 0,
});

export const summaryOptions = optionsOf({ trainingType });

export const interactionOptions = optionsOf({
	emailEventType: mustHaveValue(
		text({
			displayName: 'Email Event Type',
			description: "Only events of this type, in the platform's spelling",
		}),
	),
	trainingType,
});

/** The query parameters of the chosen options; empty text is left out. */
export const queryOf = ({ emailEventType, ...options }: { emailEventType?: string; trainingType?: number }) => ({
	...options,
	...(emailEventType ? { emailEventType } : {}),
});
