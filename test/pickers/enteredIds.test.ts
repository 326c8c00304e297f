/** Tests of IDs and names that the user enters instead of selecting an entry from a list. */
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { toIdLocator } from '../cases';
import {
	catchNodeError,
	closeFakeServers,
	createNodeFixture,
	requireValue,
	startFakeServer,
	toItems,
} from '../n8n-core/nodeFixture';

afterEach(closeFakeServers);

const fixture = createNodeFixture({ companyCount: 12 });
const getCompany = (index: number) => requireValue(fixture.standIn.world.companies[index]);

test('a masked address is rejected as a name: typed, and as an entry of another customer', async () => {
	const createPerson = (id: string) => ({ resourceId: id, email: 'a****m' });
	const server = await startFakeServer({
		'POST /api/target-users/search': ({ companyId: id }) => ({
			results: [createPerson(`p-${String(id)}`)],
			totalNumberOfPages: 1,
			totalNumberOfRecords: 1,
		}),
		'PUT /api/target-groups/users': () => ({ resourceId: 'g1' }),
	});
	const form = {
		resource: 'member',
		operation: 'add',
		companyScope: 'one',
		company: toIdLocator('={{ $json.id }}'),
		targetGroup: toIdLocator('g1'),
	};
	for (const people of [['a****m'], ['a****m ⟨ID p-c1⟩']]) {
		const run = fixture.run(
			SecurityAwarenessTargetGroup,
			{ ...form, people },
			{ ...server, items: toItems({ id: 'c2' }) },
		);
		const { message } = await catchNodeError(run);
		expect(message).toBe(
			"'Target User Names or IDs' has 'a****m', which the platform has masked, so it can't be found by name",
		);
	}
	// If the node runs for the customer from whose list the entry was selected, the entry's ID is used.
	const ownEntryForm = { ...form, people: ['a****m ⟨ID p-c1⟩'] };
	await fixture.run(SecurityAwarenessTargetGroup, ownEntryForm, { ...server, items: toItems({ id: 'c1' }) });
	const writes = server.requests.filter(({ route }) => route.startsWith('PUT'));
	expect(writes.map(({ body }) => body.targetUserResourceIds)).toEqual([['p-c1']]);
});

test('names of roles and companies are looked up, also inside a block', async () => {
	const scope = { companyScope: 'one', company: toIdLocator(getCompany(1).companyResourceId) };
	const person = { firstName: 'A', lastName: 'B', email: 'a@b.example', phoneNumber: '+1' };
	const additionalFields = {
		roleResourceIdList: ['company admin'],
		statusId: toIdLocator('1'),
		companyResourceId: { __rl: true, mode: 'name', value: getCompany(1).companyName },
	};
	await fixture.run(SecurityAwarenessSystemUser, { operation: 'create', ...scope, ...person, additionalFields });
	const [request] = fixture.standIn.getRequests('POST /api/system-users');
	expect(request?.body).toMatchObject({ statusId: 1, companyResourceId: getCompany(1).companyResourceId });
	expect(JSON.stringify(request?.body)).not.toContain('company admin');
	await fixture.run(SecurityAwarenessCompanyGroup, {
		operation: 'create',
		name: 'Gold',
		companies: [requireValue(getCompany(1).companyName), getCompany(2).companyResourceId],
	});
	expect(fixture.standIn.getRequests('POST /api/company-groups')[0]?.body).toEqual({
		name: 'Gold',
		companyResourceIdArray: [getCompany(1).companyResourceId, getCompany(2).companyResourceId],
	});
});

