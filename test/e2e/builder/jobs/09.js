import { workflow, node, trigger, newCredential, placeholder, expr } from '@n8n/workflow-sdk';

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const getCompanies = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessCompany',
	version: 1.1,
	config: {
		name: 'Get Companies',
		parameters: {
			resource: 'company',
			operation: 'getMany',
			show: 'overLimit',
			returnAll: true,
			output: 'selected',
			outputFields: ['companyResourceId', 'companyName'],
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
			fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'companyResourceId' }] },
		},
	},
});

const createGroup = node({
	type: 'n8n-nodes-security-awareness.securityAwarenessCompanyGroup',
	version: 1.1,
	config: {
		name: 'Create Group',
		parameters: {
			resource: 'companyGroup',
			operation: 'create',
			name: 'Over their license',
			participantsFrom: 'id',
			participantIds: expr('{{ $json.companyResourceId }}'),
		},
		credentials: { securityAwarenessOAuth2Api: newCredential('Security Awareness') },
	},
});

export default workflow('group', 'Group of companies over their license')
	.add(start)
	.to(getCompanies)
	.to(collectIds)
	.to(createGroup);
