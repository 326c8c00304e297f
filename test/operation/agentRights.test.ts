/** What AI agents may do: one table decides, the credential chooses a level of it, and the docs quote it. */
import { escapeRegExp, lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { AGENT_RIGHTS, findAgentRight } from '../../nodes/shared/operation/agentRights';
import type { Operation } from '../../nodes/shared/operation/operation';
import { byId, cases } from '../cases';
import { operationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';

const g = operationFixture('deployed');

const resources = () => g.folders.map((folder) => ({ folder, resource: lowerFirst(folder) }));
const isFile = (node: string, operation: string) =>
	operation === 'importFile' || cases.some((each) => each.node === node && each.operation === operation && each.isFile);
const everyOperation = () =>
	cases.map(({ node, operation: value }) => ({
		...{ node, value, title: `${node} ${value}`, operation: g.operation(node, value) },
		right: findAgentRight(lowerFirst(node), value),
	}));

/** The requests that an operation sends, those of its parts too. */
const endpointsOf = ({ endpoint, uses = [] }: Operation): string[] =>
	endpoint === null ? uses.flatMap(endpointsOf) : [endpoint];

test('every operation has its right, and no right is of an operation that there is not', () => {
	const SIMULATORS = ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'];
	const known = everyOperation().map(({ node, value }) => `${lowerFirst(node)} ${value}`);
	const rights = Object.entries(AGENT_RIGHTS).flatMap(([resource, operations]) =>
		Object.keys(operations).map((value) => ({ resource, value })),
	);
	const named = rights.map(({ resource, value }) => `${resource} ${value}`);
	expect(known.filter((each) => !named.includes(each))).toEqual([]);
	// The simulators share their rights, and phishing has some operations more.
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
	/** It deletes the group that it has made itself. */
	const OWN = 'Enrollment createAndSendToPeople';
	const isForbidden = ({ node, value, operation, title }: ReturnType<typeof everyOperation>[number]) =>
		operation.outputsSecret === true ||
		isFile(node, value) ||
		'clientSecret' in operation.form ||
		(!operation.reads && /delete|remove|revoke|replace|makeDefault|stop/i.test(value)) ||
		(title !== OWN && endpointsOf(operation).some((key) => /^DELETE |revoke/.test(key)));
	const forbidden = everyOperation().filter(isForbidden);
	expect(forbidden.length).toBeGreaterThan(50);
	expect(forbidden.filter(({ right }) => right !== 'never').map(({ title }) => title)).toEqual([]);
	expect(
		['SystemUser create', 'SystemUser update', 'SamlSetting create', 'GoogleOAuth complete', 'ApiClient update'].filter(
			(each) => everyOperation().find(({ title }) => title === each)?.right !== 'never',
		),
	).toEqual([]);
});

test('only what reads is in the first level, and what emails or starts is in the last', () => {
	const reading = everyOperation().filter(({ right }) => right === 'read');
	expect(reading.filter(({ operation }) => !operation.reads).map(({ title }) => title)).toEqual([]);
	const isMail =
		/\/(re)?send|job\/start|direct-email-settings\/test|report-scheduling|notified-emails\/\{|^POST \/api\/enrollments$/;
	const mailing = everyOperation().filter(
		({ operation }) => !operation.reads && endpointsOf(operation).some((key) => isMail.test(key)),
	);
	expect(mailing.length).toBeGreaterThan(20);
	expect(mailing.filter(({ right }) => right === 'read' || right === 'change').map(({ title }) => title)).toEqual([]);
});

const toolShape = z.object({
	replacements: z.object({ properties: z.array(z.object({ name: z.string(), options: z.unknown() })) }),
});
const offeredShape = z.array(z.object({ value: z.string() }));

test('a tool offers what is ever allowed, and nothing else', () => {
	for (const { folder } of resources()) {
		const { properties } = toolShape.parse(g.node(folder).description.usableAsTool).replacements;
		const offered = offeredShape.parse(properties.find(({ name }) => name === 'operation')?.options);
		const allowed = everyOperation().filter(({ node, right }) => node === folder && right !== 'never');
		expect(offered.map(({ value }) => value).sort()).toEqual(allowed.map(({ value }) => value).sort());
		expect(offered).not.toEqual([]);
	}
});

const GROUP = { node: 'CompanyGroup', parameters: { operation: 'create', name: 'Gold' } };
const START = (): { node: string; parameters: IDataObject } => ({
	node: 'PhishingCampaign',
	parameters: {
		operation: 'start',
		...g.customer.scoped,
		campaign: byId('a-campaign'),
		schedule: { __rl: true, mode: 'list', value: '1', cachedResultName: 'Now' },
	},
});
const READ = (): { node: string; parameters: IDataObject } => ({
	node: 'Role',
	parameters: { operation: 'getMany', ...g.customer.scoped },
});

/** What an agent hears; the beginning of it if it worked. */
async function hears({ node, parameters }: { node: string; parameters: IDataObject }, agentsMay?: unknown) {
	const credential = g.newCredential();
	if (agentsMay !== undefined) Object.assign(credential.data, { agentsMay });
	g.service.clearLog();
	try {
		return (await runTool({ node: g.node(node), parameters, credential })).slice(0, 1);
	} catch (error) {
		const { message, description } = Object(error) as { message: string; description?: string };
		return `${message}: ${description ?? ''}`;
	}
}

const NOT_WITHIN = /^'Operation' is not one that an AI agent may run with this credential/;

test('the credential says how much agents may do, and the error which of its settings to change', async () => {
	expect(await hears(READ(), 'read')).toBe('[');
	const told = await hears(GROUP, 'read');
	expect(told).toMatch(NOT_WITHIN);
	expect(told).toContain("set 'AI Agents May' to 'Also Make Reversible Changes'");
	expect(g.asked).toEqual([]);
	expect(await hears(GROUP, 'change')).toBe('[');
	const start = await hears(START(), 'change');
	expect(start).toMatch(NOT_WITHIN);
	expect(start).toContain("set 'AI Agents May' to 'Also Email and Start'");
	expect(g.asked).toEqual([]);
	expect(await hears(START(), 'email')).not.toMatch(NOT_WITHIN);
	expect(g.asked).not.toEqual([]);
});

test('a credential in which nobody has chosen allows reversible changes', async () => {
	expect(await hears(GROUP)).toBe('[');
	expect(await hears(START())).toMatch(NOT_WITHIN);
});

test.each(['', 'all', 'Email', null, true, '={{ $vars.gone }}', '={{ undefined }}'])(
	'a level that there is not, such as %j, allows reading alone',
	async (level) => {
		expect(await hears(READ(), level)).toBe('[');
		expect(await hears(GROUP, level)).toMatch(NOT_WITHIN);
	},
);

test('the level is not that of a node in a workflow', async () => {
	const credential = g.newCredential(undefined, { agentsMay: 'read' });
	const { items } = await runNode({ node: g.node('CompanyGroup'), parameters: GROUP.parameters, credential });
	expect(items).toHaveLength(1);
});

test('a tool whose operation the model chooses gets none that it may not run', async () => {
	const run = async (operation: string) =>
		await runTool({
			node: g.node('Role'),
			parameters: { ...READ().parameters, operation: "={{ $fromAI('operation', '', 'string') }}" },
			credential: g.credential,
			toolArguments: { operation },
		});
	expect(JSON.parse(await run('getMany'))).not.toEqual([]);
	const ofClients = async (operation: string, more: IDataObject = {}) =>
		await runTool({
			node: g.node('ApiClient'),
			parameters: { ...g.customer.scoped, operation: "={{ $fromAI('operation', '', 'string') }}", ...more },
			credential: g.credential,
			toolArguments: { operation },
		});
	g.service.clearLog();
	await expect(ofClients('generateCredentials')).rejects.toThrow("'Operation' is not one that an AI agent may run");
	// Another node's resource does not lend its rights.
	await expect(ofClients('create', { resource: 'company' })).rejects.toThrow("'Operation' is not one");
	await expect(ofClients('constructor')).rejects.toThrow("'Operation' is not one of this node");
	expect(g.asked).toEqual([]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a refusal is never a success, with On Error: %s',
	async (onError) => {
		const run = { node: g.node('ApiClient'), parameters: { operation: 'generateCredentials', ...g.customer.scoped } };
		g.service.clearLog();
		const { items, errors = [] } = await runNode({ ...run, credential: g.credential, onError, asTool: true });
		const messages = [...items, ...errors].map(({ json }) => json.message);
		expect(messages).toEqual([expect.stringContaining("'Operation' is not one that an AI agent may run")]);
		expect(g.asked).toEqual([]);
	},
);

const company = { operation: 'update', company: byId('c') };
const person = { operation: 'update', companyScope: 'own', targetUser: byId('p') };
const upsert = { operation: 'createOrUpdate', companyScope: 'own', email: 'ada@example.com', phoneNumber: '+49301' };
const schedule = { operation: 'updateScheduledReport', companyScope: 'own', scheduledReport: byId('s') };
const mail = { operation: 'update', companyScope: 'own', reportedEmail: byId('m'), notifyReporter: false };
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
		{ operation: 'update', companyScope: 'own', scimIntegration: byId('i'), name: 'Entra' },
		{ additionalFieldsJson: '{ "deep": { "fieldMappings": ["m"] } }' },
	],
])('an agent cannot replace the list of a record: %s, %s', async (node, label, form, additionalFields) => {
	const told = await hears({ node, parameters: { ...form, additionalFields } }, 'email');
	expect(told).toMatch(new RegExp(`^'${escapeRegExp(label)}' in '.*' would replace or empty a whole list`));
	expect(told).toContain('Leave the field out');
	expect(g.asked).toEqual([]);
});
