/** The cases for target groups, the groups of people that trainings and simulations are sent to. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	omitAddedFields,
	requireValue,
	type Case,
} from './case';

/** Finds a seeded group that does not contain every user. */
const findTargetGroup = ({ companyData }: CustomerFixture) => requireValue(companyData.targetGroups[1]);

const buildTargetGroupSelection = (customer: CustomerFixture) => ({
	...customer.companyParameters,
	targetGroup: toIdLocator(findTargetGroup(customer).resourceId),
});

const buildIdShape = (customer: CustomerFixture) => ({ resourceId: z.literal(findTargetGroup(customer).resourceId) });

const RECORD_REQUEST = 'GET /api/target-groups/{resourceId}';

const deployedCases = defineCases(
	'TargetGroup',
	{
		checkReadiness: (customer) => {
			const { name, resourceId, userResourceIds } = findTargetGroup(customer);
			const [user] = customer.companyData.getGroupMembers([resourceId]);
			const { email } = requireValue(user);
			// A verified domain doesn't cover its subdomains.
			const otherEmail = email.replace('@', '@mail.');
			Object.assign(requireValue(user), { email: otherEmail, language: '' });
			return {
				parameters: { ...customer.companyParameters, targetGroups: [resourceId], options: { includePeople: true } },
				itemCount: 1,
				requiredRequests: [
					'POST /api/target-groups/search/current-company',
					'GET /api/allow-list/search/verified',
					'POST /api/target-groups/{resourceId}/users',
				],
				checkItems: (items) =>
					assert.deepEqual(omitAddedFields(requireValue(items[0])), {
						name,
						people: userResourceIds.length,
						withoutVerifiedDomain: 1,
						withoutPhoneNumber: 0,
						withoutPreferredLanguage: 1,
						peopleWithoutVerifiedDomain: [otherEmail],
						peopleWithoutPhoneNumber: [],
						peopleWithoutPreferredLanguage: [otherEmail],
						resourceId,
					}),
			};
		},
		create: (customer) => ({
			parameters: { ...customer.companyParameters, name: 'Sales', priority: 'High' },
			itemCount: 1,
			checkItems: (items) => {
				const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema, name: z.literal('Sales') });
				const newGroup = requireValue(
					customer.companyData.targetGroups.find((group) => group.resourceId === resourceId),
				);
				assert.deepEqual([newGroup.name, newGroup.priority, newGroup.userCount], ['Sales', 'High', 0]);
			},
		}),
		get: (customer) => ({
			parameters: buildTargetGroupSelection(customer),
			itemCount: 1,
			checkItems: (items) => {
				const { name, priority } = findTargetGroup(customer);
				expectOnlyItem(items, { ...buildIdShape(customer), name: z.literal(name), priority: z.literal(priority) });
			},
		}),
		update: (customer) => {
			const { resourceId, priority } = findTargetGroup(customer);
			return {
				parameters: { ...buildTargetGroupSelection(customer), additionalFields: { name: 'Renamed' } },
				itemCount: 1,
				requiredRequests: [RECORD_REQUEST, 'PUT /api/target-groups/{resourceId}', RECORD_REQUEST],
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
				parameters: buildTargetGroupSelection(customer),
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { deleted: z.literal(true) });
					assert.ok(!customer.companyData.targetGroups.some((group) => group.resourceId === resourceId));
				},
			};
		},
		'member.getMany': async (customer) => {
			const { resourceId } = findTargetGroup(customer);
			return await createListRun(
				customer,
				`POST /api/target-groups/${resourceId}/users`,
				buildTargetGroupSelection(customer),
			);
		},
		'member.add': (customer) => {
			const { userResourceIds: oldMembers } = findTargetGroup(customer);
			const newMembers = customer.companyData.users
				.map(({ resourceId }) => resourceId)
				.filter((id) => !oldMembers.includes(id))
				.slice(0, 2);
			return {
				parameters: { ...buildTargetGroupSelection(customer), people: newMembers.join(', ') },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { success: z.literal(true), ...buildIdShape(customer) });
					assert.deepEqual(findTargetGroup(customer).userResourceIds, [...oldMembers, ...newMembers]);
				},
			};
		},
		'member.remove': (customer) => {
			const [removedId, ...remainingIds] = findTargetGroup(customer).userResourceIds;
			return {
				parameters: { ...buildTargetGroupSelection(customer), people: requireValue(removedId) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { success: z.literal(true), ...buildIdShape(customer) });
					assert.deepEqual(findTargetGroup(customer).userResourceIds, remainingIds);
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
	...deployedCases,
];
