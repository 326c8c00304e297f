import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { searchPicker, type Picked } from './picker';

/** The fields that may have the ID of a SCIM integration. */
export const SCIM_ID = ['resourceId', 'scimResourceId', 'id'] as const;

/** The field that chooses a SCIM integration of the chosen customer. */
export const scimPicker = (): Field<Picked> =>
	searchPicker({
		displayName: 'SCIM Integration',
		description: 'The connection to an identity provider',
		method: 'searchScimIntegrations',
		thing: 'SCIM integration',
		listing: {
			contract: 'POST /api/scim/search',
			id: SCIM_ID,
			name: ['name', 'scimName'],
			scoped: true,
		},
	});

/** The field that chooses a SCIM field, such as department, by which users can be mapped or grouped. */
export const scimFieldPicker = (label: Label): Field<Picked> =>
	searchPicker({
		...label,
		method: 'searchScimFields',
		thing: 'SCIM field',
		listing: {
			contract: 'GET /api/scim/fields',
			id: ['resourceId', 'scimFieldResourceId', 'id'],
			name: ['name', 'displayName', 'fieldName', 'attributeName'],
			scoped: true,
		},
	});
