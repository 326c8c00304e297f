/** When executive reports are mailed by themselves (deployment beyond; deployment activity, 6). */
import { z } from 'zod';
import { check, dateTime, found, int32 } from '../envelope';
import { acting, beside, reading, writing, type Call, type Route, type Row } from '../http';
import { shortId } from '../random';
import type { Schedule } from '../seed';
import { strictSearch, type StrictListing } from './lists';
import { reportsOf } from './reports';

const FREQUENCIES = ['Once', 'Weekly', 'Two-Weekly', 'Monthly', 'Quarterly'];

const texts = z.array(z.string());
const body = z
	.object({
		reportType: int32,
		reportResourceId: z.string().min(1),
		name: z.string().min(1),
		frequency: int32,
		schedule: dateTime.nullish(),
		scheduledDateTimeZoneId: z.string().nullish(),
		isRegionAwareTimeZone: z.boolean().nullish(),
		emailAddresses: texts,
		managerEmails: texts,
		targetGroupResourceIds: texts,
	})
	.passthrough();

/** The schedules of the company: one for each report, unless they were changed. */
function schedulesOf(call: Call): Schedule[] {
	return (call.home.schedules ??= reportsOf(call).map(({ resourceId, name }, at) => ({
		resourceId: shortId(`schedule ${String(resourceId)}`),
		name: `${String(name)}, by mail`,
		status: 1,
		reportType: 2,
		reportResourceId: String(resourceId),
		frequency: at === 0 ? 3 : 1,
		schedule: '2026-01-01T06:00:00.000Z',
		scheduledDateTimeZoneId: 'Europe/Berlin',
		isRegionAwareTimeZone: true,
		emailAddresses: ['ceo@customer.example', 'cfo@customer.example'],
		managerEmails: [],
		targetGroupResourceIds: [],
	})));
}

const LAST_SEND_DATE = '2026-01-01T06:00:00.000Z';
/** Returns when a schedule sends its next report; null if it is turned off. */
const nextSendDate = ({ status }: { status: number }) => (status === 1 ? '2026-02-01T06:00:00.000Z' : null);

const one = (call: Call): Schedule =>
	found(
		schedulesOf(call).find(({ resourceId }) => resourceId === call.params.resourceId),
		'scheduled report',
	);

const LIST: StrictListing = {
	rows: (call) =>
		schedulesOf(call).map(({ resourceId, name, reportResourceId, frequency, status }): Row => ({
			resourceId,
			name,
			reportResourceId,
			status,
			frequency: FREQUENCIES[frequency] ?? 'Daily',
			reportName: reportsOf(call).find((each) => each.resourceId === reportResourceId)?.name ?? null,
			createTime: '2025-12-02T08:00:00.000Z',
			lastSendDate: LAST_SEND_DATE,
			nextSendDate: nextSendDate({ status }),
		})),
	id: 'resourceId',
	name: 'name',
	required: 'none',
	filter: 'optional',
	sorts: ['Name', 'ReportName', 'Frequency', 'Status', 'CreateTime', 'LastSendDate', 'NextSendDate'],
};

/** The record: with other names than a request, and each list as one text. */
function shown(call: Call): Row {
	const { reportType, frequency, ...schedule } = one(call);
	const { emailAddresses, managerEmails, targetGroupResourceIds } = schedule;
	return {
		...schedule,
		reportTypeId: reportType,
		frequencyTypeId: frequency,
		nextSendDate: nextSendDate(schedule),
		lastSendDate: LAST_SEND_DATE,
		emailAddresses: emailAddresses.join(','),
		managerEmails: managerEmails.join(','),
		targetGroupResourceIds: targetGroupResourceIds.join(','),
	};
}

function create(call: Call): string {
	const schedule = { ...check(body, call.json), resourceId: call.world.newId('schedule'), status: 1 };
	schedulesOf(call).push(schedule);
	return schedule.resourceId;
}

/** The record becomes what was sent. */
function change(call: Call): string {
	const { resourceId, status } = one(call);
	const changed = { ...check(body, call.json), resourceId, status };
	call.home.schedules = schedulesOf(call).map((each) => (each.resourceId === resourceId ? changed : each));
	return resourceId;
}

function switchTo(call: Call): string {
	const schedule = one(call);
	schedule.status = Number(call.params.statusId);
	return schedule.resourceId;
}

function remove(call: Call): string {
	const schedule = one(call);
	found(String(schedule.reportType) === call.params.reportType ? schedule : undefined, 'scheduled report');
	call.home.schedules = schedulesOf(call).filter((each) => each !== schedule);
	return schedule.resourceId;
}

export function scheduleRoutes(): Route[] {
	const path = '/api/report-scheduling';
	return [
		strictSearch(`POST ${path}/search`, LIST),
		writing(`POST ${path}`, create),
		reading(`GET ${path}/{resourceId}`, shown),
		writing(`PUT ${path}/{resourceId}`, change),
		acting(`PUT ${path}/{resourceId}/status/{statusId}`, switchTo),
		acting(`DELETE ${path}/{resourceId}/{reportType}`, remove),
	].map(beside);
}
