/** Tests the output field isActive, for which the people of a report are looked up in the list of people. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { requireValue } from '../n8n-core/nodeFixture';

const LIST_PEOPLE = 'POST /api/target-users/search';

/** Replaces the email addresses of the people in a report, and removes their IDs. */
const hidePeople = (value: unknown, email: string): unknown => {
	if (Array.isArray(value)) return value.map((element) => hidePeople(element, email));
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).flatMap(([name, fieldValue]: [string, unknown]): Array<[string, unknown]> => {
		if (name === 'email') return [[name, email]];
		return name === 'targetUserResourceId' || (name === 'resourceId' && 'email' in value)
			? []
			: [[name, hidePeople(fieldValue, email)]];
	});
	return Object.fromEntries(entries);
};

describe('the field isActive', () => {
	const fixture = createOperationFixture('deployed');
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
	const buildRunOptions = (fields: IDataObject) => ({
		node: fixture.getNode('TrainingReport'),
		parameters: {
			...fixture.customer.companyParameters,
			resource: 'progress',
			operation: 'getManyByPeriod',
			period: 'custom',
			periodStart: '2000-01-01',
			excludeTests: false,
			...fields,
		},
		credential: fixture.credential,
	});
	const getCompanyProgress = async (parameters: IDataObject) =>
		(await runNode(buildRunOptions(parameters))).items.map(({ json }) => json);

	test('a deactivated person is not active, and the list is only read if the output has the field', async () => {
		const [row] = await getCompanyProgress({});
		const { users } = fixture.customer.companyData;
		const index = users.findIndex(({ email }) => email === row?.email);
		const user = requireValue(users[index]);
		const listStates = async (email: string, parameters: IDataObject = {}) =>
			new Set(
				(await getCompanyProgress(parameters))
					.filter((progress) => progress.email === email)
					.map(({ isActive }) => isActive),
			);
		expect(await listStates(user.email)).toEqual(new Set([true]));
		fixture.customer.world.addNote(user.resourceId, { isActive: false });
		expect(await listStates(user.email)).toEqual(new Set([false]));
		expect(await listStates(user.email, { output: 'raw' })).toEqual(new Set([false]));
		// The output doesn't contain isActive, so the list of people isn't needed.
		fixture.standIn.clearLog();
		expect(await listStates(user.email, { output: 'selected', outputFields: ['email'] })).toEqual(new Set([undefined]));
		expect(fixture.standIn.getRequests(LIST_PEOPLE)).toEqual([]);
	});

	test('a person who is not in the list is not active; if the list may be incomplete, isActive is null', async () => {
		const setPeopleCount = (count: number) =>
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route }) =>
					route === LIST_PEOPLE
						? { status: 'SUCCESS', data: { pageNumber: 1, totalNumberOfRecords: count, results: [] } }
						: envelope,
			});
		setPeopleCount(0);
		const rowsWithDeletedPeople = await getCompanyProgress({});
		setPeopleCount(500);
		const { items, hints } = await runNode(buildRunOptions({}));
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(new Set(rowsWithDeletedPeople.map(({ isActive }) => isActive))).toEqual(new Set([false]));
		expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
		expect(hints.map(({ message }) => message).join(' ')).toContain('The list of people is incomplete');
	});

	test('enrollments without people: a hint says that no one is enrolled in them', async () => {
		for (const group of fixture.customer.companyData.targetGroups) group.userResourceIds = [];
		const { items, hints } = await runNode(buildRunOptions({}));
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message).join(' ')).toMatch(
			/The node read \d+ enrollments .*, but no one is enrolled in them/,
		);
	});

	test.each<[description: string, reportEmail: string, listedPerson: object]>([
		['masked', 'a****m', { email: 'a****m', resourceId: 'x' }],
		['empty', '', { email: '', resourceId: 'x' }],
		['empty after it was cleaned', 'mailto:', { email: '\u200b', resourceId: 'x' }],
		['masked only in the report', 'a****m', { email: 'ada@x.example', resourceId: 'x' }],
		['missing, like the ID of a person in the list', '', { email: 'ada@x.example', resourceId: undefined }],
	])(
		'a person is not confused with another one if the address is %s',
		async (_description, reportEmail, listedPerson) => {
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route = '' }) => {
					if (route === LIST_PEOPLE) {
						const page = { pageNumber: 1, totalNumberOfRecords: 1, results: [{ ...listedPerson, status: 'Active' }] };
						return { status: 'SUCCESS', data: page };
					}
					return route.includes('training-reports') ? hidePeople(envelope, reportEmail) : envelope;
				},
			});
			expect(new Set((await getCompanyProgress({ output: 'raw' })).map((row) => row.isActive))).toEqual(
				new Set([null]),
			);
		},
	);

	test.each([
		{ key: 'ID, if the email address has changed since', field: 'email', value: 'former@x.example' },
		{ key: 'email address, if the report has no ID', field: 'targetUserResourceId', value: undefined },
	])('a person is found by the $key', async ({ field, value }) => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route = '' }): unknown => {
				if (!route.includes('training-reports')) return envelope;
				const replaceField = (name: string, current: unknown) => (name === field ? value : current);
				return JSON.parse(JSON.stringify(envelope, replaceField));
			},
		});
		expect(new Set((await getCompanyProgress({})).map(({ isActive }) => isActive))).toEqual(new Set([true]));
	});

	test('without permission to read the list of people, the report is returned with a hint', async () => {
		fixture.standIn.addFault({ route: LIST_PEOPLE, kind: 'forbidden-company', times: 1 });
		const { items, hints } = await runNode(buildRunOptions({}));
		expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
		expect(hints[0]?.message).toContain("The field 'isActive' is empty");
	});
});
