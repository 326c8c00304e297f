import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { trainingResources } from './trainingResources';

export class SecurityAwarenessTraining implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training',
		name: 'securityAwarenessTraining',
		icon: { light: 'file:../../icons/training.svg', dark: 'file:../../icons/training.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(trainingResources),
		description: 'List the trainings that customers can enroll people in',
		defaults: { name: 'Security Awareness Training' },
		usableAsTool: buildAiTool('training', trainingResources, 'List the trainings that customers can enroll people in'),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(trainingResources),
	};

	resources = trainingResources;

	methods = buildListMethods(trainingResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, trainingResources);
	}
}
