/** The cases for training reports. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
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
	type CaseRun,
	type JsonObject,
} from './case';
import { findSeededEnrollment, buildEnrollmentSubject } from './enrollments';

/**
 * Creates the run that lists the rows of a report.
 * @param index the index of the seeded enrollment
 * @param searchKey the key of the list, with the placeholder {enrollmentId}
 * @param extraParameters node parameters in addition to those that select the enrollment
 * @param body further body fields of the request that fetches the expected rows
 */
async function createReportRun(
	customer: CustomerFixture,
	index: number,
	searchKey: string,
	extraParameters: IDataObject = {},
	body: object = {},
): Promise<CaseRun> {
	const { id, parameters } = findSeededEnrollment(customer, index);
	return await createListRun(
		customer,
		searchKey.replace('{enrollmentId}', id),
		{ ...parameters, ...extraParameters },
		body,
	);
}

const CERTIFICATE_SEARCH = 'POST /api/enrollments/{enrollmentId}/certificates/search';
const NOTIFICATION_SEARCH = 'POST /api/notifications/{enrollmentId}/search';
const USER_SEARCH = 'POST /api/training-reports/{enrollmentId}/users/search';
const SENDING_REPORT_SEARCH = 'POST /api/training-reports/{enrollmentId}/sending-report/search';
const TARGET_USER_SEARCH = 'POST /api/target-users/search';
const ENROLLMENT_REQUEST = 'GET /api/enrollments/{resourceId}';
const SUMMARY_REQUEST = 'GET /api/training-reports/{enrollmentId}/summary';

/**
 * Checks that there is an item for every person of every enrollment, with the training, the progress and the due date.
 * @param addedFields further fields of every item
 */
function expectPeople(
	{ companyData }: CustomerFixture,
	items: Item[],
	reports: Array<{ id: string; rows: JsonObject[] }>,
	addedFields: IDataObject = {},
): void {
	const expectedItems = reports.flatMap(({ id, rows }) => {
		const enrollment = requireValue(companyData.enrollments.find(({ resourceId }) => resourceId === id));
		return rows.map(({ firstName, lastName, email, department, status, ...row }) => ({
			email,
			firstName,
			lastName,
			department,
			...addedFields,
			trainingName: enrollment.trainingName,
			enrollmentName: enrollment.name,
			status,
			score: row.examScore ?? row.score ?? null,
			completed: row.firstCompletionDate ?? null,
			due: enrollment.dueDate,
			resourceId: row.resourceId,
		}));
	});
	const toSortedTexts = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
	assert.deepEqual(toSortedTexts(items.map(omitAddedFields)), toSortedTexts(expectedItems));
}

