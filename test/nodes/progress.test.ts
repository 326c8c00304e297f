/**
 * Tests of the report of a period: it has the rows that the user asks for, on both kinds of platforms. An enrollment or a job that
 * cannot be read only removes its own rows.
 */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture, TESTED_PROFILES, runCase } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { parseFailedItem, getHintMessages, isFailedItem, getJson, requireValue } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import type { FaultRule } from '../stand-in';

const PEOPLE = 'POST /api/target-users/search';

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const rowsOf = async (parameters: IDataObject) => {
		const options = { operation: 'progressOfPeriod', period: 'custom', excludeTests: false, ...parameters };
		const { items } = await runNode({
			node: fixture.getNode('TrainingReport'),
			parameters: options,
			credential: fixture.credential,
		});
		return items.map(({ json }) => json);
	};
	const one = async (parameters: IDataObject) => rowsOf({ ...fixture.customer.companyParameters, ...parameters });
	const key = ({ enrollmentId, email }: IDataObject) => `${String(enrollmentId)} ${String(email)}`;
	const keys = (rows: IDataObject[]) => rows.map(key).sort();

	test('those who finished, who have not, and who are overdue of these', async () => {
		const [all, finished, open, overdue] = await Promise.all(
			['all', 'finished', 'notFinished', 'overdue'].map(async (onlyPeopleWho) => one({ onlyPeopleWho })),
		);
		expect(keys([...(finished ?? []), ...(open ?? [])])).toEqual(keys(all ?? []));
		expect(new Set(finished?.map(({ status }) => status))).toEqual(new Set(['Completed']));
		expect(open?.filter(({ status }) => status === 'Completed')).toEqual([]);
		const late = (row: IDataObject) => typeof row.due === 'string' && Date.parse(row.due) < Date.now();
		expect(keys(overdue ?? [])).toEqual(keys((open ?? []).filter(late)));
		expect([finished, open, overdue].every((rows) => rows && rows.length > 0)).toBe(true);
	});

	test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('a due day lasts until it is over in %s', async (timezone) => {
		const today = DateTime.now().setZone(timezone);
		const overdueIf = async (dueDate: string) => {
			for (const enrollment of fixture.customer.companyData.enrollments) enrollment.dueDate = dueDate;
			const parameters = {
				operation: 'progressOfPeriod',
				period: 'custom',
				excludeTests: false,
				onlyPeopleWho: 'overdue',
				...fixture.customer.companyParameters,
			};
			const node = fixture.getNode('TrainingReport');
			const { items } = await runNode({ node, parameters, credential: fixture.credential, settings: { timezone } });
			return items.length > 0;
		};
		const before = fixture.customer.companyData.enrollments.map(({ dueDate }) => dueDate);
		expect(await overdueIf(today.toFormat('yyyy-MM-dd'))).toBe(false);
		expect(await overdueIf(today.minus({ days: 1 }).toFormat('yyyy-MM-dd'))).toBe(true);
		fixture.customer.companyData.enrollments.forEach((enrollment, at) => (enrollment.dueDate = before[at] ?? null));
	});

	test('those who failed, where a platform tells of exams', async () => {
		const failed = await one({ onlyPeopleWho: 'failed', output: 'raw' });
		expect(failed.length > 0).toBe(profile === 'deployed');
		expect(failed.filter(({ examStatusName }) => examStatusName !== 'Failed')).toEqual([]);
	});

	test('enrollments that began in the period, and none that is a test', async () => {
		const { enrollments } = fixture.customer.companyData;
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

describe('something of a period cannot be read', () => {
	const fixture = createOperationFixture('deployed');
	useSimulatedClock();
	afterEach(() => fixture.standIn.clearFaults());
	const JOB = 'GET /api/phishing-simulator/phishing-campaign-job-report/summary/{resourceId}/{instanceGroup}';
	const PEOPLE_OF_ENROLLMENT = 'POST /api/training-reports/{enrollmentId}/users/search';

	const run = async (node: string, operation: string) => {
		const parameters = { ...fixture.customer.companyParameters, period: 'custom', excludeTests: false, output: 'raw' };
		const result = await runCase(fixture, { node, operation }, { parameters });
		return { rows: getJson(result.items), hints: getHintMessages(result).filter((hint) => hint.startsWith('Some ')) };
	};

	test.each([
		['PhishingCampaign', 'fullReportOfPeriod', JOB, 'jobId', 'jobs'],
		['TrainingReport', 'progressOfPeriod', 'GET /api/enrollments/{resourceId}', 'enrollmentId', 'enrollments'],
		['TrainingReport', 'progressOfPeriod', PEOPLE_OF_ENROLLMENT, 'enrollmentId', 'enrollments'],
	])('%s %s: the others stay, and the one is named (%s)', async (node, operation, route, id, things) => {
		const all = await run(node, operation);
		fixture.standIn.addFault({ route, kind: 'status', status: 404 });
		const { rows, hints } = await run(node, operation);
		const lost = [...new Set(all.rows.map((row) => row[id]))].filter((key) => rows.every((row) => row[id] !== key));
		expect([lost.length, rows.length > 0, all.hints]).toEqual([1, true, []]);
		expect(rows).toEqual(all.rows.filter((row) => row[id] !== lost[0]));
		expect(hints).toEqual([
			expect.stringContaining(`Some ${things} could not be read, so their people are missing from the output.`),
		]);
		expect(hints[0]).toContain(`(${String(lost[0])})`);
		expect(hints[0]).toContain('(404)');
		expect(hints[0]).toContain(fixture.customer.company.companyName);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with On Error %s the one that could not be read is an item of its own',
		async (onError) => {
			fixture.standIn.addFault({ route: PEOPLE_OF_ENROLLMENT, kind: 'status', status: 403 });
			const period = { operation: 'progressOfPeriod', period: 'custom', excludeTests: false };
			const parameters = { ...fixture.customer.companyParameters, ...period };
			const {
				items,
				errorItems: errors,
				hints,
			} = await runNode({
				node: fixture.getNode('TrainingReport'),
				parameters,
				credential: fixture.credential,
				onError,
			});
			const failed = errors ?? items.filter(isFailedItem);
			expect([failed.length, items.length > 1]).toEqual([1, true]);
			const { message, companyName } = parseFailedItem(failed[0]).error;
			expect(message).toMatch(/the enrollment .+ could not be read: access was refused \(403\)/);
			expect(companyName).toBe(fixture.customer.company.companyName);
			expect(hints.map(({ message }) => message).join()).not.toContain('Some enrollments');
		},
	);

	test.each<[what: string, fault: Omit<FaultRule, 'route'>, isOne: boolean]>([
		['refuses the access', { kind: 'status', status: 403 }, true],
		['fails (500)', { kind: 'status', status: 500 }, true],
		['says that it failed, with 200', { kind: 'error-envelope' }, true],
		['does not accept the token', { kind: 'status', status: 401 }, false],
		['asks to wait', { kind: 'status-429', retryAfter: '1' }, false],
		['is overloaded', { kind: 'status', status: 503 }, false],
		['does not answer', { kind: 'reset-before' }, false],
		['sends elsewhere', { kind: 'redirect', redirectUrl: 'https://elsewhere.example' }, false],
	])('the service %s for all jobs but one', async (_what, fault, isOne) => {
		fixture.standIn.addFault({ ...fault, route: JOB, skipCount: 1, times: Infinity });
		const { rows, hints } = await run('PhishingCampaign', 'fullReportOfPeriod').catch((error: Error) => {
			return { rows: [], hints: [error.message] };
		});
		expect(new Set(rows.map(({ jobId }) => jobId)).size).toBe(isOne ? 1 : 0);
		expect(hints.join()).toMatch(isOne ? /^Some jobs could not be read/ : /^Could not get who/);
	});

	test('it is an error if no job can be read', async () => {
		fixture.standIn.addFault({ route: JOB, kind: 'status', status: 403, times: Infinity });
		await expect(run('PhishingCampaign', 'fullReportOfPeriod')).rejects.toThrow('access was refused (403)');
	});
});

/** Shows the people of a report with another address, and without their IDs. */
const hideRows = (value: unknown, email: string): unknown => {
	if (Array.isArray(value)) return value.map((each) => hideRows(each, email));
	if (typeof value !== 'object' || value === null) return value;
	const parts = Object.entries(value).flatMap(([name, part]: [string, unknown]): Array<[string, unknown]> => {
		if (name === 'email') return [[name, email]];
		return name === 'targetUserResourceId' || (name === 'resourceId' && 'email' in value)
			? []
			: [[name, hideRows(part, email)]];
	});
	return Object.fromEntries(parts);
};

describe('whether people are still active', () => {
	const fixture = createOperationFixture('deployed');
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
	const optionsOf = (parameters: IDataObject) => ({
		node: fixture.getNode('TrainingReport'),
		parameters: {
			...fixture.customer.companyParameters,
			operation: 'progressOfPeriod',
			period: 'custom',
			excludeTests: false,
			...parameters,
		},
		credential: fixture.credential,
	});
	const one = async (parameters: IDataObject) => (await runNode(optionsOf(parameters))).items.map(({ json }) => json);

	test('a deactivated person is not active, and the list is only read if the output has the field', async () => {
		const [before] = await one({});
		const { users } = fixture.customer.companyData;
		const index = users.findIndex(({ email }) => email === before?.email);
		const user = requireValue(users[index]);
		const statesOf = async (email: string, parameters: IDataObject = {}) =>
			new Set((await one(parameters)).filter((row) => row.email === email).map(({ isActive }) => isActive));
		expect(await statesOf(user.email)).toEqual(new Set([true]));
		fixture.customer.world.addNote(user.resourceId, { isActive: false });
		expect(await statesOf(user.email)).toEqual(new Set([false]));
		expect(await statesOf(user.email, { output: 'raw' })).toEqual(new Set([false]));
		// The list of people is not read if the output has no field for it.
		fixture.standIn.clearLog();
		expect(await statesOf(user.email, { output: 'selected', outputFields: ['email'] })).toEqual(new Set([undefined]));
		expect(fixture.standIn.getRequests(PEOPLE)).toEqual([]);
	});

	test("a person who is not in the list was deleted; it isn't known if the list may be incomplete", async () => {
		const change = (counted: number) =>
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route }) =>
					route === PEOPLE
						? { status: 'SUCCESS', data: { pageNumber: 1, totalNumberOfRecords: counted, results: [] } }
						: envelope,
			});
		change(0);
		const deleted = await one({});
		change(500);
		const unknown = await one({});
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(new Set(deleted.map(({ isActive }) => isActive))).toEqual(new Set([false]));
		expect(new Set(unknown.map(({ isActive }) => isActive))).toEqual(new Set([null]));
	});

	test.each<[title: string, hidden: string, ofPeople: object]>([
		['masked', 'a****m', { email: 'a****m', resourceId: 'x' }],
		['empty', '', { email: '', resourceId: 'x' }],
		['empty after it was cleaned', 'mailto:', { email: '\u200b', resourceId: 'x' }],
		['masked only in the report', 'a****m', { email: 'ada@x.example', resourceId: 'x' }],
		['missing, like the ID of a person in the list', '', { email: 'ada@x.example', resourceId: undefined }],
	])('nobody is taken for somebody else whose address is %s', async (_title, hidden, ofPeople) => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route = '' }) => {
				if (route === PEOPLE) {
					const page = { pageNumber: 1, totalNumberOfRecords: 1, results: [{ ...ofPeople, status: 'Active' }] };
					return { status: 'SUCCESS', data: page };
				}
				return route.includes('training-reports') ? hideRows(envelope, hidden) : envelope;
			},
		});
		expect(new Set((await one({ output: 'raw' })).map((row) => row.isActive))).toEqual(new Set([null]));
	});

	test('without the right to read the list of people, the report is returned with a hint', async () => {
		fixture.standIn.addFault({ route: PEOPLE, kind: 'forbidden-company', times: 1 });
		const { items, hints } = await runNode(optionsOf({}));
		expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
		expect(hints[0]?.message).toContain("The field 'isActive' is empty");
	});
});
