import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { additionalFieldsJson, changes } from '../core/fields/collection';
import { mustHaveValues, type Values, mustHaveValue, type Label } from '../core/fields/field';
import { IN_TWO_WEEKS, dateTime, parseEndDate, text, toggle, wholeNumber, choice } from '../core/fields/fieldTypes';
import { pages } from '../core/response/listResponse';
import { record } from '../core/response/recordResponse';
import { checkOrder } from '../core/fields/period';
import { filtersOf } from '../core/filters/filterFields';
import { ENROLLMENT_ID, multiPickerOf, pickerOf, withEnrollmentId } from '../domain/pickers/resourcePickers';
import { IN_ZONE, dateBesideZone, inChosenZone, inZone, refusePastStart, zonePicker } from '../domain/pickers/timeZone';
import { excludeTestsField, withoutTests } from '../domain/testRecords';

/** The fields of a created enrollment (contract 2.7). */
export const CREATED_ENROLLMENT = {
	// Other operations take the ID under this name, which `asListed` adds.
	id: ['enrollmentId'],
	simplified: [
		'name',
		'trainingName',
		'status',
		'startDate',
		'dueDate',
		'totalTargetUserCount',
		'delivery',
		'type',
		'enrolledBy',
		'markedAsTest',
		'autoEnroll',
		'enrollmentId',
	],
};

/** The answer of a list of enrollments. */
export const enrollmentPages = pages({
	identity: ENROLLMENT_ID,
	// The contract does not list the fields of these records; deployments send these and more (deployment shapes).
	known: {
		id: ['enrollmentId'],
		simplified: ['name', 'trainingName', 'status', 'startDate', 'type', 'createTime', 'enrollmentId', 'resourceId'],
		others: [
			'category',
			'delivery',
			'deliveryType',
			'duration',
			'enrolledBy',
			'hasQuiz',
			'isAutoEnrollmentActive',
			'isReminderActive',
			'languages',
			'level',
			'recipientType',
			'sendTemplatesInPreferredLanguage',
			'tags',
			'targetAudience',
			'trainingRoles',
		],
	},
	fields: {
		enrollmentType: mustHaveValue(
			choice({
				displayName: 'Show',
				description: 'Which enrollments to return',
				default: 'all',
				options: [
					{ name: 'All Enrollments', value: 'all' },
					{ name: 'Surveys Only', value: 'Survey' },
				],
			}),
		),
		filters: filtersOf({ excludeTests: excludeTestsField('Get Training Summary') }),
	},
	toRequest: ({ enrollmentType, filters }) => ({
		...(enrollmentType === 'all' ? {} : { body: { enrollmentType } }),
		...withoutTests(filters.excludeTests ?? false),
	}),
});

/** What acts on one enrollment, and is answered with its ID. */
export const ofOne = {
	scope: 'company' as const,
	fields: { enrollment: pickerOf('enrollments') },
	request: ({ enrollment }: { enrollment: { id: string } }) => ({ path: { resourceId: enrollment.id } }),
	answer: record({ as: 'resourceId' }),
	output: withEnrollmentId,
};

/**
 * A created enrollment as the list of enrollments has it: with its ID, and the name and the due date that were sent, which the
 * service does not repeat (contract 2.7).
 */
export function asListed(
	json: IDataObject,
	{ name, enrollmentScheduler: { dueDate } = {} }: { name: string; enrollmentScheduler?: { dueDate?: string } },
): IDataObject {
	const { enrollmentId, ...others } = withEnrollmentId(json);
	return omitBy({ name, enrollmentId, dueDate, ...others }, isUndefined);
}

const DUE: Label = {
	displayName: 'Due Date',
	description: 'The date by which people must finish the training; a day without a time means its end',
	hint: `${IN_TWO_WEEKS}. ${IN_ZONE}.`,
};

