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
});

test.each<[operation: string, lastDate: string, message: string, buildMore: () => IDataObject]>([
	[
		'create',
		'2031-01-01T00:00:00Z',
		"'Due Date' must not be before the start date",
		() => ({
			targetGroups: [requireValue(fixture.customer.companyData.targetGroups[0]).resourceId],
			additionalFields: { scheduledDate: '2031-02-02T10:00:00Z' },
		}),
	],
	[
		'createAndSend',
		'soon',
		"'Due Date' must be a date",
		() => ({ targetGroups: [requireValue(fixture.customer.companyData.targetGroups[0]).resourceId] }),
	],
	[
		'sendToPeople',
		'soon',
		"'Due Date' must be a date",
		() => ({ people: requireValue(fixture.customer.companyData.users[0]).resourceId, priority: 'Medium' }),
	],
])('Enrollment %s: the last item has the due date %s', async (operation, lastDate, message, buildExtraParameters) => {
	const items = [{ due: '2031-03-01T00:00:00Z' }, { due: lastDate }];
	const error = await catchNodeError(
		run('Enrollment', { ...buildEnrollmentForm(), ...buildExtraParameters(), operation }, items),
	);
	expect(error.message).toContain(message);
	expect(error.message).toContain('[item 2 of 2]');
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
