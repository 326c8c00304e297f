/** The credential as n8n shows it and resolves it. */
import type { ICredentialDataDecryptedObject, ICredentialType, INodeProperties } from 'n8n-workflow';
import { SecurityAwarenessOAuth2Api } from '../../credentials/SecurityAwarenessOAuth2Api.credentials';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { CredentialStore } from '../n8n-core';
import { loadCore } from '../n8n-core/core';
import { HarnessCredentialsHelper } from '../n8n-core/credentials';
import { buildWorkflow } from '../n8n-core/workflow';

export const credential = new SecurityAwarenessOAuth2Api();

type Shown = NonNullable<INodeProperties['displayOptions']>['show'];
const unless = { useDynamicClientRegistration: [false] };
const codes = { grantType: ['authorizationCode', 'pkce'], ...unless };
const inBody = { grantType: ['clientCredentials'], authentication: ['body'], ...unless };

/** n8n's own oAuth2Api in its order: what 1.123 has, and what 2.41 has besides. */
const inherited = (is241: boolean): ICredentialType => {
	const property = (
		name: string,
		value: string | boolean,
		show?: Shown,
		type: INodeProperties['type'] = 'string',
	): INodeProperties => ({
		displayName: `n8n's ${name}`,
		name,
		type,
		default: value,
		...(show ? { displayOptions: { show } } : {}),
	});
	return {
		name: 'oAuth2Api',
		displayName: 'OAuth2 API',
		properties: [
			property('useDynamicClientRegistration', false, undefined, 'hidden'),
			property('grantType', 'authorizationCode', unless, 'options'),
			property('serverUrl', '', { useDynamicClientRegistration: [true] }),
			property('authUrl', '', codes),
			property('accessTokenUrl', '', unless),
			property('clientId', '', unless),
			...(is241 ? [property('clientCredentialType', 'clientSecret', undefined, 'hidden')] : []),
			property('clientSecret', '', unless),
			...(is241
				? [property('privateKey', '', undefined, 'hidden'), property('certificate', '', undefined, 'hidden')]
				: []),
			property('scope', '', unless),
			property('authQueryParameters', '', codes),
			property('authentication', 'header', unless, 'options'),
			property('sendAdditionalBodyProperties', false, inBody, 'boolean'),
			property('additionalBodyProperties', '', { ...inBody, sendAdditionalBodyProperties: [true] }, 'json'),
			{ ...property('ignoreSSLIssues', false, undefined, 'boolean'), doNotInherit: true },
			...(is241 ? [{ ...property('tokenExpiredStatusCode', '401'), doNotInherit: true }] : []),
		],
	};
};

export const helperFor = async (data: ICredentialDataDecryptedObject, is241 = true) => {
	const { core } = await loadCore();
	return new HarnessCredentialsHelper(core, new CredentialStore(data), [credential, inherited(is241)]);
};

/** The credential as a node gets it: defaults filled in, expressions worked out by n8n. */
export async function resolved(data: ICredentialDataDecryptedObject) {
	const { additionalData, node } = await buildWorkflow(await loadCore(), {
		node: new SecurityAwarenessCompany(),
		parameters: {},
	});
	const helper = await helperFor(data);
	return await helper.getDecrypted(additionalData, { id: 'id', name: 'name' }, credential.name, 'trigger', {
		node,
		data: {},
		source: null,
	});
}
