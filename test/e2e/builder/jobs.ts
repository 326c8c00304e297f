import assert from 'node:assert/strict';

import type { IDataObject } from 'n8n-workflow';

import type { Inbox } from '../../real-n8n/inbox';
import { itemsOf, type Execution, type N8nClient, type Workflow } from '../../real-n8n/client';
import { triggerOf } from '../../real-n8n/examples';
import { succeeded } from '../../real-n8n/report';
import { PollingFixture } from '../../polling/pollingFixture';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';
import type { StandIn } from '../../stand-in';
import type { Values } from './run';

/** Where a job is done. */
export interface Place {
	client: N8nClient;
	service: StandIn;
	inbox: Inbox;
	values: Values;
}

export interface Job {
	/** What somebody asks for, in one sentence. */
	sentence: string;
	/** The node whose items are counted, and are checked. */
	last: string;
	/** What must be there before. */
	prepare?: (place: Place) => void;
	/** Runs the workflow. By its trigger once, as the editor's button does, unless given. */
	run?: (workflow: Workflow, place: Place) => Promise<Execution>;
	/** Whether the service and what comes out are as they should be. @throws AssertionError */
	check: (place: Place, items: IDataObject[], execution: Execution) => void;
}

export const runOnce = async (workflow: Workflow, { client }: Place): Promise<Execution> =>
	succeeded(await client.run(await client.createWorkflow(workflow), triggerOf(workflow).name));

/** Activates a workflow, has a campaign start after its first poll, and waits for the execution. */
async function whenCampaignStarts(workflow: Workflow, { client, service }: Place): Promise<Execution> {
	const search = 'POST /api/phishing-simulator/phishing-campaign/search';
	const fixture = new PollingFixture(service);
	const id = await client.createWorkflow(workflow);
	await client.activate(id);
	try {
		// The first poll asks every company, and only remembers.
		await waitUntil('the second poll', () => pollsOf(service, search) >= 2, IN_ANOTHER_PROCESS);
		fixture.now = Date.now();
		fixture.create('phishing', 0);
		await waitUntil('an execution', async () => (await client.executions(id)).length > 0, IN_ANOTHER_PROCESS);
		const [execution] = await client.executions(id);
		return succeeded(execution ?? assert.fail('There is no execution'));
	} finally {
		await client.deactivate(id);
	}
}

/** A poll begins with a request for no company in particular. */
const pollsOf = (service: StandIn, search: string) =>
	service.requests(search).filter(({ companyId }) => !companyId).length;

const text = (item: IDataObject | undefined, name: string) => String(item?.[name] ?? '');
const filesOf = (execution: Execution, node: string) =>
	itemsOf(execution, node).filter(({ binary }) => binary?.data?.fileName !== undefined);