const scheduleFields = {
	...mustHaveValues({
		markedAsTest: toggle({
			displayName: 'Mark as Test',
			description: 'Whether to leave it out of dashboards and reports',
			default: true,
		}),
		scheduledDate: dateTime({
			displayName: 'Start Date',
			description: 'When it is sent; without a start date it is sent only when you send it',
			hint: IN_ZONE,
			required: true,
		}),
		scheduledTimeZoneId: zonePicker(),
	}),
	additionalFieldsJson: additionalFieldsJson(),
	useOwnTimeZone: toggle({
		displayName: "Use Users' Own Time Zone",
		description: 'Whether each user gets it at this time in their own time zone',
		default: true,
	}),
};

const additionalFields = refusePastStart(
	'scheduledDate',
	'scheduledTimeZoneId',
	inZone('scheduledTimeZoneId', {
		...scheduleFields,
		awardCertificate: toggle({
			displayName: 'Award Certificate',
			description: 'Whether those who pass get a certificate',
			default: true,
		}),
		sendTeamsNotification: toggle({
			displayName: 'Send Teams Notification',
			description: 'Whether to notify people in Microsoft Teams as well',
			default: true,
		}),
	}),
);

/** The fields for changing an enrollment (deployment beyond). */
export const changedEnrollmentFields = {
	enrollment: pickerOf('enrollments'),
	additionalFields: inZone(
		'scheduledTimeZoneId',
		{
			...scheduleFields,
			dueDate: mustHaveValue(dateTime({ ...DUE, required: true }, parseEndDate)),
			distributionDays: wholeNumber({
				displayName: 'Distribution Days',
				description: 'Over how many days it is sent',
				default: 0,
				min: 0,
				max: 365,
			}),
			name: text({ displayName: 'Name', description: 'The new name of the enrollment', required: true }),
		},
		changes,
	),
};

/**
 * The request body for changing an enrollment.
 * @throws InvalidInput for an end before the start
 */
export function changedEnrollmentBody(added: Values<typeof changedEnrollmentFields>['additionalFields']) {
	checkOrder(added.scheduledDate, added.dueDate, ['additionalFields', 'dueDate']);
	return scheduledBody(added);
}

/** The fields for creating an enrollment (contract 4.7, 2.9). */
export const enrollmentFields = {
	training: pickerOf('trainings'),
	name: text({
		displayName: 'Name',
		description: 'The name of the enrollment',
		placeholder: 'e.g. New hires, spring',
		required: true,
	}),
	targetGroups: multiPickerOf('targetGroups', { displayName: 'Target Group Names or IDs', required: true }),
	dueDate: mustHaveValue(dateBesideZone(DUE)),
	additionalFields,
};

/**
 * The request body for creating an enrollment.
 * @throws InvalidInput for an end before the start
 */
export function enrollmentBody(values: Values<typeof enrollmentFields>) {
	const { training, name, targetGroups, dueDate: given, additionalFields: added } = values;
	const dueDate = inChosenZone(given, added.scheduledTimeZoneId);
	checkOrder(added.scheduledDate, dueDate, ['dueDate']);
	return {
		trainingId: training.id,
		name,
		targetGroupResourceIds: targetGroups,
		...scheduledBody({ ...added, dueDate }),
	};
}

/**
 * The schedule and what stands beside it as a body has them (contract 2.9).
 */
function scheduledBody(added: Partial<Values<typeof scheduleFields>> & { dueDate?: string | undefined }) {
	const {
		additionalFieldsJson: more,
		scheduledDate,
		dueDate,
		scheduledTimeZoneId: zoneId,
		useOwnTimeZone,
		...others
	} = added;
	const schedule = { scheduledDate, dueDate, scheduledTimeZoneId: zoneId, useOwnTimeZone };
	const enrollmentScheduler = omitBy(schedule, isUndefined);
	return { ...(Object.keys(enrollmentScheduler).length > 0 ? { enrollmentScheduler } : {}), ...others, ...more };
}
