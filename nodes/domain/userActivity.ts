import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import type { OutputFields } from '../core/response/outputFields';
import { listResponse } from '../core/response/listResponse';
import { toggleField } from '../core/fields/fieldTypes';
import { timeRangeFields, readTimeRange } from '../core/fields/period';
import type { TimeRange } from '../core/fields/relativePeriods';
import { withFallback, RequestError } from '../core/http/errors';
import { readId, toItemJson } from '../core/values';
import { createOptionsBlock } from '../core/operation/operationFields';
import { defineOperation, type Operation, type OperationTexts } from '../core/operation/defineOperation';

interface UserActivityDefinition extends OperationTexts {
	endpoint:
		| 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search'
		| 'POST /api/training-reports/activity-users/search';
	outputFields: OutputFields;
}

const activityOptions = createOptionsBlock({
	groupByUser: toggleField({
		displayName: 'Group by User',
		default: true,
		description: 'Whether to return one row with totals per person instead of one row per action',
	}),
});

/** Defines an operation that lists the actions of people in a period (deployment activity 3). */
export function defineUserActivityOperation(definition: UserActivityDefinition): Operation {
	const { outputFields, ...textsAndEndpoint } = definition;
	return defineOperation({
		...textsAndEndpoint,
		scope: 'companies',
		fields: { ...timeRangeFields, ...activityOptions },
		response: listResponse({
			outputFields,
			// Rows have no ID, and a person may repeat an action. So equal rows are not duplicates.
			identity: [],
			sortableFields: { 'Create Time': 'CreateTime', Email: 'Email', 'First Name': 'FirstName' },
		}),
		perform: async ({ options: { groupByUser = false }, ...period }, { context, send }) => {
			const timeRange = readTimeRange(period, context.timezone);
			return await sendActivityDates(timeRange, context, (dates) => send({ body: { ...dates, groupByUser } }));
		},
	});
}

/**
 * Sends a request for the actions of a period. ISO dates are tried first. If the platform rejects them, the dates are sent in the date
 * format of the company.
 * @param send sends the request with these body fields
 * @throws RequestError
 */
export async function sendActivityDates<T>(
	timeRange: TimeRange,
	context: OperationContext,
	send: (dates: IDataObject) => Promise<T>,
): Promise<T> {
	const sendFormatted = (formatDate: DateFormatter) => send(buildDates(timeRange, formatDate));
	return await withFallback(
		() => sendFormatted((ms) => new Date(ms).toISOString()),
		async () => sendFormatted(await readDateFormatter(context)),
		(error) => error instanceof RequestError && error.details.isInputRejected === true,
	);
}

/**
 * Formats a time for a request.
 * @param ms the time in ms since 1970
 */
type DateFormatter = (ms: number) => string;

/**
 * Builds the body fields for the start and the end of a period. If the period is over, the end date is one millisecond
 * before `until`, because `until` itself is not part of the period.
 */
function buildDates({ from, until }: TimeRange, formatDate: DateFormatter): IDataObject {
	const endDate = formatDate(until < Date.now() ? until - 1 : until);
	return from === -Infinity ? { endDate } : { startDate: formatDate(from), endDate };
}

/**
 * Reads the company's date and time formats, and returns a function that formats a time in the same way. Examples of
 * the date format are "DD/MM/YYYY" and "dd.MM.yyyy", and examples of the time format are "24h", "12h" and "hh:mm tt".
 * @throws RequestError
 */
async function readDateFormatter({ client, company, timezone, signal }: OperationContext): Promise<DateFormatter> {
	const purpose = "read the company's date format";
	const readOwnCompanyId = async () => {
		const { data } = await client.requestJson({ purpose, signal, endpoint: 'GET /api/companies/my' });
		const [ownCompany] = [data].flat();
		return readId(toItemJson(ownCompany), ['resourceId']);
	};
	const resourceId = company?.id ?? (await readOwnCompanyId()) ?? '';
	const { data } = await client.requestJson({
		purpose,
		signal,
		endpoint: 'GET /api/companies/{resourceId}',
		path: { resourceId },
	});
	const companyRecord = toItemJson(data);
	const dateFormat = readId(companyRecord, ['dateFormat']) ?? '';
	const timeFormat = readId(companyRecord, ['timeFormat']) ?? '';
	const dateTokens = dateFormat.replace(/D/g, 'd').replace(/Y/g, 'y');
	const timeTokens = /12|a|t/i.test(timeFormat) ? 'hh:mm a' : 'HH:mm';
	return (ms) => DateTime.fromMillis(ms, { zone: timezone, locale: 'en' }).toFormat(`${dateTokens} ${timeTokens}`);
}
