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
import { defineComposite } from '../../shared/operation/composite';
import { permissionOf } from '../../shared/transport/request';
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

export const checkAccess = defineComposite({
	value: 'checkAccess',
	name: 'Check Access',
	action: 'Check access',
	description: 'Get what this credential may do: its role, its company, and whether each operation is allowed',
	scope: 'credential',
	fields: {},
	reads: true,
	steps: [],
	run: async (_values, { session: { service } }) => {
		const { permissions, role, companyResourceId, companyName } = await service.access();
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
				return [{ json: { node, operation: name, permission, allowed, role, companyResourceId, companyName } }];
			}),
		);
	},
});
