import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { getNodeItems, type Execution, type N8nClient, type Workflow } from '../../real-n8n/client';
import { buildNode, buildPackageNode, buildWorkflow, type CredentialReference } from '../../real-n8n/workflow';
import type { LoggedRequest, StandIn } from '../../stand-in';

const CREATE_ROUTE = 'POST /api/company-groups';
const EXPORT_ROUTE = 'POST /api/companies/search/export';
/** Groups that one execution creates, one after the other. */
const GROUPS_PER_EXECUTION = 3;

/** What is asked of the queue: one execution of each is one call of a webhook. */
export interface Workload {
	name: string;
	/** Of every ten executions. */
	share: number;
	node: string;
	parameters: (company: string) => IDataObject;
	/** @returns what is wrong with an execution that says it succeeded */
	check: (work: CheckContext, items: INodeExecutionData[], run: number) => Promise<string | undefined>;
}

interface CheckContext {
	service: StandIn;
	client: N8nClient;
	sent: LoggedRequest[];
}

/** The names of the groups that an execution creates; seen nowhere else. */
export const buildGroupNames = (run: number): string[] =>
	Array.from({ length: GROUPS_PER_EXECUTION }, (_, index) => `Queue ${run}-${index + 1}`);

/** How often a group was created, by its name, as the service saw it. */
export function countCreatedGroups(service: StandIn): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { body, landed: hasLanded } of service.getRequests(CREATE_ROUTE)) {
		const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
		if (hasLanded) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}

export const WORKLOADS: Workload[] = [
	{
		name: 'read',
		share: 4,
		node: 'Company',
		parameters: () => ({ operation: 'getMany', returnAll: true }),
		check: async ({ service }, items) => {
			const ids = new Set(items.map(({ json }) => json.companyResourceId));
			const { companies } = service.state;
			const isComplete =
				items.length === companies.length && companies.every(({ companyResourceId }) => ids.has(companyResourceId));
			return isComplete ? undefined : `${items.length} companies of ${companies.length}`;
		},
	},
	{
		name: 'every company',
		share: 1,
		node: 'TargetGroup',
		parameters: () => ({ operation: 'getMany', companyScope: 'every', returnAll: true }),
		check: async ({ service }, items) => {
			const wanted = service.state.companies.reduce(
				(sum, { companyResourceId }) => sum + service.state.getCompanyData(companyResourceId).targetGroups.length,
				0,
			);
			return items.length === wanted ? undefined : `${items.length} target groups of ${wanted}`;
		},
	},
	{
		name: 'write',
		share: 3,
		node: 'CompanyGroup',
		parameters: (company) => ({
			operation: 'create',
			name: '={{ $json.name }}',
			participantList: company,
		}),
		check: async ({ service }, items, run) => {
			const counts = countCreatedGroups(service);
			const wrong = buildGroupNames(run).filter((name) => counts.get(name) !== 1);
			return items.length === GROUPS_PER_EXECUTION && wrong.length === 0 ? undefined : `groups not created once: ${wrong.join(', ')}`;
		},
	},
	{
		name: 'export',
		share: 2,
		node: 'Company',
		parameters: () => ({ operation: 'export' }),
		check: async ({ client, sent }, items) => {
			const file = items[0]?.binary?.data;
			if (!file?.id) return 'there is no file';
			const digest = await client.hashFile(file.id);
			return sent.some(({ route, sha256 }) => route === EXPORT_ROUTE && sha256 === digest)
				? undefined
				: 'the file is not the one that was sent';
		},
	},
];

/** A sequence of kinds in the shares they have, mixed. */
export const mixWorkloads = (count: number): Workload[] => {
	const ten = WORKLOADS.flatMap((workload) => Array.from({ length: workload.share }, () => workload));
	return Array.from({ length: count }, (_, index) => ten[(index * 3) % ten.length]).filter(
		(workload) => workload !== undefined,
	);
};

const getWebhookPath = ({ name }: Workload): string => name.replaceAll(' ', '-');

/** A workflow that a webhook starts. */
export function buildWebhookWorkflow(workload: Workload, credential: CredentialReference, company: string): Workflow {
	const webhook = { httpMethod: 'POST', path: getWebhookPath(workload) };
	const split = { fieldToSplitOut: 'body.names', options: { destinationFieldName: 'name' } };
	return buildWorkflow(`Queue: ${workload.name}`, [
		buildNode('Webhook', 'webhook', webhook, { typeVersion: 2, webhookId: getWebhookPath(workload) }),
		...(workload.name === 'write' ? [buildNode('Split', 'splitOut', split)] : []),
		buildPackageNode('Work', workload.node, workload.parameters(company), credential),
	]);
}

/** Asks for one execution. @returns whether n8n took it */
export async function requestExecution(url: string, workload: Workload, run: number): Promise<boolean> {
	const response = await fetch(`${url}/webhook/${getWebhookPath(workload)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ run, names: buildGroupNames(run) }),
	});
	await response.arrayBuffer();
	return response.ok;
}

/** Which call of the webhook an execution came from, if n8n still knows. */
export function findRun(execution: Execution): number | undefined {
	const { body } = getNodeItems(execution, 'Webhook')[0]?.json ?? {};
	return typeof body === 'object' && body !== null && 'run' in body ? Number(body.run) : undefined;
}
