import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * Creates n8n expressions for an address that starts with the Base URL, with the same rules as in the nodes: https, or
 * http where it is allowed or goes to this machine, and a host without a path. For any other Base URL the result is an
 * address with a protocol that does not exist, so that n8n does not send the secret. The name of the protocol says what
 * is wrong, because n8n shows it ("Unsupported protocol ...").
 * @param fields the variable with the credential's fields in that expression
 */
function rulesFor(fields: '$self' | '$credentials') {
	// Removes what people often paste with it: spaces, a trailing slash, "/api".
	const base = String.raw`String(${fields}["serverUrl"] ?? "").trim().replace(/\/+$/, "").replace(/\/api$/i, "").replace(/\/+$/, "")`;
	const isHttps = String.raw`/^https:\/\/([^\s\/\\?#@:]+|\[[\da-f:.]+\])(:\d+)?$/i.test(${base})`;
	const isHttp = String.raw`/^http:\/\/([^\s\/\\?#@:]+|\[[\da-f:.]+\])(:\d+)?$/i.test(${base})`;
	const isHere = String.raw`/^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(${base})`;
	const isLonger = String.raw`/^https?:\/\/[^\s\\@]+$/i.test(${base})`;
	const isAllowed = `(${isHttps} || ${isHere} || (${isHttp} && ${fields}["allowPlainHttp"] === true))`;
	/** What is said of a Base URL that is refused. */
	const wrong = ({ plainHttp, path, other }: typeof INVALID_URL_PROTOCOLS) =>
		`${isHttp} ? "${plainHttp}" : ${isLonger} ? "${path}" : "${other}"`;
	return { base, isAllowed, wrong };
}

/** The address for tokens. */
function tokenAddress(): string {
	const { base, isAllowed, wrong } = rulesFor('$self');
	return `={{ ${isAllowed} ? ${base} + "/connect/token" : ${wrong(INVALID_URL_PROTOCOLS)} }}`;
}

/**
 * The address that n8n's test of the credential asks. For a Base URL that is refused, the first part throws our own
 * sentence, which n8n shows. An n8n with the older kind of expressions ignores what is thrown, unless it is an error of
 * a class that we cannot make; there the second part is the whole address, with a protocol that does not exist.
 */
function testedAddress(): string {
	const { base, isAllowed, wrong } = rulesFor('$credentials');
	const refuse = `(() => { throw Object.assign(new Error(${wrong(INVALID_URL_SENTENCES)}), { name: "ExpressionError" }); })()`;
	return `={{ ${isAllowed} ? ${base} : ${refuse} }}{{ ${isAllowed} ? "" : ${wrong(INVALID_URL_PROTOCOLS)} }}`;
}

/** What is wrong with a Base URL, written as the name of a protocol. */
const INVALID_URL_PROTOCOLS = {
	plainHttp: 'base-url-must-begin-with-https-or-allow-plain-http-be-on:',
	path: 'base-url-must-not-have-a-path:',
	other: 'base-url-must-be-https-and-a-host:',
};

/** The same in words. No text may have a double quote. */
const INVALID_URL_SENTENCES: typeof INVALID_URL_PROTOCOLS = {
	plainHttp:
		"The Base URL must begin with https://, because over http:// others can read your data on the way. For a test system without https, switch on 'Allow Plain HTTP'.",
	path: 'The Base URL must not have a path: enter only https:// and the host, for example https://awareness.example.com.',
	other: 'The Base URL is not a web address: enter https:// and the host, for example https://awareness.example.com.',
};

