import { apiClientOperations } from '../ApiClient/apiClientOperations';
import { companyOperations } from '../Company/companyOperations';
import { allCompanyGroupOperations } from '../CompanyGroup/operations';
import { directEmailSettingOperations } from '../DirectEmailSetting/directEmailSettingOperations';
import { allEnrollmentOperations } from '../Enrollment/operations';
import { allExecutiveReportOperations } from '../ExecutiveReport/operations';
import { googleOAuthOperations } from '../GoogleOAuth/googleOAuthOperations';
import { allLeaderboardOperations } from '../Leaderboard/operations';
import { phishingCampaignOperations } from '../PhishingCampaign/phishingCampaignOperations';
import { quishingCampaignOperations } from '../QuishingCampaign/quishingCampaignOperations';
import { reportedEmailOperations } from '../ReportedEmail/reportedEmailOperations';
import { roleOperations } from '../Role/roleOperations';
import { samlSettingOperations } from '../SamlSetting/samlSettingOperations';
import { scimIntegrationOperations } from '../ScimIntegration/scimIntegrationOperations';
import { smishingCampaignOperations } from '../SmishingCampaign/smishingCampaignOperations';
import { systemUserOperations } from '../SystemUser/systemUserOperations';
import { allTargetGroupOperations } from '../TargetGroup/operations';
import { targetUserOperations } from '../TargetUser/targetUserOperations';
import { trainingOperations } from '../Training/trainingOperations';
import { allTrainingReportOperations } from '../TrainingReport/operations';
import { readList } from '../core/pagination/readList';
import { defineComposite, type Operation } from '../core/operation/defineOperation';
import { COMPANY_ID_FIELDS, toCompany } from '../core/companies/companies';
import { toError, isCancellationError, RequestError } from '../core/http/errors';
import type { HttpClient } from '../core/http/client';
import { getEndpoint, type EndpointKey } from '../core/api/endpoint';

/** The operations of every node except Account. The keys are the names of the nodes in the output. */
const OPERATIONS_BY_NODE = {
	'API Client': apiClientOperations,
	Company: companyOperations,
	'Company Group': allCompanyGroupOperations,
	'Direct Email Setting': directEmailSettingOperations,
	Enrollment: allEnrollmentOperations,
	'Executive Report': allExecutiveReportOperations,
	'Google OAuth': googleOAuthOperations,
	Leaderboard: allLeaderboardOperations,
	'Phishing Campaign': phishingCampaignOperations,
	'Quishing Campaign': quishingCampaignOperations,
	'Reported Email': reportedEmailOperations,
	Role: roleOperations,
	'SAML Setting': samlSettingOperations,
	'SCIM Integration': scimIntegrationOperations,
	'Smishing Campaign': smishingCampaignOperations,
	'System User': systemUserOperations,
	'Target Group': allTargetGroupOperations,
	'Target User': targetUserOperations,
	Training: trainingOperations,
	'Training Report': allTrainingReportOperations,
};

const HEADER_CHECK_PURPOSE = 'check the company header';

/** An ID that no company has. */
const UNKNOWN_COMPANY_ID = 'no-such-company';

const HEADER_IGNORED_HINT =
	"The service gave the roles of a company that does not exist, so it does not read the header with the company's ID: what you do for one company happens elsewhere. Correct 'Company Header Name' in the credential.";

/** Ignores the error of a failed request and returns undefined. @throws every other error, for example if the run was stopped */
function ignoreFailedRequest(error: unknown): undefined {
	if (error instanceof RequestError && !isCancellationError(error)) return undefined;
	throw toError(error);
}

/**
 * Finds the ID of one company that the credential manages. It doesn't matter which one.
 * @returns undefined if there is none, or if the credential can't list companies
 */
async function findManagedCompanyId(client: HttpClient): Promise<string | undefined> {
	const request = { purpose: HEADER_CHECK_PURPOSE, endpoint: 'POST /api/companies/search' } as const;
	const options = { limit: 1, identity: COMPANY_ID_FIELDS };
	const list = await readList(client, request, options).catch(ignoreFailedRequest);
	const [company = {}] = list?.records ?? [];
	return toCompany(company).id || undefined;
}

/** Requests the roles of a company. @returns undefined if the request fails, for example because the platform rejects the company */
const requestRoles = async (client: HttpClient, companyId: string) =>
	client
		.requestJson({
			purpose: HEADER_CHECK_PURPOSE,
			endpoint: 'GET /api/roles',
			company: { id: companyId, name: '' },
		})
		.catch(ignoreFailedRequest);

/**
 * Checks whether the platform reads the header with the company's ID. If it does, it returns roles for a company that the credential
 * manages, but a 403 for an unknown ID (deployment behaviour, "Token, roles, errors").
 * @returns null if the check is impossible, for example because the credential can't list companies
 */
async function isCompanyHeaderRead(client: HttpClient): Promise<boolean | null> {
	const managedCompanyId = await findManagedCompanyId(client);
	if (managedCompanyId === undefined) return null;
	const rolesOfManagedCompany = await requestRoles(client, managedCompanyId);
	if (!rolesOfManagedCompany) return null;
	const rolesOfUnknownCompany = await requestRoles(client, UNKNOWN_COMPANY_ID);
	return rolesOfUnknownCompany === undefined;
}

/** Finds the permission that an operation needs, and checks whether the token grants it. */
function checkPermission(endpoint: EndpointKey, substituteEndpoints: readonly EndpointKey[], permissions: string[]) {
	// Some deployments offer an operation at another path. The token's permissions then name that path, so it is searched, too.
	const { permission: contractPermission, alternativeEndpoint = endpoint } = getEndpoint(endpoint);
	const grantedPermission = [endpoint, alternativeEndpoint, ...substituteEndpoints]
		.map((key) => getEndpoint(key).permission)
		.find((permission) => permissions.includes(permission));
	return {
		permission: grantedPermission ?? contractPermission,
		// If a token lists no permissions at all, it is unknown what it allows.
		allowed: permissions.length === 0 ? null : grantedPermission !== undefined,
	};
}

/** Creates the operation 'Check Access'. @param accountOperations the other operations of the Account node */
export const createCheckAccessOperation = (accountOperations: Operation[]) =>
	defineComposite({
		value: 'checkAccess',
		name: 'Check Access',
		description: 'Get what this credential may do: its role, company and operations, and if the company header is read',
		scope: 'credential',
		isReadOnly: true,
		dependencies: [],
		run: async (_values, { context }) => {
			const { client, addHint } = context;
			const { permissions, role, companyResourceId, companyName } = await client.getTokenClaims();
			const companyHeaderIsRead = await isCompanyHeaderRead(client);
			if (companyHeaderIsRead === false) addHint(HEADER_IGNORED_HINT);
			const operationsByNode = { Account: accountOperations, ...OPERATIONS_BY_NODE };
			return Object.entries(operationsByNode).flatMap(([node, operations]) =>
				operations.flatMap(({ endpoint, substituteEndpoints, name, isReadOnly }) => {
					if (endpoint === null) return [];
					const { permission, allowed } = checkPermission(endpoint, substituteEndpoints, permissions);
					const json = {
						node,
						operation: name,
						permission,
						allowed,
						role,
						companyResourceId,
						companyName,
						companyHeaderIsRead,
						allowedByCredential: isReadOnly || !client.allowsOnlyReads,
					};
					return [{ json }];
				}),
			);
		},
	});
