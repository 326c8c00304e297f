import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { settingFields } from '../../shared/operation/form';

export const generateCredentials = defineOperation({
	value: 'generateCredentials',
	name: 'Generate Client Credentials',
	action: 'Generate client credentials',
	description: 'Get a new client ID and secret to create a client with; the secret is shown only here',
	outputsSecret: true,
	// Each request makes another secret.
	hasSideEffects: true,
	contract: 'GET /api/companies/clients/generate-client-credentials',
	scope: 'company',
	fields: {},
	request: () => ({}),
	// Workflows that were saved while it counted as reading may have this option.
	answer: { ...record(), options: { concurrency: settingFields.concurrency } },
});
