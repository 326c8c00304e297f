/** What live deployments have of reports and rankings besides. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { areRecords, casesOf, file, lists, shows, the, type Case, type Run } from './case';
import { byId, type CustomerFixture } from './customerFixture';
import { enrolled, ofEnrollment } from './enrollments';

const pagination = { pageNumber: 1, pageSize: 1000, orderBy: 'Rank', ascending: true };

/** A ranking, all of it, the best first. */
async function ranking(customer: CustomerFixture, name: string): Promise<Run> {
	const key = `POST /api/leaderboard/${name}`;
	const run = await lists(customer, key, {}, { pagination });
	return {
		...run,
		expect: (items) => {
			run.expect(items);
			const ranks = z.array(z.number()).parse(items.map(({ json }) => json.rank));
			assert.deepEqual(
				ranks,
				ranks.map((_rank, at) => at + 1),
			);
		},
	};
}

/** What the service has about one person, by a request that takes no filter. */
async function ofUser(customer: CustomerFixture, name: string, body: object, parameters: object): Promise<Run> {
	const { resourceId } = the(customer.holdings.users[0]);
	const asked = { ...body, targetUserResourceId: resourceId };
	const records = z.array(z.record(z.unknown())).parse(await customer.ask(`POST /api/leaderboard/${name}`, asked));
	return {
		parameters: { ...customer.scoped, targetUser: byId(resourceId), ...parameters },
		items: records.length,
		expect: (items) => areRecords(items, records),
	};
}

const period = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const rowCases = casesOf(
	'Leaderboard',
	{
		getMany: async (customer) => ranking(customer, 'get-all'),
		getTopPerformers: async (customer) => ranking(customer, 'get-top-performers'),
		getUserTimeline: async (customer) =>
			ofUser(
				customer,
				'get-user-timeline',
				{ ...period, pagination: { ...pagination, orderBy: 'ActionTime' } },
				{ returnAll: true, options: period },
			),
		getUserPerformance: async (customer) => ofUser(customer, 'user-performance', period, { options: period }),
	},
	{ isBeside: true },
);

const executiveCases = casesOf(
	'ExecutiveReport',
	{
		get: async (customer) => {
			const [report] = await customer.list('POST /api/executive-report/search', { name: '' });
			const id = String(the(report).resourceId);
			return await shows(customer, `GET /api/executive-report/${id}`, { report: byId(id) });
		},
	},
	{ isBeside: true },
);

/** What people did, of all times. */
const activity = async (customer: CustomerFixture, path: string): Promise<Run> => {
	const body = { startDate: '2020-01-01T00:00:00.000Z', endDate: new Date().toISOString(), groupByUser: false };
	return await lists(
		customer,
		`POST /api/${path}/activity-users/search`,
		{ period: 'custom', options: { pageSize: 1000 } },
		body,
	);
};

const activityCases = [
	...casesOf(
		'PhishingCampaign',
		{ getActivity: async (customer) => activity(customer, 'phishing-simulator/phishing-campaign-job-report') },
		{ isBeside: true },
	),
	...casesOf(
		'TrainingReport',
		{ getActivity: async (customer) => activity(customer, 'training-reports') },
		{ isBeside: true },
	),
];

const exportCases = casesOf(
	'TrainingReport',
	{
		exportUsers: async (customer) => {
			const { id, name, parameters } = enrolled(customer, 0);
			const rows = await customer.list(`POST /api/training-reports/${id}/users/search`);
			return file(customer, {
				key: 'POST /api/training-reports/{enrollmentId}/users/search/export',
				fileName: 'users.csv',
				rows: rows.length,
				parameters,
				...ofEnrollment(name),
			});
		},
	},
	{ isFile: true, isBeside: true },
);

export const reportCases: Case[] = [...rowCases, ...executiveCases, ...activityCases, ...exportCases];
