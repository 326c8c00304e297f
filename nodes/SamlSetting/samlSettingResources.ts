import type { NodeResource } from '../core/operation/nodeResource';
import { samlSettingOperations } from './samlSettingOperations';

/** The only n8n resource of the SAML Setting node. */
export const samlSettingResources: NodeResource[] = [
	{
		value: 'samlSetting',
		name: 'SAML Setting',
		defaultOperation: 'getMany',
		operations: samlSettingOperations,
	},
];
