/**
 * Every operation once: what must be there at the stand-in service, the parameters to run it with, and what must come
 * of it. Plain data and functions, for n8n-core in a test as for a real n8n; what is wrong is thrown by node:assert.
 */
import { accountCases } from './account';
import { apiClientCases } from './apiClients';
import { campaignCases } from './campaigns';
import type { Case } from './case';
import { companyCases } from './companies';
import { enrollmentCases, targetGroupCases, trainingCases, trainingReportCases } from './enrollments';
import { executiveReportCases, leaderboardCases } from './figures';
import { directEmailCases, googleCases, samlCases } from './settings';
import { roleCases, scimCases, systemUserCases } from './users';

export { allOperations, type Listed } from '../contract/catalogue';
export { byId, CustomerFixture } from './customerFixture';
export type { Case, InputFile, Item, Run } from './case';

/** The cases of all nodes. */
export const cases: Case[] = [
	...[
		...accountCases,
		...apiClientCases,
		...companyCases,
		...directEmailCases,
		...enrollmentCases,
		...executiveReportCases,
		...googleCases,
	],
	...[
		...leaderboardCases,
		...campaignCases,
		...roleCases,
		...samlCases,
		...scimCases,
		...systemUserCases,
		...targetGroupCases,
		...trainingCases,
	],
	...trainingReportCases,
];
