import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { targetGroupResources } from './targetGroupResources';

export class SecurityAwarenessTargetGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target Group',
		name: 'securityAwarenessTargetGroup',
		icon: { light: 'file:../../icons/targetGroup.svg', dark: 'file:../../icons/targetGroup.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(targetGroupResources),
		description:
			'Create, list, update and delete the groups of people that get trainings and simulations, and change their members',
		defaults: { name: 'Security Awareness Target Group' },
		usableAsTool: buildAiTool(
			'targetGroup',
			targetGroupResources,
			'Create, list and update the groups of people that get trainings and simulations, and add members',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(targetGroupResources),
	};

	resources = targetGroupResources;

	methods = buildListMethods(targetGroupResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, targetGroupResources);
	}
}
