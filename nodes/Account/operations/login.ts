import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { toggle } from '../../shared/form/toggle';
import { defineOperation } from '../../shared/operation/define';

export const login = defineOperation({
	value: 'login',
	name: 'Log In',
	action: 'Log in',
	description: 'Sign a person in with user name and password, and get an access token',
	outputsSecret: true,
	contract: 'POST /api/account/login',
	scope: 'credential',
	fields: {
		username: text({
			displayName: 'User Name',
			description: 'The e-mail address that the person signs in with',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		password: text({
			displayName: 'Password',
			description: 'The password that the person signs in with',
			password: true,
			required: true,
		}),
		bypassSaml: toggle({
			displayName: 'Bypass SAML',
			description: 'Whether to sign in with the password even if single sign-on is set up',
			default: false,
		}),
	},
	request: (body) => ({ body, secrets: [body.password] }),
	answer: record({ as: 'accessToken' }),
});
