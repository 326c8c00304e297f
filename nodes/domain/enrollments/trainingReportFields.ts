import { rejectEmptyExpression, rejectEmptyExpressions, type FieldMap } from '../../core/fields/field';
import { textField } from '../../core/fields/fieldTypes';
import type { FormValues } from '../../core/fields/formValues';
import {
	defineOperation,
	type Operation,
	type OperationTexts,
	type PerformHelpers,
} from '../../core/operation/defineOperation';
import { createOptionsBlock } from '../../core/operation/operationFields';
import type { FileOwner } from '../../core/response/fileOwner';
import { listResponse } from '../../core/response/listResponse';
import type { OutputFields } from '../../core/response/outputFields';
import type { ResultItem } from '../../core/response/responseHandler';
import { readId, toItemJson, type Choice } from '../../core/values';
import { addReportedEnrollmentId, reportedEnrollmentFields } from './reportedEnrollment';
import { trainingTypeField } from './trainingSummaryOperation';
import { platformPicker } from '../pickers/platformLists';

/** Describes the enrollment that an exported file is about, for the file's name. */
export function getEnrollmentAsFileOwner(form: FormValues): FileOwner {
	const { id, name } = form.get(reportedEnrollmentFields).enrollment;
	return {
		id,
		name,
		nameField: 'enrollmentName',
		isDescribedBy: ({ enrollmentId }) => enrollmentId === id,
		readName: (record) => readId(record, ['enrollmentName', 'name']),
		request: { endpoint: 'GET /api/enrollments/{resourceId}', path: { resourceId: id } },
	};
}

/** The fields by which the emails and the users of a report can be sorted. */
export const REPORT_SORT = { Email: 'Email', 'Create Time': 'CreateTime' };

type ReportListEndpoint =
	| `POST /api/training-reports/{enrollmentId}/${'sending-report' | 'reminder-mails' | 'users'}/search`
	| 'POST /api/enrollments/{enrollmentId}/certificates/search'
	| 'POST /api/notifications/{enrollmentId}/search';

interface ReportListDefinition extends OperationTexts {
	endpoint: ReportListEndpoint;
	outputFields?: OutputFields;
	/** The fields under 'Options' that are sent in the request body under the same names. */
	filterFields?: FieldMap;
	perform?: (values: { enrollment: Choice }, helpers: PerformHelpers) => Promise<ResultItem[]>;
}

/**
 * Defines an operation that lists records of an enrollment, such as emails. Equal records are kept, because the contract gives these
 * records no ID, and several of them may be about the same person or email.
 */
export function defineReportListOperation(definition: ReportListDefinition): Operation {
	const { filterFields = {}, outputFields, ...operation } = definition;
	return defineOperation({
		...operation,
		scope: 'company',
		fields: reportedEnrollmentFields,
		request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
		response: listResponse({
			identity: [],
			outputFields,
			sortableFields: REPORT_SORT,
			fields: createOptionsBlock(filterFields),
			toQuery: ({ options }) => ({ body: toItemJson(options) }),
		}),
		transformOutput: addReportedEnrollmentId,
	});
}

/** The form fields that filter reminder emails and exported users. */
export const examStatusAndTypeFields = rejectEmptyExpressions({
	showByExamStatus: platformPicker('examStatuses', {
		displayName: 'Exam Status',
		description: 'Only return people whose exam has this status, such as Failed Any Attempt',
		idExample: 'FailedAnyAttempt',
	}),
	trainingType: platformPicker('trainingTypes', {
		displayName: 'Training Type',
		description: 'Only return results of this training type, such as Survey',
		idExample: 'Survey',
	}),
});

/** The form fields under 'Options' of the operation that gets a person's interactions. */
export const interactionOptionFields = createOptionsBlock({
	emailEventType: rejectEmptyExpression(
		textField({
			displayName: 'Email Event Type',
			description: "Only return email events of this type. Enter the name that the type has in the platform's API.",
		}),
	),
	trainingType: trainingTypeField,
});

/** Builds the query of a request for interactions. An empty event type is left out. */
export function buildInteractionQuery(options: { emailEventType?: string; trainingType?: number }) {
	const { emailEventType, ...query } = options;
	return emailEventType ? { ...query, emailEventType } : query;
}
