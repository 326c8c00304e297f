import type { Route } from '../http';
import type { Personality } from '../personality';
import { ABSENT, asDeployed } from '../deployed';
import { campaignRoutes } from './campaigns';
import { clientRoutes } from './clients';
import { companyGroupRoutes } from './company-groups';
import { companyRoutes } from './companies';
import { directEmailRoutes } from './direct-email';
import { enrollmentRoutes } from './enrollments';
import { leaderboardRoutes } from './leaderboard';
import { signInRoutes } from './sign-in';
import { trainingReportRoutes } from './training-reports';
import { userAndScimRoutes } from './users-scim';

/** Every operation of the contract, in its order, with the names of one personality. */
function contractRoutes(personality: Personality): Route[] {
	return [
		...signInRoutes(personality),
		...companyRoutes(personality),
		...companyGroupRoutes(),
		...clientRoutes(personality),
		...userAndScimRoutes(personality),
		...directEmailRoutes(),
		...enrollmentRoutes(personality),
		...trainingReportRoutes(personality),
		...campaignRoutes(personality),
		...leaderboardRoutes(),
	];
}

/** Every operation that a personality serves. */
export function allRoutes(personality: Personality): Route[] {
	const routes = contractRoutes(personality);
	return personality.name === 'deployed' ? asDeployed(routes) : routes;
}

/** The operations of the contract that a personality does not have: they answer 404, and the log names them. */
export function absentKeys(personality: Personality): readonly string[] {
	return personality.name === 'deployed' ? ABSENT : [];
}
