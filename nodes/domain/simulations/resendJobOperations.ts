import { uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { buildSearchFilter } from '../../core/api/searchFilter';
import { toError, isRejected } from '../../core/http/errors';
import { defineOperation, type Operation, type OperationHelpers } from '../../core/operation/defineOperation';
import { IncompleteListError } from '../../core/pagination/readCompleteList';
import { LARGE_PAGE_SIZE } from '../../core/pagination/readList';
import { recordResponse } from '../../core/response/recordResponse';
import type { ResultItem } from '../../core/response/responseHandler';
import { readId } from '../../core/values';
import { isUndelivered } from '../deliveryState';
import {
	addSelectedPeopleCount,
	checkNotAgainWithin,
	resendByStatus,
	resendFields,
	sendResendRequest,
	type PeopleWithStatus,
	type RecipientRow,
} from '../resend';
import { appendJobId, jobPicker, type CampaignJob } from './campaignJob';
import {
	ALL_PEOPLE_SEARCH_TYPE,
	hasPerformedAction,
	jobPeoplePicker,
	JOB_PERSON_ID_FIELDS,
	readPersonKey,
} from './jobPeople';
import { readJobCampaignName } from './readJobCampaignName';
import type { Simulator } from './simulator';

/**
 * The statuses of people to whom a message can be resent. The platform's web page offers the same statuses (deployment
 * activity 4). Its "Clicked" includes people who then submitted data, and its "Opened Only" doesn't include people who
 * did more (deployment activity 6).
 */
const RESEND_STATUSES = [
	{
		name: 'Attachment Opened',
		value: 'attachmentOpened',
		number: 7,
		description: "People who opened the attachment. They can also be in 'Clicked' and 'Submitted'.",
	},
	{
		name: 'Clicked',
		value: 'clicked',
		number: 2,
		description: 'People who clicked or scanned, including those who then submitted data',
	},
	{
		name: 'Failed to Send',
		value: 'failedToSend',
		number: 5,
		description: "The message couldn't be sent to these people, and no list shows who they are",
	},
	{
		name: 'MFA Code Entered',
		value: 'mfaCodeEntered',
		number: 8,
		description: "People who entered an MFA code. They can also be in 'Clicked' and 'Submitted'.",
	},
	{
		name: 'No Response',
		value: 'noResponse',
		number: 4,
		description: "People who did nothing with the message. They aren't in 'Opened Only', 'Clicked' or 'Submitted'.",
	},
	{
		name: 'Opened Only',
		value: 'openedOnly',
		number: 1,
		description: 'People who opened the message and did nothing else',
	},
	{
		name: 'Submitted',
		value: 'submitted',
		number: 3,
		description: "People who submitted data. Most of them are also in 'Clicked'.",
	},
];

/**
 * Returns true if a person did nothing after opening the message. The row must be that of a person who opened it.
 * @returns null if the row doesn't show it
 */
function hasOnlyOpened(row: IDataObject): boolean | null {
	const actions = [hasPerformedAction(row, 'clicked'), hasPerformedAction(row, 'submitted')];
	if (actions.includes(true) || Number(row.attachmentOpenedCount ?? 0) > 0) return false;
	return actions.includes(null) ? null : true;
}

/**
 * A search for the people with one status: the search type, and a condition that selects from the rows that the search
 * returns.
 */
interface StatusSearch {
	searchType: string;
	/** Returns null if the row doesn't show if its person has the status. */
	hasStatus?: (row: IDataObject) => boolean | null;
}

/**
 * The search for the people with each status, by the number of the status. There is none for status 5, because no search
 * type lists the people to whom the message could not be sent.
 */
const STATUS_SEARCHES: Readonly<Record<string, StatusSearch>> = {
	1: { searchType: 'Opened', hasStatus: hasOnlyOpened },
	2: { searchType: 'Clicked' },
	3: { searchType: ALL_PEOPLE_SEARCH_TYPE, hasStatus: (row) => hasPerformedAction(row, 'submitted') },
	4: { searchType: 'NoResponse' },
	7: { searchType: 'AttachmentOpened' },
	8: { searchType: 'MFA' },
};

/** Converts a person's row in a job to a row that can be selected as a recipient. */
function toRecipientRow(row: IDataObject): RecipientRow {
	const rowId = readId(row, JOB_PERSON_ID_FIELDS) ?? '';
	return {
		rowId,
		personKey: readPersonKey(row) ?? rowId,
		lastSendTime: rowId === '' ? undefined : readId(row, ['lastSendingTime']),
		isUndelivered: rowId !== '' && isUndelivered(row.status),
	};
}

/**
 * Reads the people of a job who have one status. Bots are included, because the platform also resends to them.
 * @returns no count if the platform can't list these people, or if their rows don't show who has the status
 * @throws RequestError
 */
async function readPeopleWithStatus(
	status: string,
	job: CampaignJob,
	searchJobUsersOperation: Operation,
	{ listRecordsCompletely }: Pick<OperationHelpers, 'listRecordsCompletely'>,
): Promise<PeopleWithStatus> {
	const search = STATUS_SEARCHES[status];
	if (!search) return { count: null };
	const { searchType, hasStatus = () => true } = search;
	try {
		const { resourceId, instanceGroup } = job;
		const allRows = await listRecordsCompletely(
			searchJobUsersOperation,
			{ path: { resourceId, instanceGroup, searchType } },
			{ identity: JOB_PERSON_ID_FIELDS, pageSize: LARGE_PAGE_SIZE },
		);
		const statuses = allRows.map(hasStatus);
		if (statuses.includes(null)) return { count: null };
		const rows = allRows.filter((_row, index) => statuses[index] === true).map(toRecipientRow);
		return { count: uniqBy(rows, 'personKey').length, rows };
	} catch (error) {
		if (isRejected(error) || error instanceof IncompleteListError) return { count: null };
		throw toError(error);
	}
}

/**
 * Builds the body of a request that resends a message to selected people.
 * @param rowIds the IDs of the people's rows in the job
 */
const buildSelectedPeopleBody = (rowIds: string[]): IDataObject => ({
	items: rowIds,
	// `selectAll` must be false: with true and no items, the platform would resend the message to everybody (deployment
	// activity 4).
	selectAll: false,
	excludedItems: [],
	filter: buildSearchFilter(),
	searchType: ALL_PEOPLE_SEARCH_TYPE,
});

/**
 * Defines the operations that resend the message of a job (deployment activity 4).
 * @param searchJobUsersOperation the operation that lists the people of a job
 * @param getSummaryOperation the operation that gets the summary of a job
 */
export function defineResendJobOperations(
	simulator: Simulator,
	searchJobUsersOperation: Operation,
	getSummaryOperation: Operation,
) {
	/** Adds the name of the job's campaign to the results. */
	const addCampaignName = async (results: ResultItem[], job: CampaignJob, helpers: OperationHelpers) => {
		const campaignName = await readJobCampaignName(job, getSummaryOperation, helpers);
		return results.map((result) => ({ ...result, json: { campaignName, ...result.json } }));
	};
	const listEndpoint = getSimulatorEndpointKey(
		simulator,
		'POST /api/SIM-simulator/SIM-campaign-job/resend/list/{resourceId}/{instanceGroup}',
	);
	const advice = `If the job and the people are right, the campaign may be over, and then its message can't be resent. Use 'Start ${simulator} campaign' to send it to a target group of these people.`;

	const resendOperation = defineOperation({
		value: 'resend',
		name: 'Resend',
		action: `Resend ${simulator} campaign job`,
		description: "Resend a campaign job's message to people with certain statuses. Each execution sends it again.",
		outputNote:
			"Each execution sends the message again. peopleCount is the number of people who get the message. To count these people without sending, turn on 'Count Only'.",
		endpoint: getSimulatorEndpointKey(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job/resend/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...resendFields(RESEND_STATUSES) },
		request: ({ job: { resourceId, instanceGroup }, sendTo, options }) => {
			checkNotAgainWithin(RESEND_STATUSES, { sendTo, options }, Object.keys(STATUS_SEARCHES));
			return { path: { resourceId, instanceGroup }, body: { types: sendTo } };
		},
		response: recordResponse({ valueField: 'resourceId' }),
		perform: async ({ job, ...values }, helpers) => {
			const results = await resendByStatus(
				RESEND_STATUSES,
				values,
				{
					readPeople: (statuses) =>
						Promise.all(statuses.map((status) => readPeopleWithStatus(status, job, searchJobUsersOperation, helpers))),
					sendToStatuses: () => sendResendRequest(helpers, advice),
					sendToRows: (rowIds) =>
						sendResendRequest(helpers, advice, {
							endpoint: listEndpoint,
							body: { ...buildSelectedPeopleBody(rowIds), types: undefined },
						}),
				},
				helpers,
			);
			return await addCampaignName(results, job, helpers);
		},
		transformOutput: appendJobId,
	});

	const resendToPeopleOperation = defineOperation({
		value: 'resendToPeople',
		name: 'Resend to People',
		action: `Resend ${simulator} campaign job to people`,
		description: "Resend a campaign job's message to selected people. Each execution sends it again.",
		outputNote: 'Each execution sends the message again. peopleCount is the number of people who get the message.',
		endpoint: listEndpoint,
		scope: 'company',
		fields: { job: jobPicker(simulator), people: jobPeoplePicker(simulator) },
		request: ({ job: { resourceId, instanceGroup }, people: personRowIds }) => ({
			path: { resourceId, instanceGroup },
			body: buildSelectedPeopleBody(personRowIds),
		}),
		response: recordResponse({ valueField: 'resourceId' }),
		perform: async ({ job, people }, helpers) => {
			const results = addSelectedPeopleCount(await sendResendRequest(helpers, advice), people, helpers);
			return await addCampaignName(results, job, helpers);
		},
		transformOutput: appendJobId,
	});

	return { resend: resendOperation, resendToPeople: resendToPeopleOperation };
}
