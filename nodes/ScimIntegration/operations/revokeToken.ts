import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { scimPicker } from '../../shared/pickers/scim';
import { withTokenOnTop } from '../token';

export const revokeToken = defineOperation({
	value: 'revokeToken',
	name: 'Revoke SCIM Token',
	action: 'Revoke SCIM token',
	description:
		'Replace the token of a connection with a new one, shown only here; the identity provider needs it at once',
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
