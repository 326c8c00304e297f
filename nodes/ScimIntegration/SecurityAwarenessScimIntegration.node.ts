import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'SCIM Integration', value: 'scimIntegration' };

export class SecurityAwarenessScimIntegration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness SCIM Integration',
		name: 'securityAwarenessScimIntegration',
		icon: { light: 'file:../../icons/scimIntegration.svg', dark: 'file:../../icons/scimIntegration.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Set up the provisioning of users, and read, rename, renew and delete connections to identity providers; not every platform has all of it',
		defaults: { name: 'Security Awareness SCIM Integration' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Read and rename connections to identity providers that provision users',
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
