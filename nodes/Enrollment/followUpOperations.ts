import { without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { EndpointKey } from '../core/api/endpoint';
import { buildSearchFilter } from '../core/api/searchFilter';
import { showWhen } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { defineOperation, type PerformHelpers } from '../core/operation/defineOperation';
import { createListSource } from '../core/pickers/listSource';
import { listMultiPicker, PEOPLE_SEARCH_FIELD, type ListSearchField } from '../core/pickers/picker';
import { recordResponse } from '../core/response/recordResponse';
import type { ResultItem } from '../core/response/responseHandler';
import { isEmpty, isScalar, readId, type Choice } from '../core/values';
import { getEnrollmentOperation } from '../domain/enrollments/enrollmentReadOperations';
import { buildEnrollmentPath, resourcePicker } from '../domain/pickers/resourcePickers';
import {
	addSelectedPeopleCount,
	checkNotAgainWithin,
	resendByStatus,
	resendFields,
	sendResendRequest,
} from '../domain/resend';
import { describeWrite, readRecordIfPossible } from '../domain/writeReport';
import { CREATED_ENROLLMENT_FIELDS, enrollmentOperationBase } from './enrollmentFields';
import { LISTED_STATUSES, readPeopleByStatus, RESEND_STATUSES } from './enrollmentRecipients';
import { readEnrollmentName } from './readEnrollmentName';

/** The training type of a survey (deployment facts, "Requests"). */
const SURVEY_TRAINING_TYPE = '0';

const RESEND_REFUSED_ADVICE =
	"If the enrollment and the people are right, check the enrollment's status. An enrollment that is finished, stopped, deleted or was never sent can't be resent.";

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

/** Adds the enrollment's name to items that lack it. */
async function addName(items: ResultItem[], enrollment: Choice, helpers: PerformHelpers): Promise<ResultItem[]> {
	if (items.every(({ json }) => !isEmpty(json.name))) return items;
	const name = await readEnrollmentName(enrollment, helpers);
	return items.map((item) => {
		const { name: returnedName, ...otherFields } = item.json;
		return { ...item, json: { name: isEmpty(returnedName) ? name : returnedName, ...otherFields } };
	});
}

/** Adds the enrollment's ID, and its name if it is known, to an output item. */
const addEnrollment = (json: IDataObject, { enrollment }: { enrollment: Choice }): IDataObject => ({
	name: enrollment.name || null,
	enrollmentId: enrollment.id,
	...json,
});

/** The names of the lists of people in the path of a request (deployment activity 4). */
const LISTS_IN_PATH = { enrolledUsers: 'users', sendingReport: 'sending-report' };

const RESEND_TO_PEOPLE_ENDPOINT = 'POST /api/training-reports/{enrollmentId}/{tab}/resend';

/**
 * Builds the body of a request that resends an enrollment's email to selected people.
 * @param rowIds the IDs of their rows in the list that the request's path names
 */
const buildSelectedPeopleBody = (rowIds: string[]): IDataObject => ({
	filter: buildSearchFilter(),
	selectAll: false,
	selectedItems: rowIds,
	excludedItems: [],
});

export const resendEnrollmentOperation = defineOperation({
	value: 'resend',
	name: 'Resend',
	action: 'Resend enrollment',
	description: "Resend an enrollment's email to people with certain statuses. Each execution sends it again.",
	outputNote:
		"Each execution sends the email again. peopleCount is the number of people who get the email. To count these people without sending, turn on 'Count Only'.",
	endpoint: 'POST /api/training-reports/{enrollmentId}/resend',
	scope: 'company',
	fields: { enrollment: resourcePicker('enrollments'), ...resendFields(RESEND_STATUSES) },
	request: ({ enrollment, sendTo, options }) => {
		checkNotAgainWithin(RESEND_STATUSES, { sendTo, options }, LISTED_STATUSES);
		return { path: { enrollmentId: enrollment.id }, body: { resendTypes: sendTo } };
	},
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ enrollment, ...values }, helpers) => {
		const path = { resourceId: enrollment.id };
		const enrollmentRecord = await readRecordIfPossible(getEnrollmentOperation, { path }, helpers);
		const items = await resendByStatus(
			RESEND_STATUSES,
			values,
			{
				readPeople: (statuses, needsSendTimes) => readPeopleByStatus(enrollment.id, statuses, needsSendTimes, helpers),
				sendToStatuses: () =>
					sendResendRequest(helpers, RESEND_REFUSED_ADVICE, { body: readTrainingType(enrollmentRecord) }),
				sendToRows: (rowIds) =>
					sendResendRequest(helpers, RESEND_REFUSED_ADVICE, {
						endpoint: RESEND_TO_PEOPLE_ENDPOINT,
						path: { enrollmentId: enrollment.id, tab: LISTS_IN_PATH.enrolledUsers },
						body: { ...buildSelectedPeopleBody(rowIds), resendTypes: undefined },
					}),
			},
			helpers,
		);
		const name = readId(enrollmentRecord, ['name']);
		return items.map(({ json }) => ({ json: name === undefined ? json : { name, ...json } }));
	},
	transformOutput: addEnrollment,
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
		description: 'The people to send the email to',
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
			buildPath: buildEnrollmentPath,
		}),
	});
}

