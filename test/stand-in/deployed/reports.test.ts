import readXlsxFile from 'read-excel-file/node';
import type { Row } from '../http';
import { SIMULATORS } from '../personality';
import { parseCsv } from '../apiClient';
import { body, Deployed, FILTER, INPUT_ERROR, refusalOf, rowsOf, SECOND } from './testing';

let d: Deployed;
beforeAll(async () => {
	d = await Deployed.start();
});
afterAll(async () => await d.service.close());

const report = (id: string, rest: string) => `/api/training-reports/${id}/${rest}`;

describe('enrollments', () => {
	test('are listed by their kind, told by form-details', async () => {
		const details = await d.customer.record('GET /api/enrollments/form-details');
		expect(details.enumNameValuePairs).toMatchObject({
			EnrollmentType: expect.arrayContaining([
				expect.objectContaining({ name: 'Survey' }),
				expect.objectContaining({ name: 'LearningPath', displayName: 'Learning Path' }),
			]),
		});
		const surveys = await d.customer.results(
			'POST /api/enrollments/search',
			body('CreateTime', { enrollmentType: 'Survey' }),
		);
		expect(surveys.map(({ enrollmentId }) => enrollmentId)).toEqual([d.enrollment('Survey').resourceId]);
		expect(
			refusalOf(
				await d.customer.ask('POST /api/enrollments/search', body('CreateTime', { enrollmentType: 'Surveys' })),
			),
		).toEqual(INPUT_ERROR);
	});

	test('answer an id at creation, which is an enrollmentId in the list, and are sent at once', async () => {
		const [training, group] = [d.enrollment('Training').trainingId, d.holdings.targetGroups[0]?.resourceId];
		const created = await d.customer.ask('POST /api/enrollments', {
			trainingId: training,
			name: 'Now',
			targetGroupResourceIds: [group],
		});
		expect(created).toMatchObject({
			status: 201,
			data: { data: { id: expect.any(String), totalTargetUserCount: expect.any(Number) } },
		});
		const row = (await d.customer.results('POST /api/enrollments/search', body('CreateTime', { ascending: false })))[0];
		expect(row).toMatchObject({ name: 'Now' });
		const id = String(row?.enrollmentId);
		expect(await d.customer.record(`POST /api/enrollments/${id}/send`)).toEqual({ resourceId: id });
		expect(await d.customer.record(`GET /api/enrollments/${id}`)).toMatchObject({
			name: 'Now',
			trainingId: training,
			targetGroupResourceIds: [group],
		});
	});
});

describe('the report of a survey', () => {
	test('is read with trainingType 0, as a number, and with nothing else', async () => {
		const [survey, training] = [d.enrollment('Survey'), d.enrollment('Training')];
		const user = d.holdings.members(survey.targetGroupResourceIds)[0]?.resourceId ?? '';
		const reached = d.holdings.members(training.targetGroupResourceIds)[0]?.resourceId ?? '';
		const interactions = (id: string, of: string, query = '') => `GET ${report(id, `interactions/${of}`)}${query}`;
		const users = async (id: string, more: Row) =>
			(await d.customer.ask(`POST ${report(id, 'users/search')}`, body('Email', more))).status;
		expect(
			await Promise.all([
				users(survey.resourceId, { trainingType: 0 }),
				users(survey.resourceId, {}),
				users(survey.resourceId, { trainingType: '0' }),
			]),
		).toEqual([200, 400, 400]);
		expect(await users(training.resourceId, {})).toBe(200);
		for (const key of [`GET ${report(survey.resourceId, 'summary')}`, interactions(survey.resourceId, user)]) {
			expect(refusalOf(await d.customer.ask(key))).toEqual(INPUT_ERROR);
			expect((await d.customer.ask(`${key}?trainingType=0`)).status).toBe(200);
		}
		for (const key of [`GET ${report(training.resourceId, 'summary')}`, interactions(training.resourceId, reached)]) {
			expect((await d.customer.ask(key)).status).toBe(200);
		}
	});
});

