import type { IDataObject } from 'n8n-workflow';
import { groupBy } from 'lodash';

import { getSimulatorEndpointKey, SIMULATORS, type Simulator } from '../../core/api/endpoints';
import type { HttpClient } from '../../core/http/client';
import { isRejected, toError } from '../../core/http/errors';
import { LARGE_PAGE_SIZE, readList } from '../../core/pagination/readList';
import type { PerformHelpers } from '../../core/operation/defineOperation';
import { readId, type Choice } from '../../core/values';
import { createBotFilter, createFilteredSend } from './botFilter';
import { formatJobId, readJob, readJobId, type CampaignJob } from './campaignJob';
import { getActionEndpoint, listPeopleByAction, type RiskyAction } from './jobPeople';
import { upperFirst } from 'lodash';

const PURPOSE = 'confirm events in the results of campaign jobs';
/** Matches `activityType` in the row of a person (deployment activity 1). Rows of bots have other texts. */
const HUMAN_ACTIVITY = /^human/i;

/** The word in an event's action type that shows each action. No document lists the action types, so words are looked for. */
const ACTION_PATTERNS: ReadonlyArray<[action: RiskyAction, pattern: RegExp]> = [
	['submitted', /submi/i],
	['clicked', /click|scan/i],
	['opened', /open/i],
];
/** Matches the product of an event that belongs to no simulation. */
const TRAINING_PRODUCT = /train|learn|survey|enrol/i;

const readProduct = (event: IDataObject) => readId(event, ['productType']) ?? '';

/** Returns the action that a bot may have done in a simulation. Undefined if bots don't cause events of this kind. */
export function findBotAction(event: IDataObject): RiskyAction | undefined {
	if (TRAINING_PRODUCT.test(readProduct(event))) return undefined;
	const actionType = readId(event, ['ActionType']) ?? '';
	return ACTION_PATTERNS.find(([, pattern]) => pattern.test(actionType))?.[0];
}

/** Returns the simulators to which an event may belong: the one that its product names, or all of them. */
function findSimulators(event: IDataObject): readonly Simulator[] {
	const product = readProduct(event).toLowerCase();
	const namedSimulators = SIMULATORS.filter((simulator) => product.includes(simulator.slice(0, 5)));
	return namedSimulators.length > 0 ? namedSimulators : SIMULATORS;
}

/** Confirms the events of one customer. Returns undefined for an event that no job's results confirm. @throws RequestError */
type ConfirmEvents = (company: Choice | undefined, events: IDataObject[]) => Promise<Array<IDataObject | undefined>>;

/**
 * Creates a function that confirms events of simulations. The platform's timeline has no sign of bots. But the results of a
 * campaign job have one (deployment activity 1; deployment onboarding 3). An event is confirmed if the results of a job of
 * its campaign list the person as a human who did the same. Each list is read at most once for each customer.
 */
export function createEventConfirmer(client: HttpClient, signal: AbortSignal): ConfirmEvents {
	return async (company, events) => {
		const reader = new JobReader(client, signal, company);
		const confirmedEvents: Array<IDataObject | undefined> = [];
		for (const event of events) confirmedEvents.push(await confirmEvent(reader, event));
		return confirmedEvents;
	};
}

async function confirmEvent(reader: JobReader, event: IDataObject): Promise<IDataObject | undefined> {
	const action = findBotAction(event);
	const campaignId = readId(event, ['resourceId']);
	if (!action || campaignId === undefined) return undefined;
	const personKeys = getPersonKeys(event);
	for (const simulator of findSimulators(event)) {
		const jobs = (await reader.readJobs(simulator))[campaignId] ?? [];
		for (const job of jobs) {
			const people = await reader.readPeople(simulator, job, action);
			if (personKeys.some((key) => people.has(key))) return { ...event, jobId: formatJobId(job) };
		}
	}
	return undefined;
}

/** Returns the texts that identify a person in an event and in a row: the email address and the ID, in lower case. */
const getPersonKeys = (record: IDataObject): string[] =>
	['email', 'targetUserResourceId'].flatMap((name) => readId(record, [name])?.toLowerCase() ?? []);

/** Reads the jobs of one customer and their people. Remembers what it has read. */
class JobReader {
	private readonly jobsBySimulator = new Map<Simulator, Promise<Record<string, CampaignJob[]>>>();
	private readonly peopleByList = new Map<string, Promise<Set<string>>>();

	constructor(
		private readonly client: HttpClient,
		private readonly signal: AbortSignal,
		private readonly company: Choice | undefined,
	) {}

	/** Reads all jobs of a simulator, by the ID of their campaign. @throws RequestError */
	readJobs(simulator: Simulator): Promise<Record<string, CampaignJob[]>> {
		const jobs = this.jobsBySimulator.get(simulator) ?? this.requestJobs(simulator);
		this.jobsBySimulator.set(simulator, jobs);
		return jobs;
	}

	/** Reads the people who did an action in a job, without bots. @throws RequestError */
	readPeople(simulator: Simulator, job: CampaignJob, action: RiskyAction): Promise<Set<string>> {
		const listName = `${simulator} ${formatJobId(job)} ${action}`;
		const people = this.peopleByList.get(listName) ?? this.requestPeople(simulator, job, action);
		this.peopleByList.set(listName, people);
		return people;
	}

	private async requestJobs(simulator: Simulator): Promise<Record<string, CampaignJob[]>> {
		const endpoint = getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search');
		const { client, company, signal } = this;
		const { records } = await readList(
			client,
			{ endpoint, company, signal, purpose: PURPOSE },
			{ identity: (row) => readJobId(simulator, row), pageSize: LARGE_PAGE_SIZE },
		);
		return groupBy(
			records.flatMap((row) => readJob(simulator, row) ?? []),
			'resourceId',
		);
	}

	private async requestPeople(simulator: Simulator, job: CampaignJob, action: RiskyAction): Promise<Set<string>> {
		const { client, company, signal } = this;
		const send: PerformHelpers['send'] = async (overrides = {}, options = {}) => {
			const request = {
				endpoint: getActionEndpoint(simulator, action),
				company,
				signal,
				purpose: PURPOSE,
				...overrides,
			};
			const { records } = await readList(client, request, { identity: [], pageSize: LARGE_PAGE_SIZE, ...options });
			return records.map((json) => ({ json }));
		};
		const filteredSend = createFilteredSend(createBotFilter(true, upperFirst(action)), send);
		try {
			const rows = await listPeopleByAction(simulator, job, action, filteredSend);
			const humanRows = rows.filter(({ json }) => HUMAN_ACTIVITY.test(readId(json, ['activityType']) ?? ''));
			return new Set(humanRows.flatMap(({ json }) => getPersonKeys(json)));
		} catch (error) {
			// Not every simulator can list each action: the platform doesn't show who opened a text message (deployment shapes, "Campaign reports").
			if (isRejected(error)) return new Set();
			throw toError(error);
		}
	}
}
