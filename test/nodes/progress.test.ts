/**
 * Tests the reports of a period: they have the rows that the user selected, both on a platform that follows the contract and on a live
 * deployment. If an enrollment or a job cannot be read, only the rows of this enrollment or job are missing.
 */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { createOperationFixture, TESTED_PROFILES, runCase } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import {
	closeFakeServers,
	parseFailedItem,
	getHintMessages,
	isFailedItem,
	getJson,
	requireValue,
	startFakeServer,
} from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import type { FaultRule } from '../stand-in';

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const fixture = createOperationFixture(profile);
	const getProgress = async (fields: IDataObject) => {
		const parameters = {
			resource: 'progress',
			operation: 'getManyByPeriod',
			period: 'custom',
			periodStart: '2000-01-01',
			excludeTests: false,
			...fields,
		};
		const { items } = await runNode({
			node: fixture.getNode('TrainingReport'),
			parameters,
			credential: fixture.credential,
		});
		return items.map(({ json }) => json);
	};
	const getCompanyProgress = async (parameters: IDataObject) =>
		getProgress({ ...fixture.customer.companyParameters, ...parameters });
	const formatKey = ({ enrollmentId, email }: IDataObject) => `${String(enrollmentId)} ${String(email)}`;
	const listKeys = (rows: IDataObject[]) => rows.map(formatKey).sort();

	test('people who finished, people who have not finished, and the overdue people among them', async () => {
		const [all, finished, open, overdue] = await Promise.all(
			['all', 'finished', 'notFinished', 'overdue'].map(async (onlyPeopleWho) => getCompanyProgress({ onlyPeopleWho })),
		);
		expect(listKeys([...(finished ?? []), ...(open ?? [])])).toEqual(listKeys(all ?? []));
		expect(new Set(finished?.map(({ status }) => status))).toEqual(new Set(['Completed']));
		expect(open?.filter(({ status }) => status === 'Completed')).toEqual([]);
		const isOverdue = (row: IDataObject) => typeof row.due === 'string' && Date.parse(row.due) < Date.now();
		expect(listKeys(overdue ?? [])).toEqual(listKeys((open ?? []).filter(isOverdue)));
		expect([finished, open, overdue].every((rows) => rows && rows.length > 0)).toBe(true);
		expect(all?.filter(({ trainingName }) => !trainingName)).toEqual([]);
	});

	test('a person with a completion date has finished even if the status has another name', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope): unknown =>
				JSON.parse(JSON.stringify(envelope).replaceAll('"Completed"', '"Passed"')),
		});
		const finished = await getCompanyProgress({ onlyPeopleWho: 'finished' });
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(new Set(finished.map(({ status }) => status))).toEqual(new Set(profile === 'deployed' ? ['Passed'] : []));
	});

	test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
		'a due date is only overdue after the day has ended in %s',
		async (timezone) => {
			const today = DateTime.now().setZone(timezone);
			const hasOverduePeople = async (dueDate: string) => {
				for (const enrollment of fixture.customer.companyData.enrollments) enrollment.dueDate = dueDate;
				const parameters = {
					resource: 'progress',
					operation: 'getManyByPeriod',
					period: 'custom',
					periodStart: '2000-01-01',
					excludeTests: false,
					onlyPeopleWho: 'overdue',
					...fixture.customer.companyParameters,
				};
				const node = fixture.getNode('TrainingReport');
				const { items } = await runNode({ node, parameters, credential: fixture.credential, settings: { timezone } });
				return items.length > 0;
			};
			const dueDatesBefore = fixture.customer.companyData.enrollments.map(({ dueDate }) => dueDate);
			expect(await hasOverduePeople(today.toFormat('yyyy-MM-dd'))).toBe(false);
			expect(await hasOverduePeople(today.minus({ days: 1 }).toFormat('yyyy-MM-dd'))).toBe(true);
			fixture.customer.companyData.enrollments.forEach((enrollment, index) => {
				enrollment.dueDate = dueDatesBefore[index] ?? null;
			});
		},
	);

	test('people who failed, if the platform reports exams', async () => {
		const failedRows = await getCompanyProgress({ onlyPeopleWho: 'failed', output: 'raw' });
		expect(failedRows.length > 0).toBe(profile === 'deployed');
		expect(failedRows.filter(({ examStatusName }) => examStatusName !== 'Failed')).toEqual([]);
	});

	test('enrollments that started in the period, without tests', async () => {
		const { enrollments } = fixture.customer.companyData;
		const [firstEnrollment] = enrollments;
		const startDate = firstEnrollment?.startDate ?? '';
		const dates = { periodStart: startDate, periodEnd: new Date(Date.parse(startDate) + 60_000).toISOString() };
		const expected = enrollments
			.filter((enrollment) => enrollment.startDate === startDate)
			.map(({ resourceId }) => resourceId);
		expect([...new Set((await getCompanyProgress(dates)).map(({ enrollmentId }) => enrollmentId))]).toEqual(expected);
		if (firstEnrollment) firstEnrollment.markedAsTest = true;
		const testRows = (await getCompanyProgress({ ...dates, excludeTests: true })).filter(
			(row) => row.enrollmentId === firstEnrollment?.resourceId,
		);
		if (firstEnrollment) firstEnrollment.markedAsTest = false;
		expect(testRows).toEqual([]);
	});

	test.each([
		{ missingFields: ['startDate'], isInEveryPeriod: false },
		{ missingFields: ['startDate', 'createTime'], isInEveryPeriod: true },
	])('enrollments without $missingFields', async ({ missingFields, isInEveryPeriod }) => {
		const enrollment = requireValue(fixture.customer.companyData.enrollments[0]);
		enrollment.createTime = '2024-05-04T09:00:00.000Z';
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route !== 'POST /api/enrollments/search') return envelope;
				const hideDate = (name: string, value: unknown) => (missingFields.includes(name) ? null : value);
				const changedEnvelope: unknown = JSON.parse(JSON.stringify(envelope, hideDate));
				return changedEnvelope;
			},
		});
		const readMonth = async (month: string) => {
			const dates = { period: 'custom', periodStart: `${month}-01`, periodEnd: `${month}-28` };
			const parameters = { ...fixture.customer.companyParameters, ...dates, excludeTests: false };
			const result = await runCase(fixture, { node: 'TrainingReport', operation: 'getManyByPeriod' }, { parameters });
			return {
				hasEnrollment: result.items.some(({ json }) => json.enrollmentId === enrollment.resourceId),
				hints: getHintMessages(result).join(),
			};
		};
		const monthOfCreation = await readMonth('2024-05');
		const otherMonth = await readMonth('2024-06');
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect([monthOfCreation.hasEnrollment, otherMonth.hasEnrollment]).toEqual([true, isInEveryPeriod]);
		expect(otherMonth.hints.includes('Enrollments without a date are in the output for every period.')).toBe(
			isInEveryPeriod,
		);
	});
});

