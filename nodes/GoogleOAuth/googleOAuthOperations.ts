import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';

const completeOperation = defineOperation({
	value: 'complete',
	name: 'Complete Google Connection',
	action: 'Complete connection',
	description: 'Give the platform what Google returned after the consent, so that it can store the connection',
	endpoint: 'GET /api/googleoauth/callback',
	// This GET request isn't read-only, because Google's code can be exchanged only once.
	scope: 'company',
	fields: {
		code: textField({
			displayName: 'Code',
			description: "The value of 'code' in the address that Google redirected to",
			password: true,
			required: true,
		}),
		state: textField({
			displayName: 'State',
			description: "The value of 'state' in the same address",
			required: true,
		}),
	},
	request: ({ code, state }) => ({ query: { Code: code, State: state }, secrets: [code, state] }),
	response: recordResponse({ valueField: 'resourceId' }),
});

const getConsentUrlOperation = defineOperation({
	value: 'getConsentUrl',
	name: 'Get Google Consent URL',
	action: 'Get consent URL',
	description: 'Get the address where a person allows the platform to use their Google account',
	endpoint: 'GET /api/googleoauth/authorize',
	// This GET request isn't read-only, because it starts a sign-in at Google.
	scope: 'company',
	response: recordResponse({
		valueField: 'consentUrl',
		requiredValue: { reason: 'the service returned no address', advice: 'Run the node again: it gets another one.' },
	}),
});

const revokeOperation = defineOperation({
	value: 'revoke',
	name: 'Revoke Google Connection',
	action: 'Revoke connection',
	description: 'Remove the Google connection of the company from the platform',
	endpoint: 'DELETE /api/googleoauth/revoke',
	scope: 'company',
	response: emptyResponse({ deleted: true }),
});

/** The operations of the Google OAuth node, in the order in which a user connects a company. */
export const googleOAuthOperations = [getConsentUrlOperation, completeOperation, revokeOperation];
