/** Tests the rights of AI agents. The table AGENT_RIGHTS says which level each operation needs. The credential allows one level. */
import { escapeRegExp, lowerFirst, upperFirst } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { AGENT_RIGHTS } from '../../nodes/core/run/agentRights';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { toIdLocator, cases } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { formatOperationKey } from '../contract/operationKeys';
import { runNode, runTool } from '../n8n-core';
import { listOperationOptions } from '../rules/nodeFields';
import { findRightByKey } from './findRightByKey';

const fixture = createOperationFixture('deployed');

const listResources = () => fixture.nodeFolders.map((folder) => ({ folder, resource: lowerFirst(folder) }));
const isFileOperation = (node: string, operation: string) =>
	operation === 'importFile' ||
	cases.some((testCase) => testCase.node === node && testCase.operation === operation && testCase.hasFileOutput);
const listOperations = () =>
	cases.map(({ node, operation: value }) => ({
		node,
		value,
		title: `${node} ${value}`,
		operation: fixture.getOperation(node, value),
		right: findRightByKey(node, value),
	}));

/** Lists the endpoints of an operation, including those of its dependencies. */
const listEndpoints = ({ endpoint, dependencies = [] }: Operation): string[] =>
	endpoint === null ? dependencies.flatMap(listEndpoints) : [endpoint];

test('every operation has a right, and every right belongs to an operation', () => {
	const SIMULATORS = ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'];
	const operationKeys = listOperations().map(({ node, value }) => `${lowerFirst(node)} ${value}`);
	const rights = Object.entries(AGENT_RIGHTS).flatMap(([name, nodeRights]) =>
		Object.entries(nodeRights).flatMap(([resource, operations]) =>
			Object.keys(operations).map((operation) => ({
				resource: name,
				value: formatOperationKey(upperFirst(name), resource, operation),
			})),
		),
	);
	const rightKeys = rights.map(({ resource, value }) => `${resource} ${value}`);
	expect(operationKeys.filter((operationKey) => !rightKeys.includes(operationKey))).toEqual([]);
	// The simulators share their rights. Some operations exist only for phishing.
	const isRightOfOperation = ({ resource, value }: { resource: string; value: string }) =>
		operationKeys.includes(`${SIMULATORS.includes(resource) ? 'phishingCampaign' : resource} ${value}`);
	expect(rights.filter((right) => !isRightOfOperation(right))).toEqual([]);
	expect(Object.keys(AGENT_RIGHTS).sort()).toEqual(
		listResources()
			.map(({ resource }) => resource)
			.sort(),
	);
});

test('no operation with a secret, a deletion, a revocation, a replacement or a file is ever allowed', () => {
	/** The only allowed operation that deletes something. It deletes only a group that it has just created. */
	const ALLOWED_DELETING_OPERATION = 'Enrollment sendToPeople';
	const isForbidden = ({ node, value, operation, title }: ReturnType<typeof listOperations>[number]) =>
		operation.hasSecretOutput === true ||
		isFileOperation(node, value) ||
		'clientSecret' in operation.fields ||
		(!operation.isReadOnly && /delete|remove|revoke|replace|makeDefault|stop/i.test(operation.value)) ||
		(title !== ALLOWED_DELETING_OPERATION && listEndpoints(operation).some((key) => /^DELETE |revoke/.test(key)));
	const forbiddenOperations = listOperations().filter(isForbidden);
	expect(forbiddenOperations.length).toBeGreaterThan(50);
	expect(forbiddenOperations.filter(({ right }) => right !== 'never').map(({ title }) => title)).toEqual([]);
	expect(
		['SystemUser create', 'SystemUser update', 'SamlSetting create', 'GoogleOAuth complete', 'ApiClient update'].filter(
			(operationTitle) => listOperations().find(({ title }) => title === operationTitle)?.right !== 'never',
		),
	).toEqual([]);
});

