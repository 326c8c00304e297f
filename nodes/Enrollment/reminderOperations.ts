import { without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { EndpointKey } from '../core/api/endpoint';
import { buildSearchFilter } from '../core/api/searchFilter';
import { showWhen } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { toError, isCancellationError } from '../core/http/errors';
import { defineOperation, type PerformHelpers } from '../core/operation/defineOperation';
import { createListSource, readFormText } from '../core/pickers/listSource';
import { listMultiPicker, PEOPLE_SEARCH_FIELD, type ListSearchField } from '../core/pickers/picker';
import { recordResponse } from '../core/response/recordResponse';
import { isScalar, parseNumber, toItemJson } from '../core/values';
import { getEnrollmentOperation } from '../domain/enrollments/enrollmentReadOperations';
import { getTrainingSummaryOperation } from '../domain/enrollments/trainingSummaryOperation';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { countRecipients, describeResend, resendFields, sendResendRequest } from '../domain/resend';
import { CREATED_ENROLLMENT_FIELDS, enrollmentOperationBase } from './enrollmentFields';

/** The states of people to whom the platform's own front end resends a training (deployment activity 4). */
const RESEND_STATES = [
	{ name: 'Exam Failed', value: '6' },
	{ name: 'Failed to Send', value: '1' },
	{ name: 'No Response', value: '7' },
	{ name: 'Not Completed', value: '4' },
	{ name: 'Opened Only', value: '2' },
];

/**
 * The names of the fields in the training summary that hold the number of people in each state, by the number of the state (deployment
 * shapes, "Trainings, groups, enrollments").
 */
const COUNT_FIELD_BY_STATE_NUMBER: Readonly<Record<string, string>> = {
	1: 'emailErrorUserCount',
	2: 'onlyOpenedCount',
	4: 'didNotCompleteTrainingCount',
	6: 'failedExamCount',
	7: 'noResponseCount',
};

/** The training type of a survey (deployment facts, "Requests"). */
const SURVEY_TRAINING_TYPE = '0';

const RESEND_REFUSED_ADVICE =
	'If what it names is right, look at the status of the enrollment: one that is over, stopped or deleted, or that was never sent, cannot be sent again.';

/**
 * Reads the training type from an enrollment's record for the body of a resend request, which expects it as text (deployment activity 4).
 * No document says if a resend request needs the type. It is sent because other requests need the type of a survey (deployment onboarding
 * 1; deployment behaviour, "Training reports").
 * @returns an empty object if the record doesn't show the type
 */
function readTrainingType({ trainingTypeId, type }: IDataObject): { trainingType?: string } {
	const typeValues = [trainingTypeId, type].filter(isScalar).map(String);
	const numericType = typeValues.find((text) => /^\d+$/.test(text));
	if (numericType !== undefined) return { trainingType: numericType };
	const isSurvey = typeValues.some((text) => text.toLowerCase() === 'survey');
	return isSurvey ? { trainingType: SURVEY_TRAINING_TYPE } : {};
}

/**
 * Resends an enrollment, with the training type from the enrollment's record. If the record can't be read, the request is sent without the
 * type, which is optional. If the enrollment doesn't exist, for example, the platform's response to that request says so.
 */
async function resendEnrollment(enrollmentId: string, helpers: PerformHelpers) {
	const envelope = await helpers
		.callOperation(getEnrollmentOperation, { path: { resourceId: enrollmentId } })
		.catch((error: unknown) => {
			if (isCancellationError(error)) throw toError(error);
			return undefined;
		});
	const enrollmentRecord = toItemJson(envelope?.data ?? {});
	return await sendResendRequest(helpers, RESEND_REFUSED_ADVICE, readTrainingType(enrollmentRecord));
}

/** Returns how many people are in the selected states according to the training summary. Nothing is resent. */
async function countEnrollmentRecipients(enrollmentId: string, selectedStates: number[], helpers: PerformHelpers) {
	const { data } = await helpers.callOperation(getTrainingSummaryOperation, { path: { enrollmentId } });
	const figures = toItemJson(toItemJson(data).reportDetail);
	const readCount = async (stateNumber: string) => {
		const count = parseNumber(figures[COUNT_FIELD_BY_STATE_NUMBER[stateNumber] ?? ''] ?? NaN);
		return Promise.resolve(Number.isNaN(count) ? null : count);
	};
	return await countRecipients(RESEND_STATES, selectedStates, readCount, helpers);
}

export const resendEnrollmentOperation = defineOperation({
	value: 'resend',
	name: 'Resend Enrollment',
	description: 'Mail the training again to those who have not opened, finished or passed',
	endpoint: 'POST /api/training-reports/{enrollmentId}/resend',
	scope: 'company',
	fields: { enrollment: resourcePicker('enrollments'), ...resendFields(RESEND_STATES) },
	request: ({ enrollment, sendTo }) => ({ path: { enrollmentId: enrollment.id }, body: { resendTypes: sendTo } }),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ enrollment, sendTo, countOnly }, helpers) =>
		countOnly ? countEnrollmentRecipients(enrollment.id, sendTo, helpers) : resendEnrollment(enrollment.id, helpers),
	transformOutput: (json, { enrollment, ...resendValues }) => ({
		enrollmentId: enrollment.id,
		...describeResend(RESEND_STATES, resendValues),
		...json,
	}),
});

