/** Tests of what AI agents may do: a table decides, the credential selects a level, and the docs show both. */
import { escapeRegExp, lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { AGENT_RIGHTS, findAgentRight } from '../../nodes/core/run/agentRights';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { toIdLocator, cases } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';

const g = createOperationFixture('deployed');

const resources = () => g.nodeFolders.map((folder) => ({ folder, resource: lowerFirst(folder) }));
const isFile = (node: string, operation: string) =>
	operation === 'importFile' || cases.some((each) => each.node === node && each.operation === operation && each.returnsFile);
const listOperations = () =>
	cases.map(({ node, operation: value }) => ({
		node,
		value,
		title: `${node} ${value}`,
		operation: g.getOperation(node, value),
		right: findAgentRight(lowerFirst(node), value),
	}));

/** Lists the requests that an operation sends, including those of the operations that it combines. */
const listEndpoints = ({ endpoint, dependencies: uses = [] }: Operation): string[] =>
	endpoint === null ? uses.flatMap(listEndpoints) : [endpoint];

test('every operation has a right, and every right belongs to an operation', () => {
	const SIMULATORS = ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'];
	const known = listOperations().map(({ node, value }) => `${lowerFirst(node)} ${value}`);
	const rights = Object.entries(AGENT_RIGHTS).flatMap(([resource, operations]) =>
		Object.keys(operations).map((value) => ({ resource, value })),
	);
	const named = rights.map(({ resource, value }) => `${resource} ${value}`);
	expect(known.filter((each) => !named.includes(each))).toEqual([]);
	// The simulators share their rights. Some operations exist only for phishing.
	const isKnown = ({ resource, value }: { resource: string; value: string }) =>
		known.includes(`${SIMULATORS.includes(resource) ? 'phishingCampaign' : resource} ${value}`);
	expect(rights.filter((right) => !isKnown(right))).toEqual([]);
	expect(Object.keys(AGENT_RIGHTS).sort()).toEqual(
		resources()
			.map(({ resource }) => resource)
			.sort(),
	);
});

test('no secret, deletion, revocation, replacement or file is ever allowed', () => {
	/** The only allowed operation that deletes something: a group that it has just created. */
	const OWN = 'Enrollment createAndSendToPeople';
	const isForbidden = ({ node, value, operation, title }: ReturnType<typeof listOperations>[number]) =>
		operation.outputsSecret === true ||
		isFile(node, value) ||
		'clientSecret' in operation.fields ||
		(!operation.isReadOnly && /delete|remove|revoke|replace|makeDefault|stop/i.test(value)) ||
		(title !== OWN && listEndpoints(operation).some((key) => /^DELETE |revoke/.test(key)));
	const forbidden = listOperations().filter(isForbidden);
	expect(forbidden.length).toBeGreaterThan(50);
	expect(forbidden.filter(({ right }) => right !== 'never').map(({ title }) => title)).toEqual([]);
	expect(
		['SystemUser create', 'SystemUser update', 'SamlSetting create', 'GoogleOAuth complete', 'ApiClient update'].filter(
			(each) => listOperations().find(({ title }) => title === each)?.right !== 'never',
		),
	).toEqual([]);
});

test('the first level only reads, and everything that emails or starts something is in the last level', () => {
	const reading = listOperations().filter(({ right }) => right === 'read');
	expect(reading.filter(({ operation }) => !operation.isReadOnly).map(({ title }) => title)).toEqual([]);
	const isMail =
		/\/(re)?send|job\/start|direct-email-settings\/test|report-scheduling|notified-emails\/\{|^POST \/api\/enrollments$/;
	const mailing = listOperations().filter(
		({ operation }) => !operation.isReadOnly && listEndpoints(operation).some((key) => isMail.test(key)),
	);
	expect(mailing.length).toBeGreaterThan(20);
	expect(mailing.filter(({ right }) => right === 'read' || right === 'change').map(({ title }) => title)).toEqual([]);
});

const toolShape = z.object({
	replacements: z.object({ properties: z.array(z.object({ name: z.string(), options: z.unknown() })) }),
});
const offeredShape = z.array(z.object({ value: z.string() }));

test('a tool offers exactly the operations that can be allowed', () => {
	for (const { folder } of resources()) {
		const { properties } = toolShape.parse(g.getNode(folder).description.usableAsTool).replacements;
		const offered = offeredShape.parse(properties.find(({ name }) => name === 'operation')?.options);
		const allowed = listOperations().filter(({ node, right }) => node === folder && right !== 'never');
		expect(offered.map(({ value }) => value).sort()).toEqual(allowed.map(({ value }) => value).sort());
		expect(offered).not.toEqual([]);
	}
});

const GROUP = { node: 'CompanyGroup', parameters: { operation: 'create', name: 'Gold' } };
const START = (): { node: string; parameters: IDataObject } => ({
	node: 'PhishingCampaign',
	parameters: {
		operation: 'start',
		...g.customer.companyParameters,
		campaign: toIdLocator('a-campaign'),
		schedule: { __rl: true, mode: 'list', value: '1', cachedResultName: 'Now' },
	},
});
const READ = (): { node: string; parameters: IDataObject } => ({
	node: 'Role',
	parameters: { operation: 'getMany', ...g.customer.companyParameters },
});

/** Runs a tool and returns what the agent gets: the error, or the beginning of the result. */
async function runForAgent({ node, parameters }: { node: string; parameters: IDataObject }, agentsMay?: unknown) {
	const credential = g.createCredential();
	if (agentsMay !== undefined) Object.assign(credential.data, { agentsMay });
	g.standIn.clearLog();
	try {
		return (await runTool({ node: g.getNode(node), parameters, credential })).slice(0, 1);
	} catch (error) {
		const { message, description } = Object(error) as { message: string; description?: string };
		return `${message}: ${description ?? ''}`;
	}
}

const NOT_WITHIN = /^'Operation' is not one that an AI agent may run with this credential/;

test('the credential limits agents, and the error names the setting to change', async () => {
	expect(await runForAgent(READ(), 'read')).toBe('[');
	const answer = await runForAgent(GROUP, 'read');
	expect(answer).toMatch(NOT_WITHIN);
	expect(answer).toContain("set 'AI Agents May' to 'Also Make Reversible Changes'");
	expect(g.requests).toEqual([]);
	expect(await runForAgent(GROUP, 'change')).toBe('[');
	const start = await runForAgent(START(), 'change');
	expect(start).toMatch(NOT_WITHIN);
	expect(start).toContain("set 'AI Agents May' to 'Also Email and Start'");
	expect(g.requests).toEqual([]);
	expect(await runForAgent(START(), 'email')).not.toMatch(NOT_WITHIN);
	expect(g.requests).not.toEqual([]);
});

test('a credential without a choice allows reversible changes', async () => {
	expect(await runForAgent(GROUP)).toBe('[');
	expect(await runForAgent(START())).toMatch(NOT_WITHIN);
});

test.each(['', 'all', 'Email', null, true, '={{ $vars.gone }}', '={{ undefined }}'])(
	'a level that there is not, such as %j, allows reading alone',
	async (level) => {
		expect(await runForAgent(READ(), level)).toBe('[');
		expect(await runForAgent(GROUP, level)).toMatch(NOT_WITHIN);
	},
);

test('the level does not limit a node in a workflow', async () => {
	const credential = g.createCredential(undefined, { agentsMay: 'read' });
	const { items } = await runNode({ node: g.getNode('CompanyGroup'), parameters: GROUP.parameters, credential });
	expect(items).toHaveLength(1);
});

test("a model that chooses the operation can't choose a forbidden one", async () => {
	const run = async (operation: string) =>
		runTool({
			node: g.getNode('Role'),
			parameters: { ...READ().parameters, operation: "={{ $fromAI('operation', '', 'string') }}" },
			credential: g.credential,
			toolArguments: { operation },
		});
	// n8n 1.123 doesn't evaluate an expression in this field, so there even an allowed operation is refused.
	const allowed = await run('getMany').catch((error: Error) => error.message);
	expect(allowed).toMatch(/^\[\{|^'Operation' is not one of this node$/);
	const ofClients = async (operation: string, more: IDataObject = {}) =>
		runTool({
			node: g.getNode('ApiClient'),
			parameters: { ...g.customer.companyParameters, operation: "={{ $fromAI('operation', '', 'string') }}", ...more },
			credential: g.credential,
			toolArguments: { operation },
		});
	g.standIn.clearLog();
	await expect(ofClients('generateCredentials')).rejects.toThrow(
		/'Operation' is not one (that an AI agent may run|of this node)/,
	);
	// A saved resource of another node doesn't give its rights.
	await expect(ofClients('create', { resource: 'company' })).rejects.toThrow("'Operation' is not one");
	await expect(ofClients('constructor')).rejects.toThrow("'Operation' is not one of this node");
	expect(g.requests).toEqual([]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a refusal is never a success, with On Error: %s',
	async (onError) => {
		const run = { node: g.getNode('ApiClient'), parameters: { operation: 'generateCredentials', ...g.customer.companyParameters } };
		g.standIn.clearLog();
		const { items, errors = [] } = await runNode({ ...run, credential: g.credential, onError, asTool: true });
		const messages = [...items, ...errors].map(({ json }) => json.message);
		expect(messages).toEqual([expect.stringContaining("'Operation' is not one that an AI agent may run")]);
		expect(g.requests).toEqual([]);
	},
);

const company = { operation: 'update', company: toIdLocator('c') };
const person = { operation: 'update', companyScope: 'own', targetUser: toIdLocator('p') };
const upsert = { operation: 'createOrUpdate', companyScope: 'own', email: 'ada@example.com', phoneNumber: '+49301' };
const schedule = { operation: 'updateScheduledReport', companyScope: 'own', scheduledReport: toIdLocator('s') };
const mail = { operation: 'update', companyScope: 'own', reportedEmail: toIdLocator('m'), notifyReporter: false };
test.each([
	['TargetUser', 'Target Group Names or IDs', person, { targetGroupResourceIds: 'Sales' }],
	['TargetUser', 'Target Group Names or IDs', upsert, { targetGroupResourceIds: ['Sales'] }],
	['TargetUser', 'Additional Fields (JSON)', upsert, { additionalFieldsJson: '{ "targetGroupResourceIds": ["g"] }' }],
	['Company', 'Company Group Names or IDs', company, { companyGroups: ['Gold'] }],
	['Company', 'License Module Names or IDs', company, { licenseModules: ['m'] }],
	['Company', 'Tags', company, { tags: 'gold' }],
	['Company', 'Tags', company, { tags: ' , ' }],
	// A form has a list with one entry as text.
	['Company', 'Additional Fields (JSON)', company, { additionalFieldsJson: '{ "tags[0]": "gold" }' }],
	['ExecutiveReport', 'Email Addresses', schedule, { emailAddresses: 'a@b.example' }],
	['ExecutiveReport', 'Manager Email Addresses', schedule, { managerEmails: 'a@b.example' }],
	['ExecutiveReport', 'Target Group Names or IDs', schedule, { targetGroupResourceIds: ['g'] }],
	['ReportedEmail', 'Tags', mail, { tag: 'seen' }],
	['ReportedEmail', 'Additional Fields (JSON)', mail, { note: 'x', additionalFieldsJson: '{ "tag": "seen" }' }],
	[
		'ScimIntegration',
		'Additional Fields (JSON)',
		{ operation: 'update', companyScope: 'own', scimIntegration: toIdLocator('i'), name: 'Entra' },
		{ additionalFieldsJson: '{ "deep": { "fieldMappings": ["m"] } }' },
	],
])('an agent cannot replace the list of a record: %s, %s', async (node, label, form, additionalFields) => {
	const told = await runForAgent({ node, parameters: { ...form, additionalFields } }, 'email');
	expect(told).toMatch(new RegExp(`^'${escapeRegExp(label)}' in '.*' would replace or empty a whole list`));
	expect(told).toContain('Leave the field out');
	expect(g.requests).toEqual([]);
});
