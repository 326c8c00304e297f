/**
 * The routes of live deployments, according to their public pages and their interface description. The facts are in
 * deployment-behaviour.md, deployment-shapes.md and deployment-onboarding.md in docs/facts. Facts about operations
 * outside the contract are in deployment-beyond.md in the same folder.
 */
import lowerFirst from 'lodash/lowerFirst';
import { createBadRequestError } from '../envelope';
import { isJsonObject, type RouteCall, type Route, type JsonObject } from '../http';
import { completeValue, getDescription, type EndpointDescription } from '../endpointDescriptions';
import { activityRoutes } from './activity';
import { administrationRoutes } from './administration';
import { allowedDomainRoutes } from './allowedDomains';
import { companyChangeRoutes } from './company-changes';
import { domainRoutes } from './domains';
import { enrollmentChangeRoutes } from './enrollment-changes';
import { launchRoutes } from './launch';
import { leaderboardRowRoutes } from './leaderboard';
import { lookupRoutes } from './lookups';
import { reporterRoutes } from './reporters';
import { reportedEmailRoutes } from './reported-emails';
import { reportRoutes } from './reports';
import { resendRoutes } from './resend';
import { scheduleRoutes } from './schedules';
import { targetGroupRoutes } from './target-groups';
import { targetUserImportRoutes } from './target-user-import';
import { targetUserRoutes } from './target-users';
import { timelineRoutes } from './timeline';

/** The method and path of each operation of the contract that live deployments lack. */
export const ABSENT_KEYS = ['opened', 'clicked', 'submitted'].map(
	(action) => `POST /api/smishing-simulator/smishing-campaign-job-report/search-email-${action}/{resourceId}`,
);

/** The functions that create the routes that are outside the contract or differ from it. */
const DEPLOYED_ROUTE_FACTORIES: Array<() => Route[]> = [
	activityRoutes,
	reportRoutes,
	reporterRoutes,
	reportedEmailRoutes,
	lookupRoutes,
	companyChangeRoutes,
	enrollmentChangeRoutes,
	targetGroupRoutes,
	targetUserRoutes,
	targetUserImportRoutes,
	launchRoutes,
	leaderboardRowRoutes,
	timelineRoutes,
	administrationRoutes,
	domainRoutes,
	allowedDomainRoutes,
	resendRoutes,
	scheduleRoutes,
];

/**
 * Combines the routes of the contract with those of live deployments. A deployed route replaces the contract's route with
 * the same key.
 */
export function toDeployedRoutes(contractRoutes: readonly Route[]): Route[] {
	const deployedRoutes = DEPLOYED_ROUTE_FACTORIES.flatMap((createRoutes) => createRoutes());
	const routesByKey = new Map([...contractRoutes, ...deployedRoutes].map((route) => [route.key, route]));
	return [...routesByKey.values()].filter(({ key }) => !ABSENT_KEYS.includes(key)).map(applyDescription);
}

/**
 * Applies the interface description to a route. Requests without a required field are rejected, and responses get all
 * documented fields.
 */
function applyDescription(route: Route): Route {
	const description = getDescription(route.key);
	if (!description) return route;
	return {
		...route,
		async handle(call) {
			rejectMissingFields(description, call);
			const response = await route.handle(call);
			if (!('data' in response) || isUndocumentedList(description, response.data)) return response;
			return { ...response, data: completeValue(response.data, description.dataShape) };
		},
	};
}

function rejectMissingFields({ requiredFields }: EndpointDescription, { json, formFields, files }: RouteCall): void {
	const bodyFields: JsonObject = isJsonObject(json) ? { ...json } : { ...formFields };
	if (files.length > 0) bodyFields.file = files;
	const missingFields = requiredFields.filter((name) => (bodyFields[lowerFirst(name)] ?? null) === null);
	if (missingFields.length > 0)
		throw createBadRequestError(...missingFields.map((name) => `The ${name} field is required.`));
}

/** Returns true if the data is a list or a page although the documents describe one record. */
function isUndocumentedList({ dataShape }: EndpointDescription, data: unknown): boolean {
	if (dataShape.kind !== 'object') return false;
	const isUndocumentedPage = isJsonObject(data) && 'results' in data && !dataShape.fields.has('results');
	return Array.isArray(data) || isUndocumentedPage;
}