/** The form fields that select people from one of two lists. A person has a different ID in each list (deployment activity 4). */
const recipientFields = {
	selectFrom: choiceField({
		displayName: 'Select People From',
		description: 'Select the list to choose the people from',
		default: 'enrolledUsers',
		options: [
			{
				name: 'Enrolled Users',
				value: 'enrolledUsers',
				description: "The people that 'Get many enrolled users' lists",
			},
			{
				name: 'Sending Report',
				value: 'sendingReport',
				description: "The people that 'Get training email sending report' lists",
			},
		],
	}),
	enrolledUsers: showWhen(
		{ selectFrom: ['enrolledUsers'] },
		enrollmentPeoplePicker({
			listMethod: 'loadEnrolledUsers',
			hint: "In an expression, use email addresses, or the values of resourceId from 'Get many enrolled users'",
			endpoint: 'POST /api/training-reports/{enrollmentId}/users/search',
		}),
	),
	sentEmails: showWhen(
		{ selectFrom: ['sendingReport'] },
		enrollmentPeoplePicker({
			listMethod: 'loadSentMails',
			hint: "In an expression, use email addresses, or the values of resourceId from 'Get training email sending report'",
			listSearchField: { name: 'emailSearch' },
			endpoint: 'POST /api/training-reports/{enrollmentId}/sending-report/search',
		}),
	),
};

export const resendEnrollmentToPeopleOperation = defineOperation({
	value: 'resendToPeople',
	name: 'Resend to People',
	action: 'Resend enrollment to people',
	description: "Resend an enrollment's email to selected people. Each execution sends it again.",
	outputNote: 'Each execution sends the email again. peopleCount is the number of people who get the email.',
	endpoint: RESEND_TO_PEOPLE_ENDPOINT,
	scope: 'company',
	fields: { enrollment: resourcePicker('enrollments'), ...recipientFields },
	request: ({ enrollment, selectFrom, enrolledUsers, sentEmails }) => ({
		path: { enrollmentId: enrollment.id, tab: LISTS_IN_PATH[selectFrom] },
		body: buildSelectedPeopleBody(enrolledUsers ?? sentEmails ?? []),
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ enrollment, enrolledUsers, sentEmails }, helpers) => {
		const results = await sendResendRequest(helpers, RESEND_REFUSED_ADVICE);
		const reports = addSelectedPeopleCount(results, enrolledUsers ?? sentEmails ?? [], helpers);
		return await addName(reports, enrollment, helpers);
	},
	transformOutput: addEnrollment,
});

export const resendCertificateOperation = defineOperation({
	value: 'resendCertificate',
	name: 'Resend Certificate',
	action: 'Resend enrollment certificates',
	description: "Resend an enrollment's certificates to selected people. Each execution sends the certificates again.",
	outputNote: 'Each execution sends the certificates again. peopleCount is the number of people who get a certificate.',
	endpoint: 'POST /api/enrollments/resend-certificate',
	scope: 'company',
	fields: {
		enrollment: resourcePicker('enrollments'),
		people: enrollmentPeoplePicker({
			listMethod: 'loadCertified',
			hint: "In an expression, use email addresses, or the values of targetUserResourceId from 'Get many training certificates'",
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
	perform: async ({ enrollment, people }, helpers) => {
		const reports = addSelectedPeopleCount(await helpers.send(), people, helpers);
		return await addName(reports, enrollment, helpers);
	},
	transformOutput: addEnrollment,
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
			simplified: [
				'name',
				'result',
				'time',
				'timeZone',
				...without(CREATED_ENROLLMENT_FIELDS.simplified, 'name', 'dueDate'),
				'hasReminder',
			],
		},
		valueField: 'id',
	}),
	perform: async ({ enrollment }: { enrollment: Choice }, helpers: PerformHelpers) => {
		const results = await helpers.send();
		const stoppedFields = describeWrite('stopped', helpers.context.timezone);
		const reports = results.map((result) => ({ ...result, json: { ...stoppedFields, ...result.json } }));
		return await addName(reports, enrollment, helpers);
	},
};

export const stopRemindersOperation = defineOperation({
	value: 'stopReminders',
	name: 'Stop Reminders',
	action: 'Stop enrollment reminders',
	description: "Stop sending an enrollment's reminders. This can't be undone.",
	endpoint: 'POST /api/enrollments/{resourceId}/stop-reminder',
	...stopAutomationOperationBase,
});

export const stopAutoEnrollmentOperation = defineOperation({
	value: 'stopAutoEnrollment',
	name: 'Stop Auto-Enrollment',
	action: 'Stop automatic enrollment',
	description: "Stop adding people to an enrollment automatically. This can't be undone.",
	endpoint: 'POST /api/enrollments/{resourceId}/stop-autoenroll',
	...stopAutomationOperationBase,
});
