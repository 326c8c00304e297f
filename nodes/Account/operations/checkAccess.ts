import { operations as apiClient } from '../../ApiClient/operations';
import { operations as company } from '../../Company/operations';
import { operations as companyGroup } from '../../CompanyGroup/operations';
import { operations as directEmailSetting } from '../../DirectEmailSetting/operations';
import { operations as enrollment } from '../../Enrollment/operations';
import { operations as executiveReport } from '../../ExecutiveReport/operations';
import { operations as googleOAuth } from '../../GoogleOAuth/operations';
import { operations as leaderboard } from '../../Leaderboard/operations';
import { operations as phishingCampaign } from '../../PhishingCampaign/operations';
import { operations as quishingCampaign } from '../../QuishingCampaign/operations';
import { operations as role } from '../../Role/operations';
import { operations as samlSetting } from '../../SamlSetting/operations';
import { operations as scimIntegration } from '../../ScimIntegration/operations';
import type { Session } from '../../shared/answer/answer';
import { defineComposite } from '../../shared/operation/composite';
import { FITTING } from '../../shared/operation/output';
import { listCompanies, remarkOnUnlisted, unlistedOf } from '../../shared/pickers/companies';
import { rethrow, ServiceError } from '../../shared/transport/errors';
import { permissionOf } from '../../shared/transport/request';
import type { Service } from '../../shared/transport/service';
import { operations as smishingCampaign } from '../../SmishingCampaign/operations';
import { operations as systemUser } from '../../SystemUser/operations';
import { operations as targetGroup } from '../../TargetGroup/operations';
import { operations as training } from '../../Training/operations';
import { operations as trainingReport } from '../../TrainingReport/operations';
import { contractOperations as account } from '../fields';

const BY_NODE = {
	Account: account,
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
	Role: role,
	'SAML Setting': samlSetting,
	'SCIM Integration': scimIntegration,
	'Smishing Campaign': smishingCampaign,
	'System User': systemUser,
	'Target Group': targetGroup,
	Training: training,
	'Training Report': trainingReport,
};

/** The limits of the credential, as its form names them, and the IDs in it that the service does not know. */
async function limitsIn({ service, signal, hint }: Session) {
	const { readOnly, companies, agents } = service.allowance.limits;
	const unknown = companies ? await unknownOf(service, signal) : [];
	const remark = remarkOnUnlisted(unknown);
	if (remark !== undefined) hint(remark);
	return {
		whatItMayDo: readOnly ? 'readOnly' : 'everything',
		onlyTheseCompanies: companies ? [...companies] : null,
		unknownCompanyIds: unknown,
		agents,
	};
}

/** @returns null if the service does not list all companies for this client */
async function unknownOf(service: Service, signal: AbortSignal): Promise<string[] | null> {
	try {
		return unlistedOf(service.allowance.limits, await listCompanies(service, signal));
	} catch (error) {
		// Only a Reseller's client may list companies (contract 4.3).
		if (error instanceof ServiceError && error.details.status === 403) return null;
		return await rethrow(error);
	}
}

export const checkAccess = defineComposite({
	value: 'checkAccess',
	name: 'Check Access',
	action: 'Check access',
	description: 'Get what this credential may do: its role, its company, and whether each operation is allowed',
	scope: 'credential',
	fields: {},
	reads: true,
	steps: [],
	run: async (_values, { session }) => {
		const { service, version } = session;
		const { permissions, role, companyResourceId, companyName } = await service.access();
		const limits = version < FITTING ? {} : await limitsIn(session);
		return Object.entries(BY_NODE).flatMap(([node, operations]) =>
			operations.flatMap(({ contract, fallbackContracts, substituteContracts, name }) => {
				if (contract === null) return [];
				// If a deployment has an operation at another path, its permissions name that path.
				const listed = [contract, ...fallbackContracts, ...substituteContracts]
					.map(permissionOf)
					.find((each) => permissions.includes(each));
				const permission = listed ?? permissionOf(contract);
				// A token without a list of permissions says nothing about them.
				const allowed = permissions.length === 0 ? null : listed !== undefined;
				const json = { node, operation: name, permission, allowed, role, companyResourceId, companyName };
				return [
					{
						json: {
							...json,
							...(version < FITTING ? {} : { allowedByCredential: service.allowance.has(contract) }),
							...limits,
						},
					},
				];
			}),
		);
	},
});
