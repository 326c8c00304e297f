/**
 * The operations as one live deployment behaves, according to its public pages and its own interface description: see
 * test/contract/deployment-behaviour.md, deployment-shapes.md and, for operations that are not in the contract,
 * deployment-beyond.md.
 */
import type { Route } from '../http';
import { administrationRoutes } from './administration';
import { campaignRoutes } from './campaigns';
import { clientRoutes } from './clients';
import { companyGroupRoutes } from './company-groups';
import { companyRoutes } from './companies';
import { enrollmentChangeRoutes } from './enrollment-changes';
import { enrollmentRoutes } from './enrollments';
import { launchRoutes } from './launch';
import { leaderboardRowRoutes } from './leaderboard';
import { lookupRoutes } from './lookups';
import { reportRoutes } from './reports';
import { settingsRoutes } from './settings';
import { targetUserImportRoutes } from './target-user-import';
import { targetUserRoutes } from './target-users';
import { trainingReportRoutes } from './training-reports';
import { userAndScimRoutes } from './users-scim';

/** The operations of the contract that this deployment does not have. */
export const ABSENT = ['opened', 'clicked', 'submitted'].map(
	(deed) => `POST /api/smishing-simulator/smishing-campaign-job-report/search-email-${deed}/{resourceId}`,
);

/** The contract's operations, each in the deployment's way where it has one, then those that the contract does not have. */
export function asDeployed(contract: readonly Route[]): Route[] {
	const own = [
		...[
			...companyRoutes(),
			...companyGroupRoutes(),
			...clientRoutes(),
			...userAndScimRoutes(),
			...settingsRoutes(),
			...enrollmentRoutes(),
			...enrollmentChangeRoutes(),
			...targetUserRoutes(),
			...targetUserImportRoutes(),
		],
		...[...trainingReportRoutes(), ...campaignRoutes(), ...launchRoutes(), ...reportRoutes(), ...lookupRoutes()],
		...leaderboardRowRoutes(),
		...administrationRoutes(),
	];
	const byKey = new Map(own.map((route) => [route.key, route]));
	const known = new Set(contract.map(({ key }) => key));
	const kept = contract.filter(({ key }) => !ABSENT.includes(key)).map((route) => byKey.get(route.key) ?? route);
	return [...kept, ...own.filter(({ key }) => !known.has(key))];
}
