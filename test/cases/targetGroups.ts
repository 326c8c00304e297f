/** Groups of the people that trainings and simulations are sent to. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { defineCases, nonEmptyTextSchema, createListRun, expectOnlyItem, requireValue, type Case } from './case';

/** A seeded group, but for the first, which everybody is in. */
const findTargetGroup = ({ companyData: holdings }: CustomerFixture) => requireValue(holdings.targetGroups[1]);
const selectTargetGroup = (customer: CustomerFixture) => ({
	...customer.companyParameters,
	targetGroup: toIdLocator(findTargetGroup(customer).resourceId),
});
const buildIdShape = (customer: CustomerFixture) => ({ resourceId: z.literal(findTargetGroup(customer).resourceId) });

const RECORD = 'GET /api/target-groups/{resourceId}';

const extraCases = defineCases(
	'TargetGroup',
	{
		create: (customer) => ({
			parameters: { ...customer.companyParameters, name: 'Sales', priority: 'High' },
			itemCount: 1,
			checkItems: (items) => {
				const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema, name: z.literal('Sales') });
				const made = requireValue(customer.companyData.targetGroups.find((each) => each.resourceId === resourceId));
				assert.deepEqual([made.name, made.priority, made.userCount], ['Sales', 'High', 0]);
			},
		}),
		get: (customer) => ({
			parameters: selectTargetGroup(customer),
			itemCount: 1,
			checkItems: (items) => {
				const { name, priority } = findTargetGroup(customer);
				expectOnlyItem(items, { ...buildIdShape(customer), name: z.literal(name), priority: z.literal(priority) });
			},
		}),
		update: (customer) => {
			const { resourceId, priority } = findTargetGroup(customer);
			return {
				parameters: { ...selectTargetGroup(customer), additionalFields: { name: 'Renamed' } },
				itemCount: 1,
				requiredRequests: [RECORD, 'PUT /api/target-groups/{resourceId}', RECORD],
				checkItems: (items) => {
					expectOnlyItem(items, buildIdShape(customer));
					const group = findTargetGroup(customer);
					assert.deepEqual([group.resourceId, group.name, group.priority], [resourceId, 'Renamed', priority]);
				},
			};
		},
		delete: (customer) => {
			const { resourceId } = findTargetGroup(customer);
			return {
				parameters: selectTargetGroup(customer),
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { deleted: z.literal(true) });
					assert.ok(!customer.companyData.targetGroups.some((each) => each.resourceId === resourceId));
				},
			};
		},
		getMembers: async (customer) => {
			const { resourceId } = findTargetGroup(customer);
			return await createListRun(customer, `POST /api/target-groups/${resourceId}/users`, selectTargetGroup(customer));
		},
		addMembers: (customer) => {
			const { userResourceIds: before } = findTargetGroup(customer);
			const joining = customer.companyData.users
				.map(({ resourceId }) => resourceId)
				.filter((id) => !before.includes(id))
				.slice(0, 2);
			return {
				parameters: { ...selectTargetGroup(customer), people: joining.join(', ') },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { success: z.literal(true), ...buildIdShape(customer) });
					assert.deepEqual(findTargetGroup(customer).userResourceIds, [...before, ...joining]);
				},
			};
		},
		removeMembers: (customer) => {
			const [first, ...others] = findTargetGroup(customer).userResourceIds;
			return {
				parameters: { ...selectTargetGroup(customer), people: requireValue(first) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { success: z.literal(true), ...buildIdShape(customer) });
					assert.deepEqual(findTargetGroup(customer).userResourceIds, others);
				},
			};
		},
	},
	{ isOutsideContract: true },
);

export const targetGroupCases: Case[] = [
	...defineCases('TargetGroup', {
		getMany: async (customer) => createListRun(customer, 'POST /api/target-groups/search/current-company'),
	}),
	...extraCases,
];