test('the first level only reads, and every operation that emails or starts something is in the last level', () => {
	const readOperations = listOperations().filter(({ right }) => right === 'read');
	expect(readOperations.filter(({ operation }) => !operation.isReadOnly).map(({ title }) => title)).toEqual([]);
	const EMAIL_ENDPOINT =
		/\/(re)?send|job\/start|direct-email-settings\/test|report-scheduling|notified-emails\/\{|^POST \/api\/enrollments$/;
	const emailOperations = listOperations().filter(
		({ operation }) => !operation.isReadOnly && listEndpoints(operation).some((key) => EMAIL_ENDPOINT.test(key)),
	);
	expect(emailOperations.length).toBeGreaterThan(20);
	expect(
		emailOperations.filter(({ right }) => right === 'read' || right === 'change').map(({ title }) => title),
	).toEqual([]);
});

const toolSchema = z.object({ replacements: z.object({ properties: z.array(z.custom<INodeProperties>()) }) });

test('a tool offers exactly the operations that can be allowed', () => {
	for (const { folder } of listResources()) {
		const { replacements } = toolSchema.parse(fixture.getNode(folder).description.usableAsTool);
		const offeredOperations = listOperationOptions(replacements).map(({ resource, value }) =>
			formatOperationKey(folder, resource, String(value)),
		);
		const allowedOperations = listOperations().filter(({ node, right }) => node === folder && right !== 'never');
		expect(offeredOperations.sort()).toEqual(allowedOperations.map(({ value }) => value).sort());
		expect(offeredOperations).not.toEqual([]);
	}
});

const CREATE_GROUP_RUN = { node: 'CompanyGroup', parameters: { operation: 'create', name: 'Gold' } };
const buildStartCampaignRun = (): { node: string; parameters: IDataObject } => ({
	node: 'PhishingCampaign',
	parameters: {
		operation: 'start',
		...fixture.customer.companyParameters,
		campaign: toIdLocator('a-campaign'),
		schedule: { __rl: true, mode: 'list', value: '1', cachedResultName: 'Now' },
	},
});
const buildGetRolesRun = (): { node: string; parameters: IDataObject } => ({
	node: 'Role',
	parameters: { operation: 'getMany', ...fixture.customer.companyParameters },
});

/** Runs a tool for an agent. @returns the first character of the result ('[' for a list of items), or the text of the error */
async function runForAgent({ node, parameters }: { node: string; parameters: IDataObject }, agentsMay?: unknown) {
	const credential = fixture.createCredential();
	if (agentsMay !== undefined) Object.assign(credential.data, { agentsMay });
	fixture.standIn.clearLog();
	try {
		return (await runTool({ node: fixture.getNode(node), parameters, credential })).slice(0, 1);
	} catch (error) {
		const { message, description } = Object(error) as { message: string; description?: string };
		return `${message}: ${description ?? ''}`;
	}
}

const LEVEL_REJECTION = /^'Operation' isn't allowed for AI agents with this credential/;

test('the credential limits agents, and the error names the setting to change', async () => {
	expect(await runForAgent(buildGetRolesRun(), 'read')).toBe('[');
	const createResult = await runForAgent(CREATE_GROUP_RUN, 'read');
	expect(createResult).toMatch(LEVEL_REJECTION);
	expect(createResult).toContain("set 'AI Agents May' to 'Also Make Reversible Changes'");
	expect(fixture.requests).toEqual([]);
	expect(await runForAgent(CREATE_GROUP_RUN, 'change')).toBe('[');
	const startResult = await runForAgent(buildStartCampaignRun(), 'change');
	expect(startResult).toMatch(LEVEL_REJECTION);
	expect(startResult).toContain("set 'AI Agents May' to 'Also Email and Start'");
	expect(fixture.requests).toEqual([]);
	expect(await runForAgent(buildStartCampaignRun(), 'email')).not.toMatch(LEVEL_REJECTION);
	expect(fixture.requests).not.toEqual([]);
});

test('a credential without a selected level allows reversible changes', async () => {
	expect(await runForAgent(CREATE_GROUP_RUN)).toBe('[');
	expect(await runForAgent(buildStartCampaignRun())).toMatch(LEVEL_REJECTION);
});

test.each(['', 'all', 'Email', null, true, '={{ $vars.gone }}', '={{ undefined }}'])(
	'an unknown level, such as %j, allows only reading',
	async (level) => {
		expect(await runForAgent(buildGetRolesRun(), level)).toBe('[');
		expect(await runForAgent(CREATE_GROUP_RUN, level)).toMatch(LEVEL_REJECTION);
	},
);

test('the level does not limit a node that runs in a workflow', async () => {
	const credential = fixture.createCredential(undefined, { agentsMay: 'read' });
	const { items } = await runNode({
		node: fixture.getNode('CompanyGroup'),
		parameters: CREATE_GROUP_RUN.parameters,
		credential,
	});
	expect(items).toHaveLength(1);
});

test("a model that chooses the operation can't choose a forbidden one", async () => {
	const run = async (operation: string) =>
		runTool({
			node: fixture.getNode('Role'),
			parameters: { ...buildGetRolesRun().parameters, operation: "={{ $fromAI('operation', '', 'string') }}" },
			credential: fixture.credential,
			toolArguments: { operation },
		});
	// n8n 1.123 doesn't evaluate an expression in 'Operation', so in that version even an allowed operation is rejected.
	const allowedResult = await run('getMany').catch((error: Error) => error.message);
	expect(allowedResult).toMatch(/^\[\{|^'Operation' isn't one of the resource/);
	const runApiClientTool = async (operation: string, extraParameters: IDataObject = {}) =>
		runTool({
			node: fixture.getNode('ApiClient'),
			parameters: {
				...fixture.customer.companyParameters,
				operation: "={{ $fromAI('operation', '', 'string') }}",
				...extraParameters,
			},
			credential: fixture.credential,
			toolArguments: { operation },
		});
	fixture.standIn.clearLog();
	await expect(runApiClientTool('generateCredentials')).rejects.toThrow(
		/'Operation' isn't (allowed for AI agents|one of)/,
	);
	// A saved parameter `resource` that names another node's resource doesn't give the tool the rights of that resource.
	await expect(runApiClientTool('create', { resource: 'company' })).rejects.toThrow(
		"'Resource' isn't one of this node",
	);
	await expect(runApiClientTool('constructor')).rejects.toThrow("'Operation' isn't one of");
	expect(fixture.requests).toEqual([]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a rejected operation is never a success, with On Error: %s',
	async (onError) => {
		const run = {
			node: fixture.getNode('ApiClient'),
			parameters: { operation: 'generateCredentials', ...fixture.customer.companyParameters },
		};
		fixture.standIn.clearLog();
		const { items, errorItems = [] } = await runNode({
			...run,
			credential: fixture.credential,
			onError,
			isTool: true,
		});
		const messages = [...items, ...errorItems].map(({ json }) => json.message);
		expect(messages).toEqual([expect.stringContaining("'Operation' isn't allowed for AI agents")]);
		expect(fixture.requests).toEqual([]);
	},
);

const companyUpdate = { operation: 'update', company: toIdLocator('c') };
const personUpdate = { operation: 'update', companyScope: 'own', targetUser: toIdLocator('p') };
const personUpsert = {
	operation: 'createOrUpdate',
	companyScope: 'own',
	email: 'ada@example.com',
	phoneNumber: '+49301',
};
const scheduleUpdate = {
	resource: 'scheduledReport',
	operation: 'update',
	companyScope: 'own',
	scheduledReport: toIdLocator('s'),
};
const emailUpdate = {
	operation: 'update',
	companyScope: 'own',
	reportedEmail: toIdLocator('m'),
	notifyReporter: false,
};
test.each([
	['TargetUser', 'Target Group Names or IDs', personUpdate, { targetGroupResourceIds: 'Sales' }],
	['TargetUser', 'Target Group Names or IDs', personUpsert, { targetGroupResourceIds: ['Sales'] }],
	[
		'TargetUser',
		'Additional Fields (JSON)',
		personUpsert,
		{ additionalFieldsJson: '{ "targetGroupResourceIds": ["g"] }' },
	],
	['Company', 'Company Group Names or IDs', companyUpdate, { companyGroups: ['Gold'] }],
	['Company', 'License Module Names or IDs', companyUpdate, { licenseModules: ['m'] }],
	['Company', 'Tags', companyUpdate, { tags: 'gold' }],
	['Company', 'Tags', companyUpdate, { tags: ' , ' }],
	// In a multipart form, the name of a list's entry has an index, and the value is a text.
	['Company', 'Additional Fields (JSON)', companyUpdate, { additionalFieldsJson: '{ "tags[0]": "gold" }' }],
	['ExecutiveReport', 'Email Addresses', scheduleUpdate, { emailAddresses: 'a@b.example' }],
	['ExecutiveReport', 'Manager Email Addresses', scheduleUpdate, { managerEmails: 'a@b.example' }],
	['ExecutiveReport', 'Target Group Names or IDs', scheduleUpdate, { targetGroupResourceIds: ['g'] }],
	['ReportedEmail', 'Tags', emailUpdate, { tag: 'seen' }],
	['ReportedEmail', 'Additional Fields (JSON)', emailUpdate, { note: 'x', additionalFieldsJson: '{ "tag": "seen" }' }],
	[
		'ScimIntegration',
		'Additional Fields (JSON)',
		{ operation: 'update', companyScope: 'own', scimIntegration: toIdLocator('i'), name: 'Entra' },
		{ additionalFieldsJson: '{ "deep": { "fieldMappings": ["m"] } }' },
	],
])('an agent cannot replace the list of a record: %s, %s', async (node, label, form, additionalFields) => {
	const result = await runForAgent({ node, parameters: { ...form, additionalFields } }, 'email');
	expect(result).toMatch(new RegExp(`^'${escapeRegExp(label)}' in '.*' would replace or empty a whole list`));
	expect(result).toContain('Leave this field out');
	expect(fixture.requests).toEqual([]);
});