test.each([
	['API Client', SecurityAwarenessApiClient, { apiClient: toIdLocator('Old client') }],
	['Target Group', SecurityAwarenessTargetGroup, { targetGroup: toIdLocator('ada@example.com') }],
])('%s By ID: a text that looks like a name is looked up as one', async (label, node, parameters) => {
	const form = {
		operation: 'get',
		companyScope: 'one',
		company: toIdLocator(getCompany(1).companyResourceId),
		...parameters,
	};
	const { message, description } = await catchNodeError(fixture.run(node, form));
	expect(message).toMatch(new RegExp(`^'${label}' is '.*', but no ${label} at '.*' has that name$`, 'i'));
	expect(description).toMatch(/^Enter the name as the platform shows it, or the ID\./);
	expect(fixture.requests.every(({ route }) => route.includes('/search'))).toBe(true);
});

test('Company By ID: a text that looks like a name is rejected before any request', async () => {
	const form = {
		operation: 'get',
		companyScope: 'one',
		company: toIdLocator('Golden Crust'),
		targetGroup: toIdLocator('x'),
	};
	const { message, description } = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, form));
	expect(message).toBe("'Company' must be an ID, but 'Golden Crust' looks like a name");
	expect(description).toContain("enter its name 'By Name'");
	expect(fixture.requests).toEqual([]);
});

test('if the platform rejects a company name that was entered By ID, the error says so', async () => {
	const form = { operation: 'getMany', companyScope: 'one', company: toIdLocator('Acme') };
	const { description } = await catchNodeError(fixture.run(SecurityAwarenessTargetGroup, form));
	expect(description).toContain("If 'Acme' is its name, select 'By Name' in 'Company'.");
});

test.each([
	['By ID, it is the ID', { mode: 'id', value: 'sales' }, 'sales'],
	['as text, it is the name', 'sales', 'g2'],
])('a text that is the ID of one group and the name of another: %s', async (_kind, targetGroup, deletedId) => {
	const server = await startFakeServer({
		'POST /api/target-groups/search/current-company': () => ({
			results: [
				{ resourceId: 'sales', name: 'Old' },
				{ resourceId: 'g2', name: 'sales' },
			],
			totalNumberOfPages: 1,
			totalNumberOfRecords: 2,
		}),
		'DELETE /api/target-groups/sales': { data: true },
		'DELETE /api/target-groups/g2': { data: true },
	});
	await fixture.run(SecurityAwarenessTargetGroup, { operation: 'delete', companyScope: 'own', targetGroup }, server);
	expect(server.requests.at(-1)?.route).toBe(`DELETE /api/target-groups/${deletedId}`);
});

describe.each([
	['the platform has no list of action types', { status: 404 }],
	['the list of action types is empty', { data: { ActionTypes: [] } }],
])('%s', (_reason, listReply) => {
	const TIMELINE_ROUTE = 'POST /api/leaderboard/get-user-timeline';

	/** Reads a user's timeline with an action type. @returns the requests for the timeline */
	async function readTimeline(actionType: string) {
		const { credentialStore, requests } = await startFakeServer({
			'GET /api/leaderboard/form-details': listReply,
			[TIMELINE_ROUTE]: { data: [] },
		});
		const form = {
			resource: 'user',
			operation: 'getTimeline',
			companyScope: 'own',
			targetUser: toIdLocator('0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f'),
			options: { actionTypes: [actionType] },
		};
		const run = fixture.run(SecurityAwarenessLeaderboard, form, { credentialStore });
		return { run, getRequests: () => requests.filter(({ route }) => route === TIMELINE_ROUTE) };
	}

	test.each(['Phishing.Clicked', 'mail_7', 'x'])(
		'%s is sent as an ID, although most IDs look different',
		async (id) => {
			const { run, getRequests } = await readTimeline(id);
			await run;
			expect(getRequests().map(({ body }) => body.actionTypes)).toEqual([[id]]);
		},
	);

	test('a text with a space is rejected, because it can only be a name', async () => {
		const { run, getRequests } = await readTimeline('Phishing clicked');
		expect((await catchNodeError(run)).message).toBe(
			"'Action Type Names or IDs' in 'Options' has 'Phishing clicked', but the platform has no list of action types to look up names in",
		);
		expect(getRequests()).toEqual([]);
	});
});
