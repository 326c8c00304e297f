/** Trainings, campaigns and reports, and the files of exports. */
import { createHash } from 'node:crypto';
import readXlsxFile from 'read-excel-file/node';
import { isRow } from './http';
import type { StandIn } from './index';
import { type ApiClient, ALL, page, parseCsv, searchFor } from './apiClient';
import { BOARD, GROUPS, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
const companyAt = useSignedIn((started) => ({ service, reseller } = started));

describe('trainings and enrollments', () => {
	it('go from a training to reports', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const [training] = await scoped.results('POST /api/trainings/search', searchFor('Phishing Essentials'));
		const [group] = await scoped.results(GROUPS, searchFor('everybody'));
		const body = {
			trainingId: training?.trainingId,
			name: 'Autumn',
			targetGroupResourceIds: [group?.resourceId],
			awardCertificate: true,
			enrollmentScheduler: { scheduledDate: '2026-05-01T08:00:00Z', dueDate: '2026-06-01T08:00:00Z' },
		};
		const created = await scoped.ask('POST /api/enrollments', body);
		expect(created.status).toBe(201);
		expect(created.data).toMatchObject({
			data: {
				id: expect.any(String),
				trainingName: 'Phishing Essentials',
				totalTargetUserCount: group?.userCount,
				awardCertificate: true,
			},
		});
		const id = String(isRow(created.data) && isRow(created.data.data) ? created.data.data.id : '');
		expect(await scoped.results('POST /api/enrollments/search', searchFor('autumn'))).toMatchObject([
			{ resourceId: id, name: 'Autumn' },
		]);
		const report = `/api/training-reports/${id}`;
		expect((await scoped.record(`POST ${report}/users/search`, {})).totalNumberOfRecords).toBe(0);
		expect(await scoped.record(`POST /api/enrollments/${id}/send`)).toEqual({ resourceId: id });
		expect(service.state.of(company).enrollments.at(-1)).toMatchObject({ sendCount: 1, name: 'Autumn' });
		expect(await scoped.record(`GET ${report}/summary`)).toMatchObject({
			totalTargetUserCount: group?.userCount,
			completedCount: 0,
		});
		const users = await scoped.results(
			`POST ${report}/users/search`,
			page({ orderBy: 'Email', trainingType: 0, pageSize: 50 }),
		);
		expect(users).toHaveLength(Number(group?.userCount));
		expect(await scoped.record(`GET ${report}/interactions/${String(users[0]?.resourceId)}`)).toMatchObject({
			email: users[0]?.email,
		});
		expect(await scoped.results(`POST ${report}/sending-report/search`, page())).not.toHaveLength(0);
		expect(
			parseCsv(
				(
					await scoped.file(`POST ${report}/sending-report/search/export`, page({ reportAllPages: true }))
				).bytes.toString(),
			),
		).toHaveLength(users.length + 1);
		expect(await scoped.record(`GET /api/enrollments/${id}`)).toMatchObject({
			resourceId: id,
			name: 'Autumn',
			targetGroupResourceIds: [group?.resourceId],
		});
		expect((await reseller.for(companyAt(8).companyResourceId).ask(`GET /api/enrollments/${id}`)).status).toBe(404);
	});

	it('are checked', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const foreign = service.state.of(companyAt(8).companyResourceId).targetGroups[0]?.resourceId;
		const good = {
			trainingId: service.state.trainings[0]?.trainingId,
			name: 'N',
			targetGroupResourceIds: [service.state.of(company).targetGroups[0]?.resourceId],
		};
		const wrong = [
			{ trainingId: 'no' },
			{ trainingId: undefined },
			{ name: '' },
			{ targetGroupResourceIds: [] },
			{ targetGroupResourceIds: [foreign] },
			{ enrollmentScheduler: { dueDate: 'x' } },
		];
		for (const change of wrong)
			expect((await scoped.ask('POST /api/enrollments', { ...good, ...change })).status).toBe(400);
		expect((await scoped.ask('POST /api/enrollments', good)).status).toBe(201);
		expect((await scoped.ask('POST /api/enrollments/nope/send')).status).toBe(404);
		expect((await scoped.ask('POST /api/training-reports/nope/users/search', {})).status).toBe(404);
	});

	it('list surveys alone, certificates, reminders and notifications', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const surveys = await scoped.results('POST /api/enrollments/search', page({ enrollmentType: 'Survey' }));
		expect(surveys).toHaveLength(1);
		const [finished, running] = service.state.of(company).enrollments;
		expect(
			await scoped.results(`POST /api/enrollments/${finished?.resourceId}/certificates/search`, {}),
		).not.toHaveLength(0);
		const reminders = {
			trainingType: 'Training',
			reportAllPages: false,
			showByExamStatus: '',
			pageNumber: 1,
			pageSize: 5,
		};
		expect(
			await scoped.record(`POST /api/training-reports/${running?.resourceId}/reminder-mails/search`, reminders),
		).toHaveProperty('results');
		const sent = await scoped.results(`POST /api/notifications/${running?.resourceId}/search`, {
			companyId: 1,
			enrollmentId: null,
			status: 'Sent',
			type: '',
		});
		expect(sent.every((row) => row.status === 'Sent')).toBe(true);
		expect(await scoped.record('GET /api/enrollments/form-details')).toMatchObject({
			enumNameValuePairs: expect.any(Object),
			canSaveVendor: false,
		});
	});
});

