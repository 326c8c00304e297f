import { emailField } from '../core/fields/contact';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';

export const logInOperation = defineOperation({
	value: 'login',
	name: 'Log In',
	description: 'Sign a person in with user name and password, and get an access token if the platform returns one',
	hasSecretOutput: true,
	endpoint: 'POST /api/account/login',
	scope: 'credential',
	fields: {
		username: emailField({
			displayName: 'User Name',
			description: 'The e-mail address that the person signs in with',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		password: textField({
			displayName: 'Password',
			description: 'The password that the person signs in with',
			password: true,
			required: true,
		}),
		bypassSaml: toggleField({
			displayName: 'Bypass SAML',
			description: 'Whether to sign in with the password even if single sign-on is set up',
			default: false,
		}),
	},
	request: (body) => ({ body, secrets: [body.password] }),
	// The token may be missing, because some platforms return none and only set cookies (deployment shapes, "Sign-in and SAML").
	response: recordResponse({ valueField: 'accessToken' }),
});
export const logOutOperation = defineOperation({
	value: 'logout',
	name: 'Log Out',
	description: 'End the session of the signed-in person',
	endpoint: 'GET /api/account/logout',
	scope: 'credential',
	response: emptyResponse(),
});
