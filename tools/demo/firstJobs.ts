/** Takes the pictures of docs/first-jobs.md. The workflows are the files in docs/first-jobs. */
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { createMailCredential, startMailbox } from '../../test/e2e/examples/mailbox';
import type { TableColumn, Workflow } from '../../test/real-n8n/client';
import { startDemoServer } from '../../test/real-n8n/demoServer';
import { HIDE_CANVAS_OVERLAYS, type Editor } from '../../test/real-n8n/editor';
import { readWorkflow, selectTable } from '../../test/real-n8n/examples';
import { Problem } from '../../test/real-n8n/problem';
import type { TestEnvironment } from '../../test/real-n8n/testEnvironment';
import { buildConnectionTo } from '../../test/real-n8n/workflow';

const WORKFLOWS_FOLDER = join(__dirname, '..', '..', 'docs', 'first-jobs');
const CUSTOMER = 'Cedar Legal Partners';
const CONTACTS = [
	{ customer: CUSTOMER, contact: 'anna@cedar.example' },
	{ customer: 'Orchard Optics Group', contact: 'otto@orchard.example' },
	{ customer: 'Quartz Textiles Inc', contact: 'quinn@quartz.example' },
];
/** The space around the nodes in pixels, for long names and for the lines that lead back to a loop. */
const CANVAS_MARGIN = { side: 60, bottom: 130 };
const PHISHING_NODE = 'Get many phishing results by period';

const buildTextColumns = (...names: string[]): TableColumn[] => names.map((name) => ({ name, type: 'string' }));

/** Returns the path of a picture. */
export type GetPicturePath = (name: string) => string;

/** Opens the three jobs in n8n, runs two of them, and takes pictures of forms, canvases, a table and the inbox. */
export async function captureFirstJobs(
	editor: Editor,
	{ client }: TestEnvironment,
	getPicturePath: GetPicturePath,
): Promise<void> {
	const demoServer = await startDemoServer();
	const mailbox = await startMailbox(demoServer.addEmail);
	await createMailCredential(client, mailbox);
	const contacts = await client.createTable('Contacts', buildTextColumns('customer', 'contact'));
	await client.insertRows(contacts, CONTACTS);
	const tables = [contacts, await client.createTable('Reminders', buildTextColumns('email', 'enrollmentId'))];
	try {
		await editor.open('/home/datatables');
		await editor.page.getByText('Contacts', { exact: true }).first().click();
		await editor.page.getByText(CUSTOMER).waitFor();
		await editor.page.setViewportSize({ width: 900, height: 240 });
		await editor.takePicture(getPicturePath('contacts'));
		await editor.page.setViewportSize({ width: 1440, height: 900 });

		await openWorkflow(keepLoopWithOneNode(await readJob('who-clicked')));
		await takeLinePicture(editor, getPicturePath('line'));
		await openWorkflow(await readJob('who-clicked'));
		await takeFormPicture(editor, PHISHING_NODE, getPicturePath('who-clicked-form'));
		await takeFormPicture(editor, 'Send an Email', getPicturePath('who-clicked-email'));
		await takeRunPicture(editor, getPicturePath('who-clicked'));
		await editor.page.goto(demoServer.url);
		await takeElementPicture(editor, editor.page.locator('body'), getPicturePath('inbox'));

		await openWorkflow(await readJob('new-hire'));
		await editor.takeCanvasPicture(getPicturePath('new-hire'), CANVAS_MARGIN);
		await takeFormPicture(editor, 'Add target group members', getPicturePath('new-hire-form'), [
			['company', CUSTOMER],
			['targetGroup', 'IT Team'],
		]);

		await openWorkflow(await readJob('reminder'));
		await takeFormPicture(editor, 'If row does not exist', getPicturePath('reminder-form'));
		await takeRunPicture(editor, getPicturePath('reminder'));
	} finally {
		mailbox.close();
		await demoServer.close();
	}

	async function readJob(name: string): Promise<Workflow> {
		const workflow = await readWorkflow(join(WORKFLOWS_FOLDER, `${name}.json`));
		return { ...workflow, nodes: workflow.nodes.map((node) => selectTable(node, tables)) };
	}

	async function openWorkflow(workflow: Workflow): Promise<void> {
		await editor.open(`/workflow/${await client.createWorkflow(workflow)}`);
		await editor.findNodeOnCanvas('').first().waitFor();
	}
}

/** Removes the nodes after the phishing node, and connects this node to the loop. */
function keepLoopWithOneNode(workflow: Workflow): Workflow {
	const isKept = ({ name }: INode) => ['Loop Over Items', PHISHING_NODE].includes(name);
	const loopConnections: IConnections = { [PHISHING_NODE]: { main: [[buildConnectionTo('Loop Over Items')]] } };
	const { 'Loop Over Items': outputs = {} } = workflow.connections;
	return {
		...workflow,
		nodes: workflow.nodes.filter(isKept),
		connections: { ...loopConnections, 'Loop Over Items': outputs },
	};
}

/** Takes a screenshot of one element as soon as the page has stopped changing. */
async function takeElementPicture({ page }: Editor, element: Locator, path: string): Promise<void> {
	await page.mouse.move(720, 5);
	await page.waitForTimeout(1000);
	await element.first().screenshot({ path });
}

/** Takes a screenshot of all fields in a node's form. @param choices entries to select in pickers: parameter name and text */
async function takeFormPicture(editor: Editor, node: string, path: string, choices: Array<[string, string]> = []) {
	await editor.openNode(node);
	for (const [parameter, text] of choices) {
		await editor.selectMode(parameter, 'From list');
		await editor.selectInPicker(parameter, text);
	}
	const takeScreenshot = () => takeElementPicture(editor, editor.findByTestId('node-parameters'), path);
	await editor.runWithoutScrolling(takeScreenshot);
	await editor.closeNode();
}

/** Executes the open workflow and takes a screenshot of its nodes. */
async function takeRunPicture(editor: Editor, path: string): Promise<void> {
	await editor.findByTestId('execute-workflow-button').click();
	await editor.page.getByText('Workflow executed successfully').waitFor();
	await editor.takeCanvasPicture(path, CANVAS_MARGIN);
}

/** Takes a screenshot of the buttons that n8n shows on the line from the phishing node back to the loop. */
async function takeLinePicture(editor: Editor, path: string): Promise<void> {
	const { page } = editor;
	await editor.findByTestId('zoom-to-fit').click();
	await page.waitForTimeout(1000);
	const line = page.locator(`[data-test-id="edge"][data-source-node-name="${PHISHING_NODE}"]`).first();
	const box = await line.boundingBox();
	if (!box) throw new Problem('The line to the loop is missing.');
	// The lower part of the line is a few pixels above the bottom of its box.
	await page.mouse.move(box.x + box.width * 0.6, box.y + box.height - 6, { steps: 5 });
	await editor.findByTestId('add-connection-button').locator('visible=true').first().waitFor();
	await page.waitForTimeout(500);
	const clip = { x: box.x - 40, y: box.y - 90, width: box.width + 80, height: box.height + 130 };
	await page.screenshot({ path, clip, style: HIDE_CANVAS_OVERLAYS });
}
