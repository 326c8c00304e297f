import type { NodeResource } from '../core/operation/nodeResource';
import { directEmailSettingOperations } from './directEmailSettingOperations';

/** The only n8n resource of the Direct Email Setting node. */
export const directEmailSettingResources: NodeResource[] = [
	{
		value: 'directEmailSetting',
		name: 'Direct Email Setting',
		defaultOperation: 'getMany',
		operations: directEmailSettingOperations,
	},
];