describe.each(['phishing', 'smishing', 'quishing'])('%s campaigns', (simulator) => {
	const base = `/api/${simulator}-simulator/${simulator}-campaign`;

	it('have jobs, each with what people did', async () => {
		const scoped = reseller.for(companyAt(11).companyResourceId);
		expect(await scoped.results(`POST ${base}/search`, page())).toHaveLength(3);
		const jobs = await scoped.results(`POST ${base}-job-report/search`, page());
		expect(jobs).toHaveLength(3);
		const { resourceId, instanceGroup } = jobs[0] ?? {};
		const summary = await scoped.record(
			`GET ${base}-job-report/summary/${String(resourceId)}/${String(instanceGroup)}`,
		);
		const opened = await scoped.record(
			`POST ${base}-job-report/email-opened/search/${String(resourceId)}/${String(instanceGroup)}`,
			{ orderBy: 'Email' },
		);
		expect(opened.totalNumberOfRecords).toBe(summary.opened);
		for (const verb of ['opened', 'clicked', 'submitted']) {
			const rows = await scoped.results(
				`POST ${base}-job-report/search-email-${verb}/${String(resourceId)}`,
				page({ pageSize: 100 }),
			);
			expect(rows.filter((row) => row.instanceGroup === instanceGroup)).toHaveLength(Number(summary[verb]));
		}
		expect(
			parseCsv((await scoped.file(`POST ${base}-job-report/search/export`, page())).bytes.toString()),
		).toHaveLength(4);
		expect(parseCsv((await scoped.file(`POST ${base}/search/export`, page())).bytes.toString())).toHaveLength(4);
		expect((await scoped.ask(`GET ${base}-job-report/summary/${String(resourceId)}/99`)).status).toBe(404);
		expect((await scoped.ask(`POST ${base}-job-report/search-email-opened/nope`, {})).status).toBe(404);
		expect((await scoped.ask(`POST ${base}-job-report/search-sms-clicked/${String(resourceId)}`, {})).status).toBe(404);
	});
});

describe('executive reports', () => {
	it('give widgets and their data', async () => {
		const widgets = await reseller.list('POST /api/executive-report/search', { name: null });
		expect(widgets.length).toBeGreaterThan(3);
		const data = await reseller.list('POST /api/executive-report/get-widget-datas', {
			widgetIds: [widgets[0]?.resourceId],
			datePeriod: 'LastYear',
			startDate: null,
			endDate: null,
		});
		expect(data).toMatchObject([{ name: widgets[0]?.name, widgetDatas: [{ values: expect.any(Array) }] }]);
		expect((await reseller.ask('POST /api/executive-report/get-widget-datas', { widgetIds: ['nope'] })).status).toBe(
			400,
		);
	});
});