describe('the users of a report', () => {
	test("are told apart by targetUserResourceId: the row's own identifier is of nothing else", async () => {
		const { resourceId } = d.enrollment('Training');
		const [row] = await d.customer.results(`POST ${report(resourceId, 'users/search')}`, body('Email'));
		expect(row?.resourceId).not.toBe(row?.targetUserResourceId);
		expect(
			(await d.customer.ask(`GET ${report(resourceId, `interactions/${String(row?.targetUserResourceId)}`)}`)).status,
		).toBe(200);
		expect((await d.customer.ask(`GET ${report(resourceId, `interactions/${String(row?.resourceId)}`)}`)).status).toBe(
			404,
		);
	});

	test('are as many as the summary counts', async () => {
		const { resourceId } = d.enrollment('Training');
		const summary = await d.customer.record(`GET ${report(resourceId, 'summary')}`);
		const users = await d.customer.results(`POST ${report(resourceId, 'users/search')}`, body('Email'));
		expect(summary.reportDetail).toMatchObject({ totalTargetUserCount: users.length });
		expect(users.filter(({ status }) => status === 'Completed')).toHaveLength(Number(summary.completedCount));
	});
});

describe('notifications', () => {
	test('take the number of a company, not its identifier', async () => {
		const path = `POST /api/notifications/${d.enrollment('Training').resourceId}/search`;
		const rows = await d.customer.results(path, body('CreateTime'));
		expect(await d.customer.results(path, body('CreateTime', { companyId: rows[0]?.companyId }))).toEqual(rows);
		expect(await d.customer.results(path, body('CreateTime', { companyId: 1 }))).toEqual([]);
		expect(refusalOf(await d.customer.ask(path, body('CreateTime', { companyId: d.companyId })))).toEqual(INPUT_ERROR);
	});
});

describe('exports', () => {
	const all = (apiClient: Deployed['customer'], path: string, more: Row) =>
		apiClient.file(`POST ${path}`, body('Name', { pageSize: 2, exportType: 'CSV', ...more }));
	const job = '/api/phishing-simulator/phishing-campaign-job-report/search/export';

	test('hold one page, unless all are asked for', async () => {
		const lines = async (more: Row) => parseCsv((await all(d.customer, job, more)).bytes.toString()).length - 1;
		expect(await Promise.all([lines({}), lines({ reportAllPages: false }), lines({ reportAllPages: true })])).toEqual([
			2, 2, 4,
		]);
	});

	test.each(SIMULATORS)('of campaigns are CSV or xls: %s', async (simulator) => {
		for (const path of [
			`/api/${simulator}-simulator/${simulator}-campaign/search/export`,
			`/api/${simulator}-simulator/${simulator}-campaign-job-report/search/export`,
		]) {
			const csv = await all(d.customer, path, { exportType: 'Csv' });
			expect(csv).toMatchObject({ status: 200, disposition: expect.stringContaining('.csv"') });
			expect(csv.type).toBe(path.includes('job-report') ? 'application/octet-stream' : 'text/csv; charset=utf-8');
			const excel = await all(d.customer, path, { exportType: 'Excel' });
			expect(excel).toMatchObject({
				status: 200,
				type: 'application/vnd.ms-excel',
				disposition: expect.stringContaining('.xls"'),
			});
			// The first record of an xls file has its type; the last one is its end.
			expect([excel.bytes.readUInt16LE(0), excel.bytes.readUInt16LE(excel.bytes.length - 4)]).toEqual([0x0009, 0x000a]);
			expect(excel.bytes.includes('Full Report', 0, 'latin1')).toBe(true);
			expect((await all(d.customer, path, { exportType: undefined })).disposition).toContain('.csv"');
		}
	});

	test('of training reports are CSV or xlsx', async () => {
		const path = report(d.enrollment('Training').resourceId, 'sending-report/search/export');
		const excel = await d.customer.file(`POST ${path}`, body('Email', { exportType: 'Excel', reportAllPages: true }));
		expect(excel.disposition).toContain('.xlsx"');
		const [sheet] = await readXlsxFile(excel.bytes);
		const rows = await d.customer.record(
			`POST ${report(d.enrollment('Training').resourceId, 'sending-report/search')}`,
			body('Email'),
		);
		expect(sheet?.data).toHaveLength(Number(rows.totalNumberOfRecords) + 1);
	});

	test('of companies and groups need their type', async () => {
		for (const path of ['/api/companies/search/export', '/api/company-groups/search/export']) {
			expect((await d.reseller.ask(`POST ${path}`, body('CreateTime'))).status).toBe(400);
			expect((await d.reseller.file(`POST ${path}`, body('CreateTime', { exportType: 'CSV' }))).disposition).toContain(
				'.csv"',
			);
		}
	});

	test('of the people of a job hold those who did it', async () => {
		const { resourceId } = d.service.state.fullReportJob('phishing');
		const path = `/api/phishing-simulator/phishing-campaign-job-report/Clicked/search/export/${resourceId}/1`;
		const { bytes } = await d.customer.file(`POST ${path}`, body('Email', { pageSize: 10, reportAllPages: true }));
		expect(parseCsv(bytes.toString())).toHaveLength(51);
	});

	test('of the leaderboard are paged inside', async () => {
		const lines = async (more: Row) => {
			const { bytes } = await d.customer.file('POST /api/leaderboard/get-all/export', {
				exportType: 'CSV',
				reportAllPages: false,
				datePeriod: 'LastYear',
				...more,
			});
			return parseCsv(bytes.toString()).length - 1;
		};
		expect(await lines({ pagination: { pageNumber: 1, pageSize: 3, orderBy: 'Rank', ascending: true } })).toBe(3);
		expect(await lines({ pageSize: 3 })).toBe(Math.min(10, d.holdings.users.length));
		const board = await d.customer.list('POST /api/leaderboard/get-all', {
			datePeriod: 'LastYear',
			pagination: { pageNumber: 1, pageSize: 2, orderBy: 'Rank', ascending: true },
		});
		expect(board).toHaveLength(2);
		expect(board[0]).toMatchObject({ rank: 1, totalRowCount: d.holdings.users.length });
	});
});

