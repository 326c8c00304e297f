/** The reports of an enrollment. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import {
	casesOf,
	figures,
	file,
	lists,
	refusedOnce,
	sentIn,
	shows,
	the,
	type Case,
	type Item,
	type Prepare,
	type Row,
} from './case';
import { enrolled, ofEnrollment } from './enrollments';

const report =
	(index: number, key: (id: string) => string, options: IDataObject = {}, body: object = {}): Prepare =>
	async (customer) => {
		const { id, parameters } = enrolled(customer, index);
		return await lists(customer, key(id), { ...parameters, ...options }, body);
	};

const notificationsOf = (id: string) => `POST /api/notifications/${id}/search`;

const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';
const PEOPLE = 'POST /api/target-users/search';
const ONE = 'GET /api/enrollments/{resourceId}';
const SUMMARY = 'GET /api/training-reports/{enrollmentId}/summary';

/** Each item is a person of one of the enrollments: with the names of the training, how far, and until when. */
function arePeople(
	{ holdings }: CustomerFixture,
	items: Item[],
	all: Array<{ id: string; rows: Row[] }>,
	more: IDataObject = {},
): void {
	const expected = all.flatMap(({ id, rows }) => {
		const { name, trainingName, dueDate } = the(holdings.enrollments.find(({ resourceId }) => resourceId === id));
		return rows.map(({ firstName, lastName, email, department, status, ...row }) => ({
			email,
			firstName,
			lastName,
			department,
			...more,
			trainingName,
			enrollmentName: name,
			status,
			score: row.examScore ?? row.score ?? null,
			completed: row.firstCompletionDate ?? null,
			due: dueDate,
			resourceId: row.resourceId,
		}));
	});
	const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
	assert.deepEqual(inOrder(items.map(sentIn)), inOrder(expected));
}

const ofReport = casesOf('TrainingReport', {
	getSendingReport: report(0, (id) => `POST /api/training-reports/${id}/sending-report/search`),
	// A live deployment cannot sort certificates by 'Email': there the field is 'userEmail'.
	getCertificates: async (customer) => {
		const run = await report(0, (id) => `POST /api/enrollments/${id}/certificates/search`)(customer, false);
		return refusedOnce(customer, 'POST /api/enrollments/{enrollmentId}/certificates/search', run);
	},
	getReminderMails: report(1, (id) => `POST /api/training-reports/${id}/reminder-mails/search`, {
		options: { reportAllPages: true, trainingType: 'Training', showByExamStatus: 'Any' },
	}),
	getNotifications: async (customer) => {
		const { id } = enrolled(customer, 0);
		// The number that a company has there; who does not say it takes any.
		const [first] = customer.isDeployed ? await customer.list(notificationsOf(id)) : [];
		const companyId = z.number().parse(first?.companyId ?? 7);
		const wanted = { status: 'Sent', type: 'Email' };
		return await report(0, notificationsOf, { options: { ...wanted, companyId } }, wanted)(customer, false);
	},
	// The contract's service takes type 0 of any enrollment, a live deployment of surveys alone.
	getUsers: async (customer) => {
		const body = customer.isDeployed ? { trainingType: 0 } : {};
		const { id, parameters } = enrolled(customer, customer.isDeployed ? 2 : 1);
		const rows = await customer.list(`POST /api/training-reports/${id}/users/search`, body);
		return {
			parameters: { ...parameters, returnAll: true, options: { trainingType: 0 } },
			items: rows.length,
			requests: [USERS, ONE, ...(customer.isDeployed ? [SUMMARY] : [])],
			...(customer.isDeployed ? { again: [SUMMARY] } : {}),
			expect: (items) => arePeople(customer, items, [{ id, rows }]),
		};
	},
	progressOfPeriod: async (customer) => {
		const enrollments = customer.holdings.enrollments.filter(({ markedAsTest }) => !markedAsTest);
		const all = await Promise.all(
			enrollments.map(async ({ resourceId: id, type }) => {
				const body = customer.isDeployed && type === 'Survey' ? { trainingType: 0 } : {};
				return { id, rows: await customer.list(`POST /api/training-reports/${id}/users/search`, body) };
			}),
		);
		const each = <T>(value: T) => customer.holdings.enrollments.map(() => value);
		return {
			parameters: { ...customer.scoped, period: 'custom' },
			items: all.flatMap(({ rows }) => rows).length,
			requests: ['POST /api/enrollments/search', ...each(ONE), ...enrollments.map(() => USERS)],
			// The contract's platform has no list of people.
			also: [customer.isDeployed ? PEOPLE : 'unknown'],
			...(customer.isDeployed ? { again: ['POST /api/enrollments/search', ...each(USERS)] } : {}),
			expect: (items) => arePeople(customer, items, all, { isActive: customer.isDeployed ? true : null }),
		};
	},
	getSummary: async (customer) => {
		const { id, parameters } = enrolled(customer, 1);
		const enrollment = the(customer.holdings.enrollments.find(({ resourceId }) => resourceId === id));
		return await figures(customer, `GET /api/training-reports/${id}/summary`, parameters, (all) => {
			const [inProgress, completed, failed] = z
				.tuple([z.number(), z.number(), z.number()])
				.parse([all.inProgressCount, all.completedCount, all.failedExamCount]);
			return {
				enrollmentName: enrollment.name,
				trainingName: enrollment.trainingName,
				startDate: enrollment.startDate,
				isTest: enrollment.excludeFromReports,
				enrolled: all.totalTargetUserCount,
				delivered: all.emailDeliveredUserCount ?? all.deliveredCount,
				noResponse: all.noResponseCount ?? all.notStartedCount,
				started: inProgress + completed,
				inProgress,
				completed,
				passed: completed - failed,
				failed,
			};
		});
	},
	getInteractions: async (customer) => {
		const { id, parameters } = enrolled(customer, 0);
		const { resourceId } = the(customer.holdings.users[0]);
		return await shows(customer, `GET /api/training-reports/${id}/interactions/${resourceId}`, {
			...parameters,
			targetUser: byId(resourceId),
		});
	},
});

const ofReportExport = casesOf(
	'TrainingReport',
	{
		exportSendingReport: async (customer) => {
			const { id, name, parameters } = enrolled(customer, 0);
			const search = 'POST /api/training-reports/{enrollmentId}/sending-report/search';
			const rows = await customer.list(search.replace('{enrollmentId}', id));
			return file(customer, {
				key: `${search}/export`,
				fileName: 'sending-report.csv',
				rows: rows.length,
				parameters,
				...ofEnrollment(name),
				search,
			});
		},
	},
	{ isFile: true },
);

/** What became of an enrollment. */
export const trainingReportCases: Case[] = [...ofReport, ...ofReportExport];
