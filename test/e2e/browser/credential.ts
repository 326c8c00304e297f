/** Tests the credential's form and the messages that n8n shows when it tests the credential. */
import assert from 'node:assert/strict';
import { assertIncludes, type Step } from './step';

/** Creates a credential, and checks the message for each kind of wrong value. */
export const createCredential: Step = async ({ editor, takePicture, secrets, service }) => {
	const { page } = editor;
	await editor.open('/home/credentials');
	await page.getByRole('button', { name: 'Create credential' }).first().click();
	await editor.findByTestId('new-credential-type-select').locator('input').fill('security awareness');
	await editor
		.findByTestId('new-credential-type-select-option')
		.filter({ hasText: 'Security Awareness OAuth2 API' })
		.click();
	await editor.findByTestId('new-credential-type-button').click();
	await editor.findField('serverUrl').waitFor();
	await takePicture('02-credential-empty');
	const docsLink = page.getByRole('link', { name: 'Read our docs' }).first();
	assertIncludes((await docsLink.getAttribute('href')) ?? '', '/blob/main/docs/credential.md');

	const successMessage = page.getByText('Connection tested successfully');
	const failureMessage = page.getByText('connect with these settings');
	/** Saves the credential with these values, which tests it, and takes a screenshot. @returns the text of the dialog after the test */
	const saveAndTest = async (values: Partial<typeof secrets>, pictureName: string): Promise<string> => {
		for (const [field, value] of Object.entries(values)) await editor.fillField(field, value);
		const testResponse = page.waitForResponse((response) => response.url().endsWith('/rest/credentials/test'));
		await editor.findByTestId('credential-save-button').click();
		await testResponse;
		await successMessage.or(failureMessage).first().waitFor();
		const details = page.getByText('More details');
		if (await details.isVisible()) await details.click();
		const text = await editor.findByTestId('credential-edit-dialog').or(page.getByRole('dialog')).first().innerText();
		await takePicture(pictureName);
		return text;
	};

	const wrongSecretResult = await saveAndTest({ ...secrets, clientSecret: 'wrong' }, '03-credential-wrong-secret');
	assertIncludes(wrongSecretResult, 'Client authentication failed');
	const closedPortResult = await saveAndTest(
		{ ...secrets, serverUrl: 'http://127.0.0.1:9' },
		'04-credential-wrong-url',
	);
	assertIncludes(closedPortResult, 'refused the connection');
	const websiteResult = await saveAndTest({ serverUrl: new URL(page.url()).origin }, '05-credential-website');
	assertIncludes(websiteResult, 'Expected JSON');
	const pathResult = await saveAndTest({ serverUrl: `${secrets.serverUrl}/app` }, '05-credential-path');
	assertIncludes(pathResult, '404');
	const plainHttpResult = await saveAndTest(
		{ serverUrl: secrets.serverUrl.replace('127.0.0.1', '0.0.0.0') },
		'05-credential-plain-http',
	);
	assertIncludes(plainHttpResult, 'base-url-must-begin-with-https');
	const noTlsResult = await saveAndTest(
		{ serverUrl: secrets.serverUrl.replace('http:', 'https:') },
		'05-credential-not-https',
	);
	assertIncludes(noTlsResult, 'wrong version number');
	service.clearLog();
	const correctResult = await saveAndTest(secrets, '06-credential-right');
	assertIncludes(correctResult, 'Connection tested successfully');
	assert.equal(service.getRequests('GET /api/enrollments/form-details').length, 1);
	return 'wrong secret, wrong address, website, path, plain http and https without TLS refused; right one tested';
};
