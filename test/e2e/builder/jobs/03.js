import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const getGroups = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessTargetGroup',
	version: 1.1,
	config: {
		name: 'Get Target Groups',
		parameters: {
			resource: 'targetGroup',
			operation: 'getMany',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: placeholder('Company ID') },
			returnAll: true,
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

const collectIds = node({
	type: 'n8n-nodes-base.aggregate',
	version: 1,
	config: {
		name: 'Collect IDs',
		parameters: {
			aggregate: 'aggregateIndividualFields',
			fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'resourceId' }] },
		},
	},
});

const enroll = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessEnrollment',
	version: 1.1,
	config: {
		name: 'Enroll',
		parameters: {
			resource: 'enrollment',
			operation: 'create',
			companyScope: 'one',
			company: { __rl: true, mode: 'id', value: placeholder('Company ID') },
			training: { __rl: true, mode: 'id', value: placeholder('Training ID') },
			name: 'Welcome training',
			targetGroups: [expr('{{ $json.resourceId }}')],
			scheduler: {
				scheduledDate: expr('{{ $now.plus({ weeks: 1 }).startOf("week").set({ hour: 9 }).toISO() }}'),
				dueDate: expr('{{ $now.plus({ weeks: 3 }).startOf("week").set({ hour: 17 }).toISO() }}'),
			},
			additionalFields: { awardCertificate: true },
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

export default workflow('enroll', 'Enroll a new customer').add(start).to(getGroups).to(collectIds).to(enroll);
