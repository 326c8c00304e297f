/** Tests target groups on a live deployment: members, updates, and the group that is created when people are enrolled. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { runCase } from '../cases/operationFixture';
import { startFakeServer, closeFakeServers, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);

const getGroup = (index = 1) => requireValue(fixture.customer.companyData.targetGroups[index]);
const runInGroup = async (operation: string, parameters: IDataObject = {}) =>
	run('TargetGroup', operation, {
		...fixture.customer.companyParameters,
		targetGroup: toIdLocator(getGroup().resourceId),
		...parameters,
	});
/** Lists the IDs of the users who are not in the group. */
const listNonMemberIds = () =>
	fixture.customer.companyData.users
		.map(({ resourceId }) => resourceId)
		.filter((id) => !getGroup().userResourceIds.includes(id));

describe('members', () => {
	test('a person who is added twice is in the group once, and the other members stay', async () => {
		const memberIdsBefore = [...getGroup().userResourceIds];
		const [newMemberId] = listNonMemberIds();
		await runInGroup('member.add', { people: [newMemberId, newMemberId] });
		await runInGroup('member.add', { people: `${newMemberId}, ${memberIdsBefore[0]}` });
		expect(getGroup().userResourceIds).toEqual([...memberIdsBefore, newMemberId]);
		const { items } = await runInGroup('member.getMany', { returnAll: true });
		expect(items.map(({ json }) => json.resourceId).sort()).toEqual([...getGroup().userResourceIds].sort());
	});

	test('only the named members are removed', async () => {
		const [firstId, secondId, ...otherIds] = getGroup().userResourceIds;
		await runInGroup('member.remove', { people: `={{ ${JSON.stringify([firstId, secondId])} }}` });
		expect(getGroup().userResourceIds).toEqual(otherIds);
		expect(fixture.customer.companyData.users.map(({ resourceId }) => resourceId)).toContain(firstId);
	});

	test.each(['member.add', 'member.remove'])('%s: an empty list does nothing', async (operation) => {
		const memberIdsBefore = [...getGroup().userResourceIds];
		for (const people of ['={{ [] }}', '={{ $json.missing }}', ' , '])
			expect(await getFailureMessage(runInGroup(operation, { people }))).toContain(
				"'Target User Names or IDs' must name at least one target user",
			);
		expect(fixture.requests).toEqual([]);
		expect(getGroup().userResourceIds).toEqual(memberIdsBefore);
	});

	test("people cannot be added to a group of an identity provider, and the platform's message is shown", async () => {
		getGroup().isScimGroup = true;
		const memberIdsBefore = [...getGroup().userResourceIds];
		const message = await getFailureMessage(runInGroup('member.add', { people: listNonMemberIds().slice(0, 1) }));
		expect(message).toContain('Could not add target group members');
		expect(message).toContain(`Users cannot be added to the SCIM group '${getGroup().name}' manually.`);
		expect(getGroup().userResourceIds).toEqual(memberIdsBefore);
		const { items } = await runInGroup('get');
		expect(items[0]?.json).toMatchObject({ isScimGroup: true, isEditable: false });
	});
});

describe('update', () => {
	test.each([
		['the name', { name: 'Renamed' }],
		['the priority', { priority: 'Low' }],
	])('%s alone: the other field stays', async (_field, additionalFields) => {
		const { name, priority } = getGroup();
		await runInGroup('update', { additionalFields });
		expect(getGroup()).toMatchObject({ name, priority, ...additionalFields });
	});

	test('isActive is only sent if the user entered it, because no record shows it', async () => {
		const getSentBody = () => fixture.standIn.getRequests('PUT /api/target-groups/{resourceId}').at(-1)?.body;
		const { name, priority } = getGroup();
		await runInGroup('update', { additionalFields: { name: 'Renamed' } });
		expect(getSentBody()).toEqual({ name: 'Renamed', priority });
		await runInGroup('update', { additionalFields: { isActive: false, name } });
		expect(getSentBody()).toEqual({ name, priority, isActive: false });
	});
});

test('on a platform without these operations the error says so', async () => {
	fixture.standIn.setOptions({ hasExtraRoutes: false });
	for (const operation of ['get', 'delete', 'member.getMany'])
		expect(await getFailureMessage(runInGroup(operation))).toMatch(
			/the platform has no record with the ID .*, or does not support this operation/,
		);
});

describe('enroll people: the target group that is created for them', () => {
	const ADD_MEMBERS = 'PUT /api/target-groups/users';
	const CREATE_ENROLLMENT = 'POST /api/enrollments';
	const listCreatedGroups = () => fixture.customer.companyData.targetGroups.filter(({ name }) => name === 'Remedial');
	const enrollPeople = async (overrides: IDataObject = {}) =>
		run('Enrollment', 'sendToPeople', {
			...fixture.customer.companyParameters,
			training: toIdLocator(requireValue(fixture.customer.companyData.trainings[0]).trainingId),
			name: 'Remedial',
			priority: 'Medium',
			people: listNonMemberIds().slice(0, 2),
			options: { timeout: 1 },
			...overrides,
		});

	test('without people nothing is sent', async () => {
		expect(await getFailureMessage(enrollPeople({ people: '={{ [] }}' }))).toContain(
			'must name at least one target user',
		);
		expect(fixture.requests).toEqual([]);
	});

	test.each([
		['adding the people fails', ADD_MEMBERS],
		['creating the enrollment fails', CREATE_ENROLLMENT],
	])('%s: the group is deleted again', async (_failure, route) => {
		fixture.standIn.addFault({ route, kind: 'forbidden-company' });
		expect(await getFailureMessage(enrollPeople())).not.toContain('was created');
		expect(listCreatedGroups()).toEqual([]);
	});

	test('if the service returns no ID for the group, the error says what to do', async () => {
		const { credentialStore, requests } = await startFakeServer({ 'POST /api/target-groups': { data: null } });
		const parameters = {
			companyScope: 'own',
			training: toIdLocator('22222222-2222-4333-8444-555555555555'),
			name: 'Remedial',
			priority: 'Medium',
			people: ['11111111-2222-4333-8444-555555555555'],
		};
		const operation = { node: 'Enrollment', resource: 'enrollment', operation: 'sendToPeople' };
		const message = await getFailureMessage(
			runCase(fixture, operation, { parameters }, { credential: credentialStore }),
		);
		expect(message).toContain("the target group 'Remedial' was created, but the platform returned no ID");
		expect(message).toContain('No one was enrolled.');
		expect(message).toContain("Find the group with 'Get many target groups'");
		expect(requests.map(({ route }) => route)).toEqual(['POST /api/target-groups']);
	});

	test('the enrollment is created, but the response is lost: the group stays, and the error names it', async () => {
		fixture.standIn.addFault({ route: CREATE_ENROLLMENT, kind: 'reset-after' });
		const message = await getFailureMessage(enrollPeople());
		expect(message).toContain(`the target group was created with the ID '${listCreatedGroups()[0]?.resourceId}', but `);
	});
});
