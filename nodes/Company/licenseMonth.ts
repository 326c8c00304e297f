/** The month of which the monthly active users are (deployment activity, 10). */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import type { FilterItem } from '../core/filters/conditions';
import { text } from '../core/fields/fieldTypes';
import { parseMonth } from '../core/fields/period';
import { companyOf, listCompanies } from '../core/companies/companies';

/** The field for the month, only where a person adds it. */
export const month = {
	...text({
		displayName: 'Month',
		description:
			'The month whose monthly active users are given, as YYYY-MM; not every platform knows others than the present one',
		placeholder: 'e.g. 2026-01',
	}),
	parse: parseMonth,
};

/** The condition for a month; none without one. */
export const monthFilter = (Value: string | undefined): FilterItem[] =>
	Value === undefined ? [] : [{ FieldName: 'MonthlyActiveUser', Operator: '=', Value }];

/** Whether it is the present month. */
export const isPresent = (month: string, timezone: string) =>
	month === DateTime.now().setZone(timezone).toFormat('yyyy-MM');

/**
 * Whether every company has the same figure as in the present month, so that the platform may have ignored the month: no row says
 * of which it is. The present month's figures are asked for; where it is the month itself, nothing is.
 * @param records the companies of the month
 * @throws ServiceError
 */
export async function isLikeThisMonth(
	records: readonly IDataObject[],
	chosen: string | undefined,
	{ service, signal, timezone }: Pick<OperationContext, 'service' | 'signal' | 'timezone'>,
): Promise<boolean> {
	if (chosen === undefined || isPresent(chosen, timezone)) return false;
	const present = await listCompanies(service, signal);
	const now = new Map(present.records.map((each) => [companyOf(each).id, each.monthlyActiveUserCount]));
	const pairs = records.map((each) => [each.monthlyActiveUserCount, now.get(companyOf(each).id)]);
	return pairs.every(([then, today]) => then === today) && pairs.some(([then]) => Number(then ?? 0) > 0);
}

export const LIKE_THIS_MONTH =
	"Every customer has the same monthly active users as in the present month: the platform may not know months, and may have ignored 'Month'.";
