/** Tests what the demo adds to n8n: the examples as templates, and the page with everything that workflows send. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../n8n-core/package';
import { listExamples } from '../../real-n8n/examples';
import { startInbox } from '../../real-n8n/inbox';
import type { Workflow } from '../../real-n8n/client';
import { buildNode, buildPackageNode, buildWorkflow, START_NODE } from '../../real-n8n/workflow';
import { createMailCredential, startMailbox } from '../examples/mailbox';
import { assertIncludes, CUSTOMER, type Step } from './step';

const TEMPLATE = 'Security Awareness 7: License Watch';
const TEMPLATE_PAGE = join(PACKAGE_ROOT, 'docs', 'examples', '07-license-watch.md');

/** Reads the first words below the title of a page. */
async function readFirstWords(path: string): Promise<string> {
	const [, text = ''] = (await readFile(path, 'utf8')).split('\n\n');
	return text.slice(0, 30);
}

/** Finds an example among the templates, opens it with its credential, runs it, and reads the chat message that it sends. */
export const useTemplate: Step = async ({ client, demoServer, editor, n8n, takePicture }) => {
	const { page } = editor;
	const inbox = await startInbox({ onRequest: demoServer.addRequest });
	demoServer.offerTemplates(client, { folder: n8n.filesFolder, inboxUrl: inbox.url });
	const exampleCount = (await listExamples()).length;

	await editor.open('/templates/');
	await editor.findByTestId('template-card').first().waitFor();
	assert.equal(await editor.findByTestId('template-count-label').innerText(), `(${exampleCount})`);
	await takePicture('30-templates');
	await editor.findByTestId('template-search-input').locator('visible=true').last().fill('license watch');
	const card = editor.findByTestId('template-card').filter({ hasText: TEMPLATE });
	await editor
		.findByTestId('template-count-label')
		.filter({ hasNotText: `(${exampleCount})` })
		.waitFor();
	const iconUrl = await card.locator('img').first().getAttribute('src');
	assertIncludes(iconUrl ?? '', '/icons/n8n-nodes-security-awareness/');
	await card.click();
	await editor
		.findByTestId('template-description')
		.getByText(await readFirstWords(TEMPLATE_PAGE))
		.waitFor();
	await takePicture('31-template');

	await editor.findByTestId('use-template-button').click();
	await page.getByRole('button', { name: 'Continue' }).click();
	await editor.findNodeOnCanvas('Expired Licenses').waitFor();
	const workflowId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
	const { settings } = await client.request<Workflow>('GET', `/rest/workflows/${workflowId}`);
	assert.equal(settings?.executionOrder, 'v1');
	await editor.findByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();
	await takePicture('32-template-executed');

	await page.goto(demoServer.url);
	await page.getByRole('link', { name: /^License watch: \d+ customers to call/ }).click();
	const message = await page.locator('pre').first().innerText();
	await inbox.close();
	const customers = message.split('\n').filter((line) => line.startsWith('- '));
	assertIncludes(message, `License watch: ${customers.length} customers to call`);
	return `${exampleCount} templates; ${TEMPLATE} ran and sent a list of ${customers.length} customers`;
};

/** Sends an email with a file from a workflow, and reads it on the page of the demo. */
export const readEmail: Step = async ({ client, credential, demoServer, editor, takePicture }) => {
	const { page } = editor;
	const mailbox = await startMailbox(demoServer.addEmail);
	const smtpCredential = await createMailCredential(client, mailbox);
	const listParameters = { operation: 'getMany', filters: { searchText: CUSTOMER } };
	const emailParameters = {
		fromEmail: 'reports@example.com',
		toEmail: 'ann@example.com',
		subject: 'Müller & <Sons>',
		emailFormat: 'html',
		html: `<p>See <a href="https://example.com/approve">the file</a>, Zoë.</p><script>document.body.remove()</script>`,
		options: { attachments: 'data' },
	};
	const nodes = [
		START_NODE,
		buildPackageNode('List', 'Company', listParameters, credential),
		buildNode('File', 'convertToFile', { options: { fileName: 'customers for Zoë.csv' } }, { typeVersion: 1.1 }),
		buildNode('Send', 'emailSend', emailParameters, { typeVersion: 2.1, credentials: { smtp: smtpCredential } }),
	];
	const id = await client.createWorkflow(buildWorkflow('Send an email', nodes));
	const { error } = await client.runWorkflow(id, START_NODE.name);
	mailbox.close();
	assert.equal(error, undefined);

	await page.goto(demoServer.url);
	await page.getByRole('link', { name: 'Müller & <Sons>' }).click();
	const frame = page.frameLocator('iframe');
	assertIncludes(await frame.locator('body').innerText(), 'See the file, Zoë.');
	await takePicture('33-email');
	const tabPromise = page.context().waitForEvent('page');
	await frame.getByRole('link', { name: 'the file' }).click();
	const tab = await tabPromise;
	await tab.close();
	const downloadPromise = page.waitForEvent('download');
	await page.getByRole('link', { name: 'customers for Zoë.csv' }).click();
	const download = await downloadPromise;
	assert.equal(download.suggestedFilename(), 'customers for Zoë.csv');
	assertIncludes(await readFile(await download.path(), 'utf8'), CUSTOMER);
	return 'an email with its HTML, a link that opens and a file';
};
