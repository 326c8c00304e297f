import { without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { record } from '../core/response/recordResponse';
import { showWhen } from '../core/fields/field';
import { choice } from '../core/fields/fieldTypes';
import { defineOperation, type Operation } from '../core/operation/defineOperation';
import { counted, refusedResend, resendFields, sentAgain } from '../domain/resend';
import { sourceOf, textIn } from '../core/pickers/listSource';
import { multiPicker, PEOPLE_SEARCH, type Narrowing } from '../core/pickers/picker';
import { pickerOf } from '../domain/pickers/resourcePickers';
import type { EndpointKey } from '../core/api/endpoint';
import { getSummary } from '../TrainingReport/trainingSummary';
import { CREATED_ENROLLMENT, ofOne } from './enrollmentFields';
import { isStop, rethrow } from '../core/http/errors';
import { numberOf, toJson, isScalar } from '../core/values';
import { searchFilter } from '../core/http/requestVariants';

/** The states that the platform's own front end sends to (deployment activity, 4). */
const STATES = [
	{ name: 'Exam Failed', value: '6' },
	{ name: 'Failed to Send', value: '1' },
	{ name: 'No Response', value: '7' },
	{ name: 'Not Completed', value: '4' },
	{ name: 'Opened Only', value: '2' },
];

/** The figures of the summary that say how many people are in each (deployment shapes). */
const FIGURES: Readonly<Record<string, string>> = {
	1: 'emailErrorUserCount',
	2: 'onlyOpenedCount',
	4: 'didNotCompleteTrainingCount',
	6: 'failedExamCount',
	7: 'noResponseCount',
};

/** The training type of a survey (deployment facts). */
const SURVEY = '0';

const MAY_BE_OVER =
	'If what it names is right, look at the status of the enrollment: one that is over, stopped or deleted, or that was never sent, cannot be sent again.';

/**
 * Reads the training type for the body of a resend, where it is text (deployment activity, 4). Other requests about surveys need it,
 * so it is sent here as well (deployment onboarding, 1; deployment behaviour, "Training reports").
 * @returns an empty object if the enrollment's record doesn't show the type
 */
function readTrainingType({ trainingTypeId, type }: IDataObject): { trainingType?: string } {
	const words = [trainingTypeId, type].filter(isScalar).map(String);
	const number = words.find((word) => /^\d+$/.test(word));
	if (number !== undefined) return { trainingType: number };
	return words.some((word) => word.toLowerCase() === 'survey') ? { trainingType: SURVEY } : {};
}

const createResend = (get: Operation) =>
	defineOperation({
		value: 'resend',
		name: 'Resend Enrollment',
		description: 'Mail the training again to those who have not opened, finished or passed',
		endpoint: 'POST /api/training-reports/{enrollmentId}/resend',
		scope: 'company',
		fields: { enrollment: pickerOf('enrollments'), ...resendFields(STATES) },
		request: ({ enrollment, sendTo }) => ({ path: { enrollmentId: enrollment.id }, body: { resendTypes: sendTo } }),
		answer: record({ as: 'resourceId' }),
		perform: async ({ enrollment, sendTo, countOnly }, tools) => {
			if (!countOnly) {
				// The type is optional. If the record can't be read, the resend itself shows the error.
				const enrollmentRecord = await tools
					.ask(get, { path: { resourceId: enrollment.id } })
					.catch(async (error: unknown) => (isStop(error) ? await rethrow(error) : undefined));
				return await tools
					.send({ body: readTrainingType(toJson(enrollmentRecord?.data ?? {})) })
					.catch(refusedResend(MAY_BE_OVER));
			}
			const path = { enrollmentId: enrollment.id };
			const { data } = await tools.ask(getSummary, { path });
			const figures = toJson(toJson(data).reportDetail);
			const countOf = (state: string) => numberOf(figures[FIGURES[state] ?? ''] ?? NaN);
			const known = async (state: string) => Promise.resolve(Number.isNaN(countOf(state)) ? null : countOf(state));
			return await counted(STATES, sendTo, known, tools);
		},
		output: (json, { enrollment, ...asked }) => ({
			enrollmentId: enrollment.id,
			...sentAgain(STATES, asked),
			...json,
		}),
	});

/** The field that chooses people of the chosen enrollment from a list about it. @param id the fields that may have the ID */
const peopleOf = (
	{ method, hint, search = PEOPLE_SEARCH }: { method: string; hint: string; search?: Narrowing },
	endpoint: EndpointKey,
	id: readonly string[] = ['resourceId'],
) =>
	multiPicker({
		displayName: 'Target User Names or IDs',
		description: 'The people, by e-mail address or by the ID of their row',
		hint,
		search,
		required: true,
		method,
		thing: 'person',
		source: sourceOf({
			endpoint,
			id,
			name: ['email', 'userEmail'],
			scoped: true,
			dependsOn: ['enrollment.value'],
			path: (editor) => ({ enrollmentId: textIn(editor, 'enrollment', 'Enrollment') }),
		}),
	});

/** The lists whose rows a person can choose from, as the paths call them; their IDs differ (deployment activity, 4). */
const people = {
	tab: choice({
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
		peopleOf(
			{ method: 'loadEnrolledUsers', hint: "The ID is the field resourceId of 'Get Enrolled Users'" },
			'POST /api/training-reports/{enrollmentId}/users/search',
		),
	),
	mails: showWhen(
		{ tab: ['sending-report'] },
		peopleOf(
			{
				method: 'loadSentMails',
				hint: "The ID is the field resourceId of 'Get Sending Report'",
				search: { name: 'mailSearch' },
			},
			'POST /api/training-reports/{enrollmentId}/sending-report/search',
		),
	),
};

const resendToPeople = defineOperation({
	value: 'resendToPeople',
	name: 'Resend Enrollment to Chosen People',
	description: 'Mail the training again to people of an enrollment whom you name',
	endpoint: 'POST /api/training-reports/{enrollmentId}/{tab}/resend',
	scope: 'company',
	fields: { enrollment: pickerOf('enrollments'), ...people },
	request: ({ enrollment, tab, users, mails }) => ({
		path: { enrollmentId: enrollment.id, tab },
		body: { filter: searchFilter(), selectAll: false, selectedItems: users ?? mails ?? [], excludedItems: [] },
	}),
	answer: record({ as: 'resourceId' }),
	perform: async (_values, { send }) => send().catch(refusedResend(MAY_BE_OVER)),
	output: (json, { enrollment }) => ({ enrollmentId: enrollment.id, ...json }),
});

const resendCertificate = defineOperation({
	value: 'resendCertificate',
	name: 'Resend Certificate',
	description: 'Mail their certificate of an enrollment again to people who have earned it',
	endpoint: 'POST /api/enrollments/resend-certificate',
	scope: 'company',
	fields: {
		enrollment: pickerOf('enrollments'),
		people: peopleOf(
			{ method: 'loadCertified', hint: "The ID is the field targetUserResourceId of 'Get Certificates'" },
			'POST /api/enrollments/{enrollmentId}/certificates/search',
			['targetUserResourceId'],
		),
	},
	request: ({ enrollment, people: ids }) => ({
		body: { people: ids.map((id) => ({ targetUserResourceId: id, enrollmentId: enrollment.id })) },
	}),
	answer: record(),
	output: (json, { enrollment }) => ({ enrollmentId: enrollment.id, ...json }),
});

/** What is answered with the enrollment as it is then (deployment activity, 4). */
const stopped = {
	...ofOne,
	answer: record({
		known: {
			...CREATED_ENROLLMENT,
			simplified: [...without(CREATED_ENROLLMENT.simplified, 'name', 'dueDate'), 'hasReminder'],
		},
		as: 'id',
	}),
};

const stopReminders = defineOperation({
	value: 'stopReminders',
	name: 'Stop Enrollment Reminders',
	description: 'Send no more reminders of an enrollment; this cannot be taken back',
	endpoint: 'POST /api/enrollments/{resourceId}/stop-reminder',
	...stopped,
});

const stopAutoEnrollment = defineOperation({
	value: 'stopAutoEnrollment',
	name: 'Stop Auto-Enrollment',
	action: 'Stop automatic enrollment',
	description: 'Enroll nobody else by itself in an enrollment; this cannot be taken back',
	endpoint: 'POST /api/enrollments/{resourceId}/stop-autoenroll',
	...stopped,
});

/** Creates the operations that resend something or stop automatic sending. @param get the operation that reads an enrollment */
export const createResendOperations = (get: Operation): Operation[] => [
	createResend(get),
	resendCertificate,
	resendToPeople,
	stopAutoEnrollment,
	stopReminders,
];
