/** Target groups on a live deployment: who is in a group afterwards, and what of a group changes. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import { startFakeServer, closeFakeServers, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);

const group = (index = 1) => requireValue(fixture.customer.companyData.targetGroups[index]);
const inGroup = async (operation: string, more: IDataObject = {}) =>
	run('TargetGroup', operation, {
		...fixture.customer.companyParameters,
		targetGroup: toIdLocator(group().resourceId),
		...more,
	});
const outsiders = () =>
	fixture.customer.companyData.users
		.map(({ resourceId }) => resourceId)
		.filter((id) => !group().userResourceIds.includes(id));

describe('members', () => {
	test('somebody who is added twice is in the group once; the others stay', async () => {
		const before = [...group().userResourceIds];
		const [newcomer] = outsiders();
		await inGroup('addMembers', { people: [newcomer, newcomer] });
		await inGroup('addMembers', { people: `${newcomer}, ${before[0]}` });
		expect(group().userResourceIds).toEqual([...before, newcomer]);
		const { items } = await inGroup('getMembers', { returnAll: true });
		expect(items.map(({ json }) => json.resourceId).sort()).toEqual([...group().userResourceIds].sort());
	});

	test('only those who are named leave', async () => {
		const [first, second, ...others] = group().userResourceIds;
		await inGroup('removeMembers', { people: `={{ ${JSON.stringify([first, second])} }}` });
		expect(group().userResourceIds).toEqual(others);
		expect(fixture.customer.companyData.users.map(({ resourceId }) => resourceId)).toContain(first);
	});

	test.each(['addMembers', 'removeMembers'])('%s: an empty list does nothing', async (operation) => {
		const before = [...group().userResourceIds];
		for (const people of ['={{ [] }}', '={{ $json.missing }}', ' , '])
			expect(await getFailureMessage(inGroup(operation, { people }))).toContain(
				"'Target User Names or IDs' must name at least one target user",
			);
		expect(fixture.requests).toEqual([]);
		expect(group().userResourceIds).toEqual(before);
	});

	test("a group that an identity provider fills takes nobody by hand: the service's own words are shown", async () => {
		group().isScimGroup = true;
		const before = [...group().userResourceIds];
		const said = await getFailureMessage(inGroup('addMembers', { people: outsiders().slice(0, 1) }));
		expect(said).toContain('Could not add target group members');
		expect(said).toContain(`Users cannot be added to the SCIM group '${group().name}' manually.`);
		expect(group().userResourceIds).toEqual(before);
		const { items } = await inGroup('get');
		expect(items[0]?.json).toMatchObject({ isScimGroup: true, isEditable: false });
	});
});

describe('update', () => {
	test.each([
		['the name', { name: 'Renamed' }],
		['the priority', { priority: 'Low' }],
	])('%s alone: the other stays', async (_named, given) => {
		const { name, priority } = group();
		await inGroup('update', { additionalFields: given });
		expect(group()).toMatchObject({ name, priority, ...given });
	});

	test('whether it is active is sent only where it was given, because no record shows it', async () => {
		const sent = () => fixture.standIn.getRequests('PUT /api/target-groups/{resourceId}').at(-1)?.body;
		const { name, priority } = group();
		await inGroup('update', { additionalFields: { name: 'Renamed' } });
		expect(sent()).toEqual({ name: 'Renamed', priority });
		await inGroup('update', { additionalFields: { isActive: false, name } });
		expect(sent()).toEqual({ name, priority, isActive: false });
	});
});

test('a platform without these operations says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	for (const operation of ['get', 'delete', 'getMembers'])
		expect(await getFailureMessage(inGroup(operation))).toMatch(
			/this platform does not offer the operation, or has nothing with the ID/,
		);
});

describe('enroll people: the group that is made for them', () => {
	const ADD = 'PUT /api/target-groups/users';
	const CREATE = 'POST /api/enrollments';
	const groups = () => fixture.customer.companyData.targetGroups.filter(({ name }) => name === 'Remedial');
	const enroll = async (more: IDataObject = {}) =>
		run('Enrollment', 'createAndSendToPeople', {
			...fixture.customer.companyParameters,
			training: toIdLocator(requireValue(fixture.customer.companyData.trainings[0]).trainingId),
			name: 'Remedial',
			priority: 'Medium',
			people: outsiders().slice(0, 2),
			options: { timeout: 1 },
			...more,
		});

	test('without people nothing is sent', async () => {
		expect(await getFailureMessage(enroll({ people: '={{ [] }}' }))).toContain('must name at least one target user');
		expect(fixture.requests).toEqual([]);
	});

	test.each([
		['nobody can be added', ADD],
		['there can be no enrollment', CREATE],
	])('%s: it is not left behind', async (_what, route) => {
		fixture.standIn.addFault({ route, kind: 'forbidden-company' });
		expect(await getFailureMessage(enroll())).not.toContain('was created');
		expect(groups()).toEqual([]);
	});

	test('if the service returns no ID for the group, the error says what to do', async () => {
		const { credentialStore: store, requests } = await startFakeServer({ 'POST /api/target-groups': { data: null } });
		const parameters = {
			companyScope: 'own',
			training: toIdLocator('t'),
			name: 'Remedial',
			priority: 'Medium',
			people: ['11111111-2222-4333-8444-555555555555'],
		};
		const operation = { node: 'Enrollment', operation: 'createAndSendToPeople' };
		const said = await getFailureMessage(runCase(fixture, operation, { parameters }, { credential: store }));
		expect(said).toContain("the target group 'Remedial' was created, but the service returned no ID");
		expect(said).toContain('Nobody was enrolled.');
		expect(said).toContain("Find the group with 'Get Many Target Groups'");
		expect(requests.map(({ route }) => route)).toEqual(['POST /api/target-groups']);
	});

	test('the enrollment lands, but its answer is lost: it stays, and the person is told', async () => {
		fixture.standIn.addFault({ route: CREATE, kind: 'reset-after' });
		const said = await getFailureMessage(enroll());
		expect(said).toContain(`the target group was created with the ID '${groups()[0]?.resourceId}', but `);
	});
});
