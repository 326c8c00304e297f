import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const everyNight = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.3,
	config: { name: 'Every Night', parameters: { rule: { interval: [{ field: 'days', triggerAtHour: 2 }] } } },
});

const exportLeaderboards = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessLeaderboard',
	version: 1.1,
	config: {
		name: 'Export Leaderboards',
		parameters: { resource: 'leaderboard', operation: 'export', companyScope: 'every', format: 'csv' },
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const saveToDrive = node({
	type: 'n8n-nodes-base.googleDrive',
	version: 3,
	config: {
		name: 'Save to Drive',
		parameters: {
			resource: 'file',
			operation: 'upload',
			inputDataFieldName: 'data',
			name: expr('{{ $json.companyName }} {{ $json.fileName }}'),
			driveId: { __rl: true, mode: 'list', value: 'My Drive' },
			folderId: { __rl: true, mode: 'list', value: 'root', cachedResultName: '/ (Root folder)' },
		},
		credentials: { googleDriveOAuth2Api: newCredential('Google Drive') },
	},
});

export default workflow('leaderboards', 'Leaderboards to Drive').add(everyNight).to(exportLeaderboards).to(saveToDrive);
