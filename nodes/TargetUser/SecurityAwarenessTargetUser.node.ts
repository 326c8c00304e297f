import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { targetUserResources } from './targetUserResources';

export class SecurityAwarenessTargetUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target User',
		name: 'securityAwarenessTargetUser',
		icon: { light: 'file:../../icons/targetUser.svg', dark: 'file:../../icons/targetUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(targetUserResources),
		description: 'Create, update, import, list and delete the people who get trainings and simulations',
		defaults: { name: 'Security Awareness Target User' },
		usableAsTool: buildAiTool(
			'targetUser',
			targetUserResources,
			'Create, update and list the people who get trainings and simulations',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(targetUserResources),
	};

	resources = targetUserResources;

	methods = buildListMethods(targetUserResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, targetUserResources);
	}
}
