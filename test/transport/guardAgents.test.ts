/** How a node knows that an AI agent calls it, in all of n8n's ways, and what is refused then. */
import { NodeApiError, type IDataObject, type IExecuteFunctions, type INodeType } from 'n8n-workflow';
import { callListSearch, CredentialStore, runNode, runTool } from '../n8n-core';
import { byId } from '../cases';
import { operationFixture } from '../cases/operationFixture';

const g = operationFixture('contract');
const store = (more: Record<string, string> = {}) => new CredentialStore({ ...g.customer.credential(), ...more });

/** The variant of a node that n8n makes for agents: its name ends with Tool, the rest is the same. */
function variant(folder: string): INodeType {
	const node = g.node(folder);
	return {
		methods: node.methods ?? {},
		description: { ...node.description, name: `${node.description.name}Tool` },
		async execute(this: IExecuteFunctions) {
			return (await node.execute?.call(this)) ?? [[]];
		},
	};
}

/** The node, run with what n8n hands to a workflow that an agent has called. */
function inAgentsWorkflow(folder: string): INodeType {
	const node = g.node(folder);
	return {
		description: node.description,
		async execute(this: IExecuteFunctions) {
			const context = new Proxy(this, {
				get: (target, name): unknown =>
					name === 'getParentCallbackManager' ? () => ({ handlers: [] }) : Reflect.get(target, name),
			});
			return (await node.execute?.call(context)) ?? [[]];
		},
	};
}

/** The node, run as n8n's own agents run it: in a mode of its own. */
function inAgentsMode(folder: string): INodeType {
	const node = g.node(folder);
	return {
		description: node.description,
		async execute(this: IExecuteFunctions) {
			const context = new Proxy(this, {
				get: (target, name): unknown => (name === 'getMode' ? () => 'internal' : Reflect.get(target, name)),
			});
			return (await node.execute?.call(context)) ?? [[]];
		},
	};
}

const group = () => ({ name: 'New', participantsFrom: 'id', participantIds: g.customer.companyId });
const CREATE = { operation: 'create', resource: 'companyGroup' };

async function errorOf(ran: Promise<unknown>): Promise<NodeApiError> {
	const error: unknown = await ran.catch((thrown: unknown) => thrown);
	if (error instanceof NodeApiError) return error;
	throw new Error('It was not refused', { cause: error });
}

const run = async (node: INodeType, parameters: IDataObject, credential: CredentialStore) => {
	g.service.clearLog();
	return await runNode({ node, parameters, credential });
};

describe.each([
	['the variant of the node that is a tool', variant],
	["a node that n8n's own agents run", inAgentsMode],
	['a workflow that an agent calls', inAgentsWorkflow],
])('%s', (_name, made) => {
	test('may do nothing, or only read, where the credential says so', async () => {
		const parameters = { ...CREATE, ...group() };
		const nothing = await errorOf(run(made('CompanyGroup'), parameters, store({ agents: 'nothing' })));
		expect(nothing.message).toBe('Could not create company group: the credential is not for AI agents');
		expect(g.service.log).toEqual([]);
		const reading = await errorOf(run(made('CompanyGroup'), parameters, store({ agents: 'readOnly' })));
		expect(reading.message).toBe(
			'Could not create company group: the credential allows AI agents only to read, and this changes something',
		);
		expect(g.service.log).toEqual([]);
		await run(made('Role'), { operation: 'getMany', ...g.customer.scoped }, store({ agents: 'readOnly' }));
		expect(g.asked).toHaveLength(1);
		await run(made('CompanyGroup'), parameters, store());
		expect(g.asked).toHaveLength(1);
	});

	test('a value that is none of the choices means the strictest one', async () => {
		for (const agents of ['', 'All', 'everything ', '={{ 1 }}']) {
			const error = await errorOf(run(made('Role'), { operation: 'getMany', ...g.customer.scoped }, store({ agents })));
			expect(error.message).toContain('the credential is not for AI agents');
			expect(g.service.log).toEqual([]);
		}
	});
});

const client = () => ({
	operation: 'delete',
	...g.customer.scoped,
	apiClient: byId(g.customer.holdings.clients[0]?.resourceId ?? ''),
});

