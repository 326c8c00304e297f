// Walks through n8n's editor as a new user would, and takes the screenshots for the docs:
//   npx tsx tools/demo/screenshots.ts [folder [word]]     (default folder: docs/.images; only captures with the word in their titles)
//   EXAMPLES=1,3 npx tsx tools/demo/screenshots.ts docs/.images example     (only these examples)
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';
import { openEditor } from '../../test/real-n8n/browser';
import type { Editor } from '../../test/real-n8n/editor';
import { Problem } from '../../test/real-n8n/problem';
import { findFreePort } from '../../test/real-n8n/startN8n';
import { runStep } from '../../test/real-n8n/steps';
import { listSelectedExamples, prepareExample } from '../../test/real-n8n/examples';
import { runScript, type Script } from '../../test/real-n8n/script';
import { OWNER, startTestEnvironment, type TestEnvironment } from '../../test/real-n8n/testEnvironment';
import { buildPackageNode, START_NODE, buildWorkflow } from '../../test/real-n8n/workflow';
import { captureFirstJobs } from './firstJobs';
import { recordWhoClicked } from './movingPicture';

const [, , folderArgument = join(__dirname, '..', '..', 'docs', '.images'), titleFilter = ''] = process.argv;
const picturesFolder = resolve(folderArgument);

/** Prints the name of a picture. @returns the path of the picture's file */
function getPicturePath(name: string): string {
	console.log(`    ${name}.png`);
	return join(picturesFolder, `${name}.png`);
}

const takePicture = async (editor: Editor, name: string) => editor.takePicture(getPicturePath(name));

/** Captures the credential's form after a successful test and after a test with a wrong secret. Restores the secret. */
async function captureCredential(editor: Editor, { credential: { name }, secrets }: TestEnvironment): Promise<void> {
	const { page } = editor;
	await editor.open('/home/credentials');
	await page.getByText(name).click();
	const successMessage = page.getByText('Connection tested successfully');
	await successMessage.waitFor();
	await takePicture(editor, 'credential');

	// The window must be high enough for the message and all of the help below it.
	await page.setViewportSize({ width: 1440, height: 1100 });
	const saveButton = editor.findByTestId('credential-save-button');
	await editor.fillField('clientSecret', 'wrong');
	await saveButton.click();
	const details = page.getByText('More details');
	await details.click();
	await details.waitFor({ state: 'hidden' });
	await takePicture(editor, 'credential-wrong-secret');
	const failureMessage = page.getByText('connect with these settings').locator('xpath=ancestor::*[.//button][1]/..');
	console.log(`    With a wrong secret: ${(await failureMessage.innerText()).replace(/\s*\n\s*/g, ' / ')}`);

	await editor.fillField('clientSecret', secrets.clientSecret);
	await saveButton.click();
	await successMessage.waitFor();
	await page.setViewportSize({ width: 1440, height: 900 });
}

/** Captures the search in the node panel, and the Company node with a search in its picker and with its output. */
async function captureCompanyNode(editor: Editor): Promise<void> {
	await editor.openNewWorkflow();
	await editor.searchNodes('security awareness');
	await takePicture(editor, 'node-panel');

	await editor.addNode('Security Awareness Company', 'Get company');
	await editor.openPicker('company', 'ü');
	await editor.pickerEntries.filter({ hasNotText: /ü/i }).first().waitFor({ state: 'detached' });
	const names = await editor.pickerEntries.allInnerTexts();
	console.log(`    The picker offers for "ü": ${names.join(', ')}`);
	if (names.some((name) => !/ü/i.test(name)))
		throw new Problem('The picker offers companies without an "ü" in their names.');
	await takePicture(editor, 'company-picker');

	await editor.pickerEntries.filter({ hasText: 'Müller' }).first().click();
	await executeSuccessfully(editor);
	await editor.readOutput('Schema');
	await takePicture(editor, 'company-node');
}

