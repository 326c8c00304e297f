import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { settingFields } from '../../shared/operation/form';

export const getConsentUrl = defineOperation({
	value: 'getConsentUrl',
	name: 'Get Google Consent URL',
	action: 'Get consent URL',
	description: 'Get the address where a person allows the platform to use their Google account',
	contract: 'GET /api/googleoauth/authorize',
	// It begins a sign-in at Google.
	hasSideEffects: true,
	scope: 'company',
	fields: {},
	request: () => ({}),
	// Workflows that were saved while it counted as reading may have this option.
	answer: { ...record({ as: 'consentUrl' }), options: { concurrency: settingFields.concurrency } },
});
