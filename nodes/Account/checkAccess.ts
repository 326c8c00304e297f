import { operations as apiClient } from '../ApiClient/operations';
import { operations as company } from '../Company/operations';
import { operations as companyGroup } from '../CompanyGroup/operations';
import { operations as directEmailSetting } from '../DirectEmailSetting/operations';
import { operations as enrollment } from '../Enrollment/operations';
import { operations as executiveReport } from '../ExecutiveReport/operations';
import { operations as googleOAuth } from '../GoogleOAuth/operations';
import { operations as leaderboard } from '../Leaderboard/operations';
import { operations as phishingCampaign } from '../PhishingCampaign/operations';
import { operations as quishingCampaign } from '../QuishingCampaign/operations';
import { operations as reportedEmail } from '../ReportedEmail/operations';
import { operations as role } from '../Role/operations';
import { operations as samlSetting } from '../SamlSetting/operations';
import { operations as scimIntegration } from '../ScimIntegration/operations';
import { operations as smishingCampaign } from '../SmishingCampaign/operations';
import { operations as systemUser } from '../SystemUser/operations';
import { operations as targetGroup } from '../TargetGroup/operations';
import { operations as targetUser } from '../TargetUser/operations';
import { operations as training } from '../Training/operations';
import { operations as trainingReport } from '../TrainingReport/operations';
import { readList } from '../core/pagination/readList';
import { defineComposite, type Operation } from '../core/operation/defineOperation';
import { COMPANY_ID, companyOf } from '../core/companies/companies';
import { isStop, rethrow, ServiceError } from '../core/http/errors';
import type { Service } from '../core/http/client';
import { endpointOf } from '../core/api/endpoint';

const OTHER_NODES = {
	'API Client': apiClient,
	Company: company,
	'Company Group': companyGroup,
	'Direct Email Setting': directEmailSetting,
	Enrollment: enrollment,
	'Executive Report': executiveReport,
	'Google OAuth': googleOAuth,
	Leaderboard: leaderboard,
	'Phishing Campaign': phishingCampaign,
	'Quishing Campaign': quishingCampaign,
	'Reported Email': reportedEmail,
	Role: role,
	'SAML Setting': samlSetting,
	'SCIM Integration': scimIntegration,
	'Smishing Campaign': smishingCampaign,
	'System User': systemUser,
	'Target Group': targetGroup,
	'Target User': targetUser,
	Training: training,
	'Training Report': trainingReport,
};

const ASKING = { purpose: 'check the company header' };
const NO_COMPANY = 'no-such-company';
const NOT_READ =
	"The service gave the roles of a company that does not exist, so it does not read the header with the company's ID: what you do for one company happens elsewhere. Correct 'Company Header Name' in the credential.";

/** The ID of a company that the credential manages. @returns undefined if it cannot list any */
async function listedCompany(service: Service): Promise<string | undefined> {
	const request = { ...ASKING, endpoint: 'POST /api/companies/search' } as const;
	const found = await readList(service, request, { limit: 1, identity: COMPANY_ID }).catch(onlyRefusals);
	const [company = {}] = found?.records ?? [];
	return companyOf(company).id || undefined;
}

const onlyRefusals = async (error: unknown) =>
	error instanceof ServiceError && !isStop(error) ? undefined : await rethrow(error);

/**
 * Whether the service reads the header with the company's ID: then it has roles for a company that it lists, and none for an ID
 * that no company has (deployment behaviour: "H is not a managed company" is a 403).
 * @returns null if that cannot be told, such as for a credential that cannot list companies
 */
async function isHeaderRead(service: Service): Promise<boolean | null> {
	const listed = await listedCompany(service);
	if (listed === undefined) return null;
	const rolesOf = async (id: string) =>
		service.json({ ...ASKING, endpoint: 'GET /api/roles', company: { id, name: '' } }).catch(onlyRefusals);
	if (!(await rolesOf(listed))) return null;
	return (await rolesOf(NO_COMPANY)) === undefined;
}

/** @param account the operations of the Account node that are rows of the contract */
export const checkAccess = (account: Operation[]) =>
	defineComposite({
		value: 'checkAccess',
		name: 'Check Access',
		description: 'Get what this credential may do: its role, company and operations, and if the company header is read',
		scope: 'credential',
		reads: true,
		uses: [],
		run: async (_values, { context }) => {
			const { service, hint } = context;
			const { permissions, role, companyResourceId, companyName } = await service.access();
			const companyHeaderIsRead = await isHeaderRead(service);
			if (companyHeaderIsRead === false) hint(NOT_READ);
			return Object.entries({ Account: account, ...OTHER_NODES }).flatMap(([node, operations]) =>
				operations.flatMap(({ endpoint, substitutes, name, reads }) => {
					if (endpoint === null) return [];
					// If a deployment has an operation at another path, its permissions name that path.
					const { permission: own, elsewhere = endpoint } = endpointOf(endpoint);
					const listed = [endpoint, elsewhere, ...substitutes]
						.map((each) => endpointOf(each).permission)
						.find((each) => permissions.includes(each));
					const permission = listed ?? own;
					// A token without a list of permissions says nothing about them.
					const allowed = permissions.length === 0 ? null : listed !== undefined;
					const json = { node, operation: name, permission, allowed, role, companyResourceId, companyName };
					return [{ json: { ...json, companyHeaderIsRead, allowedByCredential: reads || !service.isReadOnly } }];
				}),
			);
		},
	});
