import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';

export const complete = defineOperation({
	value: 'complete',
	name: 'Complete Google Connection',
	action: 'Complete connection',
	description: 'Give the platform what Google returned after the consent, so that it can store the connection',
	contract: 'GET /api/googleoauth/callback',
	// Google's code can be exchanged only once.
	hasSideEffects: true,
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
