import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { humanRiskResources } from './humanRiskResources';

export class SecurityAwarenessHumanRisk implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Human Risk',
		name: 'securityAwarenessHumanRisk',
		icon: { light: 'file:../../icons/humanRisk.svg', dark: 'file:../../icons/humanRisk.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(humanRiskResources),
		description: 'See who was never trained or simulated, and who is risky and why, at every customer',
		defaults: { name: 'Security Awareness Human Risk' },
		usableAsTool: buildAiTool(
			'humanRisk',
			humanRiskResources,
			'See who was never trained or simulated, and who is risky and why, at every customer',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(humanRiskResources),
	};

	resources = humanRiskResources;

	methods = buildListMethods(humanRiskResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, humanRiskResources);
	}
}
