import type { IDataObject } from 'n8n-workflow';

import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { checkNewStart } from '../core/fields/period';
import { defineOperation } from '../core/operation/defineOperation';
import { updateWhole } from '../core/operation/updateRecord';
import { pickerOf } from '../domain/pickers/resourcePickers';
import { InvalidInput } from '../core/http/errors';
import { changedFields, EXECUTIVE, furtherOfNew, mainFields, SCHEDULE, status } from './executiveReportFields';
import { isEmpty, numberOf, toJson } from '../core/values';

const getMany = defineOperation({
	value: 'getScheduledReports',
	name: 'Get Many Scheduled Reports',
	description: 'List the reports that the platform sends by itself, how often, and when next',
	endpoint: 'POST /api/report-scheduling/search',
	scope: 'companies',
	answer: pages({
		identity: ['resourceId'],
		known: {
			simplified: [
				'name',
				'reportName',
				'frequency',
				'status',
				'nextSendDate',
				'lastSendDate',
				'createTime',
				'reportResourceId',
				'resourceId',
			],
		},
	}),
});

const scheduledReport = pickerOf('scheduledReports');

/** What acts on one schedule, and is answered with its ID. */
const ofOne = {
	scope: 'company' as const,
	fields: { scheduledReport },
	request: ({ scheduledReport: { id } }: { scheduledReport: { id: string } }) => ({ path: { resourceId: id } }),
	answer: record({ as: 'resourceId' }),
};

const get = defineOperation({
	value: 'getScheduledReport',
	name: 'Get Scheduled Report',
	description: 'Get when and to whom the platform sends a report by itself',
	endpoint: 'GET /api/report-scheduling/{resourceId}',
	...ofOne,
	answer: record({
		known: {
			id: ['resourceId'],
			simplified: [
				'name',
				'schedule',
				'emailAddresses',
				'managerEmails',
				'frequencyTypeId',
				'scheduledDateTimeZoneId',
				// Platforms also have these three fields (deployment onboarding, 1).
				'status',
				'nextSendDate',
				'lastSendDate',
				'resourceId',
			],
			others: ['isRegionAwareTimeZone', 'reportTypeId', 'reportResourceId', 'targetGroupResourceIds'],
		},
	}),
});

/** The fields of a schedule that say who gets the report. */
const RECIPIENTS = ['emailAddresses', 'managerEmails', 'targetGroupResourceIds'];

/**
 * Checks that a schedule has at least one recipient.
 * @param path leads to 'Email Addresses' in the form
 * @param block the name of the block of the form that has the managers and the target groups
 * @throws InvalidInput
 */
function checkRecipients(schedule: IDataObject, path: string[], block: string): void {
	if (RECIPIENTS.some((name) => [schedule[name]].flat().some((recipient) => !isEmpty(recipient)))) return;
	throw new InvalidInput(
		'must not be empty if the report has no other recipients',
		path,
		`Enter addresses, or add managers or target groups under '${block}'.`,
	);
}

const create = defineOperation({
	value: 'createScheduledReport',
	name: 'Create Scheduled Report',
	description: 'Mail a report by itself, also to outsiders; the first mail leaves soon',
	endpoint: 'POST /api/report-scheduling',
	scope: 'company',
	fields: { ...mainFields, additionalFields: furtherOfNew },
	request: ({ additionalFields, ...main }) => {
		const { managerEmails = [], targetGroupResourceIds = [] } = additionalFields;
		const body = { reportType: EXECUTIVE, managerEmails, targetGroupResourceIds, ...main, ...additionalFields };
		checkRecipients(body, ['emailAddresses'], 'Additional Fields');
		return { body };
	},
	answer: record({ as: 'resourceId' }),
});

/** Without these it would be another report, or none (deployment activity, 6). */
const REQUIRED = {
	name: 'Name',
	reportResourceId: 'Executive Report',
	reportType: 'Report Type',
	frequency: 'Frequency',
};

const update = defineOperation({
	value: 'updateScheduledReport',
	name: 'Update Scheduled Report',
	description: 'Change when and to whom a report is mailed; a mail may leave soon after',
	endpoint: 'PUT /api/report-scheduling/{resourceId}',
	...ofOne,
	fields: { scheduledReport, additionalFields: changedFields },
	isUpdate: true,
	request: ({ additionalFields, ...one }) => ({ ...ofOne.request(one), body: additionalFields }),
	perform: async ({ scheduledReport: { id }, additionalFields }, tools) => {
		const { schedule, scheduledDateTimeZoneId: zone = tools.context.timezone } = additionalFields;
		const path = ['additionalFields', 'schedule'];
		await checkNewStart(
			schedule,
			zone,
			path,
			async () => toJson((await tools.ask(get, { path: { resourceId: id } })).data).schedule,
		);
		const check = (changed: IDataObject) =>
			checkRecipients(changed, ['additionalFields', 'emailAddresses'], 'Update Fields');
		return await updateWhole(get, { sources: SCHEDULE, required: REQUIRED, check }, tools);
	},
});

const switchOnOrOff = defineOperation({
	value: 'switchScheduledReport',
	name: 'Switch Scheduled Report On or Off',
	description: 'Let the platform send a report by itself, or not any more',
	endpoint: 'PUT /api/report-scheduling/{resourceId}/status/{statusId}',
	...ofOne,
	fields: { scheduledReport, status },
	request: ({ status: statusId, ...one }) => ({ path: { ...ofOne.request(one).path, statusId: String(statusId) } }),
});

const deleteOne = defineOperation({
	value: 'deleteScheduledReport',
	name: 'Delete Scheduled Report',
	description: 'Send a report no more by itself; the report stays',
	endpoint: 'DELETE /api/report-scheduling/{resourceId}/{reportType}',
	...ofOne,
	request: ({ scheduledReport: { id } }) => ({ path: { resourceId: id, reportType: String(EXECUTIVE) } }),
	answer: done({ deleted: true }),
	perform: async ({ scheduledReport: { id } }, { ask, send }) => {
		const { reportTypeId } = toJson((await ask(get, { path: { resourceId: id } })).data);
		const type = numberOf(reportTypeId);
		return await send({ path: { resourceId: id, reportType: String(Number.isNaN(type) ? EXECUTIVE : type) } });
	},
});

export const scheduleOperations = [create, deleteOne, get, getMany, switchOnOrOff, update];
