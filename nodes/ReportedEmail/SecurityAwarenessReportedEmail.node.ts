import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Reported Email', value: 'reportedEmail' };

export class SecurityAwarenessReportedEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Reported Email',
		name: 'securityAwarenessReportedEmail',
		icon: { light: 'file:../../icons/reportedEmail.svg', dark: 'file:../../icons/reportedEmail.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'List, read and export the suspicious mails that people reported, and set their result and status; not every platform has it',
		defaults: { name: 'Security Awareness Reported Email' },
		usableAsTool: toolOf(RESOURCE, operations, 'List, read and answer the suspicious emails that people reported'),
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
