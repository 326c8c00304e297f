/** The month whose monthly active users the platform shows (deployment activity 10). */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import type { FilterItem } from '../core/filters/conditions';
import { textField } from '../core/fields/fieldTypes';
import { parseMonth } from '../core/fields/period';
import { toCompany, listCompanies } from '../core/companies/companies';

/** The form field for the month, in the collection 'Filters'. */
export const monthField = {
	...textField({
		displayName: 'Month',
		description: 'The month to count active users for, such as 2026-01. Some platforms always use the current month.',
		placeholder: 'e.g. 2026-01',
	}),
	parse: parseMonth,
};

/** Builds the filter conditions that select a month. Without a month, returns no conditions. */
export const buildMonthConditions = (month: string | undefined): FilterItem[] =>
	month === undefined ? [] : [{ FieldName: 'MonthlyActiveUser', Operator: '=', Value: month }];

/** Returns true for the current month in the workflow's time zone. @param month as YYYY-MM */
export const isCurrentMonth = (month: string, timezone: string) =>
	month === DateTime.now().setZone(timezone).toFormat('yyyy-MM');

/**
 * Returns true if the user chose a month other than the current one, but every company has the same number of active users as in the
 * current month. The platform may then have ignored the month. The records don't show their month, so the numbers of the current month are
 * requested for comparison. Returns false if all numbers are 0.
 * @param records the companies with the numbers of the chosen month
 * @param month the chosen month; undefined if the user chose none
 * @throws RequestError
 */
export async function hasCurrentMonthFigures(
	records: readonly IDataObject[],
	month: string | undefined,
	{ client, signal, timezone }: Pick<OperationContext, 'client' | 'signal' | 'timezone'>,
): Promise<boolean> {
	if (month === undefined || isCurrentMonth(month, timezone)) return false;
	const currentList = await listCompanies(client, signal);
	const currentFiguresById = new Map(
		currentList.records.map((record) => [toCompany(record).id, record.monthlyActiveUserCount]),
	);
	const hasSameFigure = (record: IDataObject) =>
		record.monthlyActiveUserCount === currentFiguresById.get(toCompany(record).id);
	const hasActiveUsers = records.some((record) => Number(record.monthlyActiveUserCount ?? 0) > 0);
	return hasActiveUsers && records.every(hasSameFigure);
}

export const SAME_FIGURES_HINT =
	"Every customer has the same number of monthly active users as in the current month. The platform may have ignored 'Month'.";
