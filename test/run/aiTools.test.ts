/**
 * Tests every operation as a tool of an AI agent. n8n itself calls the tool. The agent enters every value of the form as text.
 * `PRINT=1 npm run test:file test/run/aiTools` prints a table of the operations with their results.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runNode, runTool } from '../n8n-core';
import { toIdLocator } from '../cases';
import { compareRequests } from '../cases/compareRequests';
import { fillByAgent } from '../cases/fillParameters';
import { omitAddedFields } from '../cases/case';
import { createOperationFixture, TESTED_PROFILES, filterServedCases } from '../cases/operationFixture';
import { parseOperationKey } from '../contract/operationKeys';
import { findCase } from '../operations/records';

/**
 * Operations whose forms together have all kinds of fields, and that return a list, a record, or the result of a write.
 * everyOperation.test.ts checks how the agent's texts are parsed for every operation.
 */
const OFFERED_OPERATIONS: Array<[node: string, key: string]> = [
	['Company', 'getMany'],
	['CompanyGroup', 'create'],
	['Role', 'getMany'],
	['Enrollment', 'getMany'],
	['Enrollment', 'get'],
	['Enrollment', 'createAndSend'],
	['PhishingCampaign', 'create'],
	['PhishingCampaign', 'result.getManyByPeriod'],
	['TrainingReport', 'enrolledUser.getMany'],
	['ExecutiveReport', 'scheduledReport.create'],
	['TargetGroup', 'create'],
	['TargetUser', 'create'],
	['TargetUser', 'update'],
	['Company', 'update'],
];
/** The engine rejects all operations in the same way, so one that reads, one that writes and one that returns a file are enough. */
const REJECTED_OPERATIONS: Array<[node: string, key: string]> = [
	['ApiClient', 'generateCredentials'],
	['SamlSetting', 'create'],
	['Company', 'export'],
];
const offeredCases = OFFERED_OPERATIONS.map(([node, key]) => findCase(node, key));
const rejectedCases = REJECTED_OPERATIONS.map(([node, key]) => findCase(node, key));
const REJECTION_MESSAGE = "'Operation' isn't allowed for AI agents";

const toolResultSchema = z.array(z.record(z.unknown()));
const printedRows: string[] = [];
afterAll(() => {
	if (!process.env.PRINT) return;
	process.stdout.write(
		`${['| Node | Operation | Names | Given as text | Items | Answer |', '|---|---|---|---|---|---|', ...printedRows].join('\n')}\n`,
	);
});

