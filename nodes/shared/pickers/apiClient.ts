import type { Field } from '../form/field';
import { searchPicker, type Picked } from './picker';

/** The fields that may have the ID of an API client (contract 2.11). */
export const CLIENT_ID = ['resourceId', 'clientResourceId', 'id'] as const;

export const CLIENT_NAME = ['name', 'clientName'] as const;

/** The field that chooses a REST API client of the chosen customer. */
export const apiClientPicker = (): Field<Picked> =>
	searchPicker({
		displayName: 'API Client',
		description: 'The REST API client',
		method: 'searchApiClients',
		thing: 'API client',
		listing: {
			contract: 'POST /api/companies/clients/search',
			id: CLIENT_ID,
			name: CLIENT_NAME,
			scoped: true,
		},
	});
