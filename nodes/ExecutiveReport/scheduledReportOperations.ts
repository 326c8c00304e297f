import type { IDataObject } from 'n8n-workflow';

import { listResponse } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { rejectNewStartInPast } from '../core/fields/period';
import { defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { updateRecord } from '../core/operation/updateRecord';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { describeWrite, readRecordIfPossible, type WriteResult } from '../domain/writeReport';
import { InvalidInputError } from '../core/http/errors';
import {
	scheduleUpdateBlock,
	EXECUTIVE_REPORT_TYPE,
	newScheduleBlock,
	requiredScheduleFields,
	SCHEDULE_CURRENT_VALUE_SOURCES,
	scheduleStatusField,
	TIME_ZONE_FIELD,
} from './scheduledReportFields';
import { isEmpty, parseNumber, readId, toItemJson, type Choice } from '../core/values';

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many scheduled reports',
	description: 'List the executive reports that the platform emails on a schedule',
	endpoint: 'POST /api/report-scheduling/search',
	scope: 'companies',
	response: listResponse({
		identity: ['resourceId'],
		outputFields: {
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

const scheduledReportField = resourcePicker('scheduledReports');

/** The properties that all operations on a single schedule share. Most of these operations return only the schedule's ID. */
const sharedScheduleProperties = {
	scope: 'company' as const,
	fields: { scheduledReport: scheduledReportField },
	request: ({ scheduledReport }: { scheduledReport: Choice }) => ({ path: { resourceId: scheduledReport.id } }),
	response: recordResponse({ valueField: 'resourceId' }),
};

const getOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get scheduled report',
	description: 'Get the schedule and the recipients of an executive report',
	endpoint: 'GET /api/report-scheduling/{resourceId}',
	...sharedScheduleProperties,
	response: recordResponse({
		outputFields: {
			id: ['resourceId'],
			simplified: [
				'name',
				'schedule',
				'emailAddresses',
				'managerEmails',
				'frequencyTypeId',
				'scheduledDateTimeZoneId',
				// The record also has the next three fields, although older documents don't list them (deployment onboarding 1).
				'status',
				'nextSendDate',
				'lastSendDate',
				'resourceId',
			],
			additional: ['isRegionAwareTimeZone', 'reportTypeId', 'reportResourceId', 'targetGroupResourceIds'],
		},
	}),
});

/** The request fields of a schedule that contain recipients. */
const RECIPIENT_FIELDS = ['emailAddresses', 'managerEmails', 'targetGroupResourceIds'];

/**
 * Checks that a schedule has at least one recipient.
 * @param fieldPath the path of 'Email Addresses' in the form, for the error
 * @param blockLabel the label of the collection in which the user enters managers and target groups, for the error
 * @throws InvalidInputError
 */
function checkRecipients(schedule: IDataObject, fieldPath: string[], blockLabel: string): void {
	const recipients = RECIPIENT_FIELDS.flatMap((name) => schedule[name]);
	if (recipients.some((recipient) => !isEmpty(recipient))) return;
	throw new InvalidInputError(
		'must not be empty if the report has no other recipients',
		fieldPath,
		`Enter email addresses, or add managers or target groups in '${blockLabel}'.`,
	);
}

const createOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create scheduled report',
	description: 'Create a schedule on which the platform emails an executive report',
	outputNote:
		"The platform may email the report for the first time soon after this operation, before the time in 'Send At'.",
	endpoint: 'POST /api/report-scheduling',
	scope: 'company',
	fields: { ...requiredScheduleFields, additionalFields: newScheduleBlock },
	request: ({ additionalFields, ...requiredValues }) => {
		const { managerEmails = [], targetGroupResourceIds = [] } = additionalFields;
		const body = {
			reportType: EXECUTIVE_REPORT_TYPE,
			managerEmails,
			targetGroupResourceIds,
			...requiredValues,
			...additionalFields,
		};
		checkRecipients(body, ['emailAddresses'], 'Additional Fields');
		return { body };
	},
	response: recordResponse({ valueField: 'resourceId' }),
});

/**
 * The form labels of the request fields that an update must send. Without these fields, the schedule would lose its report or get a
 * different one (deployment activity 6).
 */
const REQUIRED_FIELD_LABELS = {
	name: 'Name',
	reportResourceId: 'Executive Report',
	reportType: 'Report Type',
	frequency: 'Frequency',
};

const updateOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update scheduled report',
	description: 'Change the schedule or the recipients of an executive report',
	outputNote: 'The platform may email the report soon after this operation.',
	endpoint: 'PUT /api/report-scheduling/{resourceId}',
	...sharedScheduleProperties,
	fields: { scheduledReport: scheduledReportField, additionalFields: scheduleUpdateBlock },
	isUpdate: true,
	request: ({ scheduledReport, additionalFields }) => ({
		...sharedScheduleProperties.request({ scheduledReport }),
		body: additionalFields,
	}),
	perform: async ({ scheduledReport, additionalFields }, helpers) => {
		const { schedule, scheduledDateTimeZoneId: timezone = helpers.context.timezone } = additionalFields;
		const readStoredSchedule = async () => (await readSchedule(scheduledReport.id, helpers)).schedule;
		await rejectNewStartInPast(schedule, timezone, ['additionalFields', 'schedule'], readStoredSchedule);
		const check = (newRecord: IDataObject) =>
			checkRecipients(newRecord, ['additionalFields', 'emailAddresses'], 'Update Fields');
		return await updateRecord(
			getOperation,
			{ currentValueSources: SCHEDULE_CURRENT_VALUE_SOURCES, requiredFields: REQUIRED_FIELD_LABELS, check },
			helpers,
		);
	},
});

/** Reads the record of a schedule. @throws RequestError */
async function readSchedule(resourceId: string, { callOperation }: OperationHelpers): Promise<IDataObject> {
	const { data } = await callOperation(getOperation, { path: { resourceId } });
	return toItemJson(data);
}

/** The values of the output field `result`, by the number of the new status. */
const SWITCH_RESULTS: Readonly<Record<number, WriteResult>> = { 1: 'turnedOn', 2: 'turnedOff' };

const turnOnOrOffOperation = defineOperation({
	value: 'turnOnOrOff',
	name: 'Turn On or Off',
	action: 'Turn scheduled report on or off',
	description: 'Start or stop emailing an executive report on its schedule',
	outputNote:
		'In the output, time is when somebody turned the schedule on or off, and nextSendDate is when the platform sends the next email.',
	endpoint: 'PUT /api/report-scheduling/{resourceId}/status/{statusId}',
	...sharedScheduleProperties,
	fields: { scheduledReport: scheduledReportField, status: scheduleStatusField },
	request: ({ scheduledReport, status }) => ({
		path: { resourceId: scheduledReport.id, statusId: String(status) },
	}),
	perform: async ({ scheduledReport, status }, helpers) => {
		const results = await helpers.send();
		const path = { resourceId: scheduledReport.id };
		const record = await readRecordIfPossible(getOperation, { path }, helpers);
		const result = SWITCH_RESULTS[status] ?? 'statusChanged';
		const report = {
			name: readId(record, ['name']) ?? (scheduledReport.name || null),
			...describeWrite(result, readId(record, [TIME_ZONE_FIELD]) ?? helpers.context.timezone),
			status: record.status ?? null,
			nextSendDate: result === 'turnedOff' ? null : (record.nextSendDate ?? null),
			emailAddresses: record.emailAddresses ?? null,
			managerEmails: record.managerEmails ?? null,
		};
		return results.map(({ json }) => ({ json: { ...report, ...json } }));
	},
});

const deleteOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete scheduled report',
	description: 'Delete the schedule of an executive report but keep the report',
	endpoint: 'DELETE /api/report-scheduling/{resourceId}/{reportType}',
	...sharedScheduleProperties,
	request: ({ scheduledReport }) => ({
		path: { resourceId: scheduledReport.id, reportType: String(EXECUTIVE_REPORT_TYPE) },
	}),
	response: emptyResponse({ deleted: true }),
	perform: async ({ scheduledReport: { id } }, helpers) => {
		const { reportTypeId, name = null } = await readSchedule(id, helpers);
		const storedType = parseNumber(reportTypeId);
		const reportType = Number.isNaN(storedType) ? EXECUTIVE_REPORT_TYPE : storedType;
		const results = await helpers.send({ path: { resourceId: id, reportType: String(reportType) } });
		return results.map(({ json }) => ({ json: { name, ...json } }));
	},
});

/** The operations on the schedules of executive reports. The node's properties list their forms in this order. */
export const scheduledReportOperations = [
	createOperation,
	deleteOperation,
	getOperation,
	getManyOperation,
	turnOnOrOffOperation,
	updateOperation,
];
