import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const everyMonday = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.3,
	config: {
		name: 'Every Monday',
		parameters: { rule: { interval: [{ field: 'weeks', triggerAtDay: [1], triggerAtHour: 8 }] } },
	},
});

const getDue = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessCompany',
	version: 1.1,
	config: {
		name: 'Licenses That End Soon',
		parameters: {
			resource: 'company',
			operation: 'getMany',
			show: 'renewal',
			renewalWithinDays: 90,
			returnAll: true,
			output: 'selected',
			outputFields: ['companyName', 'licenseEndDate'],
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const tellSales = node({
	type: 'n8n-nodes-base.slack',
	version: 2.3,
	config: {
		name: 'Tell Sales',
		executeOnce: true,
		parameters: {
			resource: 'message',
			operation: 'post',
			select: 'channel',
			channelId: { __rl: true, mode: 'name', value: '#sales' },
			messageType: 'text',
			text: expr(
				'{{ $input.all().map(({ json }) => json.companyName + " until " + json.licenseEndDate.slice(0, 10)).join("; ") }}',
			),
		},
		credentials: { slackApi: newCredential('Slack') },
	},
});

export default workflow('renewals', 'Licenses that end soon').add(everyMonday).to(getDue).to(tellSales);
