import type { Route } from '../http';
import { search, type Listing } from '../paging';

const listing: Listing = {
	rows: (call) =>
		call.companies.flatMap((company) => call.world.of(company).targetGroups.map(({ userResourceIds: _users, companyResourceId: _company, ...shown }) => shown)),
	id: 'resourceId',
	name: 'name',
	required: 'pages',
	filter: 'required',
};

/** Contract 4.7, the target groups. */
export function targetGroupRoutes(): Route[] {
	return [search('POST /api/target-groups/search/current-company', listing)];
}
