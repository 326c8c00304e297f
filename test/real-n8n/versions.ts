/**
 * The newest and the oldest version of n8n in which the package is tested, with the Node.js version and the environment variables
 * that each needs. The folder with the name of a version contains the package.json and the lock file to install it.
 */
export const VERSIONS = {
	'2.41.1': {
		nodeVersion: '24.21.0',
		env: {
			N8N_DISABLED_MODULES:
				'mcp-registry,mcp,insights,external-secrets,source-control,chat-hub,sso-oidc,sso-saml,ldap,log-streaming,quick-connect,workflow-builder,instance-ai,otel',
		},
	},
	'1.123.81': {
		nodeVersion: '20.20.2',
		env: { N8N_DISABLED_MODULES: 'insights', N8N_EXPRESSION_ENGINE: 'legacy' },
	},
} as const;

/** A version of n8n in which the package is tested. */
export type Version = keyof typeof VERSIONS;

export const NEWEST_VERSION: Version = '2.41.1';
export const OLDEST_VERSION: Version = '1.123.81';