/** A field of oAuth2Api that is hidden, with a fixed value. */
const hidden = (name: string, value: string | boolean, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/**
 * Whether n8n's HTTP Request node may be used with the credential: not while it is limited, because that node asks for
 * anything. n8n adds a field of this name to each credential of this kind, unless it has one, and reads it in all versions.
 */
const HTTP_REQUEST_NODE =
	'={{ ($self["whatItMayDo"] ?? "everything") === "everything" && ($self["onlyTheseCompanies"] ?? false) === false && ($self["agents"] ?? "everything") === "everything" ? "all" : "none" }}';

/** The notice for a failed connection test; n8n shows its HTML as a list. */
const TROUBLESHOOTING = [
	'If the connection test does not succeed:<ul>',
	'<li>“Client authentication failed”: enter ID and secret again, or create a new client in the platform under REST API.</li>',
	"<li>“Refused the connection” or “cannot be established”: check the Base URL, and that n8n's machine can reach it.</li>",
	"<li>“Forbidden”: if the client is restricted to certain IP addresses, add n8n's.</li>",
	'<li>“Unsupported protocol”: what follows says what is wrong with the Base URL. It begins with https:// and ends with the host.</li>',
	'<li>“EPROTO” or “wrong version number”: the server does not speak https at this port; correct the port.</li>',
	'<li>“Invalid URL” or “not a valid URL”: check the Base URL for typing mistakes.</li>',
	'<li>“Expected JSON” or “content type”: the Base URL leads to a website; enter the address of the API.</li></ul>',
].join('');

const statusRule = (value: number, message: string) => ({
	type: 'responseCode' as const,
	properties: { value, message },
});

/** Client credentials of a Reseller or a Company Admin (contract 5). n8n fetches, stores and renews the token. */
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
		hidden('grantType', 'clientCredentials', 'Grant Type'),
		{
			// n8n shows inherited fields first, in its own order; by this name the field is shown before the Client ID.
			displayName: 'Base URL',
			name: 'serverUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://awareness.example.com',
			description: "The address of the platform's API: scheme and host, without a path",
		},
		hidden('authUrl', '', 'Authorization URL'),
		hidden('accessTokenUrl', tokenAddress(), 'Access Token URL'),
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: "From the platform's company settings, under REST API",
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Shown by the platform only once, when the client is created; if you no longer have it, create a new one',
		},
		hidden('scope', 'api1', 'Scope'),
		{
			// n8n writes the error of a refused token request itself, so only this notice can say what to do. It has the name
			// of a field that client credentials do not use, because n8n shows that one directly below the secret.
			displayName: TROUBLESHOOTING,
			name: 'authQueryParameters',
			type: 'notice',
			default: '',
		},
		hidden('authentication', 'body', 'Authentication'),
		hidden('sendAdditionalBodyProperties', false, 'Send Additional Body Properties'),
		hidden('additionalBodyProperties', '', 'Additional Body Properties'),
		{
			displayName: 'Company Header Name',
			name: 'companyHeaderName',
			type: 'string',
			default: 'X-SERVICE-Company-Id',
			description:
				'The header that tells the platform which customer a request is for; change it only if your platform runs under another brand',
		},
		{
			displayName: 'More Settings',
			name: 'moreSettings',
			type: 'boolean',
			default: false,
			description: 'Whether to show settings that most platforms do not need',
		},
		{
			displayName: 'Enrollment Header Name',
			name: 'enrollmentHeaderName',
			type: 'string',
			default: 'x-ir-company-id',
			displayOptions: { show: { moreSettings: [true] } },
			description:
				'A second header with the customer, which some platforms need in requests about enrollments; change it only if your platform documents another name',
		},
		{
			displayName: 'Allow Plain HTTP',
			name: 'allowPlainHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to send data unencrypted to an address that begins with http://; on for test systems only (this machine is always allowed)',
		},
		{
			displayName: 'What It May Do',
			name: 'whatItMayDo',
			type: 'options',
			options: [
				{ name: 'Everything', value: 'everything', description: 'Whatever the role of the client allows' },
				{
					name: 'Read Only',
					value: 'readOnly',
					description: 'Nothing that changes anything is sent, whatever a workflow says',
				},
			],
			default: 'everything',
			description: "What the package's nodes may do with this credential",
		},
		{
			displayName: 'Only These Companies',
			name: 'onlyTheseCompanies',
			type: 'boolean',
			default: false,
			description:
				"Whether the package's nodes may use this credential for certain companies only; what cannot be limited to a company is then refused",
		},
		{
			displayName: 'Company IDs',
			name: 'companyIds',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. 3f2a9c10-6b1e-4f57, 77c0de12-0a4b-4c9e',
			displayOptions: { show: { onlyTheseCompanies: [true] } },
			description:
				'The IDs of these companies, separated by commas, semicolons, spaces or line breaks. Child companies need their own ID here. If it is empty or has anything else in it, the credential may be used for no company.',
		},
		{
			displayName: 'Agents',
			name: 'agents',
			type: 'options',
			options: [
				{
					name: 'May Do Nothing',
					value: 'nothing',
					description: 'Nodes that an AI agent calls, and nodes in sub-workflows, send nothing',
				},
				{
					name: 'May Do the Same as Others',
					value: 'everything',
					description: 'What is allowed above; as tools of an agent, nodes never delete',
				},
				{
					name: 'May Only Read',
					value: 'readOnly',
					description: 'Nodes that an AI agent calls, and nodes in sub-workflows, change nothing',
				},
			],
			default: 'everything',
			description:
				"What AI agents may do with this credential. n8n does not tell whether an agent called a sub-workflow, so a limit here holds for all sub-workflows. An agent's tools never delete.",
		},
		hidden('allowedHttpRequestDomains', HTTP_REQUEST_NODE, 'Allowed HTTP Request Domains'),
		// Kept for credentials in which somebody has chosen domains for that node.
		hidden('allowedDomains', '', 'Allowed Domains'),
	];

	// n8n's type allows rules of one kind only, but its connection test accepts a mixture.
	// Every role may read its form details, so the test does not depend on the role (contract 4.7, 5.5).
	test: ICredentialTestRequest = {
		request: {
			baseURL: testedAddress(),
			url: '/api/enrollments/form-details',
			method: 'GET',
		},
		rules: [
			statusRule(
				403,
				"The service knows this client but refuses access (403). If the client is restricted to certain IP addresses, add the address of n8n's machine to them in the platform under REST API. Otherwise the client's role lacks the permission for enrollments.",
			),
			statusRule(
				404,
				'There is a server at the Base URL, but not this API (404). Enter the address of the API, without a path.',
			),
			statusRule(
				401,
				'The service issued a token but does not accept it (401). Check that the Base URL and the client belong to the same platform.',
			),
			{
				// A web page or anything else without the service's envelope (contract 2.1) has no data.
				type: 'responseSuccessBody',
				properties: {
					key: 'data',
					value: undefined,
					message:
						'Something answers at the Base URL, but it is not this API: a web page, or another service. Enter the address of the API, without a path.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
