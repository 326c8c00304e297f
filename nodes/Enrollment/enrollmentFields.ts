import { isUndefined, omit, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { additionalFieldsJsonField, updateFieldsBlock } from '../core/fields/collection';
import { addJsonFields } from '../core/fields/jsonFields';
import {
	rejectEmptyExpressions,
	type FieldValues,
	rejectEmptyExpression,
	type FieldSettings,
} from '../core/fields/field';
import {
	TWO_WEEKS_EXAMPLE,
	dateTimeField,
	parseEndDate,
	textField,
	toggleField,
	wholeNumberField,
} from '../core/fields/fieldTypes';
import { recordResponse } from '../core/response/recordResponse';
import { rejectEndBeforeStart } from '../core/fields/period';
import { omitUndefined, toItemJson, type Choice } from '../core/values';
import { resourceMultiPicker, resourcePicker, addEnrollmentId } from '../domain/pickers/resourcePickers';
import {
	TIME_ZONE_HINT,
	dateInputField,
	toEndDate,
	timeZoneBlock,
	addStartInPastCheck,
	timeZonePicker,
} from '../domain/pickers/timeZone';

/** The output fields of a created enrollment (contract 2.7). */
export const CREATED_ENROLLMENT_FIELDS = {
	// Other operations expect the ID in this field. The platform returns it in another field, so `toListedEnrollment` adds this one.
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

/** The properties that the definitions of all operations on one enrollment share. The platform responds with the enrollment's ID. */
export const enrollmentOperationBase = {
	scope: 'company' as const,
	fields: { enrollment: resourcePicker('enrollments') },
	request: ({ enrollment }: { enrollment: Choice }) => ({ path: { resourceId: enrollment.id } }),
	response: recordResponse({ valueField: 'resourceId' }),
	transformOutput: addEnrollmentId,
};

/**
 * Adds the fields that an entry in the list of enrollments has, but the record of a new enrollment lacks: `enrollmentId`, the name and the
 * due date. The name and the due date come from the request, because the platform doesn't return them (contract 2.7).
 * @param json the record that the platform returned for the new enrollment
 * @param requestBody the body of the request that created the enrollment
 */
export function toListedEnrollment(json: IDataObject, requestBody: IDataObject): IDataObject {
	const { enrollmentId, ...otherFields } = addEnrollmentId(json);
	const { name, enrollmentScheduler } = requestBody;
	const { dueDate } = toItemJson(enrollmentScheduler);
	return omitBy({ name, enrollmentId, dueDate, ...otherFields }, isUndefined);
}

const DUE_DATE_FIELD_SETTINGS: FieldSettings = {
	displayName: 'Due Date',
	description: 'When people must have finished the training. A date without a time means the end of that day.',
	hint: `For example, ${TWO_WEEKS_EXAMPLE}. ${TIME_ZONE_HINT}.`,
};

/** The form fields for both creating and updating an enrollment: the test mark, the schedule and additional JSON fields. */
const scheduleFields = {
	...rejectEmptyExpressions({
		markedAsTest: toggleField({
			displayName: 'Mark as Test',
			description: 'Whether to leave this enrollment out of dashboards and reports',
			default: true,
		}),
		scheduledDate: dateTimeField({
			displayName: 'Start Date',
			description: 'When to send the training, such as 2026-05-04 09:00',
			hint: TIME_ZONE_HINT,
			required: true,
		}),
		scheduledTimeZoneId: timeZonePicker(),
	}),
	additionalFieldsJson: additionalFieldsJsonField(),
	useOwnTimeZone: toggleField({
		displayName: "Use Users' Own Time Zone",
		description: "Whether to use each user's own time zone for 'Start Date'",
		default: true,
	}),
};

/** The optional form fields for creating an enrollment. */
const optionalCreationFields = {
	...scheduleFields,
	awardCertificate: toggleField({
		displayName: 'Award Certificate',
		description: 'Whether to give a certificate to people who pass the training',
		default: true,
	}),
	sendTeamsNotification: toggleField({
		displayName: 'Send Teams Notification',
		description: 'Whether to also notify people in Microsoft Teams',
		default: true,
	}),
};

/** The form fields for updating an enrollment (deployment beyond, "Enrollments"). */
export const enrollmentUpdateFields = {
	enrollment: resourcePicker('enrollments'),
	additionalFields: timeZoneBlock(
		'scheduledTimeZoneId',
		{
			...scheduleFields,
			dueDate: rejectEmptyExpression(dateTimeField({ ...DUE_DATE_FIELD_SETTINGS, required: true }, parseEndDate)),
			distributionDays: wholeNumberField({
				displayName: 'Distribution Days',
				description: 'Number of days over which to spread the emails, such as 5',
				default: 0,
				min: 0,
				max: 365,
			}),
			name: textField({ displayName: 'Name', description: 'The new name of the enrollment', required: true }),
		},
		updateFieldsBlock,
	),
};

/**
 * Builds the request body for updating an enrollment.
 * @throws InvalidInputError if the due date is before the start date, or if the JSON has a field that the form sets
 */
export function buildEnrollmentUpdateBody(changes: FieldValues<typeof enrollmentUpdateFields>['additionalFields']) {
	rejectEndBeforeStart(changes.scheduledDate, changes.dueDate, ['additionalFields', 'dueDate']);
	return addJsonFields(buildScheduleBody(changes), changes.additionalFieldsJson, { isUpdate: true });
}

/** The form fields for creating an enrollment that is sent at once (contract 4.7, 2.9). */
export const sentEnrollmentFields = {
	training: resourcePicker('trainings'),
	name: textField({
		displayName: 'Name',
		description: 'The name that the enrollment has in lists and reports',
		placeholder: 'e.g. New Hires Spring 2026',
		required: true,
	}),
	targetGroups: resourceMultiPicker('targetGroups', {
		displayName: 'Target Group Names or IDs',
		description: 'The target groups to send the training to',
		required: true,
	}),
	dueDate: rejectEmptyExpression(dateInputField(DUE_DATE_FIELD_SETTINGS)),
	// The platform sends the enrollment at once, even if it has a start date (contract 3; deployment behaviour, "Trainings, groups, enrollments").
	additionalFields: timeZoneBlock(
		'scheduledTimeZoneId',
		omit(optionalCreationFields, ['scheduledDate', 'useOwnTimeZone']),
	),
};

/** The form fields for creating an enrollment that isn't sent yet (contract 4.7, 2.9). */
export const enrollmentCreationFields = {
	...sentEnrollmentFields,
	additionalFields: addStartInPastCheck(
		'scheduledDate',
		'scheduledTimeZoneId',
		timeZoneBlock('scheduledTimeZoneId', optionalCreationFields),
	),
};

/**
 * Builds the request body for creating an enrollment.
 * @throws InvalidInputError if the due date is before the start date, or if the JSON has a field that the form sets
 */
export function buildEnrollmentCreationBody(values: FieldValues<typeof enrollmentCreationFields>) {
	const { training, name, targetGroups, additionalFields } = values;
	const dueDate = toEndDate(values.dueDate, additionalFields.scheduledTimeZoneId);
	rejectEndBeforeStart(additionalFields.scheduledDate, dueDate, ['dueDate']);
	const body = {
		trainingId: training.id,
		name,
		targetGroupResourceIds: targetGroups,
		...buildScheduleBody({ ...additionalFields, dueDate }),
	};
	return addJsonFields(body, additionalFields.additionalFieldsJson);
}

/** Builds the fields of a request body for the schedule and the other options (contract 2.9). */
function buildScheduleBody(values: Partial<FieldValues<typeof scheduleFields>> & { dueDate?: string | undefined }) {
	const {
		additionalFieldsJson: _json,
		scheduledDate,
		dueDate,
		scheduledTimeZoneId,
		useOwnTimeZone,
		...otherFields
	} = values;
	const enrollmentScheduler = omitUndefined({ scheduledDate, dueDate, scheduledTimeZoneId, useOwnTimeZone });
	return Object.keys(enrollmentScheduler).length > 0 ? { enrollmentScheduler, ...otherFields } : otherFields;
}
