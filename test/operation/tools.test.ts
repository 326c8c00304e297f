/**
 * Every operation as a tool of an AI agent, called by n8n itself: the agent gives every value of the form, as text.
 * PRINT=1 npx jest test/operation/tools prints the input and the answer of each.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runTool } from '../n8n-core';
import { byId, cases } from '../cases';
import { askedOtherwise } from '../cases/asked';
import { byAgent } from '../cases/filledIn';
import { sentIn } from '../cases/case';
import { operationFixture, PERSONALITIES, shareOf } from '../cases/operationFixture';

/** Deleting is not offered to agents, nor what takes a file. */
const NOT_OFFERED = ['delete', 'removeMembers', 'removeParticipants', 'revoke', 'revokeToken', 'importFile'];
const offered = cases.filter(({ operation }) => !NOT_OFFERED.includes(operation));

const answered = z.array(z.record(z.unknown()));
const printed: string[] = [];
afterAll(() => {
	if (!process.env.PRINT) return;
	process.stdout.write(
		`${['| Node | Operation | Names | Given as text | Items | Answer |', '|---|---|---|---|---|---|', ...printed].join('\n')}\n`,
	);
});

describe.each(PERSONALITIES)('$named', ({ personality, named }) => {
	const g = operationFixture(personality);

	/** The items that a tool answers. */
	async function ask(node: string, parameters: IDataObject, toolArguments: Record<string, string>) {
		return answered.parse(
			JSON.parse(await runTool({ node: g.node(node), parameters, credential: g.credential, toolArguments })),
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
		const { parameters, toolArguments } = byAgent({
			...g.customer.scoped,
			...form,
			options: { pageSize: '7', concurrency: '2', timeout: '60' },
		});
		const items = await ask('Training', { operation: 'getMany', ...parameters }, toolArguments);
		const wanted = (await g.customer.list('POST /api/trainings/search'))
			.map(({ trainingName }) => String(trainingName))
			.filter((name) => /essentials/i.test(name));
		expect(items.map(({ trainingName }) => trainingName)).toEqual(wanted.sort().reverse().slice(0, 2));
		expect(Object.keys(sentIn({ json: items[0] ?? {} }))).toHaveLength(10);
	});

	test('for every company that the agent describes', async () => {
		const every = { companyScope: 'every', companyFilter: { nameContains: 'BAKERY', licenceNotExpired: 'false' } };
		const { parameters, toolArguments } = byAgent({ ...every, returnAll: 'true' });
		const items = await ask('TargetGroup', { operation: 'getMany', ...parameters }, toolArguments);
		const some = g.customer.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		expect(new Set(items.map(({ companyResourceId }) => companyResourceId))).toEqual(
			new Set(some.map(({ companyResourceId }) => companyResourceId)),
		);
	});

	test('what cannot be done is told in words that an agent can act on', async () => {
		const told = await runTool({
			node: g.node('Enrollment'),
			parameters: {
				operation: 'get',
				...g.customer.scoped,
				enrollment: byId("={{ $fromAI('enrollment', '', 'string') }}"),
			},
			credential: g.credential,
			toolArguments: { enrollment: 'no-such-enrollment' },
		}).catch((error: unknown) => (error instanceof Error ? error.message : ''));
		expect(told).toContain("Could not get enrollment for '");
		expect(told).toContain("nothing was found with the ID 'no-such-enrollment' (404)");
		expect(told).toContain('It may have been deleted, or belong to another company than the one chosen');
	});

	const deleting = cases.filter(({ operation }) => /^(delete|remove|revoke)/.test(operation));
	test.each(deleting)('$node: $operation is not offered', ({ node, operation }) => {
		const tool = JSON.stringify(g.node(node).description.usableAsTool);
		expect(tool).toContain('"name":"operation"');
		expect(tool).not.toContain(`"value":"${operation}"`);
	});

	test.each(shareOf(personality, offered))('$node: $operation', async ({ node, operation, isFile, prepare }) => {
		const run = await prepare(g.customer, true);
		const { options } = g.node(node).description.properties.some(({ name }) => name === 'options')
			? { options: { ...Object(run.parameters.options), timeout: 60 } }
			: { options: undefined };
		const { parameters, toolArguments } = byAgent({ ...run.parameters, options });
		g.service.clearLog();
		const text = await runTool({
			node: g.node(node),
			parameters: { operation, ...parameters },
			credential: g.credential,
			toolArguments,
		});

		const items = answered.parse(JSON.parse(text)).map((json) => ({ json }));
		run.expect(items.map(({ json }) => ({ json: JSON.parse(JSON.stringify(json)) })));
		expect(items).toHaveLength(run.items);
		if (isFile) expect(Object.keys(sentIn(items[0] ?? { json: {} }))).toEqual(['fileName', 'mimeType', 'bytes']);
		expect(askedOtherwise(g.asked, run).refused).toEqual([]);
		printed.push(
			`| ${[node, operation, named, Object.keys(toolArguments).length, items.length, `${text.slice(0, 60).replaceAll('|', '\\|')}…`].join(' | ')} |`,
		);
	});
});
