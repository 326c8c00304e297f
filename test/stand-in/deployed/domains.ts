/** Routes for the domains of simulation links, and for a company's verified domains (deployment onboarding 2). */
import { defineReadRoute, markOutsideContract, type JsonObject, type Route, type RouteCall } from '../http';
import { SIMULATORS, type Simulator } from '../profile';
import { makeGuid } from '../random';
import { defineDeployedSearchRoute } from './lists';

/** Lists the domains of a simulator's links: one that every company has, and one of the company's own. */
function listLinkDomains({ companyData: { company } }: RouteCall, simulator: Simulator): JsonObject[] {
	const ownDomain = `${simulator}-${company.companyResourceId.toLowerCase()}.example`;
	return [`${simulator}-links.example`, ownDomain].map((domain) => ({
		resourceId: makeGuid(`domain ${domain}`),
		domain,
		dnsServiceProviderName: 'Example DNS',
		dnsRecord: '198.51.100.20',
		isOwner: domain === ownDomain,
		status: 'Active',
		healthStatus: 'Healthy',
		healthStatusMessage: null,
		createdBy: domain === ownDomain ? 'admin@awareness.example' : 'System',
		createTime: '2025-06-01T09:00:00.000Z',
	}));
}

const defineLinkDomainRoute = (simulator: Simulator): Route =>
	defineDeployedSearchRoute(`POST /api/${simulator}-simulator/domain-records/search`, {
		getRows: (call) => listLinkDomains(call, simulator),
		idField: 'resourceId',
		nameField: 'domain',
		requiredPaging: 'none',
		filterRequirement: 'optional',
		extraSortNames: ['Domain', 'Status', 'HealthStatus', 'CreatedBy', 'CreateTime'],
	});

/** Creates the routes for the domains of simulation links, and for a company's verified domains. */
export function domainRoutes(): Route[] {
	return [
		...SIMULATORS.map(defineLinkDomainRoute),
		defineReadRoute('GET /api/allow-list/search/verified', ({ companyData }) =>
			companyData.allowedDomains.filter(({ verifyTime }) => verifyTime !== null).map(({ domain }) => domain),
		),
	].map(markOutsideContract);
}
