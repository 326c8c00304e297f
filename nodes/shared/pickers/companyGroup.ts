import type { Label } from '../form/label';
import type { Field } from '../form/field';
import type { Listing } from './listing';
import { searchPicker, searchMultiPicker, type Picked } from './picker';

/** The fields that may have the ID of a company group. */
export const GROUP_ID = ['resourceId', 'companyGroupResourceId', 'id'] as const;

const LISTING: Listing = {
	contract: 'POST /api/company-groups/search',
	id: GROUP_ID,
	name: ['name', 'companyGroupName'],
};
const whenRefused = "Only a Reseller's credential has company groups.";

/** The field that chooses a company group (contract 4.3). */
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

/** The field that chooses several company groups. */
export const companyGroupsPicker = (label: Label): Field<string[]> =>
	searchMultiPicker({ ...label, method: 'loadCompanyGroups', thing: 'company group', whenRefused, listing: LISTING });
