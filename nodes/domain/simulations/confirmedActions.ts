import { groupBy, memoize } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { SIMULATORS, type Simulator } from '../../core/api/endpoints';
import type { HttpClient } from '../../core/http/client';
import { readId, type Choice } from '../../core/values';
import { findNamedAction } from './actionTypes';
import { HUMAN_ACTIVITY_PATTERN } from './botFilter';
import { formatJobId, type CampaignJob } from './campaignJob';
import { RISKY_ACTIONS, type RiskyAction } from './jobPeople';
import { JobReader, type CampaignJobRow } from './jobReader';

const PURPOSE = 'confirm events in the results of campaign jobs';

/** Returns true if the row of a person in a job is marked as that of a human. */
export const isHumanRow = (row: IDataObject): boolean =>
	HUMAN_ACTIVITY_PATTERN.test(readId(row, ['activityType']) ?? '');

/** Matches the product of an event that isn't part of a simulation. */
const TRAINING_PRODUCT = /train|learn|survey|enrol/i;

const readProduct = (event: IDataObject) => readId(event, ['productType']) ?? '';

/** Returns the action that a bot may have done in a simulation. Undefined if bots don't cause events of this kind. */
export function findBotAction(event: IDataObject): RiskyAction | undefined {
	if (TRAINING_PRODUCT.test(readProduct(event))) return undefined;
	const namedAction = findNamedAction(readId(event, ['ActionType']) ?? '');
	return RISKY_ACTIONS.find((action) => action === namedAction);
}

/** Returns the simulators to which an event may belong. If its product names none of them, that is every simulator. */
function findSimulators(event: IDataObject): readonly Simulator[] {
	const product = readProduct(event).toLowerCase();
	// No document lists the names of products, so the first letters of a simulator are enough, such as "phish".
	const namedSimulators = SIMULATORS.filter((simulator) => product.includes(simulator.slice(0, 5)));
	return namedSimulators.length > 0 ? namedSimulators : SIMULATORS;
}

/** Confirms the events of one customer. Returns undefined for an event that no job's results confirm. @throws RequestError */
type ConfirmEvents = (company: Choice | undefined, events: IDataObject[]) => Promise<Array<IDataObject | undefined>>;

/**
 * Creates a function that confirms events of simulations. The platform's timeline doesn't show which actions are those of bots. But
 * the results of a campaign job do (deployment activity 1; deployment onboarding 3). An event is confirmed if the results of a job of
 * its campaign list the person as a human who did the same action. Each list is read at most once for each customer.
 */
export function createEventConfirmer(client: HttpClient, signal: AbortSignal): ConfirmEvents {
	return async (company, events) => {
		const reader = createHumanReader(new JobReader(client, { company, signal, purpose: PURPOSE }));
		const confirmedEvents: Array<IDataObject | undefined> = [];
		for (const event of events) confirmedEvents.push(await confirmEvent(reader, event));
		return confirmedEvents;
	};
}

/** Reads the jobs of one customer and their people. Each list is read once. */
interface HumanReader {
	/** Reads the jobs of a simulator, by the ID of their campaign. @throws RequestError */
	readJobs: (simulator: Simulator) => Promise<Record<string, CampaignJobRow[]>>;
	/** Reads the keys of the humans who did an action in a job. @throws RequestError */
	readHumans: (simulator: Simulator, job: CampaignJob, action: RiskyAction) => Promise<Set<string>>;
}

const createHumanReader = (reader: JobReader): HumanReader => ({
	readJobs: memoize(async (simulator: Simulator) =>
		groupBy(await reader.readJobs(simulator), ({ job }) => job.resourceId),
	),
	readHumans: memoize(
		async (simulator: Simulator, job: CampaignJob, action: RiskyAction) => {
			const rows = await reader.readPeople(simulator, job, action, true);
			return new Set(rows.filter(isHumanRow).flatMap(getPersonKeys));
		},
		(simulator, job, action) => `${simulator} ${formatJobId(job)} ${action}`,
	),
});

async function confirmEvent(reader: HumanReader, event: IDataObject): Promise<IDataObject | undefined> {
	const action = findBotAction(event);
	const campaignId = readId(event, ['resourceId']);
	if (!action || campaignId === undefined) return undefined;
	const personKeys = getPersonKeys(event);
	for (const simulator of findSimulators(event)) {
		const jobs = (await reader.readJobs(simulator))[campaignId] ?? [];
		for (const { job } of jobs) {
			const humans = await reader.readHumans(simulator, job, action);
			if (personKeys.some((key) => humans.has(key))) return { ...event, jobId: formatJobId(job) };
		}
	}
	return undefined;
}

/** Returns the texts that identify a person in an event and in a row: the email address and the ID, in lower case. */
const getPersonKeys = (record: IDataObject): string[] =>
	['email', 'targetUserResourceId'].flatMap((name) => readId(record, [name])?.toLowerCase() ?? []);
