import type { IDataObject } from 'n8n-workflow';

import { IncompleteList } from '../../core/pagination/readList';
import { record } from '../../core/response/recordResponse';
import { defineOperation, type Operation, type Tools } from '../../core/operation/defineOperation';
import { counted, refusedResend, resendFields, sentAgain } from '../resend';
import { ofSimulator } from '../../core/api/endpoints';
import { isRefused, rethrow } from '../../core/http/errors';
import { ALL_PEOPLE, hasDone, jobPeoplePicker, PERSON_ROW } from './people';
import { jobPicker, titleOf, withJob, type Job, type Simulator } from './simulator';
import { searchFilter } from '../../core/http/requestVariants';

/** The states that the platform's own front end sends to (deployment activity, 4). */
const STATES = [
	{ name: 'Attachment Opened', value: '7' },
	{ name: 'Clicked', value: '2' },
	{ name: 'Failed to Send', value: '5' },
	{ name: 'MFA Code Entered', value: '8' },
	{ name: 'No Response', value: '4' },
	{ name: 'Opened Only', value: '1' },
	{ name: 'Submitted', value: '3' },
];

const hasNotGoneOn = (row: IDataObject) =>
	hasDone(row, 'clicked') !== true &&
	hasDone(row, 'submitted') !== true &&
	Number(row.attachmentOpenedCount ?? 0) === 0;

/** The list of people that has those of a state, and which of them; there is none of those to whom it could not be sent. */
const LISTS: Readonly<Record<string, { searchType: string; isWanted?: (row: IDataObject) => boolean }>> = {
	1: { searchType: 'Opened', isWanted: hasNotGoneOn },
	2: { searchType: 'Clicked' },
	3: { searchType: ALL_PEOPLE, isWanted: (row) => hasDone(row, 'submitted') === true },
	4: { searchType: 'NoResponse' },
	7: { searchType: 'AttachmentOpened' },
	8: { searchType: 'MFA' },
};

/** How many people of a job are in a state. @returns null where no list tells @throws ServiceError */
async function countIn(state: string, job: Job, people: Operation, { listComplete }: Pick<Tools, 'listComplete'>) {
	const { searchType, isWanted = () => true } = LISTS[state] ?? {};
	if (searchType === undefined) return null;
	return await listComplete(people, { path: { ...job, searchType } }, { identity: PERSON_ROW }).then(
		(rows) => rows.filter(isWanted).length,
		async (error: unknown) => (isRefused(error) || error instanceof IncompleteList ? null : await rethrow(error)),
	);
}

const MAY_BE_OVER =
	"If what it names is right, the campaign may be over. Such a one cannot be sent again: start it anew with 'Start Campaign', for a target group of these people.";

const nameOf = (simulator: Simulator) => `Resend ${titleOf(simulator)} Campaign Job`;

const toStates = (simulator: Simulator, people: Operation) =>
	defineOperation({
		value: 'resendJob',
		name: nameOf(simulator),
		description: 'Send the same message again to those of a job in the states you choose',
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job/resend/{resourceId}/{instanceGroup}'),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...resendFields(STATES) },
		request: ({ job: { resourceId, instanceGroup }, sendTo }) => ({
			path: { resourceId, instanceGroup },
			body: { types: sendTo },
		}),
		answer: record({ as: 'resourceId' }),
		perform: async ({ job: of, sendTo, countOnly }, tools) =>
			countOnly
				? await counted(STATES, sendTo, async (state) => countIn(state, of, people, tools), tools)
				: await tools.send().catch(refusedResend(MAY_BE_OVER)),
		output: (json, values) => withJob({ ...sentAgain(STATES, values), ...json }, values),
	});

const toPeople = (simulator: Simulator) =>
	defineOperation({
		value: 'resendJobToPeople',
		name: `${nameOf(simulator)} to Chosen People`,
		description: 'Send the same message again to people of a job whom you name',
		endpoint: ofSimulator(
			simulator,
			'POST /api/SIM-simulator/SIM-campaign-job/resend/list/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator), people: jobPeoplePicker(simulator) },
		// The platform would take no items and selectAll as everybody (deployment activity, 4).
		request: ({ job: { resourceId, instanceGroup }, people: items }) => ({
			path: { resourceId, instanceGroup },
			body: { items, selectAll: false, excludedItems: [], filter: searchFilter(), searchType: ALL_PEOPLE },
		}),
		answer: record({ as: 'resourceId' }),
		perform: async (_values, { send }) => send().catch(refusedResend(MAY_BE_OVER)),
		output: withJob,
	});

/**
 * The operations that send the message of a job again (deployment activity, 4).
 * @param people the operation that lists the people of a job
 */
export const resendOperations = (simulator: Simulator, people: Operation): Operation[] => [
	toPeople(simulator),
	toStates(simulator, people),
];
