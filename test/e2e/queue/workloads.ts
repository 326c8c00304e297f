import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { getNodeItems, type Execution, type N8nClient, type Workflow } from '../../real-n8n/client';
import { buildNode, buildPackageNode, buildWorkflow, type CredentialReference } from '../../real-n8n/workflow';
import type { LoggedRequest, StandIn } from '../../stand-in';

const CREATE_ROUTE = 'POST /api/company-groups';
const EXPORT_ROUTE = 'POST /api/companies/search/export';
/** The number of company groups that one execution creates, one after the other. */
const GROUPS_PER_EXECUTION = 3;

/** A workflow to run in queue mode. Each call of its webhook starts one execution. */
export interface Workload {
	name: string;
	/** The number of executions of this workload in a mix of ten executions. */
	share: number;
	/** The folder of the workload's node in nodes/. */
	nodeFolder: string;
	buildParameters: (companyId: string) => IDataObject;
	/** Checks the output of an execution that has succeeded. @returns a description of what is wrong */
	checkOutput: (context: CheckContext, items: INodeExecutionData[], runNumber: number) => Promise<string | undefined>;
}

interface CheckContext {
	service: StandIn;
	client: N8nClient;
	requests: LoggedRequest[];
}

/** Builds the names of the company groups that a run creates. Each run has different names. */
export const buildGroupNames = (runNumber: number): string[] =>
	Array.from({ length: GROUPS_PER_EXECUTION }, (_, index) => `Queue ${runNumber}-${index + 1}`);

/** Counts how often the service has created each company group, by the group's name. */
export function countCreatedGroups(service: StandIn): Map<string, number> {
	const countsByName = new Map<string, number>();
	for (const { body, hasChangedData } of service.getRequests(CREATE_ROUTE)) {
		const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
		if (hasChangedData) countsByName.set(name, (countsByName.get(name) ?? 0) + 1);
	}
	return countsByName;
}

/** All workloads. Their shares add up to ten. */
export const WORKLOADS: Workload[] = [
	{
		name: 'read',
		share: 4,
		nodeFolder: 'Company',
		buildParameters: () => ({ operation: 'getMany', returnAll: true }),
		checkOutput: async ({ service }, items) => {
			const ids = new Set(items.map(({ json }) => json.companyResourceId));
			const { companies } = service.world;
			const isComplete =
				items.length === companies.length && companies.every(({ companyResourceId }) => ids.has(companyResourceId));
			return isComplete ? undefined : `${items.length} companies of ${companies.length}`;
		},
	},
	{
		name: 'every company',
		share: 1,
		nodeFolder: 'TargetGroup',
		buildParameters: () => ({ operation: 'getMany', companyScope: 'every', returnAll: true }),
		checkOutput: async ({ service }, items) => {
			const expectedCount = service.world.companies.reduce(
				(sum, { companyResourceId }) => sum + service.world.getCompanyData(companyResourceId).targetGroups.length,
				0,
			);
			return items.length === expectedCount ? undefined : `${items.length} target groups of ${expectedCount}`;
		},
	},
	{
		name: 'write',
		share: 3,
		nodeFolder: 'CompanyGroup',
		buildParameters: (companyId) => ({
			operation: 'create',
			name: '={{ $json.name }}',
			companies: companyId,
		}),
		checkOutput: async ({ service }, items, runNumber) => {
			const countsByName = countCreatedGroups(service);
			const wrongNames = buildGroupNames(runNumber).filter((name) => countsByName.get(name) !== 1);
			return items.length === GROUPS_PER_EXECUTION && wrongNames.length === 0
				? undefined
				: `groups not created once: ${wrongNames.join(', ')}`;
		},
	},
	{
		name: 'export',
		share: 2,
		nodeFolder: 'Company',
		buildParameters: () => ({ operation: 'export' }),
		checkOutput: async ({ client, requests }, items) => {
			const file = items[0]?.binary?.data;
			if (!file?.id) return 'there is no file';
			const digest = await client.hashFile(file.id);
			return requests.some(({ route, sha256 }) => route === EXPORT_ROUTE && sha256 === digest)
				? undefined
				: 'the file is not the one that was sent';
		},
	},
];

/** Returns a list of `count` workloads, mixed according to their shares. */
export const mixWorkloads = (count: number): Workload[] => {
	const tenWorkloads = WORKLOADS.flatMap((workload) => Array.from({ length: workload.share }, () => workload));
	return Array.from({ length: count }, (_, index) => tenWorkloads[(index * 3) % tenWorkloads.length]).filter(
		(workload) => workload !== undefined,
	);
};

const getWebhookPath = ({ name }: Workload): string => name.replaceAll(' ', '-');

/** Builds the workflow of a workload. A webhook starts it. */
export function buildWebhookWorkflow(workload: Workload, credential: CredentialReference, companyId: string): Workflow {
	const webhook = { httpMethod: 'POST', path: getWebhookPath(workload) };
	const nodes = [buildNode('Webhook', 'webhook', webhook, { typeVersion: 2, webhookId: getWebhookPath(workload) })];
	if (workload.name === 'write') {
		const split = { fieldToSplitOut: 'body.names', options: { destinationFieldName: 'name' } };
		nodes.push(buildNode('Split', 'splitOut', split));
	}
	nodes.push(buildPackageNode('Work', workload.nodeFolder, workload.buildParameters(companyId), credential));
	return buildWorkflow(`Queue: ${workload.name}`, nodes);
}

/** Calls the webhook of a workload once. @returns true if n8n has accepted the call */
export async function requestExecution(url: string, workload: Workload, runNumber: number): Promise<boolean> {
	const response = await fetch(`${url}/webhook/${getWebhookPath(workload)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ run: runNumber, names: buildGroupNames(runNumber) }),
	});
	await response.arrayBuffer();
	return response.ok;
}

/** Finds the run number of an execution in the output of its Webhook node. @returns undefined if n8n hasn't saved that output */
export function findRunNumber(execution: Execution): number | undefined {
	const { body } = getNodeItems(execution, 'Webhook')[0]?.json ?? {};
	return typeof body === 'object' && body !== null && 'run' in body ? Number(body.run) : undefined;
}
