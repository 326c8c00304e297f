import type { ICredentialType, INodeProperties } from 'n8n-workflow';

const textField = (name: string, displayName: string, options: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...options,
});

/**
 * A copy of n8n's own oAuth2Api, from which credentials inherit fields. The original is in n8n-nodes-base, which is not
 * installed.
 */
export const oAuth2Api: ICredentialType = {
	name: 'oAuth2Api',
	displayName: 'OAuth2 API',
	properties: [
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'options',
			options: [
				{ name: 'Authorization Code', value: 'authorizationCode' },
				{ name: 'Client Credentials', value: 'clientCredentials' },
				{ name: 'PKCE', value: 'pkce' },
			],
			default: 'authorizationCode',
		},
		textField('authUrl', 'Authorization URL', {
			displayOptions: { show: { grantType: ['authorizationCode', 'pkce'] } },
		}),
		textField('accessTokenUrl', 'Access Token URL', { required: true }),
		textField('clientId', 'Client ID', { required: true }),
		textField('clientSecret', 'Client Secret', { required: true, typeOptions: { password: true } }),
		textField('scope', 'Scope'),
		textField('authQueryParameters', 'Auth URI Query Parameters', {
			displayOptions: { show: { grantType: ['authorizationCode', 'pkce'] } },
		}),
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{ name: 'Body', value: 'body' },
				{ name: 'Header', value: 'header' },
			],
			default: 'header',
		},
		{
			displayName: 'Send Additional Body Properties',
			name: 'sendAdditionalBodyProperties',
			type: 'boolean',
			displayOptions: { show: { grantType: ['clientCredentials'], authentication: ['body'] } },
			default: false,
		},
		{
			displayName: 'Additional Body Properties',
			name: 'additionalBodyProperties',
			type: 'json',
			displayOptions: {
				show: { grantType: ['clientCredentials'], authentication: ['body'], sendAdditionalBodyProperties: [true] },
			},
			default: '',
		},
	],
};
