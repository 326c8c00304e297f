import { emailField } from '../core/fields/contact';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';

export const logInOperation = defineOperation({
	value: 'login',
	name: 'Log In',
	action: 'Log in to account',
	description: 'Sign in a user with an email address and a password',
	outputNote: 'Some platforms return no access token.',
	hasSecretOutput: true,
	endpoint: 'POST /api/account/login',
	scope: 'credential',
	fields: {
		username: emailField({
			displayName: 'User Name',
			description: 'The email address that the user signs in with',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		password: textField({
			displayName: 'Password',
			description: 'The password that the user signs in with',
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
	action: 'Log out of account',
	description: 'Sign out the user who is signed in',
	endpoint: 'GET /api/account/logout',
	scope: 'credential',
	response: emptyResponse(),
});
