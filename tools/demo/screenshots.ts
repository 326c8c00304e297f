// Walks through the editor as a newcomer would and takes pictures on the way:
//   npx tsx tools/demo/screenshots.ts [folder [word]]     (docs/.images unless given; only the parts whose title has the word)
//   EXAMPLES=1,3 npx tsx tools/demo/screenshots.ts docs/.images example     (only these examples)
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';
import { openEditor } from '../../test/real-n8n/browser';
import type { Editor } from '../../test/real-n8n/editor';
import { Problem } from '../../test/real-n8n/problem';
import { freePort } from '../../test/real-n8n/start';
import { showStep as step } from '../../test/real-n8n/steps';
import { chosenExamples, readWorkflow } from '../../test/real-n8n/examples';
import { runScript, type Script } from '../../test/real-n8n/script';
import { OWNER, setStage, type Stage } from '../../test/real-n8n/stage';
import { ours, START, workflowOf } from '../../test/real-n8n/workflow';

const [, , target = join(__dirname, '..', '..', 'docs', '.images'), word = ''] = process.argv;
const folder = resolve(target);

/** Where a picture goes. */
function pathOf(name: string): string {
	console.log(`    ${name}.png`);
	return join(folder, `${name}.png`);
}

const picture = async (editor: Editor, name: string) => editor.picture(pathOf(name));

/**
 * Opens the credential, reads that the test succeeds, enters a wrong secret, reads the error, and restores the secret.
 */
async function credential(editor: Editor, { credential: { name }, secrets }: Stage): Promise<void> {
	const { page } = editor;
	await editor.open('/home/credentials');
	await page.getByText(name).click();
	const success = page.getByText('Connection tested successfully');
	await success.waitFor();
	await picture(editor, 'credential');

	// High enough for the message and the whole help below it.
	await page.setViewportSize({ width: 1440, height: 1100 });
	const save = editor.byTestId('credential-save-button');
	await editor.fill('clientSecret', 'wrong');
	await save.click();
	const details = page.getByText('More details');
	await details.click();
	await details.waitFor({ state: 'hidden' });
	await picture(editor, 'credential-wrong-secret');
	const failure = page.getByText('connect with these settings').locator('xpath=ancestor::*[.//button][1]/..');
	console.log(`    With a wrong secret: ${(await failure.innerText()).replace(/\s*\n\s*/g, ' / ')}`);

	await editor.fill('clientSecret', secrets.clientSecret);
	await save.click();
	await success.waitFor();
	await page.setViewportSize({ width: 1440, height: 900 });
}

/** Builds a workflow with the Company node, searches its picker, chooses and executes. */
async function companyNode(editor: Editor): Promise<void> {
	await editor.newWorkflow();
	await editor.searchNodes('security awareness');
	await picture(editor, 'node-panel');

	await editor.takeNode('Security Awareness Company', 'Get company');
	await editor.openPicker('company', 'ü');
	await editor.entries.filter({ hasNotText: /ü/i }).first().waitFor({ state: 'detached' });
	const names = await editor.entries.allInnerTexts();
	console.log(`    The picker offers for "ü": ${names.join(', ')}`);
	if (names.some((name) => !/ü/i.test(name)))
		throw new Problem('The picker offers companies without an "ü" in their names.');
	await picture(editor, 'company-picker');

	await editor.entries.filter({ hasText: 'Müller' }).first().click();
	await succeed(editor);
	await editor.output('Schema');
	await picture(editor, 'company-node');
}

const ACTIONS = { company: 'Company', enrollment: 'Enrollment', 'phishing-campaign': 'Phishing Campaign' };

/** The list of everything a node can do, in the panel of nodes. */
async function actions(editor: Editor): Promise<void> {
	for (const [file, name] of Object.entries(ACTIONS)) {
		await editor.newWorkflow();
		await editor.searchNodes(`Security Awareness ${name}`);
		await editor.openActions(`Security Awareness ${name}`);
		await editor.actionsPicture(pathOf(`actions-${file}`));
	}
}

async function succeed(editor: Editor): Promise<void> {
	const failure = await editor.execute();
	if (failure !== undefined) throw new Problem(`The node failed: ${failure}`);
}

/** Opens the workflow of the demo and executes it. */
async function demoWorkflow(editor: Editor, { n8n, client }: Stage): Promise<void> {
	const id = await client.createWorkflow(await readWorkflow('demo', { folder: n8n.filesFolder }));
	await editor.open(`/workflow/${id}`);
	await editor.byTestId('execute-workflow-button').click();
	await editor.page.getByText('Workflow executed successfully').waitFor();
	await picture(editor, 'workflow');
}

/** What an AI agent can be given. */
async function agent(editor: Editor): Promise<void> {
	await editor.newNode('AI Agent', 'AI Agent');
	await editor.closeNode();
	await editor.addTool('AI Agent');
	// So high that the list ends with a whole entry.
	await editor.page.setViewportSize({ width: 1440, height: 856 });
	await editor.searchNodes('security awareness');
	await picture(editor, 'agent-tools');
}

/** A form that a person fills in: which node, what is filled in before, what is picked, a list of several. */
interface Form {
	name: string;
	folder: string;
	parameters: IDataObject;
	pick: string[];
	several?: string;
}

