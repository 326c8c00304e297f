/** Valid requests for what is beside the contract in reports, for requests.ts. */
import type { Row } from '../http';
import { body, type Deployed } from './testing';

const pagination = { pageNumber: 1, pageSize: 5, ascending: false };

export async function addReports(
	{ customer, holdings }: Deployed,
	add: (key: string, ids?: Record<string, string>, sent?: Row) => unknown,
): Promise<void> {
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
	add('POST /api/report-scheduling/search', {}, body('CreateTime'));
	const path = '/api/report-scheduling';
	const schedules = await customer.results(`POST ${path}/search`, body('CreateTime'));
	const [ids, doomed] = schedules.map(({ resourceId }) => ({
		resourceId: String(resourceId),
		reportType: '2',
		statusId: '2',
	}));
	const lists = { emailAddresses: ['ceo@customer.example'], managerEmails: [], targetGroupResourceIds: [] };
	const schedule = { reportType: 2, reportResourceId: 'r', name: 'New', frequency: 3, ...lists };
	add(`POST ${path}`, {}, schedule);
	add(`GET ${path}/{resourceId}`, ids);
	add(`PUT ${path}/{resourceId}`, ids, schedule);
	add(`PUT ${path}/{resourceId}/status/{statusId}`, ids);
	add(`DELETE ${path}/{resourceId}/{reportType}`, doomed);
}
