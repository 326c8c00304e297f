/** Helpers that determine which fields of the credential n8n shows, and that resolve the credential as n8n does. */
import type { ICredentialDataDecryptedObject, ICredentialType, INodeProperties } from 'n8n-workflow';
import { SecurityAwarenessOAuth2Api } from '../../credentials/SecurityAwarenessOAuth2Api.credentials';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { CredentialStore } from '../n8n-core';
import { loadCore } from '../n8n-core/loadCore';
import { HarnessCredentialsHelper } from '../n8n-core/credentials';
import { buildWorkflow } from '../n8n-core/workflow';

export const credential = new SecurityAwarenessOAuth2Api();

type ShowCondition = NonNullable<INodeProperties['displayOptions']>['show'];
const noDynamicRegistrationCondition = { useDynamicClientRegistration: [false] };
const authorizationCodeCondition = { grantType: ['authorizationCode', 'pkce'], ...noDynamicRegistrationCondition };
const clientCredentialsCondition = {
	grantType: ['clientCredentials'],
	authentication: ['body'],
	...noDynamicRegistrationCondition,
};

function buildProperty(
	name: string,
	value: string | boolean,
	show?: ShowCondition,
	type: INodeProperties['type'] = 'string',
): INodeProperties {
	const property: INodeProperties = { displayName: `n8n's ${name}`, name, type, default: value };
	if (show) property.displayOptions = { show };
	return property;
}

/**
 * Builds n8n's own oAuth2Api credential type, with the fields in n8n's order.
 * @param isN8n241 true for n8n 2.41, false for n8n 1.123
 */
function buildOAuth2Api(isN8n241: boolean): ICredentialType {
	const properties: INodeProperties[] = [
		buildProperty('useDynamicClientRegistration', false, undefined, 'hidden'),
		buildProperty('grantType', 'authorizationCode', noDynamicRegistrationCondition, 'options'),
		buildProperty('serverUrl', '', { useDynamicClientRegistration: [true] }),
		buildProperty('authUrl', '', authorizationCodeCondition),
		buildProperty('accessTokenUrl', '', noDynamicRegistrationCondition),
		buildProperty('clientId', '', noDynamicRegistrationCondition),
	];
	if (isN8n241) properties.push(buildProperty('clientCredentialType', 'clientSecret', undefined, 'hidden'));
	properties.push(buildProperty('clientSecret', '', noDynamicRegistrationCondition));
	if (isN8n241)
		properties.push(
			buildProperty('privateKey', '', undefined, 'hidden'),
			buildProperty('certificate', '', undefined, 'hidden'),
		);
	properties.push(
		buildProperty('scope', '', noDynamicRegistrationCondition),
		buildProperty('authQueryParameters', '', authorizationCodeCondition),
		buildProperty('authentication', 'header', noDynamicRegistrationCondition, 'options'),
		buildProperty('sendAdditionalBodyProperties', false, clientCredentialsCondition, 'boolean'),
		buildProperty(
			'additionalBodyProperties',
			'',
			{ ...clientCredentialsCondition, sendAdditionalBodyProperties: [true] },
			'json',
		),
		{ ...buildProperty('ignoreSSLIssues', false, undefined, 'boolean'), doNotInherit: true },
	);
	if (isN8n241) properties.push({ ...buildProperty('tokenExpiredStatusCode', '401'), doNotInherit: true });
	return { name: 'oAuth2Api', displayName: 'OAuth2 API', properties };
}

/**
 * Creates n8n's helper for credentials.
 * @param data the user's input
 * @param isN8n241 true for n8n 2.41, false for n8n 1.123
 */
export async function createCredentialsHelper(data: ICredentialDataDecryptedObject, isN8n241 = true) {
	const { core } = await loadCore();
	return new HarnessCredentialsHelper(core, new CredentialStore(data), [credential, buildOAuth2Api(isN8n241)]);
}

/** Resolves the credential as n8n does for a node: with defaults and evaluated expressions. @param data the user's input */
export async function resolveCredential(data: ICredentialDataDecryptedObject) {
	const { additionalData, node } = await buildWorkflow(await loadCore(), {
		node: new SecurityAwarenessCompany(),
		parameters: {},
	});
	const helper = await createCredentialsHelper(data);
	return await helper.getDecrypted(additionalData, { id: 'id', name: 'name' }, credential.name, 'trigger', {
		node,
		data: {},
		source: null,
	});
}
