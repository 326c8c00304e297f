/** The reports of an enrollment. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	createSummaryRun,
	createExportRun,
	createListRun,
	allowRejection,
	omitAddedFields,
	createRecordRun,
	requireValue,
	type Case,
	type Item,
	type PrepareRun,
	type JsonObject,
} from './case';
import { findSeededEnrollment, buildEnrollmentSubject } from './enrollments';

const createReportPrepare =
	(index: number, key: (id: string) => string, options: IDataObject = {}, body: object = {}): PrepareRun =>
	async (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, index);
		return await createListRun(customer, key(id), { ...parameters, ...options }, body);
	};

const buildNotificationSearchKey = (id: string) => `POST /api/notifications/${id}/search`;

const USERS = 'POST /api/training-reports/{enrollmentId}/users/search';
const PEOPLE = 'POST /api/target-users/search';
const ONE = 'GET /api/enrollments/{resourceId}';
const SUMMARY = 'GET /api/training-reports/{enrollmentId}/summary';

/** Each item is a person of one of the enrollments: with the names of the training, how far, and until when. */
function expectPeople(
	{ companyData: holdings }: CustomerFixture,
	items: Item[],
	all: Array<{ id: string; rows: JsonObject[] }>,
	more: IDataObject = {},
): void {
	const expected = all.flatMap(({ id, rows }) => {
		const { name, trainingName, dueDate } = requireValue(holdings.enrollments.find(({ resourceId }) => resourceId === id));
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
	assert.deepEqual(inOrder(items.map(omitAddedFields)), inOrder(expected));
}

const reportCases = defineCases('TrainingReport', {
	getSendingReport: createReportPrepare(0, (id) => `POST /api/training-reports/${id}/sending-report/search`),
	// A live deployment cannot sort certificates by 'Email': there the field is 'userEmail'.
	getCertificates: async (customer) => {
		const run = await createReportPrepare(0, (id) => `POST /api/enrollments/${id}/certificates/search`)(customer, false);
		return allowRejection(customer, 'POST /api/enrollments/{enrollmentId}/certificates/search', run);
	},
	getReminderMails: createReportPrepare(1, (id) => `POST /api/training-reports/${id}/reminder-mails/search`, {
		options: { reportAllPages: true, trainingType: 'Training', showByExamStatus: 'Any' },
	}),
	getNotifications: async (customer) => {
		const { id } = findSeededEnrollment(customer, 0);
		// The number that a company has there; who does not say it takes any.
		const [first] = customer.isDeployed ? await customer.fetchList(buildNotificationSearchKey(id)) : [];
		const companyId = z.number().parse(first?.companyId ?? 7);
		const wanted = { status: 'Sent', type: 'Email' };
		return await createReportPrepare(0, buildNotificationSearchKey, { options: { ...wanted, companyId } }, wanted)(customer, false);
	},
	// The contract's service takes type 0 of any enrollment, a live deployment of surveys alone.
	getUsers: async (customer) => {
		const body = customer.isDeployed ? { trainingType: 0 } : {};
		const { id, parameters } = findSeededEnrollment(customer, customer.isDeployed ? 2 : 1);
		const rows = await customer.fetchList(`POST /api/training-reports/${id}/users/search`, body);
		return {
			parameters: { ...parameters, returnAll: true, options: { trainingType: 0 } },
			itemCount: rows.length,
			requiredRequests: [USERS, ONE, ...(customer.isDeployed ? [SUMMARY] : [])],
			...(customer.isDeployed ? { rejectedRequests: [SUMMARY] } : {}),
			checkItems: (items) => expectPeople(customer, items, [{ id, rows }]),
		};
	},
	progressOfPeriod: async (customer) => {
		const enrollments = customer.companyData.enrollments.filter(({ markedAsTest }) => !markedAsTest);
		const all = await Promise.all(
			enrollments.map(async ({ resourceId: id, type }) => {
				const body = customer.isDeployed && type === 'Survey' ? { trainingType: 0 } : {};
				return { id, rows: await customer.fetchList(`POST /api/training-reports/${id}/users/search`, body) };
			}),
		);
		const each = <T>(value: T) => customer.companyData.enrollments.map(() => value);
		return {
			parameters: { ...customer.companyParameters, period: 'custom' },
			itemCount: all.flatMap(({ rows }) => rows).length,
			requiredRequests: ['POST /api/enrollments/search', ...each(ONE), ...enrollments.map(() => USERS)],
			// The contract's platform has no list of people.
			optionalRequests: [customer.isDeployed ? PEOPLE : 'unknown'],
			...(customer.isDeployed ? { rejectedRequests: ['POST /api/enrollments/search', ...each(USERS)] } : {}),
			checkItems: (items) => expectPeople(customer, items, all, { isActive: customer.isDeployed ? true : null }),
		};
	},
	getSummary: async (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		const enrollment = requireValue(customer.companyData.enrollments.find(({ resourceId }) => resourceId === id));
		return await createSummaryRun(customer, `GET /api/training-reports/${id}/summary`, parameters, (all) => {
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
		const { id, parameters } = findSeededEnrollment(customer, 0);
		const { resourceId } = requireValue(customer.companyData.users[0]);
		return await createRecordRun(customer, `GET /api/training-reports/${id}/interactions/${resourceId}`, {
			...parameters,
			targetUser: toIdLocator(resourceId),
		});
	},
});

const exportCases = defineCases(
	'TrainingReport',
	{
		exportSendingReport: async (customer) => {
			const { id, name, parameters } = findSeededEnrollment(customer, 0);
			const search = 'POST /api/training-reports/{enrollmentId}/sending-report/search';
			const rows = await customer.fetchList(search.replace('{enrollmentId}', id));
			return createExportRun(customer, {
				key: `${search}/export`,
				fileName: 'sending-report.csv',
				rowCount: rows.length,
				parameters,
				...buildEnrollmentSubject(name),
				searchRequest: search,
			});
		},
	},
	{ returnsFile: true },
);

/** What became of an enrollment. */
export const trainingReportCases: Case[] = [...reportCases, ...exportCases];
