/**
 * The versions of n8n in which the package is tested, the newest and the oldest, with the Node.js version and the settings that
 * each needs. The folder with the version's name holds its package.json and lock file.
 */
export const VERSIONS = {
	'2.41.1': {
		node: '24.21.0',
		env: {
			N8N_DISABLED_MODULES:
				'mcp-registry,mcp,insights,external-secrets,source-control,chat-hub,sso-oidc,sso-saml,ldap,log-streaming,quick-connect,workflow-builder,instance-ai,otel',
		},
	},
	'1.123.81': {
		node: '20.20.2',
		env: { N8N_DISABLED_MODULES: 'insights', N8N_EXPRESSION_ENGINE: 'legacy' },
	},
} as const;

/** A version of n8n in which the package is tested. */
export type Version = keyof typeof VERSIONS;

export const NEWEST: Version = '2.41.1';
export const OLDEST: Version = '1.123.81';
