import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';

export const complete = defineOperation({
	value: 'complete',
	name: 'Complete Google Connection',
	action: 'Complete connection',
	description: 'Hand over what Google sent back after the consent, so that the platform can store the connection',
	contract: 'GET /api/googleoauth/callback',
	// Google's code can be exchanged only once.
	hasSideEffects: true,
	scope: 'company',
	fields: {
		code: text({
			displayName: 'Code',
			description: "The 'code' of the address that Google led back to",
			password: true,
			required: true,
		}),
		state: text({
			displayName: 'State',
			description: "The 'state' of that address",
			required: true,
		}),
	},
	request: ({ code, state }) => ({ query: { Code: code, State: state }, secrets: [code, state] }),
	answer: record({ as: 'resourceId' }),
});
