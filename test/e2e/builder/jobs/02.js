import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const newCampaign = trigger({
	type: 'n8n-nodes-security-awareness.securityAwarenessCampaignTrigger',
	version: 1.1,
	config: {
		name: 'New Campaign',
		parameters: { simulators: ['phishing'], watch: 'campaigns', triggerOn: 'new', companyScope: 'every' },
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const tellSlack = node({
	type: 'n8n-nodes-base.slack',
	version: 2.3,
	config: {
		name: 'Tell Slack',
		parameters: {
			resource: 'message',
			operation: 'post',
			select: 'channel',
			channelId: { __rl: true, mode: 'name', value: '#simulations' },
			messageType: 'text',
			text: expr('The phishing campaign "{{ $json.name }}" of {{ $json.companyName }} has started.'),
		},
		credentials: { slackApi: newCredential('Slack') },
	},
});

export default workflow('campaigns', 'New campaigns to Slack').add(newCampaign).to(tellSlack);
