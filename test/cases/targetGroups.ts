/** Groups of the people that trainings and simulations are sent to. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import { casesOf, isWord, lists, only, the, type Case } from './case';

/** A seeded group, but for the first, which everybody is in. */
const aGroup = ({ holdings }: CustomerFixture) => the(holdings.targetGroups[1]);
const chosen = (customer: CustomerFixture) => ({
	...customer.scoped,
	targetGroup: byId(aGroup(customer).resourceId),
});
const isIt = (customer: CustomerFixture) => ({ resourceId: z.literal(aGroup(customer).resourceId) });

const RECORD = 'GET /api/target-groups/{resourceId}';

const beyond = casesOf(
	'TargetGroup',
	{
		create: (customer) => ({
			parameters: { ...customer.scoped, name: 'Sales', priority: 'High' },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord, name: z.literal('Sales') });
				const made = the(customer.holdings.targetGroups.find((each) => each.resourceId === resourceId));
				assert.deepEqual([made.name, made.priority, made.userCount], ['Sales', 'High', 0]);
			},
		}),
		get: (customer) => ({
			parameters: chosen(customer),
			items: 1,
			expect: (items) => {
				const { name, priority } = aGroup(customer);
				only(items, { ...isIt(customer), name: z.literal(name), priority: z.literal(priority) });
			},
		}),
		update: (customer) => {
			const { resourceId, priority } = aGroup(customer);
			return {
				parameters: { ...chosen(customer), additionalFields: { name: 'Renamed' } },
				items: 1,
				requests: [RECORD, 'PUT /api/target-groups/{resourceId}', RECORD],
				expect: (items) => {
					only(items, isIt(customer));
					const group = aGroup(customer);
					assert.deepEqual([group.resourceId, group.name, group.priority], [resourceId, 'Renamed', priority]);
				},
			};
		},
		delete: (customer) => {
			const { resourceId } = aGroup(customer);
			return {
				parameters: chosen(customer),
				items: 1,
				expect: (items) => {
					only(items, { deleted: z.literal(true) });
					assert.ok(!customer.holdings.targetGroups.some((each) => each.resourceId === resourceId));
				},
			};
		},
		getMembers: async (customer) => {
			const { resourceId } = aGroup(customer);
			return await lists(customer, `POST /api/target-groups/${resourceId}/users`, chosen(customer));
		},
		addMembers: (customer) => {
			const { userResourceIds: before } = aGroup(customer);
			const joining = customer.holdings.users
				.map(({ resourceId }) => resourceId)
				.filter((id) => !before.includes(id))
				.slice(0, 2);
			return {
				parameters: { ...chosen(customer), people: joining.join(', ') },
				items: 1,
				expect: (items) => {
					only(items, { success: z.literal(true), ...isIt(customer) });
					assert.deepEqual(aGroup(customer).userResourceIds, [...before, ...joining]);
				},
			};
		},
		removeMembers: (customer) => {
			const [first, ...others] = aGroup(customer).userResourceIds;
			return {
				parameters: { ...chosen(customer), people: the(first) },
				items: 1,
				expect: (items) => {
					only(items, { success: z.literal(true), ...isIt(customer) });
					assert.deepEqual(aGroup(customer).userResourceIds, others);
				},
			};
		},
	},
	{ isBeside: true },
);

export const targetGroupCases: Case[] = [
	...casesOf('TargetGroup', {
		getMany: async (customer) => lists(customer, 'POST /api/target-groups/search/current-company'),
	}),
	...beyond,
];