describe('a workflow that another workflow calls', () => {
	const called = async (parameters: IDataObject, agents: string, folder = 'CompanyGroup') => {
		g.service.clearLog();
		const options = { node: g.node(folder), parameters, credential: store({ agents }) };
		return await runNode({ ...options, mode: 'integrated' });
	};

	test("counts as an agent's where agents are limited, because n8n does not tell who is behind it", async () => {
		const nothing = await errorOf(called({ operation: 'getMany', ...g.customer.scoped }, 'nothing', 'Role'));
		expect(nothing.message).toBe(
			'Could not get roles: the credential is not for AI agents; an agent may have called this workflow',
		);
		expect(nothing.description).toMatch(
			/^Nothing was sent\. In the credential, 'Agents' is 'May Do Nothing', and this workflow was called by another workflow\. n8n does not tell whether an AI agent is behind that, so it counts as one\. For workflows that people use, take another credential\./,
		);
		expect(g.service.log).toEqual([]);
		const reading = await errorOf(called({ ...CREATE, ...group() }, 'readOnly'));
		expect(reading.message).toBe(
			'Could not create company group: the credential allows AI agents only to read, and this changes something; an agent may have called this workflow',
		);
		expect(g.service.log).toEqual([]);
		await called({ operation: 'getMany', ...g.customer.scoped }, 'readOnly', 'Role');
		expect(g.asked).toHaveLength(1);
	});

	test('is like any other where they are not', async () => {
		await called(client(), 'everything', 'ApiClient');
		expect(g.asked.at(-1)?.route).toBe('DELETE /api/companies/clients/{resourceId}');
	});
});

test('nobody else is limited by it', async () => {
	await run(g.node('CompanyGroup'), { ...CREATE, ...group() }, store({ agents: 'nothing' }));
	expect(g.asked).toHaveLength(1);
	await run(g.node('ApiClient'), client(), store({ agents: 'nothing' }));
	expect(g.asked.at(-1)?.route).toBe('DELETE /api/companies/clients/{resourceId}');
});

test('a tool never deletes; a workflow that an agent calls may, because a person has made it so', async () => {
	const error = await errorOf(run(variant('ApiClient'), client(), store()));
	expect(error.message).toBe('Could not delete API client: an AI agent may not delete or revoke anything');
	expect(error.description).toBe(
		'Nothing was sent. This node was called as a tool of an AI agent, and deleting is never allowed there, whatever the credential says. Trying again does not help. A person can do it in the platform, or with this node in a workflow, outside the agent.',
	);
	expect(g.service.log).toEqual([]);
	expect((await errorOf(run(inAgentsMode('ApiClient'), client(), store()))).message).toBe(error.message);
	expect(g.service.log).toEqual([]);
	await run(inAgentsWorkflow('ApiClient'), client(), store());
	expect(g.asked).toHaveLength(1);
});

test('an ID that hides what a request does counts as a deletion', async () => {
	for (const value of ['a%2Fb', '%', '..%2f..']) {
		const parameters = { ...client(), apiClient: byId(value) };
		const error = await errorOf(run(variant('ApiClient'), parameters, store()));
		expect(error.message).toContain('an AI agent may not delete or revoke anything');
		expect(g.service.log).toEqual([]);
	}
});

test('an agent that chooses the operation itself is refused in the same way', async () => {
	g.service.clearLog();
	const { operation, ...parameters } = client();
	const told = await runTool({
		node: g.node('ApiClient'),
		parameters: { operation: "={{ $fromAI('operation', '', 'string') }}", ...parameters },
		credential: store(),
		toolArguments: { operation },
	}).catch((error: unknown) => (error instanceof Error ? error.message : ''));
	expect(told).toContain('an AI agent may not delete or revoke anything');
	expect(told).toContain('Details: Nothing was sent.');
	expect(g.service.log).toEqual([]);
});

test("lists in the tool's form are those of the agent", async () => {
	const pick = async (agents: string) =>
		await callListSearch({
			node: variant('TargetGroup'),
			parameters: {},
			credential: store({ agents }),
			method: 'searchCompanies',
		});
	expect((await pick('readOnly')).results.length).toBeGreaterThan(0);
	g.service.clearLog();
	expect((await errorOf(pick('nothing'))).message).toContain('the credential is not for AI agents');
	expect(g.service.log).toEqual([]);
});
