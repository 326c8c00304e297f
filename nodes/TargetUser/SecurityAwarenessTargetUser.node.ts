import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Target User', value: 'targetUser' };

export class SecurityAwarenessTargetUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target User',
		name: 'securityAwarenessTargetUser',
		icon: { light: 'file:../../icons/targetUser.svg', dark: 'file:../../icons/targetUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Add, change, import and list the people who get trainings and simulations; not every platform has it',
		defaults: { name: 'Security Awareness Target User' },
		usableAsTool: toolOf(
			RESOURCE,
			// An agent has no file to give.
			operations.filter(({ value }) => value !== 'importFile'),
			'Add, change and list the people who get trainings and simulations',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf(RESOURCE, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
