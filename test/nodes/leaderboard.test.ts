import { z } from 'zod';
import type { IDataObject } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { readBinary } from '../n8n-core';
import {
	createNodeFixture,
	catchNodeError,
	getJson,
	parseText,
	requireValue,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';

const EXPORTS = [
	['export', 'POST /api/leaderboard/get-all/export', 'Leaderboard'],
	['exportUserTimeline', 'POST /api/leaderboard/get-user-timeline/export', 'User Timeline'],
] as const;

/** How many companies the service has. */
const COUNT = 30;

describe.each([
	{ profile: 'contract', companyHeader: 'X-SERVICE-Company-Id' },
	{ profile: 'deployed', companyHeader: 'X-ACME-Company-Id' },
] as const)('leaderboard, $profile, $companyHeader', (service) => {
	const fixture = createNodeFixture({ ...service, companyCount: COUNT });
	const header = service.companyHeader.toLowerCase();
	const run = async (operation: string, parameters: IDataObject = {}, more?: FixtureRunOptions) =>
		fixture.run(SecurityAwarenessLeaderboard, { operation, ...parameters }, more);
	const company = (index: number) => requireValue(fixture.standIn.world.companies[index]);
	const one = (index: number) => ({
		companyScope: 'one',
		company: { mode: 'id', value: company(index).companyResourceId },
	});
	const linesOf = async (item: Parameters<typeof readBinary>[0]) =>
		(await readBinary(item)).toString().trim().split('\r\n');

	test.each(EXPORTS)('%s of one company', async (operation, route, label) => {
		const { items } = await run(operation, one(0));
		const [request] = fixture.standIn.getRequests(route);
		expect(request?.headers[header]).toBe(company(0).companyResourceId);
		expect(request?.body).toMatchObject({
			exportType: 'CSV',
			reportAllPages: true,
			startDate: null,
			endDate: null,
			pagination: { pageNumber: 1, pageSize: 100, orderBy: 'Email', ascending: true },
		});
		// The timeline takes no filter (deployment shapes, "Leaderboard, executive report").
		const filter = { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] };
		expect(request?.body).toEqual(expect.objectContaining(operation === 'export' ? { filter } : {}));
		expect(Object.keys(z.record(z.unknown()).parse(request?.body)).includes('filter')).toBe(operation === 'export');
		const { targetUserCount, companyName, companyResourceId } = company(0);
		expect(getJson(items)).toEqual([
			{
				companyName,
				companyResourceId,
				fileName: `${label} ${companyName}.csv`,
				mimeType: 'text/csv',
				bytes: request?.bytesSent,
			},
		]);
		const users = new Set((await linesOf(items[0])).map((line) => /[\w.-]+@[\w.-]+/.exec(line)?.[0]).filter(Boolean));
		expect(users.size).toBe(targetUserCount);
	});

	test.each(EXPORTS)("%s of the credential's own: no header", async (operation, route, label) => {
		const { items } = await run(operation, { companyScope: 'own', format: 'excel' }, { clientName: 'companyAdmin' });
		expect(fixture.standIn.getRequests(route).map(({ headers }) => headers[header])).toEqual([undefined]);
		expect(items[0]?.json.fileName).toBe(`${label}.xlsx`);
		const [sheet] = await readXlsxFile(await readBinary(items[0]));
		expect(requireValue(sheet).data.length).toBeGreaterThan(company(0).targetUserCount);
	});

	test.each(EXPORTS)('%s of every company: one file each, none under the name of another', async (operation, route) => {
		const { items } = await run(operation, { companyScope: 'every' });
		const sent = fixture.standIn.getRequests(route);
		expect(sent.map(({ companyId }) => companyId).sort()).toEqual(
			fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId).sort(),
		);
		expect(items).toHaveLength(COUNT);
		for (const item of items) {
			const request = requireValue(sent.find(({ companyId }) => companyId === item.json.companyResourceId));
			expect(await readBinary(item)).toHaveLength(request.bytesSent);
			expect(item.json.companyName).toBe(
				fixture.standIn.world.companies.find(({ companyResourceId }) => companyResourceId === request.companyId)
					?.companyName || undefined,
			);
		}
		const names = items.map(({ json }) => parseText(json.fileName).toLowerCase());
		expect(new Set(names).size).toBe(COUNT);
		expect(names.filter((name) => !/^[^/\\<>:"|?*\u0000-\u001f]{1,200}\.csv$/.test(name))).toEqual([]);
		const twins = items.filter(({ json }) => json.companyName === 'Twin Peaks Consulting');
		expect(twins).toHaveLength(2);
		for (const { json } of twins) expect(json.fileName).toContain(parseText(json.companyResourceId));
	});

	test('a name with a slash, a tag or nothing but dots in it: still the name of one file', async () => {
		const names = ['Miller A/S', '<i>Bold</i> & Co', '...'];
		for (const [index, name] of names.entries()) company(index).companyName = name;
		const { items } = await run('export', { companyScope: 'every' });
		const files = names.map((name) => requireValue(items.find(({ json }) => json.companyName === name)));
		expect(files.map(({ json }) => json.fileName)).toEqual([
			'Leaderboard Miller A_S.csv',
			'Leaderboard _i_Bold_i_ & Co.csv',
			`Leaderboard-${company(2).companyResourceId}.csv`,
		]);
		// Of a path n8n would keep the last part alone, and store the rest beside it.
		for (const { json, binary } of files) {
			expect(binary?.data).toMatchObject({ fileName: json.fileName });
			expect(binary?.data).not.toHaveProperty('directory');
		}
	});

	test('the report options reach the service, empty ones as null', async () => {
		await run('exportUserTimeline', {
			...one(0),
			options: {
				datePeriod: 'Custom',
				startDate: '2026-01-01T00:00:00Z',
				endDate: '={{ "2026-02-01T00:00:00+01:00" }}',
				actionTypes: ['LinkClicked', 'Reported'],
				difficultyTypes: [],
				products: '={{ ["Phishing"] }}',
				showOnlyFailedEvents: true,
			},
		});
		expect(fixture.standIn.getRequests('POST /api/leaderboard/get-user-timeline/export')[0]?.body).toMatchObject({
			datePeriod: 'Custom',
			startDate: '2026-01-01T00:00:00.000Z',
			endDate: '2026-01-31T23:00:00.000Z',
			actionTypes: ['LinkClicked', 'Reported'],
			difficultyTypes: null,
			products: ['Phishing'],
			showOnlyFailedEvents: true,
			targetUserResourceId: null,
		});
	});

	test.each(EXPORTS)(
		'%s: a period that is left empty is refused, because it would be all of time',
		async (operation) => {
			for (const datePeriod of ['', '={{ "" }}', '={{ $json.missing }}']) {
				const error = await catchNodeError(run(operation, { ...one(0), options: { datePeriod } }));
				expect(error.message).toBe("'Date Period' in 'Options' must have a value, but has none");
			}
			expect(fixture.requests).toEqual([]);
		},
	);

	test.each(EXPORTS)('%s: of two dates, one may be left empty', async (operation) => {
		await run(operation, { ...one(0), options: { startDate: '2026-01-01T00:00:00Z', endDate: '' } });
		expect(fixture.requests.at(-1)?.body).toMatchObject({ startDate: '2026-01-01T00:00:00.000Z', endDate: null });
		expect(fixture.requests.at(-1)?.body).not.toHaveProperty('datePeriod');
	});

	test('the timeline has no filter', async () => {
		await run('exportUserTimeline', one(0));
		const [plain] = fixture.standIn.getRequests(EXPORTS[1][1]).map(({ body }) => body);
		expect(plain).not.toHaveProperty('filter');
	});

	test("one user's timeline, a page of it", async () => {
		const user = requireValue(fixture.standIn.world.getCompanyData(company(0).companyResourceId).users[1]);
		const { items } = await run('exportUserTimeline', {
			...one(0),
			options: { targetUserResourceId: user.resourceId },
			allPages: false,
			pageSize: 1,
			pageNumber: 1,
			sort: { fields: { by: 'Email' } },
		});
		const [, ...rows] = await linesOf(items[0]);
		expect(rows).toHaveLength(1);
		expect(rows[0]).toContain(user.email);
	});

	test('dates the wrong way round are refused before any request', async () => {
		const options = { startDate: '2026-02-01', endDate: '2026-01-01' };
		const error = await catchNodeError(run('export', { ...one(0), options }));
		expect(error.message).toBe("'End Date' in 'Options' must not be before the start date");
		expect(fixture.standIn.log).toEqual([]);
	});
});
