import type { NodeResource } from '../core/operation/nodeResource';
import { directEmailSettingOperations } from './directEmailSettingOperations';
import { smtpSettingOperations } from './smtpSettingOperations';

/**
 * The n8n resources of the Direct Email Setting node. The node opens on the first one. Both kinds of settings decide how the platform
 * delivers emails, so a user looks for them in the same place.
 */
export const directEmailSettingResources: NodeResource[] = [
	{
		value: 'directEmailSetting',
		name: 'Direct Email Setting',
		defaultOperation: 'getMany',
		operations: directEmailSettingOperations,
	},
	{
		value: 'smtpSetting',
		name: 'SMTP Setting',
		defaultOperation: 'getMany',
		operations: smtpSettingOperations,
	},
];
