import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * Builds an n8n expression that returns a URL below the Base URL. If the Base URL must use https but doesn't, the expression
 * returns a URL with a protocol that doesn't exist. n8n then doesn't send the secret anywhere, and shows "Unsupported protocol
 * base-url-must-...".
 * @param fieldsVariable the n8n variable that holds the credential's fields
 * @param path the part of the URL after the Base URL
 */
function buildUrlExpression(fieldsVariable: '$self' | '$credentials', path: string): string {
	// Users often paste spaces, a trailing slash or "/api" with the Base URL. The expression removes them in the same way as
	// `parseBaseUrl`, which the nodes use.
	const baseUrlExpression = String.raw`String(${fieldsVariable}["serverUrl"] ?? "").trim().replace(/(\/+api)?\/*$/i, "")`;
	const isSecureExpression = String.raw`/^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))/i.test(${baseUrlExpression})`;
	const isPlainHttpAllowedExpression = `${fieldsVariable}["allowPlainHttp"] === true`;
	return `={{ ${isSecureExpression} || ${isPlainHttpAllowedExpression} ? ${baseUrlExpression} + "${path}" : "base-url-must-begin-with-https:" }}`;
}

/** Hides a field that n8n's oAuth2Api credential defines, and gives it a fixed value. */
const hiddenField = (name: string, value: string | boolean, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/** Creates a rule that makes n8n's credential test show a message for an HTTP status. */
const createStatusRule = (status: number, message: string) => ({
	type: 'responseCode' as const,
	properties: { value: status, message },
});

/** The client credentials of a Reseller or a Company Admin (contract 5). n8n fetches, stores and refreshes the token. */
export class SecurityAwarenessOAuth2Api implements ICredentialType {
	name = 'securityAwarenessOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Security Awareness OAuth2 API';

	icon = {
		light: 'file:../icons/securityAwareness.svg',
		dark: 'file:../icons/securityAwareness.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-security-awareness/n8n-nodes-security-awareness/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		hiddenField('grantType', 'clientCredentials', 'Grant Type'),
		{
			// n8n shows inherited fields first, in its own order. This field has the name of an inherited field, so that it is
			// shown before the Client ID.
			displayName: 'Base URL',
			name: 'serverUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://awareness.example.com',
			description: "Enter the address of the platform's API: only https:// and the host, without a path",
		},
		hiddenField('authUrl', '', 'Authorization URL'),
		hiddenField('accessTokenUrl', buildUrlExpression('$self', '/connect/token'), 'Access Token URL'),
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: 'Enter the client ID that the platform shows in the company settings, under REST API',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Enter the client secret that the platform showed when you created the client. If you lost it, create a new client.',
		},
		hiddenField('scope', 'api1', 'Scope'),
		hiddenField('authentication', 'body', 'Authentication'),
		hiddenField('sendAdditionalBodyProperties', false, 'Send Additional Body Properties'),
		hiddenField('additionalBodyProperties', '', 'Additional Body Properties'),
		{
			displayName: 'Company Header Name',
			name: 'companyHeaderName',
			type: 'string',
			default: 'X-SERVICE-Company-Id',
			description:
				"The HTTP header that says which customer a request is for. Keep the default, unless the platform's API documentation names another header.",
		},
		{
			displayName: 'Read Only',
			name: 'readOnly',
			type: 'boolean',
			default: false,
			description: "Whether to block every request that changes data. This doesn't affect n8n's HTTP Request node.",
		},
		{
			displayName: 'AI Agents May',
			name: 'agentsMay',
			type: 'options',
			options: [
				{
					name: 'Read',
					value: 'read',
					description: 'Get records and reports, but change nothing',
				},
				{
					name: 'Also Make Reversible Changes',
					value: 'change',
					description: 'Also create and update records, if this can be undone and sends no email',
				},
				{
					name: 'Also Email and Start',
					value: 'email',
					description: 'Also email people, enroll them, and start simulations',
				},
			],
			default: 'change',
			description:
				'What an AI agent may do with these nodes as tools. An agent can never delete, revoke or replace anything, get secrets or use files.',
		},
		{
			displayName: 'More Settings',
			name: 'moreSettings',
			type: 'boolean',
			default: false,
			description: "Whether to show and apply the setting 'Allow Plain HTTP'",
		},
		{
			displayName: 'Allow Plain HTTP',
			name: 'allowPlainHttp',
			type: 'boolean',
			default: false,
			displayOptions: { show: { moreSettings: [true] } },
			description:
				'Whether to allow a Base URL that begins with http://. Data is then sent unencrypted, so use this only for test systems.',
		},
	];

	// Every role may read the form details of enrollments, so the test doesn't depend on the role (contract 4.7, 5.5).
	test: ICredentialTestRequest = {
		request: {
			baseURL: buildUrlExpression('$credentials', ''),
			url: '/api/enrollments/form-details',
			method: 'GET',
		},
		// The list is cast, because n8n's TypeScript type allows only one kind of rule per list. At run time, n8n evaluates each rule by its
		// own type.
		rules: [
			createStatusRule(
				403,
				"The platform knows this client, but refuses access (403). If the client is restricted to certain IP addresses, add the address of n8n's machine to them in the platform under REST API. Otherwise, the client's role lacks the permission for enrollments.",
			),
			createStatusRule(
				404,
				"The server at the Base URL does not have the platform's API (404). Enter the address of the API, without a path.",
			),
			createStatusRule(
				401,
				'The platform issued a token, but does not accept it (401). Check that the Base URL and the client belong to the same platform.',
			),
			{
				// n8n returns a web page as a string, and JSON as an object.
				type: 'responseSuccessBody',
				properties: {
					key: 'constructor.name',
					value: 'String',
					message:
						"The platform sent a web page instead of data. Enter the address of the API, not of the platform's website. A firewall or a sign-in page between n8n and the platform can also cause this.",
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
