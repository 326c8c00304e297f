import type { Label } from '../form/label';
import type { Field } from '../form/field';
import type { Listing } from './listing';
import { searchPicker, searchMultiPicker, type Picked } from './picker';

/** The fields that may have the ID of a role (contract 2.10). */
export const ROLE_ID = ['resourceId', 'roleResourceId', 'id'] as const;

const LISTING: Listing = {
	contract: 'GET /api/roles',
	id: ROLE_ID,
	name: ['name', 'roleName'],
	scoped: true,
};

/** The field that chooses several roles of the chosen customer. */
export const rolesPicker = (label: Label): Field<string[]> =>
	searchMultiPicker({ ...label, method: 'loadRoles', thing: 'role', listing: LISTING });

/** The field that chooses one role of the chosen customer. */
export const rolePicker = (label: Label): Field<Picked> =>
	searchPicker({ ...label, method: 'searchRoles', thing: 'role', listing: LISTING });
