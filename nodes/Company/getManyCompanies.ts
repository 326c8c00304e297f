import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { pages } from '../core/response/listResponse';
import { mustHaveValues, showWhen } from '../core/fields/field';
import { choice, toggle, wholeNumber } from '../core/fields/fieldTypes';
import { filtersOf } from '../core/filters/filterFields';
import { defineOperation } from '../core/operation/defineOperation';
import { COMPANY_ID, isExpired, licenseEnd, uniqueCompanies } from '../core/companies/companies';
import { COMPANY, COMPANY_SORT, LICENSE_NOTE, withLimit, COMPANY_CONDITIONS } from './companyFields';
import { isLikeThisMonth, LIKE_THIS_MONTH, month, monthFilter } from './licenseMonth';
import { numberOf } from '../core/values';

type Show = 'all' | 'expired' | 'overLimit' | 'recent' | 'renewal';

const fields = {
	...mustHaveValues({
		show: choice({
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
				{ name: 'Recently Created', value: 'recent', description: 'The newest first' },
				{
					name: 'Renewal Due',
					value: 'renewal',
					description:
						'Companies whose license ends soon, the earliest first; licenses that have ended are under Expired Licenses',
				},
			],
		}),
		createdWithinDays: showWhen(
			{ show: ['recent'] },
			wholeNumber({
				displayName: 'Created Within Days',
				description: 'The greatest number of days since the company was created',
				default: 30,
				min: 1,
				max: 36500,
			}),
		),
		renewalWithinDays: showWhen(
			{ show: ['renewal'] },
			wholeNumber({
				displayName: 'Renewal Within Days',
				description:
					"Number of days from today within which the license ends, in the workflow's time zone. Enter 0 for today.",
				default: 30,
				min: 0,
				max: 36500,
			}),
		),
	}),
	filters: filtersOf({ month }),
	splitChildren: toggle({
		displayName: 'Child Companies as Items',
		description:
			'Whether child companies become items of their own, with the ID of their parent, instead of a list in it, which Raw shows. With Sort each follows its parent.',
		default: true,
	}),
};

/**
 * Decides how to read the list for a choice of 'Show' (contract 4.3; deployment behaviour, "Companies"). Days are whole days in the
 * workflow's time zone.
 * The service puts only parents in order: child companies that become items are put in theirs here.
 * @param isFlat whether child companies stay inside their parents: those may end later than their children
 */
function createShape(
	{ show, createdWithinDays, renewalWithinDays }: { show: Show; createdWithinDays: number; renewalWithinDays: number },
	isFlat: boolean,
	timezone: string,
) {
	const now = DateTime.now().setZone(timezone);
	const isLicenseExpired = (company: IDataObject) => isExpired(company, now.toMillis(), timezone);
	const readLicenseEnd = (company: IDataObject) => licenseEnd(company, timezone);
	const byRenewal = {
		defaultSort: { orderBy: 'RenewalDate', ascending: true },
		...(isFlat
			? {}
			: { inOrder: { by: (company: IDataObject) => readLicenseEnd(company).toMillis(), direction: 'asc' as const } }),
	};
	switch (show) {
		case 'expired':
			return {
				...byRenewal,
				isWanted: isLicenseExpired,
			};
		case 'overLimit':
			// The service chooses companies, but not among their child companies.
			return {
				body: { isTargetUserCountExceededLimit: true },
				isWanted: (company: IDataObject) => !('parentCompanyResourceId' in company) || isOverLimit(company),
			};
		case 'recent': {
			const since = now.minus({ days: createdWithinDays });
			return {
				isWanted: (company: IDataObject) => timeOf(company.createTime) >= since,
				...(isFlat ? {} : { inOrder: { by: inMs('createTime'), direction: 'desc' as const } }),
			};
		}
		case 'renewal': {
			const end = now.startOf('day').plus({ days: renewalWithinDays + 1 });
			return {
				...byRenewal,
				isWanted: (company: IDataObject) => readLicenseEnd(company) < end && !isLicenseExpired(company),
				...(isFlat ? { isPast: (company: IDataObject) => readLicenseEnd(company) >= end } : {}),
			};
		}
		default:
			return {};
	}
}

/** Whether a company has more users than its license allows (contract 2.4: numberOfUsers is text). */
const isOverLimit = ({ isNumberOfUsersLimited, numberOfUsers, targetUserCount }: IDataObject) =>
	isNumberOfUsersLimited !== false && numberOf(targetUserCount) > numberOf(numberOfUsers);

/** An invalid time, which is neither before nor after another, if there is none. */
const timeOf = (value: unknown) => DateTime.fromISO(typeof value === 'string' ? value : '', { zone: 'utc' });

const inMs = (field: string) => (company: IDataObject) => timeOf(company[field]).toMillis();

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Companies',
	description: 'List your customers: all, or those expired, due for renewal, over their limit or recently created',
	outputNote: LICENSE_NOTE,
	endpoint: 'POST /api/companies/search',
	scope: 'credential',
	answer: pages({
		identity: COMPANY_ID,
		known: COMPANY,
		sortable: COMPANY_SORT,
		conditions: COMPANY_CONDITIONS,
		fields,
		toRequest: (values, timezone) => {
			const { show, createdWithinDays = 0, renewalWithinDays = 0, splitChildren } = values;
			const { month } = values.filters;
			return {
				always: monthFilter(month),
				note: async (records, context) =>
					(await isLikeThisMonth(records, month, context)) ? LIKE_THIS_MONTH : undefined,
				...createShape({ show, createdWithinDays, renewalWithinDays }, !splitChildren, timezone),
				flatten: splitChildren ? uniqueCompanies : undefined,
			};
		},
	}),
	output: withLimit,
});
