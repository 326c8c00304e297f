/** Tests that mistakes in any item are found before the first item is written, and that an error says how many items were written. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError, toItems, requireValue } from '../n8n-core/nodeFixture';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.clearFaults());

const run = async (folder: string, parameters: IDataObject, items: IDataObject[]) =>
	runNode({
		node: fixture.getNode(folder),
		parameters: { ...fixture.customer.companyParameters, ...parameters },
		credential: fixture.credential,
		items: toItems(...items),
	});
const listWrites = () => fixture.requests.filter(({ route }) => !route.startsWith('GET ') && !route.includes('search'));
const buildEnrollmentForm = () => ({
	training: toIdLocator(requireValue(fixture.customer.companyData.trainings[0]).trainingId),
	name: 'Spring',
	dueDate: '={{ $json.due }}',
	additionalFields: { scheduledDate: '2031-02-02T10:00:00Z' },
});
const ITEMS_WITH_INVALID_LAST_DATE = [{ due: '2031-03-01T00:00:00Z' }, { due: '2031-01-01T00:00:00Z' }];

test.each<[operation: string, buildMore: () => IDataObject]>([
	['create', () => ({ targetGroups: [requireValue(fixture.customer.companyData.targetGroups[0]).resourceId] })],
	['createAndSend', () => ({ targetGroups: [requireValue(fixture.customer.companyData.targetGroups[0]).resourceId] })],
	[
		'sendToPeople',
		() => ({ people: requireValue(fixture.customer.companyData.users[0]).resourceId, priority: 'Medium' }),
	],
])('Enrollment %s: the last item has a due date before the start', async (operation, buildExtraParameters) => {
	const error = await catchNodeError(
		run('Enrollment', { ...buildEnrollmentForm(), ...buildExtraParameters(), operation }, ITEMS_WITH_INVALID_LAST_DATE),
	);
	expect(error.message).toContain("'Due Date' must not be before the start date [item 2 of 2]");
	expect(listWrites()).toEqual([]);
});

test.each<[folder: string, buildParameters: () => IDataObject]>([
	[
		'TargetGroup',
		() => ({ targetGroup: toIdLocator(requireValue(fixture.customer.companyData.targetGroups[0]).resourceId) }),
	],
	['TargetUser', () => ({ targetUser: toIdLocator(requireValue(fixture.customer.companyData.users[0]).resourceId) })],
	[
		'Enrollment',
		() => ({ enrollment: toIdLocator(requireValue(fixture.customer.companyData.enrollments[0]).resourceId) }),
	],
])('%s: the last item of an update changes nothing', async (folder, buildParameters) => {
	const field = folder === 'TargetUser' ? 'department' : 'name';
	const updateParameters = {
		...buildParameters(),
		operation: 'update',
		additionalFields: { [field]: '={{ $json.text }}' },
	};
	const error = await catchNodeError(run(folder, updateParameters, [{ text: 'Renamed' }, {}]));
	expect(error.message).toContain('must have at least one field to change');
	expect(listWrites()).toEqual([]);
});

test('the error of a later item says how many items were written before it', async () => {
	fixture.standIn.addFault({ route: 'POST /api/target-groups', kind: 'status', status: 403, skipCount: 2 });
	const createParameters = { operation: 'create', name: '={{ $json.text }}', priority: 'High' };
	const groupItems = ['A', 'B', 'C', 'D'].map((text) => ({ text }));
	const error = await catchNodeError(run('TargetGroup', createParameters, groupItems));
	expect(error.description).toContain('The node has already written the 2 items before this one');
	expect(listWrites()).toHaveLength(3);
	fixture.standIn.addFault({ route: 'POST /api/target-groups', kind: 'status', status: 403 });
	expect((await catchNodeError(run('TargetGroup', createParameters, groupItems))).description).not.toContain(
		'already carried out',
	);
});
