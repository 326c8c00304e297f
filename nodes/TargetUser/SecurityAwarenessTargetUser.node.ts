import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { targetUserOperations } from './targetUserOperations';

const RESOURCE = { name: 'Target User', value: 'targetUser' };

export class SecurityAwarenessTargetUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target User',
		name: 'securityAwarenessTargetUser',
		icon: { light: 'file:../../icons/targetUser.svg', dark: 'file:../../icons/targetUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(targetUserOperations),
		description: 'Add, change, import and list the people who get trainings and simulations; not every platform has it',
		defaults: { name: 'Security Awareness Target User' },
		usableAsTool: buildAiTool(
			RESOURCE,
			// An AI agent can't provide a file.
			targetUserOperations.filter(({ value }) => value !== 'importFile'),
			'Add, change and list the people who get trainings and simulations',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, targetUserOperations),
	};

	operations = targetUserOperations;

	methods = buildListMethods(targetUserOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, targetUserOperations);
	}
}