const NODES_BY_ACTIONS_PICTURE = {
	company: 'Company',
	enrollment: 'Enrollment',
	'phishing-campaign': 'Phishing Campaign',
};

/** Captures the lists of actions that the node panel shows for some nodes. */
async function captureActions(editor: Editor): Promise<void> {
	for (const [file, name] of Object.entries(NODES_BY_ACTIONS_PICTURE)) {
		await editor.openNewWorkflow();
		await editor.searchNodes(`Security Awareness ${name}`);
		await editor.openNodePage(`Security Awareness ${name}`);
		await editor.takeNodePagePicture(getPicturePath(`actions-${file}`));
	}
}

/** Executes the open node. @throws Problem if it fails */
async function executeSuccessfully(editor: Editor): Promise<void> {
	const failureMessage = await editor.executeNode();
	if (failureMessage !== undefined) throw new Problem(`The node failed: ${failureMessage}`);
}

/** Captures the demo's workflow after an execution. */
async function captureDemoWorkflow(editor: Editor, { n8n, client }: TestEnvironment): Promise<void> {
	const id = await client.createWorkflow(await prepareExample('demo', { folder: n8n.filesFolder }));
	await editor.open(`/workflow/${id}`);
	await editor.findByTestId('execute-workflow-button').click();
	await editor.page.getByText('Workflow executed successfully').waitFor();
	await takePicture(editor, 'workflow');
}

/** Captures the tools that the node panel offers for an AI agent. */
async function captureAgentTools(editor: Editor): Promise<void> {
	await editor.addNodeToNewWorkflow('AI Agent', 'AI Agent');
	await editor.closeNode();
	await editor.openToolPanel('AI Agent');
	// With this height, the list doesn't end in the middle of an entry.
	await editor.page.setViewportSize({ width: 1440, height: 856 });
	await editor.searchNodes('security awareness');
	await takePicture(editor, 'agent-tools');
}

/** A node, and how to fill in its form for a picture. */
interface FormPicture {
	/** The name of the node in the workflow. */
	name: string;
	/** The node's folder in nodes/. */
	folder: string;
	/** The parameters that are set before the form opens. */
	parameters: IDataObject;
	/** The parameter names of the pickers in which the first entry is selected. */
	pickers: string[];
	/** The parameter name of a multiple-choice list in which the first entry is selected. */
	multiPicker?: string;
}

