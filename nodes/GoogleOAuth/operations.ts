import { done, record } from '../core/response/recordResponse';
import { text } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';

const complete = defineOperation({
	value: 'complete',
	name: 'Complete Google Connection',
	action: 'Complete connection',
	description: 'Give the platform what Google returned after the consent, so that it can store the connection',
	endpoint: 'GET /api/googleoauth/callback',
	// Google's code can be exchanged only once.
	scope: 'company',
	fields: {
		code: text({
			displayName: 'Code',
			description: "The value of 'code' in the address that Google redirected to",
			password: true,
			required: true,
		}),
		state: text({
			displayName: 'State',
			description: "The value of 'state' in the same address",
			required: true,
		}),
	},
	request: ({ code, state }) => ({ query: { Code: code, State: state }, secrets: [code, state] }),
	answer: record({ as: 'resourceId' }),
});

const getConsentUrl = defineOperation({
	value: 'getConsentUrl',
	name: 'Get Google Consent URL',
	action: 'Get consent URL',
	description: 'Get the address where a person allows the platform to use their Google account',
	endpoint: 'GET /api/googleoauth/authorize',
	// It begins a sign-in at Google.
	scope: 'company',
	answer: record({
		as: 'consentUrl',
		onlyHere: { reason: 'the service returned no address', advice: 'Run the node again: it gets another one.' },
	}),
});

const revoke = defineOperation({
	value: 'revoke',
	name: 'Revoke Google Connection',
	action: 'Revoke connection',
	description: 'Remove the Google connection of the company from the platform',
	endpoint: 'DELETE /api/googleoauth/revoke',
	scope: 'company',
	answer: done({ deleted: true }),
});

/** In the order of the steps. */
export const operations = [getConsentUrl, complete, revoke];
