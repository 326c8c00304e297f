import type { Label } from '../form/label';
import type { Field } from '../form/field';
import type { Listing } from './listing';
import { searchPicker, severalPicker, type Picked } from './picker';

/** The names under which a company group's identifier was seen. */
export const GROUP_ID = ['resourceId', 'companyGroupResourceId', 'id'] as const;

const LISTING: Listing = {
	contract: 'POST /api/company-groups/search',
	id: GROUP_ID,
	name: ['name', 'companyGroupName'],
};
const whenRefused = "Only a Reseller's credential has company groups.";

/** Chooses a company group (contract 4.3). */
export function companyGroupPicker(): Field<Picked> {
	return searchPicker({
		displayName: 'Company Group',
		description: 'The group of customer companies',
		method: 'searchCompanyGroups',
		thing: 'company group',
		whenRefused,
		listing: LISTING,
	});
}

/** Chooses several company groups. */
export const companyGroupsPicker = (label: Label): Field<string[]> =>
	severalPicker({ ...label, method: 'loadCompanyGroups', thing: 'company group', whenRefused, listing: LISTING });
