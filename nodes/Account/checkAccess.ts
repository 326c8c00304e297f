import { mapValues } from 'lodash';

import { allowedDomainResources } from '../AllowedDomain/allowedDomainResources';
import { apiClientResources } from '../ApiClient/apiClientResources';
import { companyResources } from '../Company/companyResources';
import { companyGroupResources } from '../CompanyGroup/companyGroupResources';
import { directEmailSettingResources } from '../DirectEmailSetting/directEmailSettingResources';
import { enrollmentResources } from '../Enrollment/enrollmentResources';
import { executiveReportResources } from '../ExecutiveReport/executiveReportResources';
import { googleOAuthResources } from '../GoogleOAuth/googleOAuthResources';
import { humanRiskResources } from '../HumanRisk/humanRiskResources';
import { leaderboardResources } from '../Leaderboard/leaderboardResources';
import { phishingCampaignResources } from '../PhishingCampaign/phishingCampaignResources';
import { quishingCampaignResources } from '../QuishingCampaign/quishingCampaignResources';
import { reportedEmailResources } from '../ReportedEmail/reportedEmailResources';
import { roleResources } from '../Role/roleResources';
import { samlSettingResources } from '../SamlSetting/samlSettingResources';
import { scimIntegrationResources } from '../ScimIntegration/scimIntegrationResources';
import { smishingCampaignResources } from '../SmishingCampaign/smishingCampaignResources';
import { systemUserResources } from '../SystemUser/systemUserResources';
import { targetGroupResources } from '../TargetGroup/targetGroupResources';
import { targetUserResources } from '../TargetUser/targetUserResources';
import { trainingResources } from '../Training/trainingResources';
import { trainingReportResources } from '../TrainingReport/trainingReportResources';
import { readList } from '../core/pagination/readList';
import { defineComposite, type Operation } from '../core/operation/defineOperation';
import { listOperations, type NodeResource } from '../core/operation/nodeResource';
import { COMPANY_ID_FIELDS, toCompany } from '../core/companies/companies';
import { toError, isCancellationError, RequestError } from '../core/http/errors';
import type { HttpClient } from '../core/http/client';
import { getEndpoint, type EndpointKey } from '../core/api/endpoint';

/** The resources of every node except Account. The keys are the names of the nodes in the output. */
const RESOURCES_BY_NODE: Record<string, readonly NodeResource[]> = {
	'Allowed Domain': allowedDomainResources,
	'API Client': apiClientResources,
	Company: companyResources,
	'Company Group': companyGroupResources,
	'Direct Email Setting': directEmailSettingResources,
	Enrollment: enrollmentResources,
	'Executive Report': executiveReportResources,
	'Google OAuth': googleOAuthResources,
	'Human Risk': humanRiskResources,
	Leaderboard: leaderboardResources,
	'Phishing Campaign': phishingCampaignResources,
	'Quishing Campaign': quishingCampaignResources,
	'Reported Email': reportedEmailResources,
	Role: roleResources,
	'SAML Setting': samlSettingResources,
	'SCIM Integration': scimIntegrationResources,
	'Smishing Campaign': smishingCampaignResources,
	'System User': systemUserResources,
	'Target Group': targetGroupResources,
	'Target User': targetUserResources,
	Training: trainingResources,
	'Training Report': trainingReportResources,
};

const HEADER_CHECK_PURPOSE = 'check the company header';

/** An ID that no company has. */
const UNKNOWN_COMPANY_ID = 'no-such-company';

const HEADER_IGNORED_HINT =
	"The platform returned roles for a company that doesn't exist, so it ignores which company a request is for. Requests for one company may then read or change another one. Correct 'Company Header Name' in the credential.";

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
		action: 'Check account access',
		description: 'List the operations that the credential may run, and the role and company of the credential',
		outputNote:
			"Each output item is one operation. Its field 'allowed' is true if the platform permits the operation. Its field 'allowedByCredential' is false if 'Read Only' in the credential blocks the operation.",
		scope: 'credential',
		isReadOnly: true,
		dependencies: [],
		run: async (_values, { context }) => {
			const { client, addHint } = context;
			const { permissions, role, companyResourceId, companyName } = await client.getTokenClaims();
			const companyHeaderIsRead = await isCompanyHeaderRead(client);
			if (companyHeaderIsRead === false) addHint(HEADER_IGNORED_HINT);
			const operationsByNode = { Account: accountOperations, ...mapValues(RESOURCES_BY_NODE, listOperations) };
			return Object.entries(operationsByNode).flatMap(([node, operations]) =>
				operations.flatMap(({ endpoint, substituteEndpoints, action, isReadOnly }) => {
					if (endpoint === null) return [];
					const { permission, allowed } = checkPermission(endpoint, substituteEndpoints, permissions);
					const json = {
						node,
						operation: action,
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
