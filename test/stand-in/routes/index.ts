import { ABSENT, asDeployed } from '../deployed';
import type { Route } from '../http';
import type { Personality } from '../personality';
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

/** Every operation that a personality serves: those of the contract, in its order, and what live deployments have beside it. */
export function allRoutes(personality: Personality): Route[] {
	const routes = [
		...signInRoutes(personality),
		...settingsRoutes(),
		...companyRoutes(),
		...companyGroupRoutes(),
		...clientRoutes(personality),
		...userAndScimRoutes(),
		...enrollmentRoutes(personality),
		...trainingReportRoutes(personality),
		...campaignRoutes(personality),
		...leaderboardRoutes(),
	];
	return personality.name === 'deployed' ? asDeployed(routes) : routes.filter(({ beside }) => !beside);
}

/** The operations of the contract that a personality does not have: they answer 404, and the log names them. */
export function absentKeys(personality: Personality): readonly string[] {
	return personality.name === 'deployed' ? ABSENT : [];
}
