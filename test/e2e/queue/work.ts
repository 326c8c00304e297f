import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { itemsOf, type Execution, type N8nClient, type Workflow } from '../../real-n8n/client';
import { node, ours, workflowOf, type Credential } from '../../real-n8n/workflow';
import type { LoggedRequest, StandIn } from '../../stand-in';

const CREATE = 'POST /api/company-groups';
const EXPORT = 'POST /api/companies/search/export';
/** Groups that one execution creates, one after the other. */
const WRITES = 3;

/** What is asked of the queue: one execution of each is one call of a webhook. */
export interface Kind {
	name: string;
	/** Of every ten executions. */
	share: number;
	node: string;
	parameters: (company: string) => IDataObject;
	/** @returns what is wrong with an execution that says it succeeded */
	check: (work: Work, items: INodeExecutionData[], run: number) => Promise<string | undefined>;
}

interface Work {
	service: StandIn;
	client: N8nClient;
	sent: LoggedRequest[];
}

/** The names of the groups that an execution creates; seen nowhere else. */
export const groupsOf = (run: number): string[] =>
	Array.from({ length: WRITES }, (_, index) => `Queue ${run}-${index + 1}`);

/** How often a group was created, by its name, as the service saw it. */
export function landed(service: StandIn): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { body, landed: hasLanded } of service.requests(CREATE)) {
		const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
		if (hasLanded) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}

export const KINDS: Kind[] = [
	{
		name: 'read',
		share: 4,
		node: 'Company',
		parameters: () => ({ operation: 'getMany', returnAll: true }),
		check: async ({ service }, items) => {
			const ids = new Set(items.map(({ json }) => json.companyResourceId));
			const { companies } = service.state;
			const isRight =
				items.length === companies.length && companies.every(({ companyResourceId }) => ids.has(companyResourceId));
			return isRight ? undefined : `${items.length} companies of ${companies.length}`;
		},
	},
	{
		name: 'every company',
		share: 1,
		node: 'TargetGroup',
		parameters: () => ({ operation: 'getMany', companyScope: 'every', returnAll: true }),
		check: async ({ service }, items) => {
			const wanted = service.state.companies.reduce(
				(sum, { companyResourceId }) => sum + service.state.of(companyResourceId).targetGroups.length,
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
			const counts = landed(service);
			const wrong = groupsOf(run).filter((name) => counts.get(name) !== 1);
			return items.length === WRITES && wrong.length === 0 ? undefined : `groups not created once: ${wrong.join(', ')}`;
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
			const digest = await client.digest(file.id);
			return sent.some(({ route, sha256 }) => route === EXPORT && sha256 === digest)
				? undefined
				: 'the file is not the one that was sent';
		},
	},
];

/** A sequence of kinds in the shares they have, mixed. */
export const mixed = (count: number): Kind[] => {
	const ten = KINDS.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
	return Array.from({ length: count }, (_, index) => ten[(index * 3) % ten.length]).filter(
		(kind) => kind !== undefined,
	);
};

const pathOf = ({ name }: Kind): string => name.replaceAll(' ', '-');

/** A workflow that a webhook starts. */
export function webhookWorkflow(kind: Kind, credential: Credential, company: string): Workflow {
	const webhook = { httpMethod: 'POST', path: pathOf(kind) };
	const split = { fieldToSplitOut: 'body.names', options: { destinationFieldName: 'name' } };
	return workflowOf(`Queue: ${kind.name}`, [
		node('Webhook', 'webhook', webhook, { typeVersion: 2, webhookId: pathOf(kind) }),
		...(kind.name === 'write' ? [node('Split', 'splitOut', split)] : []),
		ours('Work', kind.node, kind.parameters(company), credential),
	]);
}

/** Asks for one execution. @returns whether n8n took it */
export async function ask(url: string, kind: Kind, run: number): Promise<boolean> {
	const response = await fetch(`${url}/webhook/${pathOf(kind)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ run, names: groupsOf(run) }),
	});
	await response.arrayBuffer();
	return response.ok;
}

/** Which call of the webhook an execution came from, if n8n still knows. */
export function runOf(execution: Execution): number | undefined {
	const { body } = itemsOf(execution, 'Webhook')[0]?.json ?? {};
	return typeof body === 'object' && body !== null && 'run' in body ? Number(body.run) : undefined;
}
