import type { Route } from '../http';
import type { Personality } from '../personality';
import { companyRoutes } from './companies';
import { companyGroupRoutes } from './company-groups';
import { leaderboardRoutes } from './leaderboard';
import { targetGroupRoutes } from './target-groups';

/** Every operation of the contract, in its order, with the names of one personality. */
export function allRoutes(personality: Personality): Route[] {
	return [...companyRoutes(personality), ...companyGroupRoutes(), ...targetGroupRoutes(), ...leaderboardRoutes()];
}
