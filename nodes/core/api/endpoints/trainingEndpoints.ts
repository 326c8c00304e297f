import { SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

/** The endpoints of trainings. */
export const TRAINING_ENDPOINTS = {
	'POST /api/trainings/search': SEARCH_SORTED_BY_NAME,
} satisfies EndpointTable;
