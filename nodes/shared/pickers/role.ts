import type { Label } from '../form/label';
import type { Field } from '../form/field';
import type { Listing } from './listing';
import { searchPicker, severalPicker, type Picked } from './picker';

/** The names under which a role's identifier was seen (contract 2.10). */
export const ROLE_ID = ['resourceId', 'roleResourceId', 'id'] as const;

const LISTING: Listing = {
	contract: 'GET /api/roles',
	id: ROLE_ID,
	name: ['name', 'roleName'],
	scoped: true,
};

/** Chooses several roles of the chosen customer. */
export const rolesPicker = (label: Label): Field<string[]> =>
	severalPicker({ ...label, method: 'loadRoles', thing: 'role', listing: LISTING });

/** Chooses one role of the chosen customer. */
export const rolePicker = (label: Label): Field<Picked> =>
	searchPicker({ ...label, method: 'searchRoles', thing: 'role', listing: LISTING });
