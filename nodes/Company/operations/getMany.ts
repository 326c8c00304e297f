import type { IDataObject } from 'n8n-workflow';

import { undatedHint } from '../../shared/answer/created';
import { pages } from '../../shared/answer/pages';
import { choice } from '../../shared/form/choice';
import { wholeNumber } from '../../shared/form/number';
import { toggle } from '../../shared/form/toggle';
import { showWhen } from '../../shared/form/field';
import { defineOperation } from '../../shared/operation/define';
import { companyOf, isExpired, isOverLimit, isWithinLimit, withChildren } from '../../shared/pickers/companies';
import { COMPANY_ID } from '../../shared/transport/guard/companies';
import { dueWithin } from '../renewal';
import { COMPANY_FILTERABLE, COMPANY_SORT, LICENSE_NOTE, LISTED_COMPANY } from '../fields';

const DAY_MS = 86_400_000;

const fields = {
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
			description: 'Within how many days from today a license ends; 0 means today. Days are counted in UTC.',
			default: 30,
			min: 0,
			max: 36500,
		}),
	),
	splitChildren: toggle({
		displayName: 'Child Companies as Items',
		description:
			'Whether child companies become items of their own, with the ID of their parent, instead of a list inside it',
		default: true,
	}),
};

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Companies',
	action: 'Get many companies',
	description: 'List your customers: all, or those expired, due for renewal, over their limit or recently created',
	outputNote: LICENSE_NOTE,
	contract: 'POST /api/companies/search',
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: pages({
		identity: COMPANY_ID,
		known: LISTED_COMPANY,
		sortable: COMPANY_SORT,
		filterable: COMPANY_FILTERABLE,
		fields,
		narrow: ({ show, createdWithinDays = 0, renewalWithinDays = 0, splitChildren }) => {
			const now = Date.now();
			const undated = new Set<string>();
			const since = now - createdWithinDays * DAY_MS;
			const createdAt = ({ createTime }: IDataObject) =>
				typeof createTime === 'string' ? Date.parse(createTime) : NaN;
			const expand = splitChildren ? { expand: withChildren } : {};
			switch (show) {
				case 'expired':
					return {
						...expand,
						defaultOrder: { orderBy: 'RenewalDate', ascending: true },
						keep: (company) => isExpired(company, now),
					};
				case 'overLimit':
					// The service filters the companies of its list, if it knows that filter, but not their child companies.
					return {
						...expand,
						body: { isTargetUserCountExceededLimit: true },
						keep: (company) => ('parentCompanyResourceId' in company ? isOverLimit(company) : !isWithinLimit(company)),
					};
				case 'recent':
					return {
						...expand,
						defaultOrder: { orderBy: 'CreateTime', ascending: false },
						keep: (company) => {
							if (Number.isNaN(createdAt(company))) undated.add(companyOf(company).id || companyOf(company).name);
							return !(createdAt(company) < since);
						},
						note: () => undatedHint(undated.size, 'company'),
					};
				case 'renewal':
					return {
						...expand,
						defaultOrder: { orderBy: 'RenewalDate', ascending: true },
						// The license of a child company may end before that of its parent.
						...dueWithin(renewalWithinDays, !splitChildren),
					};
				default:
					return expand;
			}
		},
	}),
});
