import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allTargetGroupOperations } from './operations';

const RESOURCE = { name: 'Target Group', value: 'targetGroup' };

export class SecurityAwarenessTargetGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target Group',
		name: 'securityAwarenessTargetGroup',
		icon: { light: 'file:../../icons/targetGroup.svg', dark: 'file:../../icons/targetGroup.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(allTargetGroupOperations),
		description:
			'Read, create, change and delete the groups of users that trainings and simulations are sent to; not every platform has all of it',
		defaults: { name: 'Security Awareness Target Group' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allTargetGroupOperations,
			'Read, create and change the groups of users that trainings and simulations are sent to',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allTargetGroupOperations),
	};

	operations = allTargetGroupOperations;

	methods = buildListMethods(allTargetGroupOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allTargetGroupOperations);
	}
}
