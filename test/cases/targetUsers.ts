import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { defineCases, createExportRun, nonEmptyTextSchema, createListRun, expectOnlyItem, omitAddedFields, createRecordRun, requireValue, type Case, type CaseRun } from './case';

const PATH = '/api/target-users';
const SEARCH = `POST ${PATH}/search`;
const READ = `GET ${PATH}/{resourceId}`;
const MEMBERS = 'POST /api/target-groups/{resourceId}/users';
const GROUPS = 'POST /api/target-groups/search/current-company';

/** A person who is in two groups or more. */
const findUserInGroups = ({ companyData: holdings, companyParameters: scoped }: CustomerFixture) => {
	const groupsOf = (id: string) =>
		holdings.targetGroups.flatMap((group) => (group.userResourceIds.includes(id) ? [group.resourceId] : []));
	const user = requireValue(holdings.users.find(({ resourceId }) => groupsOf(resourceId).length > 1));
	const { resourceId: id } = user;
	return { id, user, groups: () => groupsOf(id), parameters: { ...scoped, targetUser: toIdLocator(id) } };
};

const findUserByEmail = (customer: CustomerFixture, email: string) =>
	requireValue(customer.companyData.users.find((user) => user.email === email));

/** What a whole-record update asks besides, where no groups were given. */
const listUpdateRequests = (customer: CustomerFixture) => [
	READ,
	GROUPS,
	...customer.companyData.targetGroups.map(() => MEMBERS),
	`PUT ${PATH}/{resourceId}`,
	READ,
];

const PEOPLE = [
	['Email', 'First Name', 'Phone Number'],
	['ada@harbour.example', 'Ada', '+49 30 1'],
	['nobody', 'Bob', '+49 30 2'],
	['cleo@harbour.example', 'Cleo', '+49 30 3'],
];

/** A file of three people, one of them without an address. */
function createImportRun({ companyData: holdings, companyParameters: scoped }: CustomerFixture): CaseRun {
	const content = Buffer.from(PEOPLE.map((line) => line.join(',')).join('\r\n'));
	const group = requireValue(holdings.targetGroups[0]);
	return {
		parameters: { ...scoped, file: 'data', targetGroups: [group.resourceId] },
		inputFiles: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		itemCount: 2,
		requiredRequests: [
			`POST ${PATH}/upload`,
			`GET ${PATH}/upload/{transactionId}`,
			`POST ${PATH}/create-mapping`,
			// Until all rows are checked, then their counts and the invalid ones.
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
			const made = holdings.users.filter(({ email: address }) => address.endsWith('@harbour.example'));
			assert.deepEqual(
				made.map(({ firstName }) => firstName),
				['Ada', 'Cleo'],
			);
			assert.ok(made.every(({ resourceId }) => group.userResourceIds.includes(resourceId)));
		},
	};
}

/** People who get trainings and simulations, where a platform has them. */
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
						const { customFieldValues, ...noted } = customer.state.getNotes(resourceId);
						assert.deepEqual(
							[noted.phoneNumber, noted.isActive, noted.timeZoneId],
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
				const { id, user, groups, parameters } = findUserInGroups(customer);
				const before = { email: user.email, groups: groups() };
				return {
					parameters: { ...parameters, additionalFields: { department: 'Bakery' } },
					itemCount: 1,
					requiredRequests: listUpdateRequests(customer),
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id) });
						assert.equal(user.department, 'Bakery');
						assert.deepEqual({ email: user.email, groups: groups() }, before);
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
			getMany: async (customer) => createListRun(customer, SEARCH),
			getGroups: async (customer) => {
				const { id, parameters } = findUserInGroups(customer);
				return await createListRun(customer, `POST ${PATH}/${id}/groups`, parameters);
			},
			getCountSummary: (customer) => ({
				parameters: customer.companyParameters,
				itemCount: 1,
				checkItems: (items) => void expectOnlyItem(items, { count: z.literal(customer.companyData.users.length) }),
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
						action: z.literal('created'),
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
		{ returnsFile: true, isOutsideContract: true },
	),
];
