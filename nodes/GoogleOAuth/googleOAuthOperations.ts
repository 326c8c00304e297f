import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { textField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';

const completeOperation = defineOperation({
	value: 'complete',
	name: 'Complete',
	action: 'Complete connection',
	description: "Complete a connection to Google after the user allowed access at the URL from 'Get consent URL'",
	endpoint: 'GET /api/googleoauth/callback',
	// This GET request isn't read-only, because Google's code can be exchanged only once.
	scope: 'company',
	fields: {
		code: textField({
			displayName: 'Code',
			description:
				"After the user allows access, copy the part of the browser's address between 'code=' and the next '&'",
			password: true,
			required: true,
		}),
		state: textField({
			displayName: 'State',
			description:
				"After the user allows access, copy the part of the browser's address between 'state=' and the next '&'",
			required: true,
		}),
	},
	request: ({ code, state }) => ({ query: { Code: code, State: state }, secrets: [code, state] }),
	response: recordResponse({ valueField: 'resourceId' }),
});

const getConsentUrlOperation = defineOperation({
	value: 'getConsentUrl',
	name: 'Get Consent URL',
	action: 'Get consent URL',
	description: 'Get the URL at which a user allows the platform to use a Google account',
	endpoint: 'GET /api/googleoauth/authorize',
	// This GET request isn't read-only, because it starts a sign-in at Google.
	scope: 'company',
	response: recordResponse({
		valueField: 'consentUrl',
		requiredValue: { reason: 'the platform returned no URL', advice: 'Run the node again to get a new URL.' },
	}),
});

const revokeOperation = defineOperation({
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke connection',
	description: "Delete a company's connection to Google from the platform",
	endpoint: 'DELETE /api/googleoauth/revoke',
	scope: 'company',
	response: emptyResponse({ deleted: true }),
});

/** The operations of the Google OAuth node, in the order in which a user connects a company. */
export const googleOAuthOperations = [getConsentUrlOperation, completeOperation, revokeOperation];
