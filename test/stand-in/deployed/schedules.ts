/** Routes for emailing executive reports on a schedule (deployment beyond, "Report schedules"; deployment activity 6). */
import { z } from 'zod';
import { parseWithSchema, dateTimeSchema, requireFound, int32Schema } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { makeShortId } from '../random';
import type { Schedule } from '../seed';
import type { ListDefinition } from '../paging';
import { defineDeployedSearchRoute } from './lists';
import { listReports } from './reports';

const FREQUENCIES = ['Once', 'Weekly', 'Two-Weekly', 'Monthly', 'Quarterly'];

const stringListSchema = z.array(z.string());
const scheduleSchema = z
	.object({
		reportType: int32Schema,
		reportResourceId: z.string().min(1),
		name: z.string().min(1),
		frequency: int32Schema,
		schedule: dateTimeSchema.nullish(),
		scheduledDateTimeZoneId: z.string().nullish(),
		isRegionAwareTimeZone: z.boolean().nullish(),
		emailAddresses: stringListSchema,
		managerEmails: stringListSchema,
		targetGroupResourceIds: stringListSchema,
	})
	.passthrough();

/** Lists the schedules of the company. The first call creates one for each report. */
function listSchedules(call: RouteCall): Schedule[] {
	return (call.companyData.schedules ??= listReports(call).map(({ resourceId, name }, index) => ({
		resourceId: makeShortId(`schedule ${String(resourceId)}`),
		name: `${String(name)}, by mail`,
		status: 1,
		reportType: 2,
		reportResourceId: String(resourceId),
		frequency: index === 0 ? 3 : 1,
		schedule: '2026-01-01T06:00:00.000Z',
		scheduledDateTimeZoneId: 'Europe/Berlin',
		isRegionAwareTimeZone: true,
		emailAddresses: ['ceo@customer.example', 'cfo@customer.example'],
		managerEmails: [],
		targetGroupResourceIds: [],
	})));
}

const LAST_SEND_DATE = '2026-01-01T06:00:00.000Z';

/** Returns the time of a schedule's next email; null if the schedule is turned off. */
const getNextSendDate = ({ status }: { status: number }) => (status === 1 ? '2026-02-01T06:00:00.000Z' : null);

const findSchedule = (call: RouteCall): Schedule =>
	requireFound(
		listSchedules(call).find(({ resourceId }) => resourceId === call.params.resourceId),
		'scheduled report',
	);

const SCHEDULE_LIST: ListDefinition = {
	getRows: (call) =>
		listSchedules(call).map(({ resourceId, name, reportResourceId, frequency, status }): JsonObject => ({
			resourceId,
			name,
			reportResourceId,
			status,
			frequency: FREQUENCIES[frequency] ?? 'Daily',
			reportName: listReports(call).find((report) => report.resourceId === reportResourceId)?.name ?? null,
			createTime: '2025-12-02T08:00:00.000Z',
			lastSendDate: LAST_SEND_DATE,
			nextSendDate: getNextSendDate({ status }),
		})),
	idField: 'resourceId',
	nameField: 'name',
	requiredPaging: 'none',
	filterRequirement: 'optional',
	extraSortNames: ['Name', 'ReportName', 'Frequency', 'Status', 'CreateTime', 'LastSendDate', 'NextSendDate'],
};

/** Builds the record of a schedule. Some field names differ from those in requests, and each list becomes one text. */
function buildScheduleRecord(call: RouteCall): JsonObject {
	const { reportType, frequency, ...schedule } = findSchedule(call);
	const { emailAddresses, managerEmails, targetGroupResourceIds } = schedule;
	return {
		...schedule,
		reportTypeId: reportType,
		frequencyTypeId: frequency,
		nextSendDate: getNextSendDate(schedule),
		lastSendDate: LAST_SEND_DATE,
		emailAddresses: emailAddresses.join(','),
		managerEmails: managerEmails.join(','),
		targetGroupResourceIds: targetGroupResourceIds.join(','),
	};
}

function createSchedule(call: RouteCall): string {
	const schedule = {
		...parseWithSchema(scheduleSchema, call.json),
		resourceId: call.world.createId('schedule'),
		status: 1,
	};
	listSchedules(call).push(schedule);
	return schedule.resourceId;
}

/** Replaces the record with the request body. */
function updateSchedule(call: RouteCall): string {
	const { resourceId, status } = findSchedule(call);
	const updatedSchedule = { ...parseWithSchema(scheduleSchema, call.json), resourceId, status };
	call.companyData.schedules = listSchedules(call).map((schedule) =>
		schedule.resourceId === resourceId ? updatedSchedule : schedule,
	);
	return resourceId;
}

function setStatus(call: RouteCall): string {
	const schedule = findSchedule(call);
	schedule.status = Number(call.params.statusId);
	return schedule.resourceId;
}

function removeSchedule(call: RouteCall): string {
	const schedule = findSchedule(call);
	requireFound(String(schedule.reportType) === call.params.reportType ? schedule : undefined, 'scheduled report');
	call.companyData.schedules = listSchedules(call).filter((entry) => entry !== schedule);
	return schedule.resourceId;
}

export function scheduleRoutes(): Route[] {
	const path = '/api/report-scheduling';
	return [
		defineDeployedSearchRoute(`POST ${path}/search`, SCHEDULE_LIST),
		defineSaveRoute(`POST ${path}`, createSchedule),
		defineReadRoute(`GET ${path}/{resourceId}`, buildScheduleRecord),
		defineSaveRoute(`PUT ${path}/{resourceId}`, updateSchedule),
		defineActionRoute(`PUT ${path}/{resourceId}/status/{statusId}`, setStatus),
		defineActionRoute(`DELETE ${path}/{resourceId}/{reportType}`, removeSchedule),
	].map(markOutsideContract);
}
