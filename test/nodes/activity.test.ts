/** What people did in a period, of all customers: one request a customer and page, with dates that the platform takes. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ activityDateFormat: 'iso' }));

const KEYS = {
	PhishingCampaign: 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search',
	TrainingReport: 'POST /api/training-reports/activity-users/search',
} as const;
type Node = keyof typeof KEYS;
const NODES = Object.keys(KEYS) as Node[];

const run = async (node: Node, parameters: IDataObject) => {
	fixture.standIn.clearLog();
	const options = { operation: 'getActivity', returnAll: true, period: 'custom', ...parameters };
	const { items } = await runNode({ node: fixture.getNode(node), parameters: options, credential: fixture.credential });
	return items.map(({ json }) => json);
};

describe.each(NODES)('%s', (node) => {
	test('every company: one request for each', async () => {
		const rows = await run(node, { companyScope: 'every', options: { groupByUser: true, pageSize: 1000 } });
		const customers = fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId);
		expect(fixture.standIn.getRequests(KEYS[node]).map(({ companyId }) => companyId)).toHaveLength(customers.length);
		expect(new Set(rows.map(({ companyResourceId }) => companyResourceId)).size).toBeGreaterThan(5);
	});

	test('a row per action, or one per person with the totals of these', async () => {
		const actions = await run(node, fixture.customer.companyParameters);
		const people = await run(node, { ...fixture.customer.companyParameters, options: { groupByUser: true } });
		expect(people).toHaveLength(new Set(actions.map(({ email }) => email)).size);
		const count = node === 'TrainingReport' ? 'completedCount' : 'clicked';
		const sum = (rows: IDataObject[]) => rows.reduce((all, row) => all + Number(row[count]), 0);
		expect(sum(people)).toBe(sum(actions));
		expect(sum(people)).toBeGreaterThan(0);
	});

	test.each(['one', 'own'])(
		"a platform that refuses ISO dates is asked in the customer's own format, of %s company",
		async (companyScope) => {
			const scoped = companyScope === 'one' ? fixture.customer.companyParameters : { companyScope };
			const dates = { periodStart: '2025-01-01T00:00:00Z', periodEnd: '2026-01-15T12:30:00Z' };
			const iso = await run(node, { ...scoped, ...dates });
			if (companyScope === 'one') expect(iso.length).toBeGreaterThan(0);
			fixture.standIn.setOptions({ activityDateFormat: 'displayed' });
			expect(await run(node, { ...scoped, ...dates })).toEqual(iso);
			expect(fixture.standIn.getRequests(KEYS[node]).at(-1)?.status).toBe(200);
		},
	);
});