const recordCases = defineCases('TrainingReport', {
	'email.getSendingReport': async (customer) => createReportRun(customer, 0, SENDING_REPORT_SEARCH),
	// Live deployments cannot sort certificates by 'Email', because the field is named 'userEmail'.
	'certificate.getMany': async (customer) => {
		const run = await createReportRun(customer, 0, CERTIFICATE_SEARCH);
		return allowRejection(customer, CERTIFICATE_SEARCH, run);
	},
	'email.getReminders': async (customer) =>
		createReportRun(customer, 1, 'POST /api/training-reports/{enrollmentId}/reminder-mails/search', {
			options: {
				reportAllPages: true,
				trainingType: toListLocator('Training', 'Training'),
				showByExamStatus: toListLocator('Any', 'Any'),
			},
		}),
	'email.getNotifications': async (customer) => {
		const { id } = findSeededEnrollment(customer, 0);
		// Live deployments filter by the numeric ID of the company. On the contract's platform any number works, because rows
		// do not contain this ID.
		const searchKey = NOTIFICATION_SEARCH.replace('{enrollmentId}', id);
		const [firstRow] = customer.isDeployed ? await customer.fetchList(searchKey) : [];
		const companyId = z.number().parse(firstRow?.companyId ?? 7);
		const filter = { status: 'Sent', type: 'Email' };
		return await createReportRun(customer, 0, NOTIFICATION_SEARCH, { options: { ...filter, companyId } }, filter);
	},
	// Training type 0 is used for a survey on live deployments. The contract's platform accepts it for every enrollment.
	'enrolledUser.getMany': async (customer) => {
		const body = customer.isDeployed ? { trainingType: 0 } : {};
		const { id, parameters } = findSeededEnrollment(customer, customer.isDeployed ? 2 : 1);
		const rows = await customer.fetchList(`POST /api/training-reports/${id}/users/search`, body);
		return {
			parameters: { ...parameters, returnAll: true, options: { trainingType: 0 } },
			itemCount: rows.length,
			requiredRequests: customer.isDeployed
				? [USER_SEARCH, ENROLLMENT_REQUEST, SUMMARY_REQUEST]
				: [USER_SEARCH, ENROLLMENT_REQUEST],
			rejectedRequests: customer.isDeployed ? [SUMMARY_REQUEST] : [],
			checkItems: (items) => expectPeople(customer, items, [{ id, rows }]),
		};
	},
	getManyByPeriod: async (customer) => {
		const enrollments = customer.companyData.enrollments.filter(({ markedAsTest }) => !markedAsTest);
		const reports = await Promise.all(
			enrollments.map(async ({ resourceId: id, type }) => {
				const body = customer.isDeployed && type === 'Survey' ? { trainingType: 0 } : {};
				return { id, rows: await customer.fetchList(`POST /api/training-reports/${id}/users/search`, body) };
			}),
		);
		const repeatForEnrollments = (key: string) => customer.companyData.enrollments.map(() => key);
		return {
			parameters: { ...customer.companyParameters, period: 'custom', periodStart: '2000-01-01' },
			itemCount: reports.flatMap(({ rows }) => rows).length,
			requiredRequests: [
				'POST /api/enrollments/search',
				...repeatForEnrollments(ENROLLMENT_REQUEST),
				...enrollments.map(() => USER_SEARCH),
			],
			// The contract's platform has no list of target users.
			optionalRequests: [customer.isDeployed ? TARGET_USER_SEARCH : 'unknown'],
			rejectedRequests: customer.isDeployed
				? ['POST /api/enrollments/search', ...repeatForEnrollments(USER_SEARCH)]
				: [],
			checkItems: (items) => expectPeople(customer, items, reports, { isActive: customer.isDeployed ? true : null }),
		};
	},
	getSummary: async (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		const enrollment = requireValue(customer.companyData.enrollments.find(({ resourceId }) => resourceId === id));
		return await createSummaryRun(customer, `GET /api/training-reports/${id}/summary`, parameters, (fields) => {
			const [inProgress, completed, failed] = z
				.tuple([z.number(), z.number(), z.number()])
				.parse([fields.inProgressCount, fields.completedCount, fields.failedExamCount]);
			return {
				enrollmentName: enrollment.name,
				trainingName: enrollment.trainingName,
				startDate: enrollment.startDate,
				isTest: enrollment.excludeFromReports,
				enrolled: fields.totalTargetUserCount,
				delivered: fields.emailDeliveredUserCount ?? fields.deliveredCount,
				noResponse: fields.noResponseCount ?? fields.notStartedCount,
				started: inProgress + completed,
				inProgress,
				completed,
				passed: completed - failed,
				failed,
			};
		});
	},
	'enrolledUser.getInteractions': async (customer) => {
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
		'email.export': async (customer) => {
			const { id, name, parameters } = findSeededEnrollment(customer, 0);
			const rows = await customer.fetchList(SENDING_REPORT_SEARCH.replace('{enrollmentId}', id));
			return createExportRun(customer, {
				key: `${SENDING_REPORT_SEARCH}/export`,
				fileName: 'sending-report.csv',
				rowCount: rows.length,
				parameters,
				...buildEnrollmentSubject(name),
				searchRequest: SENDING_REPORT_SEARCH,
			});
		},
	},
	{ hasFileOutput: true },
);

export const trainingReportCases: Case[] = [...recordCases, ...exportCases];
