/** Tests the activity of users in a period: one request for each customer and page, with dates that the platform accepts. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ activityDateFormat: 'iso' }));

const ACTIVITY_ROUTES = {
	PhishingCampaign: 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search',
	TrainingReport: 'POST /api/training-reports/activity-users/search',
} as const;
type NodeFolder = keyof typeof ACTIVITY_ROUTES;
const NODES = Object.keys(ACTIVITY_ROUTES) as NodeFolder[];

const getActivity = async (node: NodeFolder, parameters: IDataObject, timezone = 'UTC') => {
	fixture.standIn.clearLog();
	const options = {
		resource: 'userActivity',
		operation: 'getMany',
		returnAll: true,
		period: 'custom',
		periodStart: '2000-01-01',
		...parameters,
	};
	const { items } = await runNode({
		node: fixture.getNode(node),
		parameters: options,
		credential: fixture.credential,
		settings: { timezone },
	});
	return items.map(({ json }) => json);
};

describe.each(NODES)('%s', (node) => {
	test('every company: one request for each company', async () => {
		const rows = await getActivity(node, { companyScope: 'every', options: { groupByUser: true, pageSize: 1000 } });
		const companyIds = fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId);
		expect(fixture.standIn.getRequests(ACTIVITY_ROUTES[node]).map(({ companyId }) => companyId)).toHaveLength(
			companyIds.length,
		);
		expect(new Set(rows.map(({ companyResourceId }) => companyResourceId)).size).toBeGreaterThan(5);
	});

	test('returns one row for each action, or one for each person with the totals of their actions', async () => {
		const actions = await getActivity(node, fixture.customer.companyParameters);
		const people = await getActivity(node, { ...fixture.customer.companyParameters, options: { groupByUser: true } });
		expect(people).toHaveLength(new Set(actions.map(({ email }) => email)).size);
		const countField = node === 'TrainingReport' ? 'completedCount' : 'clicked';
		const sumCounts = (rows: IDataObject[]) => rows.reduce((total, row) => total + Number(row[countField]), 0);
		expect(sumCounts(people)).toBe(sumCounts(actions));
		expect(sumCounts(people)).toBeGreaterThan(0);
	});

	test('without a start, only the end date is sent', async () => {
		const period = { periodStart: '', periodEnd: '2026-01-15T12:00:00Z' };
		await getActivity(node, { ...fixture.customer.companyParameters, ...period });
		const body = fixture.standIn.getRequests(ACTIVITY_ROUTES[node])[0]?.body;
		expect(body).toMatchObject({ endDate: expect.stringMatching(/^2026-01-15T/) as string });
		expect(body).not.toHaveProperty('startDate');
	});

	test.each(['2026-01-15', '2026-01-15T00:00:00', '2026-01-15 00:00', '={{ DateTime.fromISO("2026-01-15") }}'])(
		"an end date without a time (%s) includes that day, in the workflow's time zone",
		async (periodEnd) => {
			await getActivity(
				node,
				{ ...fixture.customer.companyParameters, periodStart: '2026-01-15', periodEnd },
				'America/New_York',
			);
			expect(fixture.standIn.getRequests(ACTIVITY_ROUTES[node])[0]?.body).toMatchObject({
				startDate: '2026-01-15T05:00:00.000Z',
				endDate: '2026-01-16T04:59:59.999Z',
			});
		},
	);

	test.each(['one', 'own'])(
		"a platform that rejects ISO dates gets the customer's own date format, company scope %s",
		async (companyScope) => {
			const scope = companyScope === 'one' ? fixture.customer.companyParameters : { companyScope };
			const dates = { periodStart: '2025-01-01T00:00:00Z', periodEnd: '2026-01-15T12:30:00Z' };
			const isoRows = await getActivity(node, { ...scope, ...dates });
			if (companyScope === 'one') expect(isoRows.length).toBeGreaterThan(0);
			fixture.standIn.setOptions({ activityDateFormat: 'displayed' });
			expect(await getActivity(node, { ...scope, ...dates })).toEqual(isoRows);
			expect(fixture.standIn.getRequests(ACTIVITY_ROUTES[node]).at(-1)?.status).toBe(200);
		},
	);

	test.each(['12h', 'hh:mm tt'])(
		"a customer with the time format %s gets the dates with am or pm, in the workflow's time zone",
		async (timeFormat) => {
			fixture.standIn.world.companyDetails[fixture.customer.companyId] = { dateFormat: 'MM/DD/YYYY', timeFormat };
			fixture.standIn.setOptions({ activityDateFormat: 'displayed' });
			const dates = { periodStart: '2025-01-01T09:05:00Z', periodEnd: '2026-01-15T17:30:00Z' };
			const rows = await getActivity(node, { ...fixture.customer.companyParameters, ...dates }, 'Europe/Berlin');
			expect(rows.length).toBeGreaterThan(0);
			expect(fixture.standIn.getRequests(ACTIVITY_ROUTES[node]).at(-1)).toMatchObject({
				status: 200,
				body: { startDate: '01/01/2025 10:05 AM', endDate: '01/15/2026 06:30 PM' },
			});
		},
	);
});

test('the simplified output of phishing shows what each person did', async () => {
	const [row = {}] = await getActivity('PhishingCampaign', {
		...fixture.customer.companyParameters,
		output: 'simplified',
	});
	expect(Object.keys(row)).toEqual(expect.arrayContaining(['email', 'opened', 'clicked', 'dataSubmitted', 'reported']));
});
