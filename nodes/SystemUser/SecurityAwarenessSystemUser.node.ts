import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { systemUserOperations } from './systemUserOperations';

const RESOURCE = { name: 'System User', value: 'systemUser' };

export class SecurityAwarenessSystemUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness System User',
		name: 'securityAwarenessSystemUser',
		icon: { light: 'file:../../icons/systemUser.svg', dark: 'file:../../icons/systemUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(systemUserOperations),
		description:
			'Add, list, change and delete people who can sign in to the administration of the platform; not every platform has all of it',
		defaults: { name: 'Security Awareness System User' },
		usableAsTool: buildAiTool(
			RESOURCE,
			systemUserOperations,
			'List the people who can sign in to the administration of the platform',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, systemUserOperations),
	};

	operations = systemUserOperations;

	methods = buildListMethods(systemUserOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, systemUserOperations);
	}
}
