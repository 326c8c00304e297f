/** The field and the direction by which a list is sorted (contract 2.2). */
export interface SortOrder {
	orderBy: string;
	ascending: boolean;
}

/** The ways in which an endpoint differs from the default. */
export interface EndpointTraits {
	/** True if section 4 of the contract doesn't describe the endpoint. Some platforms don't have it and answer with 404. */
	isOptional?: boolean;
	/** True if a request changes nothing, so that it can safely be sent again. The default is true for GET only. */
	isReadOnly?: boolean;
	/** True if requests have a body. The default is true for POST, PUT and PATCH. */
	hasBody?: boolean;
	/**
	 * The sort order of a list or an export if the user selects none. Endpoints differ in the orders that they accept (deployment
	 * behaviour, "Search bodies"). If this trait is not set, the newest record comes first.
	 */
	defaultOrder?: SortOrder;
	/**
	 * True if the response is a file with the records of another search. That search has the same path without "export".
	 */
	isExport?: boolean;
	/** The name of the nested object in which the page and the order are sent (deployment facts, "Requests"). */
	paginationField?: 'pagination' | 'userPagination';
	/** The training type that must be sent for a survey (deployment behaviour, "Training reports"). */
	surveyTrainingType?: number;
	/** True if the company's ID is sent in two headers (deployment behaviour, "Trainings, groups, enrollments"). */
	needsBothCompanyHeaders?: boolean;
	/** The key of the endpoint that some platforms have instead of this one (deployment facts, "Naming"). */
	alternativeEndpoint?: string;
	/** True if the response is the same for every company. */
	isPlatformWide?: boolean;
	/** The field of the request's body whose value is sent instead of the body (deployment activity 4). */
	bodyField?: string;
}

/** The traits of endpoints by key. A key is the method and the path, as in "GET /api/roles". */
export type EndpointTable = Record<string, EndpointTraits>;

/** The traits of a search whose default order is the newest record first. */
export const SEARCH_NEWEST_FIRST = { isReadOnly: true };

/** The traits of a search that is sorted by name by default. */
export const SEARCH_SORTED_BY_NAME = { isReadOnly: true, defaultOrder: { orderBy: 'Name', ascending: true } };

/** The traits of a search that is sorted by email address by default. */
export const SEARCH_SORTED_BY_EMAIL = { isReadOnly: true, defaultOrder: { orderBy: 'Email', ascending: true } };

// The orders of records that have no create time (deployment beyond, "Leaderboard, executive report", "People's activity of a
// period", "Audit log"; deployment shapes, "Training reports").
export const LOWEST_RANK_FIRST = { orderBy: 'Rank', ascending: true };
export const SORTED_BY_USER_EMAIL = { orderBy: 'userEmail', ascending: true };
export const SORTED_BY_FIRST_NAME = { orderBy: 'FirstName', ascending: true };
export const LATEST_ACTION_FIRST = { orderBy: 'ActionTime', ascending: false };
export const LATEST_LOG_FIRST = { orderBy: 'LogDate', ascending: false };
