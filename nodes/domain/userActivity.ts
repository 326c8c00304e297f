import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import type { KnownFields } from '../core/response/outputFields';
import { pages } from '../core/response/listResponse';
import { toggle } from '../core/fields/fieldTypes';
import { windowFields, windowOf, type Window } from '../core/fields/period';
import { withFallback, ServiceError } from '../core/http/errors';
import { identityOf, toJson } from '../core/values';
import { optionsOf } from '../core/operation/operationFields';
import { defineOperation, type Operation, type Words } from '../core/operation/defineOperation';

interface Definition extends Words {
	endpoint:
		| 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search'
		| 'POST /api/training-reports/activity-users/search';
	known: KnownFields;
}

const rowOptions = optionsOf({
	groupByUser: toggle({
		displayName: 'Group by User',
		default: true,
		description: 'Whether to return a row per person, with names and totals alone, instead of one per action',
	}),
});

/** An operation that lists what people did in a period (deployment activity 3): of a customer one request a page. */
export function activityOperation({ known, ...definition }: Definition): Operation {
	return defineOperation({
		...definition,
		scope: 'companies',
		fields: { ...windowFields, ...rowOptions },
		// The same person may do the same several times.
		answer: pages({
			known,
			identity: [],
			sortable: { 'Create Time': 'CreateTime', Email: 'Email', 'First Name': 'FirstName' },
		}),
		perform: async ({ options: { groupByUser = false }, ...period }, { context, send }) => {
			const window = windowOf(period, context.timezone);
			const found = async (shown: (ms: number) => string) => send({ body: { ...datesOf(window, shown), groupByUser } });
			return await withFallback(
				async () => found((ms) => new Date(ms).toISOString()),
				async () => found(await displayOf(context)),
				(thrown) => thrown instanceof ServiceError && thrown.details.isInputRefused === true,
			);
		},
	});
}

/** A period that is over ends before the next one begins; one without a beginning has no start date. */
const datesOf = ({ from, until }: Window, shown: (ms: number) => string): IDataObject => ({
	...(from === -Infinity ? {} : { startDate: shown(from) }),
	endDate: shown(until < Date.now() ? until - 1 : until),
});

/** How the customer's own pages show a time: "DD/MM/YYYY" or "dd.MM.yyyy", and "24h", "12h" or "hh:mm tt". @throws ServiceError */
async function displayOf({ service, company, timezone, signal }: OperationContext): Promise<(ms: number) => string> {
	const asked = { purpose: 'read how the company shows dates', signal };
	const own = async () => [(await service.json({ ...asked, endpoint: 'GET /api/companies/my' })).data].flat()[0];
	const resourceId = company?.id ?? identityOf(toJson(await own()), ['resourceId']) ?? '';
	const { data } = await service.json({ ...asked, endpoint: 'GET /api/companies/{resourceId}', path: { resourceId } });
	const [day, time] = ['dateFormat', 'timeFormat'].map((name) => identityOf(toJson(data), [name]) ?? '');
	const format = `${day?.replace(/D/g, 'd').replace(/Y/g, 'y')} ${/12|a|t/i.test(time ?? '') ? 'hh:mm a' : 'HH:mm'}`;
	return (ms) => DateTime.fromMillis(ms, { zone: timezone, locale: 'en' }).toFormat(format);
}
