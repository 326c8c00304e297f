import { emailField } from '../core/fields/contact';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';

export const logInOperation = defineOperation({
	value: 'login',
	name: 'Log In',
	action: 'Log in to account',
	description: 'Log in a user to the platform with an email address and a password',
	outputNote: 'Some platforms return no access token. In that case, the output only shows that the login succeeded.',
	hasSecretOutput: true,
	endpoint: 'POST /api/account/login',
	scope: 'credential',
	fields: {
		username: emailField({
			displayName: 'User Name',
			description: 'The email address that the user logs in with',
			placeholder: 'e.g. nathan@example.com',
			required: true,
		}),
		password: textField({
			displayName: 'Password',
			description: 'The password that the user logs in with',
			password: true,
			required: true,
		}),
		bypassSaml: toggleField({
			displayName: 'Bypass SAML',
			description: 'Whether to log in with the password even if the company uses single sign-on (SAML)',
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
	description: 'Log out of the platform and end the session',
	endpoint: 'GET /api/account/logout',
	scope: 'credential',
	response: emptyResponse(),
});
