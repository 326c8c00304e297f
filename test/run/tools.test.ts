/**
 * Every operation as a tool of an AI agent, called by n8n itself: the agent gives every value of the form, as text.
 * PRINT=1 npx jest test/run/tools prints the input and the answer of each.
 */
import { lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { findAgentRight } from '../../nodes/core/run/agentRights';
import { runNode, runTool } from '../n8n-core';
import { toIdLocator, cases, type Case } from '../cases';
import { compareRequests } from '../cases/asked';
import { fillByAgent } from '../cases/filledIn';
import { omitAddedFields } from '../cases/case';
import { createOperationFixture, TESTED_PROFILES, takeShare } from '../cases/operationFixture';

/** Returns true if the table offers the operation to agents. The table itself is tested in agentRights.test.ts. */
const isOffered = ({ node, operation }: Case) => findAgentRight(lowerFirst(node), operation) !== 'never';
const offered = cases.filter(isOffered);
const notOffered = cases.filter((each) => !isOffered(each));
const REFUSED = "'Operation' is not one that an AI agent may run";

const answered = z.array(z.record(z.unknown()));
const printed: string[] = [];
afterAll(() => {
	if (!process.env.PRINT) return;
	process.stdout.write(
		`${['| Node | Operation | Names | Given as text | Items | Answer |', '|---|---|---|---|---|---|', ...printed].join('\n')}\n`,
	);
});

describe.each(TESTED_PROFILES)('$title', ({ profile, title }) => {
	const g = createOperationFixture(profile);

	/** The items that a tool answers. */
	async function ask(node: string, parameters: IDataObject, toolArguments: Record<string, string>) {
		return answered.parse(
			JSON.parse(await runTool({ node: g.getNode(node), parameters, credential: g.credential, toolArguments })),
		);
	}

	test('numbers and choices are texts too: how many, which, in which order', async () => {
		const form = {
			returnAll: 'false',
			limit: '2',
			output: 'simplified',
			sort: { fields: { by: 'Name', direction: 'descending' } },
			filters: { condition: 'OR', searchText: 'essentials' },
		};
		const { parameters, toolArguments } = fillByAgent({
			...g.customer.companyParameters,
			...form,
			options: { pageSize: '7', concurrency: '2', timeout: '60' },
		});
		const items = await ask('Training', { operation: 'getMany', ...parameters }, toolArguments);
		const wanted = (await g.customer.fetchList('POST /api/trainings/search'))
			.map(({ trainingName }) => String(trainingName))
			.filter((name) => /essentials/i.test(name));
		expect(items.map(({ trainingName }) => trainingName)).toEqual(wanted.sort().reverse().slice(0, 2));
		expect(Object.keys(omitAddedFields({ json: items[0] ?? {} }))).toHaveLength(10);
	});

	test('for every company that the agent describes', async () => {
		const every = { companyScope: 'every', onlyCompanies: { nameContains: 'BAKERY', licenceNotExpired: 'false' } };
		const { parameters, toolArguments } = fillByAgent({ ...every, returnAll: 'true' });
		const items = await ask('TargetGroup', { operation: 'getMany', ...parameters }, toolArguments);
		const some = g.customer.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		expect(new Set(items.map(({ companyResourceId }) => companyResourceId))).toEqual(
			new Set(some.map(({ companyResourceId }) => companyResourceId)),
		);
	});

	test('what cannot be done is told in words that an agent can act on', async () => {
		const told = await runTool({
			node: g.getNode('Enrollment'),
			parameters: {
				operation: 'get',
				...g.customer.companyParameters,
				enrollment: toIdLocator("={{ $fromAI('enrollment', '', 'string') }}"),
			},
			credential: g.credential,
			toolArguments: { enrollment: 'no-such-enrollment' },
		}).catch((error: unknown) => (error instanceof Error ? error.message : ''));
		expect(told).toContain("Could not get enrollment for '");
		expect(told).toContain("nothing was found with the ID 'no-such-enrollment' (404)");
		expect(told).toContain('It may have been deleted, or belong to another company than the one chosen');
	});

	// What they act on beside the contract is listed there by a live deployment alone.
	const there = notOffered.filter(({ isOutsideContract: isBeside }) => !isBeside || profile === 'deployed');
	test.each(there)('$node: $operation is not offered, and refused if it is asked for', async (each) => {
		const node = g.getNode(each.node);
		const tool = JSON.stringify(node.description.usableAsTool);
		expect(tool).toContain('"name":"operation"');
		expect(tool).not.toContain(`"value":"${each.operation}"`);
		const { parameters } = await each.prepare(g.customer, true);
		const run = { node, parameters: { ...parameters, operation: each.operation }, credential: g.credential };
		g.standIn.clearLog();
		await expect(runTool(run)).rejects.toThrow(REFUSED);
		// As n8n's newer agents run a tool: as a node of the workflow.
		await expect(runNode({ ...run, asTool: true })).rejects.toThrow(REFUSED);
		expect(g.requests).toEqual([]);
	});

	test.each(['none', 'list'])('an agent cannot choose other companies for a group: %s', async (participantsFrom) => {
		const node = g.getNode('CompanyGroup');
		const tool = JSON.stringify(node.description.usableAsTool);
		expect(tool).toContain('"value":"keep"');
		expect(tool).not.toContain(`"value":"${participantsFrom}"`);
		const companyGroup = toIdLocator('a-group');
		const parameters = { operation: 'update', name: 'Gold', companyGroup, participantsFrom, participantList: ['c'] };
		g.standIn.clearLog();
		const told = runTool({ node, parameters, credential: g.agentCredential });
		await expect(told).rejects.toThrow("'Participants' would replace or empty a whole list");
		expect(g.requests).toEqual([]);
	});

	test('nor with fields in JSON', async () => {
		const additionalFields = { additionalFieldsJson: '{ "companyResourceIdArray": ["c"] }' };
		const parameters = { operation: 'update', name: 'Gold', companyGroup: toIdLocator('a-group'), participantsFrom: 'keep' };
		const told = runTool({
			node: g.getNode('CompanyGroup'),
			parameters: { ...parameters, additionalFields },
			credential: g.agentCredential,
		});
		g.standIn.clearLog();
		await expect(told).rejects.toThrow("'Additional Fields (JSON)' in 'Update Fields' would replace or empty");
		expect(g.requests).toEqual([]);
	});

	test.each(takeShare(profile, offered))('$node: $operation', async ({ node, operation, prepare }) => {
		const run = await prepare(g.customer, true);
		const { options } = g.getNode(node).description.properties.some(({ name }) => name === 'options')
			? { options: { ...Object(run.parameters.options), timeout: 60 } }
			: { options: undefined };
		const { parameters, toolArguments } = fillByAgent({ ...run.parameters, options });
		g.standIn.clearLog();
		const text = await runTool({
			node: g.getNode(node),
			parameters: { operation, ...parameters },
			credential: g.agentCredential,
			toolArguments,
		});

		const items = answered.parse(JSON.parse(text)).map((json) => ({ json }));
		run.checkItems(items.map(({ json }) => ({ json: JSON.parse(JSON.stringify(json)) })));
		expect(items).toHaveLength(run.itemCount);
		expect(compareRequests(g.requests, run).refused).toEqual([]);
		printed.push(
			`| ${[node, operation, title, Object.keys(toolArguments).length, items.length, `${text.slice(0, 60).replaceAll('|', '\\|')}…`].join(' | ')} |`,
		);
	});
});
