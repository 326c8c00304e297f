/** Who is how far in every training of a period: the rows that a person asks for, on either way that a platform behaves. */
import type { IDataObject } from 'n8n-workflow';
import { operationFixture, PERSONALITIES } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { the } from '../n8n-core/nodeFixture';

const PEOPLE = 'POST /api/target-users/search';

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality);
	const rowsOf = async (parameters: IDataObject) => {
		const options = { operation: 'progressOfPeriod', period: 'custom', excludeTests: false, ...parameters };
		const { items } = await runNode({ node: g.node('TrainingReport'), parameters: options, credential: g.credential });
		return items.map(({ json }) => json);
	};
	const one = async (parameters: IDataObject) => await rowsOf({ ...g.customer.scoped, ...parameters });
	const key = ({ enrollmentId, email }: IDataObject) => `${String(enrollmentId)} ${String(email)}`;
	const keys = (rows: IDataObject[]) => rows.map(key).sort();

	test('those who finished, who have not, and who are overdue of these', async () => {
		const [all, finished, open, overdue] = await Promise.all(
			['all', 'finished', 'notFinished', 'overdue'].map(async (onlyPeopleWho) => await one({ onlyPeopleWho })),
		);
		expect(keys([...(finished ?? []), ...(open ?? [])])).toEqual(keys(all ?? []));
		expect(new Set(finished?.map(({ status }) => status))).toEqual(new Set(['Completed']));
		expect(open?.filter(({ status }) => status === 'Completed')).toEqual([]);
		const late = (row: IDataObject) => typeof row.due === 'string' && Date.parse(row.due) < Date.now();
		expect(keys(overdue ?? [])).toEqual(keys((open ?? []).filter(late)));
		expect([finished, open, overdue].every((rows) => rows && rows.length > 0)).toBe(true);
	});

	test('those who failed, where a platform tells of exams', async () => {
		const failed = await one({ onlyPeopleWho: 'failed', output: 'raw' });
		expect(failed.length > 0).toBe(personality === 'deployed');
		expect(failed.filter(({ examStatusName }) => examStatusName !== 'Failed')).toEqual([]);
	});

	test('enrollments that began in the period, and none that is a test', async () => {
		const { enrollments } = g.customer.holdings;
		const [first] = enrollments;
		const began = first?.startDate ?? '';
		const dates = { periodStart: began, periodEnd: new Date(Date.parse(began) + 60_000).toISOString() };
		const expected = enrollments.filter(({ startDate }) => startDate === began).map(({ resourceId }) => resourceId);
		expect([...new Set((await one(dates)).map(({ enrollmentId }) => enrollmentId))]).toEqual(expected);
		if (first) first.markedAsTest = true;
		const left = (await one({ ...dates, excludeTests: true })).filter((row) => row.enrollmentId === first?.resourceId);
		if (first) first.markedAsTest = false;
		expect(left).toEqual([]);
	});

	test('every company: each row says of which customer it is', async () => {
		const rows = await rowsOf({ companyScope: 'every', onlyCompanies: { nameContains: 'a' } });
		expect(new Set(rows.map(({ companyName }) => companyName)).size).toBeGreaterThan(3);
		expect(rows.filter(({ trainingName, email }) => !trainingName || !email)).toEqual([]);
	});
});

describe('whether people are still active', () => {
	const g = operationFixture('deployed');
	afterEach(() => g.service.setOptions({ garble: undefined }));
	const optionsOf = (parameters: IDataObject) => ({
		node: g.node('TrainingReport'),
		parameters: {
			...{ ...g.customer.scoped, operation: 'progressOfPeriod', period: 'custom', excludeTests: false },
			...parameters,
		},
		credential: g.credential,
	});
	const one = async (parameters: IDataObject) => (await runNode(optionsOf(parameters))).items.map(({ json }) => json);

	test('who was deactivated is not, and the list is read only for who wants to know', async () => {
		const [before] = await one({});
		const { users } = g.customer.holdings;
		const index = users.findIndex(({ email }) => email === before?.email);
		const user = the(users[index]);
		const statesOf = async (email: string, parameters: IDataObject = {}) =>
			new Set((await one(parameters)).filter((row) => row.email === email).map(({ isActive }) => isActive));
		expect(await statesOf(user.email)).toEqual(new Set([true]));
		g.customer.state.note(user.resourceId, { isActive: false });
		expect(await statesOf(user.email)).toEqual(new Set([false]));
		expect(await statesOf(user.email, { output: 'raw' })).toEqual(new Set([false]));
		// The list of people is not read for who does not want it.
		g.service.clearLog();
		expect(await statesOf(user.email, { output: 'selected', outputFields: ['email'] })).toEqual(new Set([undefined]));
		expect(g.service.requests(PEOPLE)).toEqual([]);
	});

	test('who is not in the list was deleted; if the list may be incomplete, nobody knows', async () => {
		const change = (counted: number) =>
			g.service.setOptions({
				garble: (envelope, { route }) =>
					route === PEOPLE
						? { status: 'SUCCESS', data: { pageNumber: 1, totalNumberOfRecords: counted, results: [] } }
						: envelope,
			});
		change(0);
		const deleted = await one({});
		change(500);
		const unknown = await one({});
		g.service.setOptions({ garble: undefined });
		expect(new Set(deleted.map(({ isActive }) => isActive))).toEqual(new Set([false]));
		expect(new Set(unknown.map(({ isActive }) => isActive))).toEqual(new Set([null]));
	});

	test('a role that may not read the list of people: the report is there, and a hint says what it lacks', async () => {
		g.service.fault({ route: PEOPLE, kind: 'forbidden-company', times: 1 });
		const { items, hints } = await runNode(optionsOf({}));
		expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
		expect(hints[0]?.message).toContain('Whether people are active could not be read');
	});
});