const CUSTOMER = 'Golden Crust Bakery';
const MAPPING = {
	scimField: { __rl: true, mode: 'list', value: '' },
	customFieldId: { __rl: true, mode: 'id', value: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111' },
};
const DATES = { scheduledDate: '2027-03-01T09:00:00', dueDate: '2027-03-15T17:00:00' };
const FORMS: Record<string, Form> = {
	'enrollment-form': {
		name: 'Enroll New Hires',
		folder: 'Enrollment',
		pick: ['training'],
		several: 'targetGroups',
		parameters: { operation: 'create', name: 'New hires, spring', additionalFields: DATES },
	},
	'scim-form': {
		name: 'Connect Entra ID',
		folder: 'ScimIntegration',
		pick: ['scimField'],
		parameters: { operation: 'create', name: 'Entra ID', fieldMappings: { rows: [MAPPING] } },
	},
	'client-form': {
		name: 'Give Access',
		folder: 'ApiClient',
		pick: [],
		several: 'roles',
		parameters: {
			operation: 'provision',
			name: 'n8n',
			hasIpAddressRestriction: true,
			allowedIpAddresses: '203.0.113.7, 2001:db8::/32',
		},
	},
};

/** Opens the last node of a workflow. */
async function openNode(editor: Editor, client: Stage['client'], nodes: INode[]): Promise<void> {
	const name = nodes.at(-1)?.name ?? '';
	await editor.open(`/workflow/${await client.createWorkflow(workflowOf(name, nodes))}`);
	await editor.openNode(name);
}

/** Fills in the forms that have the most to choose, for a customer, from lists that are that customer's. */
async function forms(editor: Editor, { client, credential: saved }: Stage): Promise<void> {
	for (const [file, { name, folder: of, parameters, pick, several }] of Object.entries(FORMS)) {
		await openNode(editor, client, [START, ours(name, of, { ...parameters, companyScope: 'one' }, saved)]);
		await editor.pick('company', CUSTOMER);
		for (const field of pick) await editor.pick(field);
		if (several) await editor.pickOneOfSeveral(several);
		// Moves the mouse away from the field, whose hint would cover the picture.
		await editor.page.getByText('Parameters', { exact: true }).first().click();
		await editor.whole(async () => picture(editor, file));
	}
}

/** A question about all customers and its answer: the picture that the README begins with. */
async function whoClicked(editor: Editor, { client, credential: saved }: Stage): Promise<void> {
	const outputFields = ['companyName', 'campaignName', 'firstName', 'lastName', 'department', 'clicked', 'submitted'];
	const parameters = {
		operation: 'fullReportOfPeriod',
		companyScope: 'every',
		onlyPeopleWho: 'clicked',
		output: 'selected',
		outputFields,
	};
	const start = { ...START, name: 'Every Month' };
	await editor.page.setViewportSize({ width: 1440, height: 560 });
	await openNode(editor, client, [start, ours('Who Clicked Last Month', 'PhishingCampaign', parameters, saved)]);
	await succeed(editor);
	await editor.output('Table');
	await editor.moveForm(-330);
	await picture(editor, 'who-clicked');
	await editor.page.setViewportSize({ width: 1440, height: 900 });
}

/** Opens a trigger of every company and fetches what it would start the workflow with. */
async function triggers(editor: Editor, { client, credential: saved }: Stage): Promise<void> {
	for (const type of ['Campaign', 'Enrollment']) {
		const trigger = ours(`New ${type}s`, `${type}Trigger`, { companyScope: 'every' }, saved);
		await openNode(editor, client, [trigger]);
		await succeed(editor);
		await editor.output('Schema');
		await picture(editor, `${type.toLowerCase()}-trigger`);
	}
}

/** The whole of each example on the canvas, as a person sees it who has imported it. */
async function exampleCanvases(editor: Editor, { n8n, client }: Stage): Promise<void> {
	for (const { name } of await chosenExamples()) {
		const id = await client.createWorkflow(await readWorkflow(name, { folder: n8n.filesFolder }));
		await editor.open(`/workflow/${id}`);
		await editor.canvasPicture(pathOf(join('examples', name.slice(0, 2))));
	}
}

async function main(script: Script): Promise<void> {
	const stage = await setStage({ port: await freePort() }, script.cleanups);
	await mkdir(join(folder, 'examples'), { recursive: true });
	const { page, editor, close } = await openEditor(stage.n8n.url, OWNER);
	script.cleanups.push(close);

	const walk: Array<[string, (editor: Editor, stage: Stage) => Promise<void>]> = [
		['The credential', credential],
		['The Company node', companyNode],
		["Nodes' actions", actions],
		['The demo workflow', demoWorkflow],
		['Forms', forms],
		['Triggers', triggers],
		["An AI agent's tools", agent],
		// After the other forms, because n8n keeps where a form was moved.
		['Who clicked', whoClicked],
		['Each example on the canvas', exampleCanvases],
	];
	for (const [title, part] of walk.filter(([title]) => title.includes(word))) {
		await step(title, '5 to 15 s', () => part(editor, stage)).catch(async (error: unknown) => {
			await page.screenshot({ path: join(folder, 'failed.png') });
			throw error;
		});
	}
}

runScript(main);