describe('executive reports', () => {
	test('are lists of widgets, and the data is asked for by these', async () => {
		const reports = await d.customer.list('POST /api/executive-report/search', { name: 'board' });
		expect(reports).toHaveLength(1);
		const id = String(reports[0]?.resourceId);
		const whole = await d.customer.record(`GET /api/executive-report/${id}`);
		const widgetIds = rowsOf(whole.widgets).map(({ resourceId }) => resourceId);
		const data = await d.customer.list('POST /api/executive-report/get-widget-datas', {
			widgetIds,
			datePeriod: 'LastYear',
			startDate: null,
			endDate: null,
		});
		expect(data.map(({ resourceId }) => resourceId)).toEqual(widgetIds);
		expect(data[0]?.widgetDatas).toHaveLength(1);
		const metrics = rowsOf((await d.customer.record('GET /api/executive-report/metrics')).metrics);
		expect(metrics.flatMap(({ widgets }) => rowsOf(widgets)).map(({ resourceId }) => resourceId)).toEqual(
			expect.arrayContaining(widgetIds),
		);
		expect((await d.customer.ask('POST /api/executive-report/get-widget-datas', { widgetIds: [id] })).status).toBe(404);
	});
});

test('a search with the text of one person finds that one', async () => {
	const [person] = d.service.state.fullReportJob('quishing').people;
	const { resourceId } = d.service.state.fullReportJob('quishing');
	const filter = { ...FILTER, SearchInputTextValue: person?.user.email };
	const found = await d.reseller
		.for(d.companyId, 'X-SERVICE-Company-Id', SECOND)
		.results(
			`POST /api/quishing-simulator/quishing-campaign-job-report/All/search/${resourceId}/1`,
			body('Email', { filter }),
		);
	expect(found.map(({ email }) => email)).toEqual([person?.user.email]);
});
