import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import { casesOf, file, isWord, lists, only, sentIn, shows, the, type Case, type Run } from './case';

const PATH = '/api/target-users';
const SEARCH = `POST ${PATH}/search`;
const READ = `GET ${PATH}/{resourceId}`;
const MEMBERS = 'POST /api/target-groups/{resourceId}/users';
const GROUPS = 'POST /api/target-groups/search/current-company';

/** A person who is in two groups or more. */
const somebody = ({ holdings, scoped }: CustomerFixture) => {
	const groupsOf = (id: string) =>
		holdings.targetGroups.flatMap((group) => (group.userResourceIds.includes(id) ? [group.resourceId] : []));
	const user = the(holdings.users.find(({ resourceId }) => groupsOf(resourceId).length > 1));
	const { resourceId: id } = user;
	return { id, user, groups: () => groupsOf(id), parameters: { ...scoped, targetUser: byId(id) } };
};

const added = (customer: CustomerFixture, email: string) =>
	the(customer.holdings.users.find((user) => user.email === email));

/** What a whole-record update asks besides, where no groups were given. */
const reading = (customer: CustomerFixture) => [
	READ,
	GROUPS,
	...customer.holdings.targetGroups.map(() => MEMBERS),
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
function importOfThree({ holdings, scoped }: CustomerFixture): Run {
	const content = Buffer.from(PEOPLE.map((line) => line.join(',')).join('\r\n'));
	const group = the(holdings.targetGroups[0]);
	return {
		parameters: { ...scoped, file: 'data', targetGroups: [group.resourceId] },
		files: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		items: 2,
		requests: [
			`POST ${PATH}/upload`,
			`GET ${PATH}/upload/{transactionId}`,
			`POST ${PATH}/create-mapping`,
			// Until all rows are checked, then their counts and the invalid ones.
			...Array.from({ length: 3 }, () => `GET ${PATH}/mapping-job/{resourceId}`),
			...Array.from({ length: 2 }, () => `POST ${PATH}/{transactionId}/search`),
			`POST ${PATH}/{transactionId}/import`,
		],
		expect: ([summary, row]) => {
			const { transactionId, companyResourceId: _company, companyName: _name, ...counts } = the(summary).json;
			assert.deepEqual(counts, {
				isSummary: true,
				rowCount: 3,
				duplicateCount: 0,
				newUserCount: 2,
				existingUserCount: 0,
				invalidUserCount: 1,
			});
			assert.ok(typeof transactionId === 'string');
			assert.deepEqual(sentIn(the(row)), {
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
	...casesOf('TargetUser', { importFile: importOfThree }, { isBeside: true }),
	...casesOf(
		'TargetUser',
		{
			create: async (customer) => {
				const [field] = await customer.list('GET /api/custom-fields/company');
				const group = the(customer.holdings.targetGroups[0]);
				return {
					parameters: {
						...customer.scoped,
						email: 'zoe@harbour.example',
						phoneNumber: '+49 30 1234567',
						additionalFields: {
							firstName: 'Zoë',
							lastName: "O'Neill",
							isActive: false,
							timeZoneId: byId('Europe/Berlin'),
							targetGroupResourceIds: [group.resourceId],
							customFields: { rows: [{ customField: byId(String(field?.resourceId)), value: 'Kiel' }] },
						},
					},
					items: 1,
					expect: (items) => {
						const { resourceId, firstName } = added(customer, 'zoe@harbour.example');
						only(items, { resourceId: z.literal(resourceId) });
						assert.equal(firstName, 'Zoë');
						assert.ok(group.userResourceIds.includes(resourceId));
						const { customFieldValues, ...noted } = customer.state.notesOn(resourceId);
						assert.deepEqual(
							[noted.phoneNumber, noted.isActive, noted.timeZoneId],
							['+49 30 1234567', false, 'Europe/Berlin'],
						);
						assert.equal(z.array(z.object({ value: z.string() })).parse(customFieldValues)[0]?.value, 'Kiel');
					},
				};
			},
			get: async (customer) => {
				const { id, parameters } = somebody(customer);
				return await shows(customer, `GET ${PATH}/${id}`, parameters);
			},
			update: (customer) => {
				const { id, user, groups, parameters } = somebody(customer);
				const before = { email: user.email, groups: groups() };
				return {
					parameters: { ...parameters, additionalFields: { department: 'Bakery' } },
					items: 1,
					requests: reading(customer),
					expect: (items) => {
						only(items, { resourceId: z.literal(id) });
						assert.equal(user.department, 'Bakery');
						assert.deepEqual({ email: user.email, groups: groups() }, before);
					},
				};
			},
			delete: (customer) => {
				const { id, parameters } = somebody(customer);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { deleted: z.literal(true), resourceId: z.literal(id) });
						assert.ok(!customer.holdings.users.some(({ resourceId }) => resourceId === id));
					},
				};
			},
			getMany: async (customer) => lists(customer, SEARCH),
			getGroups: async (customer) => {
				const { id, parameters } = somebody(customer);
				return await lists(customer, `POST ${PATH}/${id}/groups`, parameters);
			},
			getCountSummary: (customer) => ({
				parameters: customer.scoped,
				items: 1,
				expect: (items) => void only(items, { count: z.literal(customer.holdings.users.length) }),
			}),
			createOrUpdate: (customer) => ({
				parameters: {
					...customer.scoped,
					email: 'new@harbour.example',
					phoneNumber: '+49 30 1234567',
					additionalFields: { isActive: true },
				},
				items: 1,
				requests: [SEARCH, `POST ${PATH}`],
				expect: (items) => {
					only(items, {
						email: z.literal('new@harbour.example'),
						resourceId: isWord,
						action: z.literal('created'),
						status: z.literal('Active'),
					});
					added(customer, 'new@harbour.example');
				},
			}),
		},
		{ isBeside: true },
	),
	...casesOf(
		'TargetUser',
		{
			export: (customer) =>
				file(customer, {
					key: `${SEARCH}/export`,
					fileName: 'target-users.csv',
					rows: customer.holdings.users.length,
					parameters: customer.scoped,
				}),
		},
		{ isFile: true, isBeside: true },
	),
];
