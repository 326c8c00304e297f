import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const setUpScim = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessScimIntegration',
	version: 1.1,
	config: {
		name: 'Set up SCIM',
		parameters: {
			resource: 'scimIntegration',
			operation: 'create',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: placeholder('Company ID') },
			name: 'Entra ID',
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const handOver = node({
	type: 'n8n-nodes-base.gmail',
	version: 2.1,
	config: {
		name: 'Hand over the Token',
		parameters: {
			resource: 'message',
			operation: 'send',
			sendTo: placeholder('Mail address'),
			subject: 'SCIM is ready',
			emailType: 'text',
			message: expr('Tenant URL: {{ $json.scimEndpointUrl }}\nSecret token: {{ $json.scimToken }}'),
		},
		credentials: { gmailOAuth2: newCredential('Gmail') },
	},
});

export default workflow('scim', 'Set up SCIM').add(start).to(setUpScim).to(handOver);