/** The settings of a form field that selects people from one of the lists that the selected enrollment has. */
interface EnrollmentPeoplePickerSettings {
	listMethod: string;
	hint: string;
	listSearchField?: ListSearchField;
	/** The endpoint that lists the people. */
	endpoint: EndpointKey;
	/** The fields of a list entry that may hold the person's ID. The default is `resourceId`. */
	idFields?: readonly string[];
}

/** Creates a form field that selects people from a list of the enrollment that is selected in the same form. */
function enrollmentPeoplePicker(settings: EnrollmentPeoplePickerSettings) {
	const { listMethod, hint, listSearchField = PEOPLE_SEARCH_FIELD, endpoint, idFields = ['resourceId'] } = settings;
	return listMultiPicker({
		displayName: 'Target User Names or IDs',
		description: 'The people, by e-mail address or by the ID of their row',
		hint,
		listSearchField,
		required: true,
		listMethod,
		noun: 'person',
		source: createListSource({
			endpoint,
			idFields,
			nameFields: ['email', 'userEmail'],
			isPerCompany: true,
			dependsOn: ['enrollment.value'],
			buildPath: (context) => ({ enrollmentId: readFormText(context, 'enrollment', 'Enrollment') }),
		}),
	});
}

/** The form fields that select people from one of two lists. A person has a different ID in each list (deployment activity 4). */
const recipientFields = {
	// The option values are the names of the two lists in the path of the request.
	tab: choiceField({
		displayName: 'People Are From',
		description: 'Which list has the rows that you choose',
		default: 'users',
		options: [
			{ name: 'Enrolled Users', value: 'users' },
			{ name: 'Sending Report', value: 'sending-report' },
		],
	}),
	users: showWhen(
		{ tab: ['users'] },
		enrollmentPeoplePicker({
			listMethod: 'loadEnrolledUsers',
			hint: "The ID is the field resourceId of 'Get Enrolled Users'",
			endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
		}),
	),
	mails: showWhen(
		{ tab: ['sending-report'] },
		enrollmentPeoplePicker({
			listMethod: 'loadSentMails',
			hint: "The ID is the field resourceId of 'Get Sending Report'",
			listSearchField: { name: 'mailSearch' },
			endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
		}),
	),
};

export const resendEnrollmentToPeopleOperation = defineOperation({
	value: 'resendToPeople',
	name: 'Resend Enrollment to Chosen People',
	description: 'Mail the training again to people of an enrollment whom you name',
	endpoint: 'POST /api/training-reports/{enrollmentId}/{tab}/resend',
	scope: 'company',
	fields: { enrollment: resourcePicker('enrollments'), ...recipientFields },
	request: ({ enrollment, tab, users, mails }) => ({
		path: { enrollmentId: enrollment.id, tab },
		body: {
			filter: buildSearchFilter(),
			selectAll: false,
			selectedItems: users ?? mails ?? [],
			excludedItems: [],
		},
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: (_values, helpers) => sendResendRequest(helpers, RESEND_REFUSED_ADVICE),
	transformOutput: (json, { enrollment }) => ({ enrollmentId: enrollment.id, ...json }),
});

export const resendCertificateOperation = defineOperation({
	value: 'resendCertificate',
	name: 'Resend Certificate',
	description: 'Mail their certificate of an enrollment again to people who have earned it',
	endpoint: 'POST /api/enrollments/resend-certificate',
	scope: 'company',
	fields: {
		enrollment: resourcePicker('enrollments'),
		people: enrollmentPeoplePicker({
			listMethod: 'loadCertified',
			hint: "The ID is the field targetUserResourceId of 'Get Certificates'",
			endpoint: 'POST /api/enrollments/{enrollmentId}/certificates/search',
			idFields: ['targetUserResourceId'],
		}),
	},
	request: ({ enrollment, people }) => ({
		body: {
			people: people.map((personId) => ({ targetUserResourceId: personId, enrollmentId: enrollment.id })),
		},
	}),
	response: recordResponse(),
	transformOutput: (json, { enrollment }) => ({ enrollmentId: enrollment.id, ...json }),
});

/**
 * The properties that the definitions of the operations for stopping reminders and auto-enrollment share. The platform responds with the
 * enrollment's record (deployment activity 4).
 */
const stopAutomationOperationBase = {
	...enrollmentOperationBase,
	response: recordResponse({
		outputFields: {
			...CREATED_ENROLLMENT_FIELDS,
			simplified: [...without(CREATED_ENROLLMENT_FIELDS.simplified, 'name', 'dueDate'), 'hasReminder'],
		},
		valueField: 'id',
	}),
};

export const stopRemindersOperation = defineOperation({
	value: 'stopReminders',
	name: 'Stop Enrollment Reminders',
	description: 'Send no more reminders of an enrollment; this cannot be taken back',
	endpoint: 'POST /api/enrollments/{resourceId}/stop-reminder',
	...stopAutomationOperationBase,
});

export const stopAutoEnrollmentOperation = defineOperation({
	value: 'stopAutoEnrollment',
	name: 'Stop Auto-Enrollment',
	action: 'Stop automatic enrollment',
	description: 'Enroll nobody else by itself in an enrollment; this cannot be taken back',
	endpoint: 'POST /api/enrollments/{resourceId}/stop-autoenroll',
	...stopAutomationOperationBase,
});
