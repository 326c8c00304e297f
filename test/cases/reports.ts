/** The cases for reports and rankings that only live deployments have. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import {
	expectRecords,
	defineCases,
	createExportRun,
	createListRun,
	createRecordRun,
	requireValue,
	type Case,
	type CaseRun,
	type JsonObject,
} from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { findSeededEnrollment, buildEnrollmentSubject } from './enrollments';

const PAGINATION = { pageNumber: 1, pageSize: 1000, orderBy: 'Rank', ascending: true };

/** Creates the run of a ranking. The output items must be complete and sorted by rank. */
async function createRankingRun(customer: CustomerFixture, name: string): Promise<CaseRun> {
	const key = `POST /api/leaderboard/${name}`;
	const run = await createListRun(customer, key, {}, { pagination: PAGINATION });
	return {
		...run,
		checkItems: (items) => {
			run.checkItems(items);
			const ranks = z.array(z.number()).parse(items.map(({ json }) => json.rank));
			assert.deepEqual(
				ranks,
				ranks.map((_rank, index) => index + 1),
			);
		},
	};
}

/** Creates the run of the operation that lists the events of many users. Each event is an item with the user's fields. */
async function createTimelineRun(customer: CustomerFixture): Promise<CaseRun> {
	const pages = { userPagination: PAGINATION, timelinePagination: { ...PAGINATION, orderBy: 'ActionTime' } };
	const body = { ...PERIOD, ...pages, includeTimeline: true };
	const data = await customer.fetchData('POST /api/leaderboard/search-with-timeline', body);
	const { users } = z.object({ users: z.array(timelineUserSchema) }).parse(data);
	const records = users.flatMap(({ timeline, email }) => timeline.map((event): JsonObject => ({ email, ...event })));
	assert.ok(records.length > users.length);
	return {
		parameters: { ...customer.companyParameters, returnAll: true, options: PERIOD },
		itemCount: records.length,
		checkItems: (items) => {
			const sortKey = ({ email, ActionType, ActionTime, name }: JsonObject) =>
				[email, ActionType, ActionTime, name].map(String).join(' ');
			assert.deepEqual(items.map(({ json }) => sortKey(json)).sort(), records.map(sortKey).sort());
		},
	};
}

/** Creates the run of an operation about one user. The request body of such an operation has no filter. */
async function createUserRun(
	customer: CustomerFixture,
	name: string,
	body: object,
	parameters: object,
): Promise<CaseRun> {
	const { resourceId } = requireValue(customer.companyData.users[0]);
	const userBody = { ...body, targetUserResourceId: resourceId };
	const data = await customer.fetchData(`POST /api/leaderboard/${name}`, userBody);
	const records = z.array(z.record(z.unknown())).parse(data);
	return {
		parameters: { ...customer.companyParameters, targetUser: toIdLocator(resourceId), ...parameters },
		itemCount: records.length,
		checkItems: (items) => expectRecords(items, records),
	};
}

const timelineUserSchema = z.object({ email: z.string(), timeline: z.array(z.record(z.unknown())) });

const PERIOD = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const rowCases = defineCases(
	'Leaderboard',
	{
		getMany: async (customer) => createRankingRun(customer, 'get-all'),
		getTopPerformers: async (customer) => createRankingRun(customer, 'get-top-performers'),
		'user.getTimeline': async (customer) =>
			createUserRun(
				customer,
				'get-user-timeline',
				{ ...PERIOD, pagination: { ...PAGINATION, orderBy: 'ActionTime' } },
				{ returnAll: true, options: PERIOD },
			),
		'user.getManyWithTimeline': createTimelineRun,
		'user.getPerformance': async (customer) => createUserRun(customer, 'user-performance', PERIOD, { options: PERIOD }),
	},
	{ isOutsideContract: true },
);

const executiveReportCases = defineCases(
	'ExecutiveReport',
	{
		get: async (customer) => {
			const [report] = await customer.fetchList('POST /api/executive-report/search', { name: '' });
			const id = String(requireValue(report).resourceId);
			return await createRecordRun(customer, `GET /api/executive-report/${id}`, { report: toIdLocator(id) });
		},
	},
	{ isOutsideContract: true },
);

/** Creates the run of an operation that lists user activity of a very long period. */
const createActivityRun = async (customer: CustomerFixture, path: string): Promise<CaseRun> => {
	const body = { startDate: '2020-01-01T00:00:00.000Z', endDate: new Date().toISOString(), groupByUser: false };
	return await createListRun(
		customer,
		`POST /api/${path}/activity-users/search`,
		{ period: 'custom', periodStart: body.startDate, options: { pageSize: 1000 } },
		body,
	);
};

const activityCases = [
	...defineCases(
		'PhishingCampaign',
		{
			'userActivity.getMany': async (customer) =>
				createActivityRun(customer, 'phishing-simulator/phishing-campaign-job-report'),
		},
		{ isOutsideContract: true },
	),
	...defineCases(
		'TrainingReport',
		{ 'userActivity.getMany': async (customer) => createActivityRun(customer, 'training-reports') },
		{ isOutsideContract: true },
	),
];

const exportCases = defineCases(
	'TrainingReport',
	{
		'enrolledUser.export': async (customer) => {
			const { id, name, parameters } = findSeededEnrollment(customer, 0);
			const rows = await customer.fetchList(`POST /api/training-reports/${id}/users/search`);
			return createExportRun(customer, {
				key: 'POST /api/training-reports/{enrollmentId}/users/search/export',
				fileName: 'users.csv',
				rowCount: rows.length,
				parameters,
				...buildEnrollmentSubject(name),
			});
		},
	},
	{ hasFileOutput: true, isOutsideContract: true },
);

export const reportCases: Case[] = [...rowCases, ...executiveReportCases, ...activityCases, ...exportCases];
