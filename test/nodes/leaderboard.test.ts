/** Tests the exports of the leaderboard, on a platform that follows the contract and on a live deployment. */
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
import { parseOperationKey } from '../contract/operationKeys';

const EXPORTS = [
	['export', 'POST /api/leaderboard/get-all/export', 'Leaderboard'],
	['user.exportTimeline', 'POST /api/leaderboard/get-user-timeline/export', 'User Timeline'],
] as const;

/** The number of companies in the stand-in. */
const COMPANY_COUNT = 30;

describe.each([
	{ profile: 'contract', companyHeader: 'X-SERVICE-Company-Id' },
	{ profile: 'deployed', companyHeader: 'X-ACME-Company-Id' },
] as const)('leaderboard, $profile, $companyHeader', (profileOptions) => {
	const fixture = createNodeFixture({ ...profileOptions, companyCount: COMPANY_COUNT });
	const headerName = profileOptions.companyHeader.toLowerCase();
	const run = async (operation: string, parameters: IDataObject = {}, options?: FixtureRunOptions) =>
		fixture.run(
			SecurityAwarenessLeaderboard,
			{ ...parseOperationKey('Leaderboard', operation), ...parameters },
			options,
		);
	const getCompany = (index: number) => requireValue(fixture.standIn.world.companies[index]);
	const buildScope = (index: number) => ({
		companyScope: 'one',
		company: { mode: 'id', value: getCompany(index).companyResourceId },
	});
	const readLines = async (item: Parameters<typeof readBinary>[0]) =>
		(await readBinary(item)).toString().trim().split('\r\n');

	test.each(EXPORTS)('%s of one company', async (operation, route, label) => {
		const { items } = await run(operation, buildScope(0));
		const [request] = fixture.standIn.getRequests(route);
		expect(request?.headers[headerName]).toBe(getCompany(0).companyResourceId);
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
		const { targetUserCount, companyName, companyResourceId } = getCompany(0);
		expect(getJson(items)).toEqual([
			{
				companyName,
				companyResourceId,
				fileName: `${label} ${companyName}.csv`,
				mimeType: 'text/csv',
				bytes: request?.bytesSent,
			},
		]);
		const users = new Set((await readLines(items[0])).map((line) => /[\w.-]+@[\w.-]+/.exec(line)?.[0]).filter(Boolean));
		expect(users.size).toBe(targetUserCount);
	});

	test.each(EXPORTS)("%s of the credential's own company: no header is sent", async (operation, route, label) => {
		const { items } = await run(operation, { companyScope: 'own', format: 'excel' }, { clientName: 'companyAdmin' });
		expect(fixture.standIn.getRequests(route).map(({ headers }) => headers[headerName])).toEqual([undefined]);
		expect(items[0]?.json.fileName).toBe(`${label}.xlsx`);
		const [sheet] = await readXlsxFile(await readBinary(items[0]));
		expect(requireValue(sheet).data.length).toBeGreaterThan(getCompany(0).targetUserCount);
	});

	test.each(EXPORTS)('%s of every company: one file for each company, with its own name', async (operation, route) => {
		const { items } = await run(operation, { companyScope: 'every' });
		const exportRequests = fixture.standIn.getRequests(route);
		expect(exportRequests.map(({ companyId }) => companyId).sort()).toEqual(
			fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId).sort(),
		);
		expect(items).toHaveLength(COMPANY_COUNT);
		for (const item of items) {
			const request = requireValue(exportRequests.find(({ companyId }) => companyId === item.json.companyResourceId));
			expect(await readBinary(item)).toHaveLength(request.bytesSent);
			expect(item.json.companyName).toBe(
				fixture.standIn.world.companies.find(({ companyResourceId }) => companyResourceId === request.companyId)
					?.companyName || undefined,
			);
		}
		const fileNames = items.map(({ json }) => parseText(json.fileName).toLowerCase());
		expect(new Set(fileNames).size).toBe(COMPANY_COUNT);
		expect(fileNames.filter((name) => !/^[^/\\<>:"|?*\u0000-\u001f]{1,200}\.csv$/.test(name))).toEqual([]);
		const itemsWithSameName = items.filter(({ json }) => json.companyName === 'Twin Peaks Consulting');
		expect(itemsWithSameName).toHaveLength(2);
		for (const { json } of itemsWithSameName) expect(json.fileName).toContain(parseText(json.companyResourceId));
	});

	test('a company name with a slash, an HTML tag or only dots becomes a valid file name', async () => {
		const names = ['Miller A/S', '<i>Bold</i> & Co', '...'];
		for (const [index, name] of names.entries()) getCompany(index).companyName = name;
		const { items } = await run('export', { companyScope: 'every' });
		const fileItems = names.map((name) => requireValue(items.find(({ json }) => json.companyName === name)));
		expect(fileItems.map(({ json }) => json.fileName)).toEqual([
			'Leaderboard Miller A_S.csv',
			'Leaderboard _i_Bold_i_ & Co.csv',
			`Leaderboard-${getCompany(2).companyResourceId}.csv`,
		]);
		// If n8n took the name for a path, it would keep only the last part as the name and store the rest as the directory.
		for (const { json, binary } of fileItems) {
			expect(binary?.data).toMatchObject({ fileName: json.fileName });
			expect(binary?.data).not.toHaveProperty('directory');
		}
	});

	test('the report options are sent, and empty ones become null', async () => {
		await run('user.exportTimeline', {
			...buildScope(0),
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

	test.each(EXPORTS)('%s: an empty period is rejected, because it would export all data', async (operation) => {
		for (const datePeriod of ['', '={{ "" }}', '={{ $json.missing }}']) {
			const error = await catchNodeError(run(operation, { ...buildScope(0), options: { datePeriod } }));
			expect(error.message).toBe("'Date Period' in 'Options' must have a value, but has none");
		}
		expect(fixture.requests).toEqual([]);
	});

	test.each(EXPORTS)('%s: one of the two dates may be empty', async (operation) => {
		await run(operation, { ...buildScope(0), options: { startDate: '2026-01-01T00:00:00Z', endDate: '' } });
		expect(fixture.requests.at(-1)?.body).toMatchObject({ startDate: '2026-01-01T00:00:00.000Z', endDate: null });
		expect(fixture.requests.at(-1)?.body).not.toHaveProperty('datePeriod');
	});

	test('the timeline has no filter', async () => {
		await run('user.exportTimeline', buildScope(0));
		const [requestBody] = fixture.standIn.getRequests(EXPORTS[1][1]).map(({ body }) => body);
		expect(requestBody).not.toHaveProperty('filter');
	});

	test("exports one page of one user's timeline", async () => {
		const user = requireValue(fixture.standIn.world.getCompanyData(getCompany(0).companyResourceId).users[1]);
		const { items } = await run('user.exportTimeline', {
			...buildScope(0),
			options: { targetUserResourceId: user.resourceId },
			allPages: false,
			pageSize: 1,
			pageNumber: 1,
			sort: { fields: { by: 'Email' } },
		});
		const [, ...rows] = await readLines(items[0]);
		expect(rows).toHaveLength(1);
		expect(rows[0]).toContain(user.email);
	});

	test('an end date before the start date is rejected before any request', async () => {
		const options = { startDate: '2026-02-01', endDate: '2026-01-01' };
		const error = await catchNodeError(run('export', { ...buildScope(0), options }));
		expect(error.message).toBe("'End Date' in 'Options' must not be before the start date");
		expect(fixture.standIn.log).toEqual([]);
	});
});