describe('exports', () => {
	const key = 'POST /api/companies/search/export';

	it('give every company, one row each, as CSV', async () => {
		const { bytes, disposition, type } = await reseller.file(key, page({ exportType: 'csv', reportAllPages: true }));
		const [header = [], ...rows] = parseCsv(bytes.toString('utf8'));
		expect(type).toContain('text/csv');
		expect(disposition).toContain("filename*=UTF-8''Companies%20%E2%80%93%20%C3%9Cberblick.csv");
		expect(rows.map((row) => row[header.indexOf('companyName')])).toEqual(
			service.state.companies.map((company) => company.companyName),
		);
		const entry = service.requests(key).at(-1);
		expect(entry).toMatchObject({ bytesSent: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
	});

	it('give a real workbook for Excel, the same bytes each time', async () => {
		const { bytes, type } = await reseller.file(key, page({ exportType: 'EXCEL', reportAllPages: true }));
		expect(type).toContain('spreadsheetml');
		const [sheet] = await readXlsxFile(bytes);
		expect(sheet?.data).toHaveLength(501);
		// An archive's time, which would differ from one export to the next, is a fixed one.
		expect(bytes.readUInt16LE(12)).toBe(((2026 - 1980) << 9) | (1 << 5) | 15);
		expect((await reseller.file(key, page({ exportType: 'Excel', reportAllPages: true }))).bytes.equals(bytes)).toBe(
			true,
		);
	});

	it('give one page without reportAllPages', async () => {
		const { bytes } = await reseller.file(key, page({ exportType: 'CSV', pageSize: 7 }));
		expect(parseCsv(bytes.toString())).toHaveLength(8);
		const groups = await reseller.file('POST /api/company-groups/search/export', {
			pageNumber: 2,
			pageSize: 25,
			orderBy: 'Name',
			ascending: true,
			exportType: 'Csv',
		});
		expect(parseCsv(groups.bytes.toString())).toHaveLength(6);
		expect(groups.disposition).toBe('attachment; filename="company-groups.csv"');
	});

	it('need a type that exists', async () => {
		expect((await reseller.ask(key, page({ exportType: 'PDF' }))).status).toBe(400);
		expect((await reseller.ask(key, page())).status).toBe(400);
		expect((await reseller.ask(BOARD, {})).status).toBe(400);
	});

	it('of the leaderboard cover the scoped company or all', async () => {
		const company = service.state.companies.find((entry) => entry.companyName === '../etc');
		const one = await reseller
			.for(company?.companyResourceId ?? '')
			.file(BOARD, { exportType: 'CSV', reportAllPages: true });
		expect(parseCsv(one.bytes.toString())).toHaveLength((company?.targetUserCount ?? 0) + 1);
		expect(one.disposition).toBe('attachment; filename="Leaderboard ../etc.csv"');
		const all = await reseller.file(BOARD, {
			exportType: 'CSV',
			reportAllPages: true,
			startDate: null,
			endDate: null,
			datePeriod: 'AllTime',
		});
		expect(parseCsv(all.bytes.toString())).toHaveLength(service.state.users.length + 1);
		const paged = await reseller.file(BOARD, {
			exportType: 'CSV',
			filter: { ...ALL, SearchInputTextValue: 'anna' },
			pagination: { pageNumber: 1, pageSize: 4, orderBy: 'Email', ascending: true },
		});
		expect(parseCsv(paged.bytes.toString())).toHaveLength(5);
		expect(
			(await reseller.ask(BOARD, { exportType: 'CSV', startDate: '2026-02-01', endDate: '2026-01-01' })).status,
		).toBe(400);
		expect((await reseller.ask(BOARD, { exportType: 'CSV', startDate: 'yesterday' })).status).toBe(400);
	});

	it('of the timeline can be narrowed', async () => {
		const company = companyAt(3);
		const user = service.state.of(company.companyResourceId).users[0];
		const scoped = reseller.for(company.companyResourceId);
		const timeline = 'POST /api/leaderboard/get-user-timeline/export';
		const failed = await scoped.file(timeline, {
			exportType: 'CSV',
			reportAllPages: true,
			showOnlyFailedEvents: true,
			actionTypes: ['LinkClicked'],
		});
		const [header = [], ...rows] = parseCsv(failed.bytes.toString());
		expect(rows.every((row) => row[header.indexOf('actionType')] === 'LinkClicked')).toBe(true);
		expect(
			(await scoped.ask(timeline, { exportType: 'CSV', targetUserResourceId: user?.resourceId, reportAllPages: true }))
				.status,
		).toBe(200);
		expect((await scoped.ask(timeline, { exportType: 'CSV', targetUserResourceId: 'nobody' })).status).toBe(404);
	});

	it('can be as large as wanted, the same bytes each time', async () => {
		const bytes = 3_000_001;
		service.setOptions({ exportBytes: bytes });
		service.fault({ kind: 'truncate-chunked', route: BOARD });
		await expect(reseller.file(BOARD, { exportType: 'CSV' })).rejects.toThrow();
		const whole = await reseller.file(BOARD, { exportType: 'CSV' });
		expect(whole.bytes).toHaveLength(bytes);
		expect(whole.bytes.subarray(-2).toString()).toBe('\r\n');
		expect(service.requests(BOARD).at(-1)).toMatchObject({
			bytesSent: bytes,
			sha256: createHash('sha256').update(whole.bytes).digest('hex'),
		});
		expect((await reseller.file(BOARD, { exportType: 'CSV' })).bytes.length).toBeLessThan(10_000);
	});
});
