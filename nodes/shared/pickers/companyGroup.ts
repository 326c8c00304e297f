import type { Field } from '../fields/field';
import { searchPicker, type Picked } from './picker';

/** The names under which a company group's identifier was seen. */
export const GROUP_ID = ['resourceId', 'companyGroupResourceId', 'id'] as const;

/** Chooses a company group (contract 4.3). */
export function companyGroupPicker(): Field<Picked> {
	return searchPicker({
		displayName: 'Company Group',
		description: 'The group of customer companies',
		method: 'searchCompanyGroups',
		thing: 'company group',
		whenRefused: "Only a Reseller's credential has company groups.",
		listing: {
			contract: 'POST /api/company-groups/search',
			id: GROUP_ID,
			name: ['name', 'companyGroupName'],
		},
	});
}
