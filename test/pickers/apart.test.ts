/** Entries of a list that have one name. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { detailsOf, plainName, toldApart } from '../../nodes/shared/pickers/apart';
import { runNode } from '../n8n-core';
import { jsonOf } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';
import { found, loaded, useDeployments } from './fallbacks';

useDeployments();

const paged = (...results: IDataObject[]) => ({
	data: { results, totalNumberOfPages: 1, totalNumberOfRecords: results.length },
});

test('target groups of one name: how many users, when created, the end of the ID; others as they are', async () => {
	const { store } = await deployment({
		'POST /api/target-groups/search/current-company': paged(
			{ resourceId: 'group-one-aaaa', name: 'Sales', userCount: 12, createTime: '2026-01-05T10:00:00Z' },
			{ resourceId: 'group-two-bbbb', name: 'sales ', userCount: 1 },
			{ resourceId: 'group-three', name: 'Sales (Berlin)', userCount: 3 },
		),
	});
	expect(await loaded(SecurityAwarenessEnrollment, 'loadTargetGroups', store)).toEqual([
		['Sales (12 users, 2026-01-05, …aaaa)', 'group-one-aaaa'],
		['sales  (1 user, …bbbb)', 'group-two-bbbb'],
		['Sales (Berlin)', 'group-three'],
	]);
});

test('jobs, enrollments and roles of one name', async () => {
	const { store } = await deployment({
		'POST /api/phishing-simulator/phishing-campaign-job-report/search': paged(
			{ phishingCampaignResourceId: 'x1', instanceGroup: 1, name: 'Q1', startDate: '2026-01-05T10:00:00Z' },
			{ phishingCampaignResourceId: 'x2', instanceGroup: 1, name: 'Q1', startDate: '2026-04-05T10:00:00Z' },
			{ phishingCampaignResourceId: 'x2', instanceGroup: 2, name: 'Q1', startDate: '2026-04-05T10:00:00Z' },
		),
		'POST /api/enrollments/search': paged(
			{ enrollmentId: '7b1e-0001', name: 'Onboarding', createTime: '2026-01-05T10:00:00Z' },
			{ enrollmentId: '9c1e-0001', name: 'Onboarding', createTime: '2026-02-05T10:00:00Z' },
		),
		'GET /api/roles': {
			data: [
				{ resourceId: 'r1', name: 'Admin' },
				{ resourceId: 'r2', name: 'Admin' },
			],
		},
	});
	expect(await found(SecurityAwarenessPhishingCampaign, 'searchPhishingJobs', store)).toEqual([
		['Q1 (job 1) (2026-01-05, …x1/1)', 'x1/1'],
		['Q1 (job 1) (2026-04-05, …x2/1)', 'x2/1'],
		['Q1 (job 2)', 'x2/2'],
	]);
	// The ends are as long as it takes.
	expect(await found(SecurityAwarenessEnrollment, 'searchEnrollments', store)).toEqual([
		['Onboarding (2026-01-05, …b1e-0001)', '7b1e-0001'],
		['Onboarding (2026-02-05, …c1e-0001)', '9c1e-0001'],
	]);
	expect(await loaded(SecurityAwarenessApiClient, 'loadRoles', store)).toEqual([
		['Admin (…r1)', 'r1'],
		['Admin (…r2)', 'r2'],
	]);
});

test('a parent and a child company of one name, and what is listed twice is one', async () => {
	const child = { companyResourceId: 'child-2222', companyName: 'Harbour', targetUserCount: 3 };
	const parent = { companyResourceId: 'parent-1111', companyName: 'Harbour', targetUserCount: 30, children: [child] };
	const { store } = await deployment({ 'POST /api/companies/search': paged(parent, child) });
	expect(await found(SecurityAwarenessCompany, 'searchCompanies', store)).toEqual([
		['Harbour (30 users, …1111)', 'parent-1111'],
		['↳ Harbour (3 users, …2222)', 'child-2222'],
	]);
});

test('what n8n saves of such a name is not taken for the name', async () => {
	const { store, asked } = await deployment({
		'POST /api/leaderboard/get-all/export': { csv: 'rank\r\n1\r\n' },
		'POST /api/companies/search': paged(),
	});
	const company = {
		__rl: true,
		mode: 'list',
		value: 'customer-f172',
		cachedResultName: '↳ Twin Peaks (11 users, …f172)',
	};
	const { items } = await runNode({
		node: new SecurityAwarenessLeaderboard(),
		credential: store,
		parameters: { operation: 'export', companyScope: 'one', company, binaryPropertyName: 'data' },
	});
	expect(asked.map((each) => each.company)).toEqual(['customer-f172']);
	expect(JSON.stringify(jsonOf(items))).not.toContain('…');
	const error = await runNode({
		node: new SecurityAwarenessEnrollment(),
		credential: store,
		parameters: { operation: 'get', companyScope: 'one', company, enrollment: { __rl: true, mode: 'id', value: 'e1' } },
	}).catch((thrown: unknown) => thrown);
	expect(String(error)).toContain("for 'Twin Peaks'");
});

test('a name goes back to what it was, and no other name is cut', () => {
	const ids = ['customer-f172', 'customer-d1e8'];
	const shown = toldApart(ids.map((id) => ({ id, name: 'A (b) (c, …x)', details: ['2 users', '2026-01-01'] })));
	expect(shown.map(({ name }) => name)).toEqual([
		'A (b) (c, …x) (2 users, 2026-01-01, …f172)',
		'A (b) (c, …x) (2 users, 2026-01-01, …d1e8)',
	]);
	expect(shown.map(({ id = '', name = '' }) => plainName(name, id))).toEqual(Array(2).fill('A (b) (c, …x)'));
	for (const name of ['A', 'A (b)', 'A (…f173)', 'A (…)', 'A …f172', '(…)']) expect(plainName(name, 'f172')).toBe(name);
	// Notes and entries without an ID or a name are left alone.
	const others = [
		{ id: '', name: 'Note' },
		{ id: '', name: 'Note' },
		{ id: undefined, name: 'A' },
		{ id: 'a', name: undefined },
		{ id: 'b', name: undefined },
	];
	expect(toldApart(others)).toEqual(others);
});

test('counts and days of a record', () => {
	expect(detailsOf({ companyCount: 1, addedTime: '2026-03-04T23:00:00Z' })).toEqual(['1 company', '2026-03-04']);
	expect(detailsOf({ companyCount: 0, createTime: 'yesterday', userCount: null })).toEqual(['0 companies']);
	expect(detailsOf({ totalTargetUserCount: '7' })).toEqual(['7 users']);
	expect(detailsOf({})).toEqual([]);
});
