import type { IDataObject } from 'n8n-workflow';

import { IncompleteListError } from '../../core/pagination/readCompleteList';
import { recordResponse } from '../../core/response/recordResponse';
import { defineOperation, type Operation, type OperationHelpers } from '../../core/operation/defineOperation';
import { countRecipients, describeResend, resendFields, sendResendRequest } from '../resend';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { toError, isRejected } from '../../core/http/errors';
import { buildSearchFilter } from '../../core/api/searchFilter';
import { appendJobId, jobPicker, type CampaignJob } from './campaignJob';
import { ALL_PEOPLE_SEARCH_TYPE, hasPerformedAction, jobPeoplePicker, JOB_PERSON_ID_FIELDS } from './jobPeople';
import { getSimulatorTitle, type Simulator } from './simulator';

/**
 * The states of people to whom a message can be resent. The platform's web page offers the same states (deployment
 * activity 4).
 */
const RESEND_STATES = [
	{ name: 'Attachment Opened', value: '7' },
	{ name: 'Clicked', value: '2' },
	{ name: 'Failed to Send', value: '5' },
	{ name: 'MFA Code Entered', value: '8' },
	{ name: 'No Response', value: '4' },
	{ name: 'Opened Only', value: '1' },
	{ name: 'Submitted', value: '3' },
];

/** Returns true if a person did nothing after opening the message. The row must be that of a person who opened it. */
const hasOnlyOpened = (row: IDataObject) =>
	hasPerformedAction(row, 'clicked') !== true &&
	hasPerformedAction(row, 'submitted') !== true &&
	Number(row.attachmentOpenedCount ?? 0) === 0;

/**
 * A search for the people in one state: the search type, and a condition that selects from the rows that the search
 * returns.
 */
interface StateSearch {
	searchType: string;
	isInState?: (row: IDataObject) => boolean;
}

/**
 * The search for the people in each state, by the number of the state. There is none for state 5, because no search
 * type lists the people to whom the message could not be sent.
 */
const STATE_SEARCHES: Readonly<Record<string, StateSearch>> = {
	1: { searchType: 'Opened', isInState: hasOnlyOpened },
	2: { searchType: 'Clicked' },
	3: { searchType: ALL_PEOPLE_SEARCH_TYPE, isInState: (row) => hasPerformedAction(row, 'submitted') === true },
	4: { searchType: 'NoResponse' },
	7: { searchType: 'AttachmentOpened' },
	8: { searchType: 'MFA' },
};

/**
 * Counts the people of a job who are in one state.
 * @returns null if the platform can't list these people
 * @throws RequestError
 */
async function countPeopleInState(
	state: string,
	job: CampaignJob,
	searchJobUsersOperation: Operation,
	{ listRecordsCompletely }: Pick<OperationHelpers, 'listRecordsCompletely'>,
): Promise<number | null> {
	const search = STATE_SEARCHES[state];
	if (!search) return null;
	const { searchType, isInState = () => true } = search;
	try {
		const path = { ...job, searchType };
		const rows = await listRecordsCompletely(searchJobUsersOperation, { path }, { identity: JOB_PERSON_ID_FIELDS });
		return rows.filter(isInState).length;
	} catch (error) {
		if (isRejected(error) || error instanceof IncompleteListError) return null;
		throw toError(error);
	}
}

const CAMPAIGN_OVER_ADVICE =
	"If what it names is right, the campaign may be over. Such a one cannot be sent again: start it anew with 'Start Campaign', for a target group of these people.";

/**
 * Defines the operations that resend the message of a job (deployment activity 4).
 * @param searchJobUsersOperation the operation that lists the people of a job
 */
export function defineResendJobOperations(simulator: Simulator, searchJobUsersOperation: Operation) {
	const name = `Resend ${getSimulatorTitle(simulator)} Campaign Job`;

	const resendOperation = defineOperation({
		value: 'resendJob',
		name,
		description: 'Send the same message again to those of a job in the states you choose',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job/resend/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...resendFields(RESEND_STATES) },
		request: ({ job: { resourceId, instanceGroup }, sendTo }) => ({
			path: { resourceId, instanceGroup },
			body: { types: sendTo },
		}),
		response: recordResponse({ valueField: 'resourceId' }),
		perform: async ({ job, sendTo, countOnly }, helpers) => {
			if (!countOnly) return await sendResendRequest(helpers, CAMPAIGN_OVER_ADVICE);
			const countPeople = (state: string) => countPeopleInState(state, job, searchJobUsersOperation, helpers);
			return await countRecipients(RESEND_STATES, sendTo, countPeople, helpers);
		},
		transformOutput: (json, values) => appendJobId({ ...describeResend(RESEND_STATES, values), ...json }, values),
	});

	const resendToPeopleOperation = defineOperation({
		value: 'resendJobToPeople',
		name: `${name} to Chosen People`,
		description: 'Send the same message again to people of a job whom you name',
		endpoint: getSimulatorEndpointKey(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job/resend/list/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator), people: jobPeoplePicker(simulator) },
		request: ({ job: { resourceId, instanceGroup }, people: personRowIds }) => ({
			path: { resourceId, instanceGroup },
			body: {
				items: personRowIds,
				// `selectAll` must be false: with true and no items, the platform would resend the message to everybody
				// (deployment activity 4).
				selectAll: false,
				excludedItems: [],
				filter: buildSearchFilter(),
				searchType: ALL_PEOPLE_SEARCH_TYPE,
			},
		}),
		response: recordResponse({ valueField: 'resourceId' }),
		perform: (_values, helpers) => sendResendRequest(helpers, CAMPAIGN_OVER_ADVICE),
		transformOutput: appendJobId,
	});

	return { resend: resendOperation, resendToPeople: resendToPeopleOperation };
}
