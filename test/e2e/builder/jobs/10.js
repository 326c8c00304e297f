import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const everyFriday = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.3,
	config: {
		name: 'Every Friday',
		parameters: { rule: { interval: [{ field: 'weeks', triggerAtDay: [5], triggerAtHour: 15 }] } },
	},
});

const getEnrollments = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessEnrollment',
	version: 1.1,
	config: {
		name: 'Get Enrollments',
		parameters: {
			resource: 'enrollment',
			operation: 'getMany',
			companyScope: 'every',
			companyFilter: { nameContains: 'Bakery', licenceNotExpired: true },
			returnAll: true,
			output: 'selected',
			outputFields: ['name', 'status', 'dueDate'],
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const makeCsv = node({
	type: 'n8n-nodes-base.convertToFile',
	version: 1.1,
	config: {
		name: 'Make CSV',
		parameters: { operation: 'csv', binaryPropertyName: 'data', options: { fileName: 'enrollments.csv' } },
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
			name: expr('Enrollments {{ $today.toISODate() }}.csv'),
			driveId: { __rl: true, mode: 'list', value: 'My Drive' },
			folderId: { __rl: true, mode: 'list', value: 'root', cachedResultName: '/ (Root folder)' },
		},
		credentials: { googleDriveOAuth2Api: newCredential('Google Drive') },
	},
});

export default workflow('enrollments', 'Enrollments of the bakeries')
	.add(everyFriday)
	.to(getEnrollments)
	.to(makeCsv)
	.to(saveToDrive);
