import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { listResponse, type ListQuery } from '../core/response/listResponse';
import { rejectEmptyExpressions, showWhen } from '../core/fields/field';
import { choiceField, toggleField, wholeNumberField } from '../core/fields/fieldTypes';
import { filtersBlock } from '../core/filters/filterFields';
import { defineOperation } from '../core/operation/defineOperation';
import { COMPANY_ID_FIELDS, isLicenseExpired, readLicenseEnd, flattenCompanies } from '../core/companies/companies';
import { COMPANY_LIST_FIELDS, SORTABLE_COMPANY_FIELDS, NUMBER_OF_USERS_NOTE } from './companyFields';
import { FILTERABLE_COMPANY_FIELDS, parseUserLimit } from '../domain/companyRecords';
import { hasCurrentMonthFigures, SAME_FIGURES_HINT, monthField, buildMonthConditions } from './licenseMonth';
import { parseNumber } from '../core/values';

type ShowOption = 'all' | 'expired' | 'overLimit' | 'recent' | 'renewal';

const getManyCompaniesFields = {
	...rejectEmptyExpressions({
		show: choiceField({
			displayName: 'Show',
			description: 'Which companies to return',
			default: 'all',
			options: [
				{ name: 'All Companies', value: 'all' },
				{ name: 'Expired Licenses', value: 'expired', description: 'Companies whose license has ended' },
				{
					name: 'Over License Limit',
					value: 'overLimit',
					description: 'Companies with more users than the license allows',
				},
				{
					name: 'Recently Created',
					value: 'recent',
					description: 'Companies created within the number of days that you enter, newest first',
				},
				{
					name: 'Renewal Due',
					value: 'renewal',
					description: 'Companies whose license ends within the number of days that you enter, earliest first',
				},
			],
		}),
		createdWithinDays: showWhen(
			{ show: ['recent'] },
			wholeNumberField({
				displayName: 'Created Within Days',
				description: 'How many days to look back, for example 30 for companies created in the last 30 days',
				default: 30,
				min: 1,
				max: 36500,
			}),
		),
		renewalWithinDays: showWhen(
			{ show: ['renewal'] },
			wholeNumberField({
				displayName: 'Renewal Within Days',
				description:
					'How many days to look ahead, for example 30 for licenses that end in the next 30 days. Enter 0 for today.',
				hint: "Days begin at midnight in the workflow's time zone",
				default: 30,
				min: 0,
				max: 36500,
			}),
		),
	}),
	filters: filtersBlock({ month: monthField }),
	splitChildren: toggleField({
		displayName: 'Child Companies as Items',
		description: "Whether to return each child company as a separate item that has its parent's ID",
		hint: "If turned off, child companies are only in the output 'Raw', as a list in the parent company's item",
		default: true,
	}),
};

interface ShowValues {
	show: ShowOption;
	createdWithinDays: number;
	renewalWithinDays: number;
}

/**
 * Builds the query for the option that the user chose in 'Show' (contract 4.3; deployment behaviour, "Companies"). The end of a
 * license counts as a whole day in the workflow's time zone. The platform sorts only parent companies. If child companies become items of
 * their own, all items are sorted here.
 * @param shouldNestChildren true if child companies stay in a list inside their parent
 */
function buildShowQuery(values: ShowValues, shouldNestChildren: boolean, timezone: string): ListQuery {
	const now = DateTime.now().setZone(timezone);
	const getLicenseEnd = (company: IDataObject) => readLicenseEnd(company, timezone);
	const isExpired = (company: IDataObject) => isLicenseExpired(company, now.toMillis(), timezone);
	const renewalOrder: ListQuery['order'] = {
		getValue: (company) => getLicenseEnd(company).toMillis(),
		direction: 'asc',
	};
	const renewalSort: ListQuery = {
		defaultSort: { orderBy: 'RenewalDate', ascending: true },
		order: shouldNestChildren ? undefined : renewalOrder,
	};
	switch (values.show) {
		case 'expired':
			return { ...renewalSort, shouldKeep: isExpired };
		case 'overLimit':
			// The platform checks only parent companies and returns them with all their child companies, so the children are checked here.
			return {
				body: { isTargetUserCountExceededLimit: true },
				shouldKeep: (company) => !('parentCompanyResourceId' in company) || isOverLimit(company),
			};
		case 'recent': {
			const earliestTime = now.minus({ days: values.createdWithinDays });
			const newestFirstOrder: ListQuery['order'] = {
				getValue: (company) => readCreateTime(company).toMillis(),
				direction: 'desc',
			};
			return {
				shouldKeep: (company) => readCreateTime(company) >= earliestTime,
				order: shouldNestChildren ? undefined : newestFirstOrder,
			};
		}
		case 'renewal': {
			const periodEnd = now.startOf('day').plus({ days: values.renewalWithinDays + 1 });
			return {
				...renewalSort,
				shouldKeep: (company) => getLicenseEnd(company) < periodEnd && !isExpired(company),
				// If child companies become items, all companies are read, because a child's license may end earlier than its parent's.
				isPastEnd: shouldNestChildren ? (company) => getLicenseEnd(company) >= periodEnd : undefined,
			};
		}
		default:
			return {};
	}
}

/** Returns true if a company has more users than its license allows (contract 2.4). */
const isOverLimit = ({ isNumberOfUsersLimited, numberOfUsers, targetUserCount }: IDataObject) =>
	isNumberOfUsersLimited !== false && parseNumber(targetUserCount) > parseNumber(numberOfUsers);

/** Reads when a company was created. If the time is missing, returns an invalid date, which is neither before nor after any other date. */
const readCreateTime = ({ createTime }: IDataObject) =>
	DateTime.fromISO(typeof createTime === 'string' ? createTime : '', { zone: 'utc' });

export const getManyCompaniesOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List customer companies and their licenses, for example only those that expire soon',
	outputNote: NUMBER_OF_USERS_NOTE,
	endpoint: 'POST /api/companies/search',
	scope: 'credential',
	response: listResponse({
		identity: COMPANY_ID_FIELDS,
		outputFields: COMPANY_LIST_FIELDS,
		sortableFields: SORTABLE_COMPANY_FIELDS,
		filterableFields: FILTERABLE_COMPANY_FIELDS,
		fields: getManyCompaniesFields,
		toQuery: (values, timezone) => {
			const { show, createdWithinDays = 0, renewalWithinDays = 0, splitChildren } = values;
			const { month } = values.filters;
			return {
				requiredConditions: buildMonthConditions(month),
				createHint: async (records, context) =>
					(await hasCurrentMonthFigures(records, month, context)) ? SAME_FIGURES_HINT : undefined,
				...buildShowQuery({ show, createdWithinDays, renewalWithinDays }, !splitChildren, timezone),
				flatten: splitChildren ? flattenCompanies : undefined,
			};
		},
	}),
	transformOutput: parseUserLimit,
});
