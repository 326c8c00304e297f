import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	createExportRun,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	omitAddedFields,
	createRecordRun,
	requireValue,
	type Case,
	type CaseRun,
} from './case';

const PATH = '/api/target-users';
const SEARCH = `POST ${PATH}/search`;
const READ_REQUEST = `GET ${PATH}/{resourceId}`;
const MEMBER_SEARCH = 'POST /api/target-groups/{resourceId}/users';
const GROUP_SEARCH = 'POST /api/target-groups/search/current-company';

/** Finds a user who is in at least two groups. */
const findUserInGroups = ({ companyData, companyParameters }: CustomerFixture) => {
	const listGroupIds = (id: string) =>
		companyData.targetGroups.flatMap((group) => (group.userResourceIds.includes(id) ? [group.resourceId] : []));
	const user = requireValue(companyData.users.find(({ resourceId }) => listGroupIds(resourceId).length > 1));
	const { resourceId: id } = user;
	const parameters = { ...companyParameters, targetUser: toListLocator(id, user.email) };
	return { id, user, listGroupIds: () => listGroupIds(id), parameters };
};

const findUserByEmail = (customer: CustomerFixture, email: string) =>
	requireValue(customer.companyData.users.find((user) => user.email === email));

/**
 * Lists the requests of an update. An update replaces all groups of the user, so the node first reads the members of
 * every group to find the user's current groups.
 */
const listUpdateRequests = (customer: CustomerFixture) => [
	READ_REQUEST,
	GROUP_SEARCH,
	...customer.companyData.targetGroups.map(() => MEMBER_SEARCH),
	`PUT ${PATH}/{resourceId}`,
	READ_REQUEST,
];

const PEOPLE = [
	['Email', 'First Name', 'Phone Number'],
	['ada@harbour.example', 'Ada', '+49 30 1'],
	['nobody', 'Bob', '+49 30 2'],
	['cleo@harbour.example', 'Cleo', '+49 30 3'],
];

/** Creates the run that imports a file of three people, one of them without an email address. */
function createImportRun({ companyData, companyParameters }: CustomerFixture): CaseRun {
	const content = Buffer.from(PEOPLE.map((line) => line.join(',')).join('\r\n'));
	const group = requireValue(companyData.targetGroups[0]);
	return {
		parameters: { ...companyParameters, file: 'data', targetGroups: [group.resourceId] },
		inputFiles: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		itemCount: 2,
		requiredRequests: [
			`POST ${PATH}/upload`,
			`GET ${PATH}/upload/{transactionId}`,
			`POST ${PATH}/create-mapping`,
			// The node repeats this request until all rows are checked. Then it reads the counts and the invalid rows.
			...Array.from({ length: 3 }, () => `GET ${PATH}/mapping-job/{resourceId}`),
			...Array.from({ length: 2 }, () => `POST ${PATH}/{transactionId}/search`),
			`POST ${PATH}/{transactionId}/import`,
		],
		checkItems: ([summary, row]) => {
			const { transactionId, companyResourceId: _company, companyName: _name, ...counts } = requireValue(summary).json;
			assert.deepEqual(counts, {
				isSummary: true,
				rowCount: 3,
				duplicateCount: 0,
				newUserCount: 2,
				existingUserCount: 0,
				invalidUserCount: 1,
			});
			assert.ok(typeof transactionId === 'string');
			assert.deepEqual(omitAddedFields(requireValue(row)), {
				reason: 'email: It is no e-mail address.',
				email: 'nobody',
				firstName: 'Bob',
				lastName: null,
				department: null,
				phoneNumber: '+49 30 2',
				isSummary: false,
			});
			const importedUsers = companyData.users.filter(({ email }) => email.endsWith('@harbour.example'));
			assert.deepEqual(
				importedUsers.map(({ firstName }) => firstName),
				['Ada', 'Cleo'],
			);
			assert.ok(importedUsers.every(({ resourceId }) => group.userResourceIds.includes(resourceId)));
		},
	};
}