/** The jobs, by the number of the file with the workflow. */
export const JOBS: Job[] = [
	{
		sentence: 'Every night export the leaderboard of every customer to a file in Drive',
		last: 'Save to Drive',
		check: ({ service }, items, execution) => {
			const { companies } = service.state;
			assert.equal(service.requests('POST /api/leaderboard/get-all/export').length, companies.length);
			assert.equal(filesOf(execution, 'Export Leaderboards').length, companies.length);
			const names = companies.map(({ companyName }) => `${companyName} `);
			assert.ok(items.every((item) => names.some((name) => text(item, 'name').startsWith(name))));
			assert.equal(new Set(items.map((item) => item.name)).size, companies.length);
		},
	},
	{
		sentence: 'When a new phishing campaign of a customer starts, tell Slack',
		last: 'Tell Slack',
		run: whenCampaignStarts,
		check: ({ service }, items) => {
			const { name } = service.state.campaigns.at(0) ?? {};
			const [company] = service.state.companies;
			const created = service.state
				.of(company?.companyResourceId ?? '')
				.campaigns('phishing')
				.at(-1);
			assert.ok(name);
			assert.deepEqual(
				items.map((item) => item.text),
				[`The phishing campaign "${created?.name}" of ${company?.companyName} has started.`],
			);
		},
	},
	{
		sentence: 'Enroll all groups of a new customer in our welcome training next Monday at nine, two weeks to do it',
		last: 'Enroll',
		check: ({ service, values }, items) => {
			const holdings = service.state.of(values['Company ID'] ?? '');
			const [request] = service.requests('POST /api/enrollments');
			const body = request?.body as Record<string, unknown>;
			assert.equal(items.length, 1);
			assert.equal(body.trainingId, values['Training ID']);
			assert.deepEqual(
				[...(body.targetGroupResourceIds as string[])].sort(),
				holdings.targetGroups.map(({ resourceId }) => resourceId).sort(),
			);
			const { scheduledDate } = body.enrollmentScheduler as { scheduledDate: string };
			assert.ok(Date.parse(scheduledDate) > Date.now());
			assert.ok(holdings.enrollments.some(({ name }) => name === 'Welcome training'));
		},
	},
	{
		sentence: 'Set up SCIM for a customer and hand over the token by mail',
		last: 'Hand over the Token',
		check: ({ service, values }, items) => {
			const made = service.state.of(values['Company ID'] ?? '').scim.at(-1);
			assert.equal(made?.name, 'Entra ID');
			assert.match(text(items[0], 'message'), /^Tenant URL: https?:\/\/\S+\nSecret token: \S+$/);
			assert.ok(text(items[0], 'message').endsWith(made.token));
		},
	},
	{
		sentence: 'Every Monday tell sales in Slack which licenses end in the next 90 days',
		last: 'Tell Sales',
		prepare: ({ service }) => {
			const inThirtyDays = new Date(Date.now() + 30 * 86_400_000).toISOString();
			for (const company of service.state.companies.slice(3, 6))
				Object.assign(company, { licenseEndDate: inThirtyDays, licenceExpired: false });
		},
		check: ({ service }, items) => {
			const soon = Date.now() + 90 * 86_400_000;
			const due = service.state.companies.filter(({ licenseEndDate }) => {
				const end = Date.parse(licenseEndDate ?? '');
				return end > Date.now() && end < soon;
			});
			const told = text(items[0], 'text');
			assert.equal(items.length, 1);
			assert.ok(due.length > 0);
			for (const { companyName } of due) assert.ok(told.includes(companyName ?? '?'), `${companyName} is missing`);
			assert.ok(told.split('; ').every((line) => / until \d{4}-\d\d-\d\d$/.test(line)));
		},
	},
	{
		sentence: 'At the end of each month mail me a file of everybody at a customer who fell for phishing since 2025',
		last: 'Send Report',
		check: ({ service }, items, execution) => {
			const rows = itemsOf(execution, 'Who Fell for It').map(({ json }) => json);
			assert.ok(rows.length > 0);
			assert.ok(
				rows.every(({ opened, clicked, submitted }) => Boolean(opened) || Boolean(clicked) || Boolean(submitted)),
			);
			assert.equal(filesOf(execution, 'Make CSV').length, 1);
			assert.equal(JSON.stringify(items[0]).includes('"property":"data"'), true);
			assert.ok(service.requests().length > 1);
		},
	},
	{
		sentence:
			'Give a customer an API client for their ticket system, only from its address, and put the secret into our vault',
		last: 'Store in Vault',
		check: ({ service, inbox, values }, items) => {
			const made = service.state.of(values['Company ID'] ?? '').clients.at(-1);
			assert.equal(items.length, 1);
			assert.deepEqual([made?.name, made?.allowedIpAddresses], ['Ticket system', ['203.0.113.7']]);
			assert.deepEqual(
				inbox.received.map(({ body }) => body),
				[{ id: made?.clientId, secret: made?.clientSecret }],
			);
		},
	},
	{
		sentence: 'Each month mail accounting how many active users our customers have together',
		last: 'Tell Accounting',
		check: (_place, items) => {
			assert.equal(items.length, 1);
			const [, users = '0', companies = '0'] = /^(\d+) users in (\d+) companies$/.exec(text(items[0], 'message')) ?? [];
			assert.ok(Number(users) > 0);
			assert.ok(Number(companies) > 0);
		},
	},
	{
		sentence: 'Put all customers who have more users than their license allows into a group',
		last: 'Create Group',
		check: ({ service }, items, execution) => {
			const companies = itemsOf(execution, 'Get Companies').map(({ json }) => json);
			const made = service.state.groups.find(({ name }) => name === 'Over their license');
			assert.equal(items.length, 1);
			assert.ok(companies.length > 0);
			assert.deepEqual(
				new Set(companies.flatMap((company) => Object.keys(company))),
				new Set(['companyResourceId', 'companyName']),
			);
			assert.deepEqual(
				[...(made?.companyResourceIdArray ?? [])].sort(),
				companies.map(({ companyResourceId }) => String(companyResourceId)).sort(),
			);
		},
	},
	{
		sentence: 'Every Friday save name, status and due date of all enrollments of the bakeries to a file in Drive',
		last: 'Get Enrollments',
		check: ({ service }, items, execution) => {
			const bakeries = service.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
			const asked = service.requests('POST /api/enrollments/search').map(({ companyId }) => companyId);
			assert.ok(asked.length > 0);
			assert.ok(asked.every((id) => bakeries.some(({ companyResourceId }) => companyResourceId === id)));
			assert.ok(items.length > 0);
			for (const item of items)
				assert.deepEqual(Object.keys(item), ['companyName', 'companyResourceId', 'name', 'status', 'dueDate']);
			assert.equal(filesOf(execution, 'Make CSV').length, 1);
		},
	},
];
