// Walks through n8n's editor as a new user would, and takes the screenshots for the docs:
//   npx tsx tools/demo/screenshots.ts [folder [word]]     (default folder: docs/.images; only parts with the word in their titles)
//   EXAMPLES=1,3 npx tsx tools/demo/screenshots.ts docs/.images example     (only these examples)
import { mkdir } from 'node:fs/promises';
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

const [, , target = join(__dirname, '..', '..', 'docs', '.images'), word = ''] = process.argv;
const folder = resolve(target);

/** Prints the name of a picture. @returns the path for its file */
function getPicturePath(name: string): string {
	console.log(`    ${name}.png`);
	return join(folder, `${name}.png`);
}

const takePicture = async (editor: Editor, name: string) => editor.takePicture(getPicturePath(name));

/** Captures the credential's form: after a successful test, and with the error for a wrong secret. Restores the secret. */
async function captureCredential(editor: Editor, { credential: { name }, secrets }: TestEnvironment): Promise<void> {
	const { page } = editor;
	await editor.open('/home/credentials');
	await page.getByText(name).click();
	const success = page.getByText('Connection tested successfully');
	await success.waitFor();
	await takePicture(editor, 'credential');

	// The window must be high enough for the message and all of the help below it.
	await page.setViewportSize({ width: 1440, height: 1100 });
	const save = editor.findByTestId('credential-save-button');
	await editor.fillField('clientSecret', 'wrong');
	await save.click();
	const details = page.getByText('More details');
	await details.click();
	await details.waitFor({ state: 'hidden' });
	await takePicture(editor, 'credential-wrong-secret');
	const failure = page.getByText('connect with these settings').locator('xpath=ancestor::*[.//button][1]/..');
	console.log(`    With a wrong secret: ${(await failure.innerText()).replace(/\s*\n\s*/g, ' / ')}`);

	await editor.fillField('clientSecret', secrets.clientSecret);
	await save.click();
	await success.waitFor();
	await page.setViewportSize({ width: 1440, height: 900 });
}

/** Captures the Company node: found in the node panel, with a search in its picker, and with its output. */
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

const ACTIONS = { company: 'Company', enrollment: 'Enrollment', 'phishing-campaign': 'Phishing Campaign' };

/** Captures the lists of actions of some nodes in the node panel. */
async function captureActions(editor: Editor): Promise<void> {
	for (const [file, name] of Object.entries(ACTIONS)) {
		await editor.openNewWorkflow();
		await editor.searchNodes(`Security Awareness ${name}`);
		await editor.openActions(`Security Awareness ${name}`);
		await editor.takeActionsPicture(getPicturePath(`actions-${file}`));
	}
}

