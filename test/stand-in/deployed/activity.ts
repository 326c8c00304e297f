/** Routes for user activity in a period, over all campaigns and all enrollments of a company (deployment activity 3). */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { createBadRequestError } from '../envelope';
import { markOutsideContract, type RouteCall, type Route, type JsonObject } from '../http';
import { getJobPeople, type UserAction } from '../routes/campaign-people';
import { listCampaigns, wasSent } from '../routes/campaigns';
import { buildCompanyRecord } from '../routes/companies';
import { getProgress } from '../routes/training-report-lists';
import type { ListDefinition } from '../paging';
import { defineDeployedSearchRoute } from './lists';

const periodBodyFields = {
	startDate: z.string().nullish(),
	endDate: z.string().nullish(),
	groupByUser: z.boolean().nullish(),
};

/**
 * Parses a date in the format that the option activityDateFormat sets: ISO 8601, or the company's display format in
 * UTC.
 * @returns the time in milliseconds; undefined if the value is not a string
 * @throws HttpError 400
 */
function parseTime(call: RouteCall, value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const { dateFormat, timeFormat } = buildCompanyRecord(call.companyData.company, call);
	const dateTokens = String(dateFormat).toLowerCase().replaceAll('m', 'M');
	const displayFormat = `${dateTokens} ${['12h', 'hh:mm tt'].includes(String(timeFormat)) ? 'hh:mm a' : 'HH:mm'}`;
	const time =
		call.options.activityDateFormat === 'iso'
			? DateTime.fromISO(value, { zone: 'utc' })
			: DateTime.fromFormat(value, displayFormat, { zone: 'utc' });
	if (!time.isValid) throw createBadRequestError(`The value '${value}' is not valid for StartDate.`);
	return time.toMillis();
}

/**
 * Selects the rows of a period, and adds the number of selected rows to each. With `groupByUser`, the rows of each person
 * are combined into one, which contains only the name and the sums.
 */
function selectRowsInPeriod(
	call: RouteCall,
	body: JsonObject,
	rows: JsonObject[],
	countFields: readonly string[],
): JsonObject[] {
	const startTime = parseTime(call, body.startDate) ?? -Infinity;
	const endTime = parseTime(call, body.endDate) ?? Infinity;
	const rowsInPeriod = rows.filter(({ createTime }) => {
		const time = Date.parse(String(createTime));
		return time >= startTime && time <= endTime;
	});
	const rowsByEmail = new Map<string, JsonObject>();
	for (const row of rowsInPeriod) {
		const email = String(row.email);
		const totals = rowsByEmail.get(email) ?? {};
		const sums = countFields.map((name): [string, number] => [name, Number(totals[name] ?? 0) + Number(row[name])]);
		rowsByEmail.set(email, { firstName: row.firstName, lastName: row.lastName, email, ...Object.fromEntries(sums) });
	}
	const selectedRows = body.groupByUser === true ? [...rowsByEmail.values()] : rowsInPeriod;
	return selectedRows.map((row) => ({ ...row, totalRowCount: selectedRows.length }));
}

/** The action that each count field of a row counts. */
const ACTION_BY_COUNT_FIELD = {
	opened: 'opened',
	clicked: 'clicked',
	replied: 'replied',
	attachmentOpened: 'attachmentOpened',
	dataSubmitted: 'submitted',
	reported: 'reported',
} as const satisfies Record<string, UserAction>;

/** Each row is one activity. No field shows whether it came from a bot or a person. */
const PHISHING_ACTIVITY_LIST: ListDefinition = {
	getRows(call, body) {
		const people = listCampaigns(call, 'phishing')
			.filter(wasSent)
			.flatMap((campaign) =>
				campaign.instanceGroups.flatMap((group) =>
					getJobPeople(call.world, campaign, group).map((person) => ({ campaign, person })),
				),
			);
		const countFields = Object.keys(ACTION_BY_COUNT_FIELD);
		const rows = people.flatMap(({ campaign: { name, scenario, difficulty }, person: { user, activities } }) =>
			Object.entries(ACTION_BY_COUNT_FIELD).flatMap(([countedField, action]) =>
				activities[action].map(({ time }) => ({
					firstName: user.firstName,
					lastName: user.lastName,
					email: user.email,
					campaignName: name,
					...Object.fromEntries(countFields.map((field) => [field, field === countedField ? 1 : 0])),
					scenarioName: scenario,
					difficulty,
					categoryName: 'Delivery',
					createTime: time,
				})),
			),
		);
		return selectRowsInPeriod(call, body, rows, countFields);
	},
	idField: 'email',
	nameField: 'firstName',
	textFields: ['email', 'firstName', 'lastName'],
	extraBodyFields: periodBodyFields,
};

const TRAINING_ACTIVITY_LIST: ListDefinition = {
	getRows(call, body) {
		const enrollments = call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).enrollments);
		const rows = enrollments.flatMap(({ resourceId, name, type }) =>
			getProgress({ ...call, params: { enrollmentId: resourceId } }).people.map(
				({ user, status, score, sentTime }) => ({
					firstName: user.firstName,
					lastName: user.lastName,
					email: user.email,
					enrollmentName: name,
					contentType: type,
					trainingStatus: status === 'Completed' ? 'Completed' : 'NotCompleted',
					enrolledOn: sentTime,
					createTime: sentTime,
					examScore: score,
					startedOn: status === 'NotStarted' ? null : sentTime,
					completedOn: status === 'Completed' ? sentTime : null,
					openedTrainingEmail: status === 'NotStarted' ? 0 : 1,
					clickedTrainingEmail: status === 'NotStarted' ? 0 : 1,
					completedCount: status === 'Completed' ? 1 : 0,
					notCompletedCount: status === 'Completed' ? 0 : 1,
				}),
			),
		);
		const countFields = ['openedTrainingEmail', 'clickedTrainingEmail', 'completedCount', 'notCompletedCount'];
		return selectRowsInPeriod(call, body, rows, countFields);
	},
	idField: 'email',
	nameField: 'firstName',
	textFields: ['email', 'firstName', 'lastName'],
	extraBodyFields: periodBodyFields,
};

export function activityRoutes(): Route[] {
	return [
		markOutsideContract(
			defineDeployedSearchRoute(
				'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search',
				PHISHING_ACTIVITY_LIST,
			),
		),
		markOutsideContract(
			defineDeployedSearchRoute('POST /api/training-reports/activity-users/search', TRAINING_ACTIVITY_LIST),
		),
	];
}