describe.each(TESTED_PROFILES)('$title', ({ profile, title }) => {
	const fixture = createOperationFixture(profile);

	/** Runs a tool for an agent. @returns the JSON of the output items */
	async function runForAgent(node: string, parameters: IDataObject, toolArguments: Record<string, string>) {
		return toolResultSchema.parse(
			JSON.parse(
				await runTool({ node: fixture.getNode(node), parameters, credential: fixture.credential, toolArguments }),
			),
		);
	}

	test('numbers and choices may be texts: limit, filters and order', async () => {
		const form = {
			returnAll: 'false',
			limit: '2',
			output: 'simplified',
			sort: { fields: { by: 'Name', direction: 'descending' } },
			filters: { condition: 'OR', searchText: 'essentials' },
		};
		const { parameters, toolArguments } = fillByAgent({
			...fixture.customer.companyParameters,
			...form,
			options: { pageSize: '7', concurrency: '2', timeout: '60' },
		});
		const items = await runForAgent('Training', { operation: 'getMany', ...parameters }, toolArguments);
		const expectedNames = (await fixture.customer.fetchList('POST /api/trainings/search'))
			.map(({ trainingName }) => String(trainingName))
			.filter((name) => /essentials/i.test(name));
		expect(items.map(({ trainingName }) => trainingName)).toEqual(expectedNames.sort().reverse().slice(0, 2));
		expect(Object.keys(omitAddedFields({ json: items[0] ?? {} }))).toHaveLength(10);
	});

	test('every company that matches the filter of the agent', async () => {
		const bakeriesOnly = {
			companyScope: 'every',
			onlyCompanies: { nameContains: 'BAKERY', licenceNotExpired: 'false' },
		};
		const { parameters, toolArguments } = fillByAgent({ ...bakeriesOnly, returnAll: 'true' });
		const items = await runForAgent('TargetGroup', { operation: 'getMany', ...parameters }, toolArguments);
		const bakeries = fixture.customer.world.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		expect(new Set(items.map(({ companyResourceId }) => companyResourceId))).toEqual(
			new Set(bakeries.map(({ companyResourceId }) => companyResourceId)),
		);
	});

	test('an error has a message that an agent can act on', async () => {
		const result = await runTool({
			node: fixture.getNode('Enrollment'),
			parameters: {
				operation: 'get',
				...fixture.customer.companyParameters,
				enrollment: toIdLocator("={{ $fromAI('enrollment', '', 'string') }}"),
			},
			credential: fixture.credential,
			toolArguments: { enrollment: 'no-such-enrollment' },
		}).catch((error: unknown) => (error instanceof Error ? error.message : ''));
		expect(result).toContain("Could not get enrollment for '");
		expect(result).toContain("the platform has no record with the ID 'no-such-enrollment' (404)");
		expect(result).toContain('It may have been deleted, or belong to another company than the selected one');
	});

	test.each(rejectedCases)('$node: $operation is not offered, and rejected if an agent calls it', async (testCase) => {
		const node = fixture.getNode(testCase.node);
		const tool = JSON.stringify(node.description.usableAsTool);
		expect(tool).toContain('"name":"operation"');
		expect(tool).not.toContain(`"value":"${testCase.operation}"`);
		const { parameters } = await testCase.prepare(fixture.customer, true);
		const run = {
			node,
			parameters: { ...parameters, ...parseOperationKey(testCase.node, testCase.operation) },
			credential: fixture.credential,
		};
		fixture.standIn.clearLog();
		await expect(runTool(run)).rejects.toThrow(REJECTION_MESSAGE);
		// n8n's newer agents run a tool as a node of the workflow.
		await expect(runNode({ ...run, isTool: true })).rejects.toThrow(REJECTION_MESSAGE);
		expect(fixture.requests).toEqual([]);
	});

	test.each(['none', 'list'])('an agent cannot select other companies for a group: %s', async (membersFrom) => {
		const node = fixture.getNode('CompanyGroup');
		const tool = JSON.stringify(node.description.usableAsTool);
		expect(tool).toContain('"value":"keep"');
		expect(tool).not.toContain(`"value":"${membersFrom}"`);
		const companyGroup = toIdLocator('a-group');
		const parameters = { operation: 'update', name: 'Gold', companyGroup, membersFrom, companies: ['c'] };
		fixture.standIn.clearLog();
		const result = runTool({ node, parameters, credential: fixture.agentCredential });
		await expect(result).rejects.toThrow("'Members' would replace or empty a whole list");
		expect(fixture.requests).toEqual([]);
	});

	test('an agent cannot select other companies with fields in JSON', async () => {
		const additionalFields = { additionalFieldsJson: '{ "companyResourceIdArray": ["c"] }' };
		const parameters = {
			operation: 'update',
			name: 'Gold',
			companyGroup: toIdLocator('a-group'),
			membersFrom: 'keep',
		};
		const result = runTool({
			node: fixture.getNode('CompanyGroup'),
			parameters: { ...parameters, additionalFields },
			credential: fixture.agentCredential,
		});
		fixture.standIn.clearLog();
		await expect(result).rejects.toThrow("'Additional Fields (JSON)' in 'Update Fields' would replace or empty");
		expect(fixture.requests).toEqual([]);
	});

	test.each(['{ "tags": "gold" }', '{ "Tags[0]": "gold" }', '{ "note": { "parts": ["gold"] } }'])(
		'an agent cannot replace a list of a company with fields in JSON: %s',
		async (additionalFieldsJson) => {
			const company = toIdLocator(fixture.customer.companyId);
			const parameters = { operation: 'update', company, additionalFields: { additionalFieldsJson } };
			const result = runTool({ node: fixture.getNode('Company'), parameters, credential: fixture.agentCredential });
			fixture.standIn.clearLog();
			await expect(result).rejects.toThrow("'Additional Fields (JSON)' in 'Update Fields' would replace or empty");
			expect(fixture.requests).toEqual([]);
		},
	);

	test.each(filterServedCases(profile, offeredCases))('$node: $operation', async ({ node, operation, prepare }) => {
		const run = await prepare(fixture.customer, true);
		const { options } = fixture.getNode(node).description.properties.some(({ name }) => name === 'options')
			? { options: { ...Object(run.parameters.options), timeout: 60 } }
			: { options: undefined };
		const { parameters, toolArguments } = fillByAgent({ ...run.parameters, options });
		fixture.standIn.clearLog();
		const toolResult = await runTool({
			node: fixture.getNode(node),
			parameters: { ...parseOperationKey(node, operation), ...parameters },
			credential: fixture.agentCredential,
			toolArguments,
		});

		const items = toolResultSchema.parse(JSON.parse(toolResult)).map((json) => ({ json }));
		run.checkItems(items.map(({ json }) => ({ json: JSON.parse(JSON.stringify(json)) })));
		expect(items).toHaveLength(run.itemCount);
		expect(compareRequests(fixture.requests, run).rejected).toEqual([]);
		printedRows.push(
			`| ${[node, operation, title, Object.keys(toolArguments).length, items.length, `${toolResult.slice(0, 60).replaceAll('|', '\\|')}…`].join(' | ')} |`,
		);
	});
});
