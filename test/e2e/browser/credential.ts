/** The form of the credential, and what its test says. */
import assert from 'node:assert/strict';
import { has, type Step } from './step';

export const credential: Step = async ({ editor, picture, secrets, service }) => {
	const { page } = editor;
	await editor.open('/home/credentials');
	await page.getByRole('button', { name: 'Create credential' }).first().click();
	await editor.byTestId('new-credential-type-select').locator('input').fill('security awareness');
	await editor
		.byTestId('new-credential-type-select-option')
		.filter({ hasText: 'Security Awareness OAuth2 API' })
		.click();
	await editor.byTestId('new-credential-type-button').click();
	await editor.field('serverUrl').waitFor();
	await picture('02-credential-empty');
	const docs = page.getByRole('link', { name: 'Read our docs' }).first();
	has((await docs.getAttribute('href')) ?? '', '/blob/main/docs/credential.md');

	const success = page.getByText('Connection tested successfully');
	const failure = page.getByText('connect with these settings');
	/** Saves the credential with these, and tells what n8n says to it. */
	const save = async (values: Partial<typeof secrets>, name: string): Promise<string> => {
		for (const [field, value] of Object.entries(values)) await editor.fill(field, value);
		const answer = page.waitForResponse((response) => response.url().endsWith('/rest/credentials/test'));
		await editor.byTestId('credential-save-button').click();
		await answer;
		await success.or(failure).first().waitFor();
		const more = page.getByText('More details');
		if (await more.isVisible()) await more.click();
		const text = await editor.byTestId('credential-edit-dialog').or(page.getByRole('dialog')).first().innerText();
		await picture(name);
		return text;
	};

	const wrongSecret = await save({ ...secrets, clientSecret: 'wrong' }, '03-credential-wrong-secret');
	has(wrongSecret, 'Client authentication failed');
	const nobody = await save({ ...secrets, serverUrl: 'http://127.0.0.1:9' }, '04-credential-wrong-url');
	has(nobody, 'refused the connection');
	const website = await save({ serverUrl: new URL(page.url()).origin }, '05-credential-website');
	has(website, 'Expected JSON');
	const withPath = await save({ serverUrl: `${secrets.serverUrl}/app` }, '05-credential-path');
	has(withPath, '404');
	const plain = await save(
		{ serverUrl: secrets.serverUrl.replace('127.0.0.1', '0.0.0.0') },
		'05-credential-plain-http',
	);
	has(plain, 'base-url-must-begin-with-https');
	const notHttps = await save({ serverUrl: secrets.serverUrl.replace('http:', 'https:') }, '05-credential-not-https');
	has(notHttps, 'wrong version number');
	service.clearLog();
	const right = await save(secrets, '06-credential-right');
	has(right, 'Connection tested successfully');
	assert.equal(service.requests('GET /api/enrollments/form-details').length, 1);
	return 'wrong secret, wrong address, website, path, plain http and https without TLS refused; right one tested';
};
