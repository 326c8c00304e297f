import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { trainingOperations } from './trainingOperations';

const RESOURCE = { name: 'Training', value: 'training' };

export class SecurityAwarenessTraining implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training',
		name: 'securityAwarenessTraining',
		icon: { light: 'file:../../icons/training.svg', dark: 'file:../../icons/training.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(trainingOperations),
		description: 'List the trainings that customers can enroll people in',
		defaults: { name: 'Security Awareness Training' },
		usableAsTool: buildAiTool(RESOURCE, trainingOperations, 'List the trainings that customers can enroll people in'),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, trainingOperations),
	};

	operations = trainingOperations;

	methods = buildListMethods(trainingOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, trainingOperations);
	}
}
