import type { NodeResource } from '../core/operation/nodeResource';
import { googleOAuthOperations } from './googleOAuthOperations';

/** The only n8n resource of the Google OAuth node. */
export const googleOAuthResources: NodeResource[] = [
	{
		value: 'googleOAuth',
		name: 'Google OAuth',
		defaultOperation: 'getConsentUrl',
		operations: googleOAuthOperations,
	},
];