/** The cases for target users, which only live deployments have. */
export const targetUserCases: Case[] = [
	...defineCases('TargetUser', { importFile: createImportRun }, { isOutsideContract: true }),
	...defineCases(
		'TargetUser',
		{
			create: async (customer) => {
				const [field] = await customer.fetchList('GET /api/custom-fields/company');
				const group = requireValue(customer.companyData.targetGroups[0]);
				return {
					parameters: {
						...customer.companyParameters,
						email: 'zoe@harbour.example',
						phoneNumber: '+49 30 1234567',
						additionalFields: {
							firstName: 'Zoë',
							lastName: "O'Neill",
							isActive: false,
							timeZoneId: toIdLocator('Europe/Berlin'),
							targetGroupResourceIds: [group.resourceId],
							customFields: { rows: [{ customField: toIdLocator(String(field?.resourceId)), value: 'Kiel' }] },
						},
					},
					itemCount: 1,
					checkItems: (items) => {
						const { resourceId, firstName } = findUserByEmail(customer, 'zoe@harbour.example');
						expectOnlyItem(items, { resourceId: z.literal(resourceId) });
						assert.equal(firstName, 'Zoë');
						assert.ok(group.userResourceIds.includes(resourceId));
						const { customFieldValues, ...notes } = customer.world.getNotes(resourceId);
						assert.deepEqual(
							[notes.phoneNumber, notes.isActive, notes.timeZoneId],
							['+49 30 1234567', false, 'Europe/Berlin'],
						);
						assert.equal(z.array(z.object({ value: z.string() })).parse(customFieldValues)[0]?.value, 'Kiel');
					},
				};
			},
			get: async (customer) => {
				const { id, parameters } = findUserInGroups(customer);
				return await createRecordRun(customer, `GET ${PATH}/${id}`, parameters);
			},
			update: (customer) => {
				const { id, user, listGroupIds, parameters } = findUserInGroups(customer);
				const unchangedValues = { email: user.email, groups: listGroupIds() };
				return {
					parameters: { ...parameters, additionalFields: { department: 'Bakery' } },
					itemCount: 1,
					requiredRequests: listUpdateRequests(customer),
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id) });
						assert.equal(user.department, 'Bakery');
						assert.deepEqual({ email: user.email, groups: listGroupIds() }, unchangedValues);
					},
				};
			},
			delete: (customer) => {
				const { id, parameters } = findUserInGroups(customer);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { deleted: z.literal(true), resourceId: z.literal(id) });
						assert.ok(!customer.companyData.users.some(({ resourceId }) => resourceId === id));
					},
				};
			},
			compareWithList: (customer) => {
				const [first, ...otherUsers] = customer.companyData.users;
				const { email, department } = requireValue(first);
				const people = [{ email, department: 'Bakery' }, ...otherUsers.map((user) => ({ email: user.email }))];
				return {
					parameters: { ...customer.companyParameters, people: JSON.stringify(people) },
					itemCount: 2,
					requiredRequests: [SEARCH],
					checkItems: ([summary, row]) => {
						const { changeCount, unchangedCount, deactivateCount } = requireValue(summary).json;
						assert.deepEqual([changeCount, unchangedCount, deactivateCount], [1, otherUsers.length, 0]);
						const { action, changes, before } = requireValue(row).json;
						assert.deepEqual(
							{ action, changes, before },
							{ action: 'change', changes: { department: 'Bakery' }, before: { department } },
						);
					},
				};
			},
			getMany: async (customer) => createListRun(customer, SEARCH),
			getGroups: async (customer) => {
				const { id, parameters } = findUserInGroups(customer);
				return await createListRun(customer, `POST ${PATH}/${id}/groups`, parameters);
			},
			getCountSummary: (customer) => ({
				parameters: customer.companyParameters,
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { count: z.literal(customer.companyData.users.length) });
				},
			}),
			createOrUpdate: (customer) => ({
				parameters: {
					...customer.companyParameters,
					email: 'new@harbour.example',
					phoneNumber: '+49 30 1234567',
					additionalFields: { isActive: true },
				},
				itemCount: 1,
				requiredRequests: [SEARCH, `POST ${PATH}`],
				checkItems: (items) => {
					expectOnlyItem(items, {
						email: z.literal('new@harbour.example'),
						resourceId: nonEmptyTextSchema,
						result: z.literal('created'),
						status: z.literal('Active'),
					});
					findUserByEmail(customer, 'new@harbour.example');
				},
			}),
		},
		{ isOutsideContract: true },
	),
	...defineCases(
		'TargetUser',
		{
			export: (customer) =>
				createExportRun(customer, {
					key: `${SEARCH}/export`,
					fileName: 'target-users.csv',
					rowCount: customer.companyData.users.length,
					parameters: customer.companyParameters,
				}),
		},
		{ hasFileOutput: true, isOutsideContract: true },
	),
];