test('a single enrollment without a date is in the output, and a hint says so', async () => {
	const { credentialStore: credential } = await startFakeServer({
		'POST /api/enrollments/search': {
			data: [
				{ enrollmentId: 'e1', name: 'Undated' },
				{ enrollmentId: 'e2', name: 'Old', startDate: '2024-05-04T09:00:00Z' },
			],
		},
		'GET /api/enrollments/e1': { data: { name: 'Undated' } },
		'POST /api/training-reports/e1/users/search': { data: [{ email: 'a@example.com' }] },
	});
	const parameters = { resource: 'progress', operation: 'getManyByPeriod', companyScope: 'own', period: 'today' };
	const result = await runNode({ node: new SecurityAwarenessTrainingReport(), parameters, credential });
	closeFakeServers();
	expect(getJson(result.items)).toMatchObject([{ email: 'a@example.com', enrollmentId: 'e1' }]);
	expect(getHintMessages(result).join()).toContain(
		'Enrollments without a date are in the output for every period. This applies to 1 enrollment.',
	);
});

describe('an enrollment or a job that cannot be read', () => {
	const fixture = createOperationFixture('deployed');
	useSimulatedDate();
	afterEach(() => fixture.standIn.clearFaults());
	const READ_JOB_SUMMARY =
		'GET /api/phishing-simulator/phishing-campaign-job-report/summary/{resourceId}/{instanceGroup}';
	const LIST_ENROLLMENT_PEOPLE = 'POST /api/training-reports/{enrollmentId}/users/search';

	const getReport = async (node: string, operation: string) => {
		const parameters = {
			...fixture.customer.companyParameters,
			period: 'custom',
			periodStart: '2000-01-01',
			excludeTests: false,
			output: 'raw',
		};
		const result = await runCase(fixture, { node, operation }, { parameters });
		return { rows: getJson(result.items), hints: getHintMessages(result).filter((hint) => hint.startsWith('Some ')) };
	};

	test.each([
		['PhishingCampaign', 'result.getManyByPeriod', READ_JOB_SUMMARY, 'jobId', 'jobs'],
		['TrainingReport', 'getManyByPeriod', 'GET /api/enrollments/{resourceId}', 'enrollmentId', 'enrollments'],
		['TrainingReport', 'getManyByPeriod', LIST_ENROLLMENT_PEOPLE, 'enrollmentId', 'enrollments'],
	])(
		'%s %s: the rows of the others are returned, and a hint names the missing one (%s)',
		async (node, operation, route, idField, noun) => {
			const completeReport = await getReport(node, operation);
			fixture.standIn.addFault({ route, kind: 'status', status: 404 });
			const { rows, hints } = await getReport(node, operation);
			const missingIds = [...new Set(completeReport.rows.map((row) => row[idField]))].filter((id) =>
				rows.every((row) => row[idField] !== id),
			);
			expect([missingIds.length, rows.length > 0, completeReport.hints]).toEqual([1, true, []]);
			expect(rows).toEqual(completeReport.rows.filter((row) => row[idField] !== missingIds[0]));
			expect(hints).toEqual([
				expect.stringContaining(`Some ${noun} could not be read, so their people are missing from the output.`),
			]);
			expect(hints[0]).toContain(`(${String(missingIds[0])})`);
			expect(hints[0]).toContain('(404)');
			expect(hints[0]).toContain(fixture.customer.company.companyName);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with On Error %s, the enrollment that could not be read is a separate item',
		async (onError) => {
			fixture.standIn.addFault({ route: LIST_ENROLLMENT_PEOPLE, kind: 'status', status: 403 });
			const period = {
				resource: 'progress',
				operation: 'getManyByPeriod',
				period: 'custom',
				periodStart: '2000-01-01',
				excludeTests: false,
			};
			const parameters = { ...fixture.customer.companyParameters, ...period };
			const { items, errorItems, hints } = await runNode({
				node: fixture.getNode('TrainingReport'),
				parameters,
				credential: fixture.credential,
				onError,
			});
			const failedItems = errorItems ?? items.filter(isFailedItem);
			expect([failedItems.length, items.length > 1]).toEqual([1, true]);
			const { message, companyName } = parseFailedItem(failedItems[0]).error;
			expect(message).toMatch(/the enrollment .+ could not be read: the platform refused access \(403\)/);
			expect(companyName).toBe(fixture.customer.company.companyName);
			expect(hints.map(({ message }) => message).join()).not.toContain('Some enrollments');
		},
	);

	test.each<[response: string, fault: Omit<FaultRule, 'route'>, isPartialReport: boolean]>([
		['refuses the access', { kind: 'status', status: 403 }, true],
		['fails (500)', { kind: 'status', status: 500 }, true],
		['says that it failed, with 200', { kind: 'error-envelope' }, true],
		['sends no record', { kind: 'empty' }, true],
		['fails (500) and asks to wait', { kind: 'status', status: 500, retryAfter: '1' }, false],
		['does not accept the token', { kind: 'status', status: 401 }, false],
		['asks to wait', { kind: 'status-429', retryAfter: '1' }, false],
		['is overloaded', { kind: 'status', status: 503 }, false],
		['does not answer', { kind: 'reset-before' }, false],
		['redirects to another server', { kind: 'redirect', redirectUrl: 'https://elsewhere.example' }, false],
	])('the platform %s for all jobs except one', async (_response, fault, isPartialReport) => {
		fixture.standIn.addFault({ ...fault, route: READ_JOB_SUMMARY, skipCount: 1, times: Infinity });
		const { rows, hints } = await getReport('PhishingCampaign', 'result.getManyByPeriod').catch((error: Error) => {
			return { rows: [], hints: [error.message] };
		});
		expect(new Set(rows.map(({ jobId }) => jobId)).size).toBe(isPartialReport ? 1 : 0);
		expect(hints.join()).toMatch(
			isPartialReport ? /^Some jobs could not be read/ : /^Could not get phishing results by period/,
		);
	});

	test('if no job can be read, the node fails', async () => {
		fixture.standIn.addFault({ route: READ_JOB_SUMMARY, kind: 'status', status: 403, times: Infinity });
		await expect(getReport('PhishingCampaign', 'result.getManyByPeriod')).rejects.toThrow(
			'the platform refused access (403)',
		);
	});
});
