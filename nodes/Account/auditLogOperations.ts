import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { dateTimeField } from '../core/fields/fieldTypes';
import { isInTimeRange } from '../core/fields/period';
import { filtersBlock } from '../core/filters/filterFields';
import { defineOperation } from '../core/operation/defineOperation';
import { listResponse, type ListQuery } from '../core/response/listResponse';
import { readId } from '../core/values';

const auditLogFields = {
	filters: filtersBlock({
		loggedSince: dateTimeField({
			displayName: 'Logged Since',
			description: 'Only include entries of this time or later, such as 2026-03-31T08:00:00Z',
			hint: 'The node then returns the oldest entry first, unless you add a sort order',
		}),
	}),
};

const readLogDate = (entry: IDataObject) => readId(entry, ['logDate']);

/** Reads the time of an entry in ms since 1970. A time without a zone is UTC. An entry without a time comes last. */
function readLogTime(entry: IDataObject): number {
	const time = DateTime.fromISO(readLogDate(entry) ?? '', { zone: 'utc' });
	return time.isValid ? time.toMillis() : Infinity;
}

/**
 * Builds the query for the entries since a time. The date filter of platforms was wrong (deployment activity 9), so no date is
 * sent: the node reads the newest entries first and stops at the first one that is too old. It returns the oldest entry first, so
 * that a limit leaves out the newest entries, which a workflow reads next time.
 * @param loggedSince ISO 8601 in UTC; undefined if the user entered no time
 */
function buildSinceQuery(loggedSince: string | undefined): ListQuery {
	if (loggedSince === undefined) return {};
	const timeRange = { from: Date.parse(loggedSince), until: Infinity };
	const isInRange = (entry: IDataObject) => isInTimeRange(readLogDate(entry), timeRange);
	return {
		shouldKeep: isInRange,
		isPastEnd: (entry) => !isInRange(entry),
		order: { getValue: readLogTime, direction: 'asc' },
	};
}

export const getAuditLogsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many audit logs',
	description: 'List the entries of the audit log: who changed what and when',
	outputNote:
		"For an automatic transfer, add the filter 'Logged Since', enter the time of the last entry that you have, and leave out the entries whose resourceId you know. The node then returns the oldest entry of each customer first.",
	endpoint: 'POST /api/audit-logs/search',
	scope: 'companies',
	response: listResponse({
		identity: ['resourceId'],
		sortableFields: { 'Log Date': 'LogDate', 'User Name': 'UserName' },
		fields: auditLogFields,
		toQuery: ({ filters: { loggedSince } }) => buildSinceQuery(loggedSince),
		outputFields: {
			simplified: [
				'logDate',
				'userName',
				'operation',
				'entityName',
				'auditDescription',
				'oldValue',
				'newValue',
				'ip',
				'resourceId',
			],
			additional: ['entityResourceId', 'userAgent'],
		},
	}),
});