/** Executes the open node. @throws Problem if it fails */
async function executeSuccessfully(editor: Editor): Promise<void> {
	const failure = await editor.executeNode();
	if (failure !== undefined) throw new Problem(`The node failed: ${failure}`);
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

/** How to fill in a node's form for a picture. */
interface FormPicture {
	/** The name of the node in the workflow. */
	name: string;
	/** The node's folder in nodes/. */
	folder: string;
	/** The parameters that are set before the form opens. */
	parameters: IDataObject;
	/** The names of the pickers in which an entry is selected. */
	pickers: string[];
	/** The name of a multiple-choice list in which the first entry is selected. */
	multiPicker?: string;
}

const CUSTOMER = 'Golden Crust Bakery';
const FIELD_MAPPING = {
	scimField: { __rl: true, mode: 'list', value: '' },
	customFieldId: { __rl: true, mode: 'id', value: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111' },
};
const ENROLLMENT_DATES = { scheduledDate: '2027-03-01T09:00:00', dueDate: '2027-03-15T17:00:00' };
const FORMS: Record<string, FormPicture> = {
	'enrollment-form': {
		name: 'Enroll New Hires',
		folder: 'Enrollment',
		pickers: ['training'],
		multiPicker: 'targetGroups',
		parameters: { operation: 'create', name: 'New hires, spring', additionalFields: ENROLLMENT_DATES },
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
	for (const [file, { name, folder: nodeFolder, parameters, pickers, multiPicker }] of Object.entries(FORMS)) {
		await openNode(editor, client, [
			START_NODE,
			buildPackageNode(name, nodeFolder, { ...parameters, companyScope: 'one' }, credential),
		]);
		await editor.selectInPicker('company', CUSTOMER);
		for (const picker of pickers) await editor.selectInPicker(picker);
		if (multiPicker) await editor.selectFirstOfMultiple(multiPicker);
		// Moves the mouse away from the field, because its tooltip would cover the form.
		await editor.page.getByText('Parameters', { exact: true }).first().click();
		await editor.runWithFullHeight(async () => takePicture(editor, file));
	}
}

/** Captures the list of all customers' people who clicked last month. The README starts with this picture. */
async function captureWhoClicked(editor: Editor, { client, credential }: TestEnvironment): Promise<void> {
	const outputFields = ['companyName', 'campaignName', 'firstName', 'lastName', 'department', 'clicked', 'submitted'];
	const parameters = {
		operation: 'fullReportOfPeriod',
		companyScope: 'every',
		onlyPeopleWho: 'clicked',
		output: 'selected',
		outputFields,
	};
	const start = { ...START_NODE, name: 'Every Month' };
	await editor.page.setViewportSize({ width: 1440, height: 560 });
	await openNode(editor, client, [
		start,
		buildPackageNode('Who Clicked Last Month', 'PhishingCampaign', parameters, credential),
	]);
	await executeSuccessfully(editor);
	await editor.readOutput('Table');
	await editor.moveForm(-330);
	await takePicture(editor, 'who-clicked');
	await editor.page.setViewportSize({ width: 1440, height: 900 });
}

/** Captures the triggers for all companies, with the output of a test run. */
async function captureTriggers(editor: Editor, { client, credential }: TestEnvironment): Promise<void> {
	for (const type of ['Campaign', 'Enrollment']) {
		const trigger = buildPackageNode(`New ${type}s`, `${type}Trigger`, { companyScope: 'every' }, credential);
		await openNode(editor, client, [trigger]);
		await executeSuccessfully(editor);
		await editor.readOutput('Schema');
		await takePicture(editor, `${type.toLowerCase()}-trigger`);
	}
}

/** Captures each example on the canvas, as it is after importing it. */
async function captureExampleCanvases(editor: Editor, { n8n, client }: TestEnvironment): Promise<void> {
	for (const { name } of await listSelectedExamples()) {
		const id = await client.createWorkflow(await prepareExample(name, { folder: n8n.filesFolder }));
		await editor.open(`/workflow/${id}`);
		await editor.takeCanvasPicture(getPicturePath(join('examples', name.slice(0, 2))));
	}
}

async function takeScreenshots(script: Script): Promise<void> {
	const environment = await startTestEnvironment({ port: await findFreePort() }, script.cleanups);
	await mkdir(join(folder, 'examples'), { recursive: true });
	const { page, editor, close } = await openEditor(environment.n8n.url, OWNER);
	script.cleanups.push(close);

	const parts: Array<[string, (editor: Editor, environment: TestEnvironment) => Promise<void>]> = [
		['The credential', captureCredential],
		['The Company node', captureCompanyNode],
		["Nodes' actions", captureActions],
		['The demo workflow', captureDemoWorkflow],
		['Forms', captureForms],
		['Triggers', captureTriggers],
		["An AI agent's tools", captureAgentTools],
		// This must come after the other forms, because n8n remembers the position of a moved form.
		['Who clicked', captureWhoClicked],
		['Each example on the canvas', captureExampleCanvases],
	];
	for (const [title, part] of parts.filter(([title]) => title.includes(word))) {
		await runStep(title, '5 to 15 s', () => part(editor, environment)).catch(async (error: unknown) => {
			await page.screenshot({ path: join(folder, 'failed.png') });
			throw error;
		});
	}
}

runScript(takeScreenshots);