const CUSTOMER = 'Golden Crust Bakery';
const FIELD_MAPPING = {
	scimField: { __rl: true, mode: 'list', value: '' },
	customFieldId: { __rl: true, mode: 'id', value: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111' },
};
const FORM_PICTURES: Record<string, FormPicture> = {
	'enrollment-form': {
		name: 'Enroll New Hires',
		folder: 'Enrollment',
		pickers: ['training'],
		multiPicker: 'targetGroups',
		parameters: {
			operation: 'create',
			name: 'New hires, spring',
			dueDate: '2027-03-15T17:00:00',
			additionalFields: { scheduledDate: '2027-03-01T09:00:00' },
		},
	},
	'scim-form': {
		name: 'Connect Entra ID',
		folder: 'ScimIntegration',
		pickers: ['scimField'],
		parameters: { operation: 'create', name: 'Entra ID', fieldMappings: { rows: [FIELD_MAPPING] } },
	},
	'client-form': {
		name: 'Give Access',
		folder: 'ApiClient',
		pickers: [],
		multiPicker: 'roles',
		parameters: {
			operation: 'provision',
			name: 'n8n',
			hasIpAddressRestriction: true,
			allowedIpAddresses: '203.0.113.7, 2001:db8::/32',
		},
	},
};

/** Saves a workflow with these nodes and opens the form of the last node. */
async function openNode(editor: Editor, client: TestEnvironment['client'], nodes: INode[]): Promise<void> {
	const name = nodes.at(-1)?.name ?? '';
	await editor.open(`/workflow/${await client.createWorkflow(buildWorkflow(name, nodes))}`);
	await editor.openNode(name);
}

/** Captures the forms with the most pickers, filled in for one customer. */
async function captureForms(editor: Editor, { client, credential }: TestEnvironment): Promise<void> {
	for (const [file, { name, folder: nodeFolder, parameters, pickers, multiPicker }] of Object.entries(FORM_PICTURES)) {
		await openNode(editor, client, [
			START_NODE,
			buildPackageNode(name, nodeFolder, { ...parameters, companyScope: 'one' }, credential),
		]);
		await editor.selectInPicker('company', CUSTOMER);
		for (const picker of pickers) await editor.selectInPicker(picker);
		if (multiPicker) await editor.selectFirstChoice(multiPicker);
		// Moves the mouse away from the field, because its tooltip would cover the form.
		await editor.page.getByText('Parameters', { exact: true }).first().click();
		await editor.runWithoutScrolling(async () => takePicture(editor, file));
	}
}

/** Records how a user sees who clicked at every customer. The README starts with this moving picture. */
async function captureWhoClicked(editor: Editor): Promise<void> {
	console.log('    who-clicked.webp');
	await writeFile(join(picturesFolder, 'who-clicked.webp'), await recordWhoClicked(editor));
}

/** Captures the triggers with the output of a test run for all companies. */
async function captureTriggers(editor: Editor, { client, credential }: TestEnvironment): Promise<void> {
	for (const type of ['Campaign', 'Enrollment']) {
		const trigger = buildPackageNode(`New ${type}s`, `${type}Trigger`, { companyScope: 'every' }, credential);
		await openNode(editor, client, [trigger]);
		await executeSuccessfully(editor);
		await editor.readOutput('Schema');
		await takePicture(editor, `${type.toLowerCase()}-trigger`);
	}
}

/** Captures each example on the canvas, as users see it after they have imported it. */
async function captureExampleCanvases(editor: Editor, { n8n, client }: TestEnvironment): Promise<void> {
	for (const { name } of await listSelectedExamples()) {
		const id = await client.createWorkflow(await prepareExample(name, { folder: n8n.filesFolder }));
		await editor.open(`/workflow/${id}`);
		await editor.takeCanvasPicture(getPicturePath(join('examples', name.slice(0, 2))));
	}
}

async function takeScreenshots(script: Script): Promise<void> {
	// As in the demo, so that users find the same figures there.
	const options = { port: await findFreePort(), profile: 'deployed' } as const;
	const environment = await startTestEnvironment(options, script.cleanups);
	for (const folder of ['examples', 'first-jobs']) await mkdir(join(picturesFolder, folder), { recursive: true });
	const { page, editor, close } = await openEditor(environment.n8n.url, OWNER);
	script.cleanups.push(close);

	const captures: Array<[string, (editor: Editor, environment: TestEnvironment) => Promise<void>]> = [
		['The credential', captureCredential],
		['The Company node', captureCompanyNode],
		["Nodes' actions", captureActions],
		['The demo workflow', captureDemoWorkflow],
		['Forms', captureForms],
		['Triggers', captureTriggers],
		["An AI agent's tools", captureAgentTools],
		[
			'The first jobs',
			(editor, environment) =>
				captureFirstJobs(editor, environment, (name) => getPicturePath(join('first-jobs', name))),
		],
		// This must come after the other forms, because n8n remembers the position of a moved form.
		['Who clicked', captureWhoClicked],
		['Each example on the canvas', captureExampleCanvases],
	];
	for (const [title, capture] of captures.filter(([title]) => title.includes(titleFilter))) {
		await runStep(title, '5 to 15 s', () => capture(editor, environment)).catch(async (error: unknown) => {
			await page.screenshot({ path: join(picturesFolder, 'failed.png') });
			throw error;
		});
	}
}

runScript(takeScreenshots);
