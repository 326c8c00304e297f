import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const everyMonth = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.3,
	config: {
		name: 'Every Month',
		parameters: { rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 1, triggerAtHour: 6 }] } },
	},
});

const countUsers = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessCompany',
	version: 1.1,
	config: {
		name: 'Count Active Users',
		parameters: { resource: 'company', operation: 'getTotalActiveUsers' },
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const tellAccounting = node({
	type: 'n8n-nodes-base.gmail',
	version: 2.1,
	config: {
		name: 'Tell Accounting',
		parameters: {
			resource: 'message',
			operation: 'send',
			sendTo: placeholder('Mail address'),
			subject: 'Active users',
			emailType: 'text',
			message: expr('{{ $json.totalMonthlyActiveUserCount }} users in {{ $json.companyCount }} companies'),
		},
		credentials: { gmailOAuth2: newCredential('Gmail') },
	},
});

export default workflow('invoice', 'Active users for the invoice').add(everyMonth).to(countUsers).to(tellAccounting);
