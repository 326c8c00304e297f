import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const provision = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessApiClient',
	version: 1.1,
	config: {
		name: 'Provision API Client',
		parameters: {
			resource: 'apiClient',
			operation: 'provision',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: placeholder('Company ID') },
			name: 'Ticket system',
			roles: [placeholder('Role ID')],
			hasIpAddressRestriction: true,
			allowedIpAddresses: '203.0.113.7',
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const storeInVault = node({
	type: 'n8n-nodes-base.httpRequest',
	version: 4.3,
	config: {
		name: 'Store in Vault',
		parameters: {
			method: 'POST',
			url: placeholder('Vault address'),
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody: expr('{{ { id: $json.clientId, secret: $json.clientSecret } }}'),
		},
	},
});

export default workflow('client', 'API client for a customer').add(start).to(provision).to(storeInVault);
