import type { INode } from 'n8n-workflow';
import { z } from 'zod';

import { CREDENTIAL_TYPE, type Stage } from '../../real-n8n/stage';
import { NEWEST, OLDEST } from '../../real-n8n/versions';
import type { Part, Report } from '../part';

const LIMITS = {
	none: {},
	'read only': { whatItMayDo: 'readOnly' },
	'certain companies': { onlyTheseCompanies: true },
	'agents only read': { agents: 'readOnly' },
	'agents do nothing': { agents: 'nothing' },
};

const TRIGGER: INode = {
	id: 'a',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const CALLED = { ...TRIGGER, type: 'n8n-nodes-base.executeWorkflowTrigger' };

/** A node that runs another workflow. */
const calling = (workflowId: string): INode => ({
	id: 'b',
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	position: [200, 0],
	parameters: { workflowId: { __rl: true, mode: 'id', value: workflowId } },
});

/** A workflow of two nodes. */
const pair = (name: string, start: INode, next: INode) => ({
	name,
	nodes: [start, next],
	connections: { [start.name]: { main: [[{ node: next.name, type: 'main' as const, index: 0 }]] } },
});

/** What asks with the credential: n8n's own node for any request, and one of the package. */
const nodes = (url: string, company: string): Record<string, Pick<INode, 'type' | 'typeVersion' | 'parameters'>> => ({
	'HTTP Request': {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${url}/api/roles`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
		},
	},
	Role: {
		type: 'n8n-nodes-security-awareness.securityAwarenessRole',
		typeVersion: 1,
		parameters: {
			operation: 'getMany',
			company: { __rl: true, mode: 'id', value: company },
		},
	},
});

const description = z.array(
	z.object({
		name: z.string(),
		properties: z.array(z.object({ name: z.string(), options: z.array(z.unknown()).optional() })),
	}),
);
const option = z.object({ value: z.string() });

/** The operations with which a node is offered in the editor. */
async function offered({ client }: Stage, name: string): Promise<string[]> {
	const types = description.parse(await (await client.file('/types/nodes.json')).json());
	const operation = types
		.find((each) => each.name.endsWith(name))
		?.properties.find((each) => each.name === 'operation');
	return (operation?.options ?? []).flatMap((each) => option.safeParse(each).data?.value ?? []);
}

/** With a credential that is limited: n8n's own node cannot be used with it, and the package's nodes can. */
export const guard: Part = {
	title: 'The limits of a credential, in the oldest and the newest n8n',
	run: async ({ stage }) => {
		const report: Report = { table: [], failures: [] };
		for (const version of [OLDEST, NEWEST]) {
			const there = await stage(`n8n-${version}`, { version });
			const { client, service, secrets } = there;
			const company = service.state.companies[0]?.companyResourceId ?? '';
			for (const [limit, fields] of Object.entries(LIMITS)) {
				const data = { ...secrets, ...fields, ...('onlyTheseCompanies' in fields ? { companyIds: company } : {}) };
				const credential = await client.createCredential(limit, CREDENTIAL_TYPE, data);
				const test = await client.testCredential(credential, CREDENTIAL_TYPE, data);
				if (test.status !== 'OK') report.failures.push(`n8n ${version}, ${limit}: the test says ${test.message}`);
				const row: Report['table'][number] = { n8n: version, limit };
				for (const [name, node] of Object.entries(nodes(service.url, company))) {
					const asking: INode = {
						...node,
						id: 'b',
						name,
						position: [200, 0],
						credentials: { [CREDENTIAL_TYPE]: credential },
					};
					const run = async (tried: string, id: string, maySend: boolean) => {
						service.clearLog();
						const { status, error } = await client.run(id, 'Start');
						const isSent = service.requests('GET /api/roles').length > 0;
						row[tried] = isSent ? 'sent' : `not sent: ${error?.message ?? status}`;
						if (isSent !== maySend) report.failures.push(`n8n ${version}, ${limit}: ${tried} is ${String(row[tried])}`);
					};
					const isOwn = name !== 'HTTP Request';
					const id = await client.createWorkflow(pair(`${limit}, ${name}`, TRIGGER, asking));
					await run(name, id, limit === 'none' || isOwn);
					if (!isOwn) continue;
					const called = await client.createWorkflow(pair(`${limit}, ${name}, called`, CALLED, asking));
					const caller = await client.createWorkflow(pair(`${limit}, ${name}, calls`, TRIGGER, calling(called)));
					await run(`${name} in a sub-workflow`, caller, limit !== 'agents do nothing');
				}
				report.table.push(row);
			}
			for (const [name, deletes] of [
				['ApiClient', 'delete'],
				['GoogleOAuth', 'revoke'],
				['ScimIntegration', 'revokeToken'],
			] as const) {
				const asNode = await offered(there, `securityAwareness${name}`);
				const asTool = await offered(there, `securityAwareness${name}Tool`);
				if (asTool.length === 0 || asTool.length !== asNode.length - 1 || asTool.includes(deletes))
					report.failures.push(`n8n ${version}: the tool ${name} offers ${asTool.join(', ')}`);
			}
			await there.n8n.stop();
		}
		return report;
	},
};
