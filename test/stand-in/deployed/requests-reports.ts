/** Valid requests for what is beside the contract in reports, for requests.ts. */
import type { Row } from '../http';
import { body, type Deployed } from './testing';

const pagination = { pageNumber: 1, pageSize: 5, ascending: false };

export function addReports(
	{ holdings }: Deployed,
	add: (key: string, ids?: Record<string, string>, sent?: Row) => unknown,
): void {
	const period = { datePeriod: 'LastYear' };
	const ofUser = { ...period, targetUserResourceId: holdings.users[0]?.resourceId };
	for (const list of ['get-all', 'get-top-performers'])
		add(`POST /api/leaderboard/${list}`, {}, { ...period, pagination: { ...pagination, orderBy: 'Points' } });
	add(
		'POST /api/leaderboard/get-user-timeline',
		{},
		{ ...ofUser, pagination: { ...pagination, orderBy: 'ActionTime' } },
	);
	add('POST /api/leaderboard/user-performance', {}, ofUser);
	for (const path of ['phishing-simulator/phishing-campaign-job-report', 'training-reports'])
		add(`POST /api/${path}/activity-users/search`, {}, body('FirstName', { groupByUser: false }));
	add('POST /api/report-scheduling/search', {}, body('CreateTime'));
}
