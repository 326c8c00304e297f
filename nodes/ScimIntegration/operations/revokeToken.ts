import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { scimPicker } from '../../shared/pickers/scim';
import { withTokenOnTop } from '../token';

export const revokeToken = defineOperation({
	value: 'revokeToken',
	name: 'Revoke SCIM Token',
	action: 'Revoke SCIM token',
	description: 'Replace the token of a connection; the new one is shown only here, and the identity provider needs it',
	outputsSecret: true,
	contract: 'POST /api/scim/{resourceId}/revoke',
	noBody: true,
	scope: 'company',
	fields: { scimIntegration: scimPicker() },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	answer: record({ as: 'token' }),
	// Some deployments return only the token; with several items the ID shows which integration it belongs to.
	perform: async ({ scimIntegration: { id: resourceId } }, { send }) =>
		(await send()).map(({ json }) => ({ json: { resourceId, ...withTokenOnTop(json) } })),
});
