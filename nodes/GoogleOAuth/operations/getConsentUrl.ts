import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';

export const getConsentUrl = defineOperation({
	value: 'getConsentUrl',
	name: 'Get Google Consent URL',
	action: 'Get consent URL',
	description: 'Get the address where a person allows the platform to use their Google account',
	contract: 'GET /api/googleoauth/authorize',
	scope: 'company',
	fields: {},
	request: () => ({}),
	answer: record({ as: 'consentUrl' }),
});
