import type { Route } from '../http';
import type { Personality } from '../personality';
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
export function allRoutes(personality: Personality): Route[] {
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
