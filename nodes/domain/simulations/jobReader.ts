import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import type { HttpClient } from '../../core/http/client';
import { isRejected, toError } from '../../core/http/errors';
import type { ApiRequest } from '../../core/http/request';
import type { PerformHelpers } from '../../core/operation/defineOperation';
import { LARGE_PAGE_SIZE, readList, type ReadListOptions } from '../../core/pagination/readList';
import { toItemJson } from '../../core/values';
import { createBotFilter, createFilteredSend } from './botFilter';
import { readJob, readJobId, type CampaignJob } from './campaignJob';
import { getActionEndpoint, listPeopleByAction, REPORTED_ACTION_ENDPOINTS, type UserAction } from './jobPeople';

/** A campaign job, and its row in the list of jobs. */
export interface CampaignJobRow {
	job: CampaignJob;
	row: IDataObject;
}

/** Reads the jobs of one customer, and who did what in them, for a trigger. */
export class JobReader {
	/** False if a list changed while it was read, if the platform counts more rows than it lists, or if it rejects a list that it must have. */
	isComplete = true;

	/** @param request the customer, the signal and the purpose of every request */
	constructor(
		private readonly client: HttpClient,
		private readonly request: Pick<ApiRequest, 'company' | 'signal' | 'purpose'>,
	) {}

	/** Reads all jobs of a simulator. @throws RequestError */
	async readJobs(simulator: Simulator): Promise<CampaignJobRow[]> {
		const endpoint = getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search');
		const rows = await this.readRows({ ...this.request, endpoint }, { identity: (row) => readJobId(simulator, row) });
		return rows.flatMap((row) => {
			const job = readJob(simulator, row);
			return job ? [{ job, row }] : [];
		});
	}

	/**
	 * Reads the rows of the people who did an action in a job. Returns none if the platform rejects the list. The reader is
	 * then incomplete, unless platforms may lack this list.
	 * @param excludeBots true to leave out rows that are marked as those of bots
	 * @throws RequestError
	 */
	async readPeople(
		simulator: Simulator,
		job: CampaignJob,
		action: UserAction,
		excludeBots: boolean,
	): Promise<IDataObject[]> {
		const endpoint = findActionEndpoint(simulator, action);
		if (!endpoint) return [];
		const send: PerformHelpers['send'] = async (overrides = {}, options = {}) => {
			const rows = await this.readRows({ ...this.request, endpoint, ...overrides }, { identity: [], ...options });
			return rows.map((json) => ({ json }));
		};
		const filteredSend = createFilteredSend(createBotFilter(excludeBots, upperFirst(action)), send);
		try {
			const items = await listPeopleByAction(simulator, job, action, filteredSend);
			return items.map(({ json }) => json);
		} catch (error) {
			if (!isRejected(error)) throw toError(error);
			this.isComplete &&= mayLackAction(simulator, action);
			return [];
		}
	}

	/** Reads the summary of a job. @throws RequestError */
	async readSummary(simulator: Simulator, { resourceId, instanceGroup }: CampaignJob): Promise<IDataObject> {
		const endpoint = getSimulatorEndpointKey(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
		);
		const { data } = await this.client.requestJson({ ...this.request, endpoint, path: { resourceId, instanceGroup } });
		return toItemJson(data);
	}

	private async readRows(request: ApiRequest, options: ReadListOptions): Promise<IDataObject[]> {
		const list = await readList(this.client, request, { pageSize: LARGE_PAGE_SIZE, ...options });
		this.isComplete &&= list.isStable && list.missingCount === 0;
		return list.records;
	}
}

/**
 * Returns true if platforms may lack the list of an action: some don't list reports (deployment activity 2), and none
 * shows who opened a text message (deployment shapes, "Campaign reports").
 */
const mayLackAction = (simulator: Simulator, action: UserAction): boolean =>
	action === 'reported' || (simulator === 'smishing' && action === 'opened');

/** Returns the endpoint that lists the people who did an action. Undefined if no platform has one. */
function findActionEndpoint(simulator: Simulator, action: UserAction) {
	if (action !== 'reported') return getActionEndpoint(simulator, action);
	return simulator === 'smishing' ? undefined : REPORTED_ACTION_ENDPOINTS[simulator];
}
