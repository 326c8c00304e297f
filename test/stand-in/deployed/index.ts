/**
 * The operations as live deployments have them, according to their public pages and their interface description: see
 * docs/facts/deployment-behaviour.md, deployment-shapes.md, deployment-onboarding.md and, for operations that are not in the contract,
 * deployment-beyond.md.
 */
import lowerFirst from 'lodash/lowerFirst';
import { invalid } from '../envelope';
import { isRow, type Call, type Route, type Row } from '../http';
import { completed, description, type Described } from '../shapes';
import { activityRoutes } from './activity';
import { administrationRoutes } from './administration';
import { companyChangeRoutes } from './company-changes';
import { enrollmentChangeRoutes } from './enrollment-changes';
import { launchRoutes } from './launch';
import { leaderboardRowRoutes } from './leaderboard';
import { lookupRoutes } from './lookups';
import { reportedEmailRoutes } from './reported-emails';
import { reportRoutes } from './reports';
import { resendRoutes } from './resend';
import { scheduleRoutes } from './schedules';
import { targetGroupRoutes } from './target-groups';
import { targetUserImportRoutes } from './target-user-import';
import { targetUserRoutes } from './target-users';

/** The operations of the contract that this deployment does not have. */
export const ABSENT = ['opened', 'clicked', 'submitted'].map(
	(deed) => `POST /api/smishing-simulator/smishing-campaign-job-report/search-email-${deed}/{resourceId}`,
);

/** Operations that are not in the contract, or are something else than what it reads. */
const OWN: Array<() => Route[]> = [
	activityRoutes,
	reportRoutes,
	reportedEmailRoutes,
	lookupRoutes,
	companyChangeRoutes,
	enrollmentChangeRoutes,
	targetGroupRoutes,
	targetUserRoutes,
	targetUserImportRoutes,
	launchRoutes,
	leaderboardRowRoutes,
	administrationRoutes,
	resendRoutes,
	scheduleRoutes,
];

/** Those of the contract, each in the deployment's way where it has one, then those that the contract does not have. */
export function asDeployed(contract: readonly Route[]): Route[] {
	const byKey = new Map([...contract, ...OWN.flatMap((routes) => routes())].map((route) => [route.key, route]));
	return [...byKey.values()].filter(({ key }) => !ABSENT.includes(key)).map(asDescribed);
}

/** Refuses a request without what the description requires, and completes the answer by it. */
function asDescribed(route: Route): Route {
	const described = description(route.key);
	if (!described) return route;
	return {
		...route,
		async handle(call) {
			refuseIncomplete(described, call);
			const answer = await route.handle(call);
			if (!('data' in answer) || isOtherwise(described, answer.data)) return answer;
			return { ...answer, data: completed(answer.data, described.data) };
		},
	};
}

function refuseIncomplete({ required }: Described, { json, form, files }: Call): void {
	const sent: Row = { ...(isRow(json) ? json : form), ...(files.length > 0 ? { file: files } : {}) };
	const missing = required.filter((name) => (sent[lowerFirst(name)] ?? null) === null);
	if (missing.length > 0) throw invalid(...missing.map((name) => `The ${name} field is required.`));
}

/** Some lists are described as one of their records. */
const isOtherwise = ({ data }: Described, answer: unknown): boolean =>
	data.kind === 'object' &&
	(Array.isArray(answer) || (isRow(answer) && 'results' in answer && !data.fields.has('results')));
