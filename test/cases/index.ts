/**
 * Lists a case for every operation: the data that it needs in the stand-in, its parameters, and the expected result.
 * Both the tests with n8n-core and those in a real n8n use the cases, so the checks in them throw errors of node:assert
 * instead of Jest's.
 */
import { accountCases } from './account';
import { administrationCases } from './administration';
import { allowedDomainCases } from './allowedDomains';
import { apiClientCases } from './apiClients';
import { campaignCases } from './campaigns';
import type { Case } from './case';
import { companyCases } from './companies';
import { companyChangeCases } from './companyChanges';
import { enrollmentCases, enrollmentChangeCases, trainingCases } from './enrollments';
import { executiveReportCases, leaderboardCases } from './executiveReports';
import { reportedEmailCases } from './reportedEmails';
import { reportCases } from './reports';
import { resendCases } from './resend';
import { scheduleCases } from './schedules';
import { directEmailCases, googleCases, samlCases } from './settings';
import { launchCases } from './launch';
import { humanRiskCases } from './humanRisk';
import { targetGroupCases } from './targetGroups';
import { targetUserCases } from './targetUsers';
import { trainingReportCases } from './trainingReports';
import { roleCases, scimCases, systemUserCases } from './users';

export { loadAllOperations, type ListedOperation } from '../contract/catalogue';
export { toIdLocator, CustomerFixture } from './customerFixture';
export type { Case, InputFile, Item, CaseRun } from './case';

/** The cases of all nodes. */
export const cases: Case[] = [
	...accountCases,
	...allowedDomainCases,
	...apiClientCases,
	...companyCases,
	...companyChangeCases,
	...directEmailCases,
	...enrollmentCases,
	...enrollmentChangeCases,
	...executiveReportCases,
	...googleCases,
	...humanRiskCases,
	...leaderboardCases,
	...campaignCases,
	...launchCases,
	...roleCases,
	...samlCases,
	...scimCases,
	...systemUserCases,
	...targetGroupCases,
	...targetUserCases,
	...trainingCases,
	...trainingReportCases,
	...reportCases,
	...reportedEmailCases,
	...resendCases,
	...scheduleCases,
	...administrationCases,
];
