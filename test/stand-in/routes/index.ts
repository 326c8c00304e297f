import { ABSENT_KEYS, toDeployedRoutes } from '../deployed';
import type { Route } from '../http';
import type { PlatformProfile } from '../profile';
import { campaignRoutes } from './campaigns';
import { clientRoutes } from './clients';
import { companyGroupRoutes } from './company-groups';
import { companyRoutes } from './companies';
import { enrollmentRoutes } from './enrollments';
import { leaderboardRoutes } from './leaderboard';
import { settingsRoutes } from './settings';
import { signInRoutes } from './sign-in';
import { trainingReportRoutes } from './training-reports';
import { userAndScimRoutes } from './users-scim';

/**
 * Lists every route of a profile: those of the contract, in its order, and for 'deployed' those that live deployments
 * add.
 */
export function listRoutes(profile: PlatformProfile): Route[] {
	const routes = [
		...signInRoutes(profile),
		...settingsRoutes(),
		...companyRoutes(),
		...companyGroupRoutes(),
		...clientRoutes(profile),
		...userAndScimRoutes(),
		...enrollmentRoutes(profile),
		...trainingReportRoutes(profile),
		...campaignRoutes(profile),
		...leaderboardRoutes(),
	];
	return profile.name === 'deployed' ? toDeployedRoutes(routes) : routes.filter((route) => !route.isOutsideContract);
}

/** Lists the contract's operations that a profile lacks. They respond with 404, but the log shows their keys. */
export function listAbsentKeys(profile: PlatformProfile): readonly string[] {
	return profile.name === 'deployed' ? ABSENT_KEYS : [];
}
