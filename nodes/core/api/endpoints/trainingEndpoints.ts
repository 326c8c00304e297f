import { SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

export const TRAINING_ENDPOINTS = {
	'POST /api/trainings/search': SEARCH_SORTED_BY_NAME,
} satisfies EndpointTable;
