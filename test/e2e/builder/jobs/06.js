import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const everyMonth = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.3,
	config: {
		name: 'Every Month',
		parameters: { rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 1, triggerAtHour: 6 }] } },
	},
});

const report = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessPhishingCampaign',
	version: 1.1,
	config: {
		name: 'Who Fell for It',
		parameters: {
			resource: 'phishingCampaign',
			operation: 'fullReportOfPeriod',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: placeholder('Company ID') },
			period: 'custom',
			periodStart: '2025-01-01',
			onlyActive: true,
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const makeCsv = node({
	type: 'n8n-nodes-base.convertToFile',
	version: 1.1,
	config: {
		name: 'Make CSV',
		parameters: { operation: 'csv', binaryPropertyName: 'data', options: { fileName: 'phishing.csv' } },
	},
});

const sendMail = node({
	type: 'n8n-nodes-base.gmail',
	version: 2.1,
	config: {
		name: 'Send Report',
		parameters: {
			resource: 'message',
			operation: 'send',
			sendTo: placeholder('Mail address'),
			subject: 'Phishing report',
			emailType: 'text',
			message: 'Everybody who opened, clicked or submitted is in the file.',
			options: { attachmentsUi: { attachmentsBinary: [{ property: 'data' }] } },
		},
		credentials: { gmailOAuth2: newCredential('Gmail') },
	},
});

export default workflow('report', 'Phishing report').add(everyMonth).to(report).to(makeCsv).to(sendMail);
