// Walks through the editor as a newcomer would and takes pictures on the way:
//   tsx scripts/demo/screenshots.ts [folder [word]]        (usually docs/images; only the parts whose title holds the word)
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { INode } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { openEditor } from '../n8n/editor';
import { Problem } from '../n8n/problem';
import { showStep as step } from '../n8n/steps';
import { runScript, type Script } from './script';
import { CREDENTIAL_TYPE, OWNER, readWorkflow, setStage, type Stage } from './stage';

const [, , target = join(__dirname, '..', '..', 'docs', 'images'), word = ''] = process.argv;
const folder = resolve(target);
const byTestId = (page: Page, id: string): Locator => page.locator(`[data-test-id="${id}"]`);

/** A picture of what is there when all has come to rest. */
async function picture(page: Page, name: string): Promise<void> {
	// Hints where the mouse is would be in the way; messages in the corner go away by themselves.
	await page.mouse.move(720, 5);
	await page.waitForFunction(() => document.querySelectorAll('.el-notification').length === 0);
	await page.waitForTimeout(500);
	const path = join(folder, `${name}.png`);
	await page.screenshot({ path });
	console.log(`    ${path}`);
}

/** Opens the credential, reads that it works, enters a wrong secret, reads why it does not, and puts it right. */
async function credential(page: Page, { n8n, credential: { name }, secrets }: Stage): Promise<void> {
	await page.goto(`${n8n.url}/home/credentials`);
	await page.getByText(name).click();
	const success = page.getByText('Connection tested successfully');
	await success.waitFor();
	await picture(page, 'credential');

	const secret = byTestId(page, 'parameter-input-clientSecret').locator('input');
	const save = byTestId(page, 'credential-save-button');
	await secret.fill('wrong');
	await save.click();
	const details = page.getByText('More details');
	await details.click();
	await details.waitFor({ state: 'hidden' });
	await picture(page, 'credential-wrong-secret');
	const failure = page.getByText('connect with these settings').locator('xpath=ancestor::*[.//button][1]/..');
	console.log(`    With a wrong secret: ${(await failure.innerText()).replace(/\s*\n\s*/g, ' / ')}`);

	await secret.fill(secrets.clientSecret);
	await save.click();
	await success.waitFor();
}

/** Builds a workflow with the Company node, searches its picker, chooses and executes. */
async function companyNode(page: Page, { n8n }: Stage): Promise<void> {
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByText('Add first step').waitFor();
	await byTestId(page, 'canvas-add-button').click();
	await page.getByPlaceholder(/^Search/).last().fill('security awareness');
	const entry = page.getByText('Security Awareness Company', { exact: true });
	await entry.waitFor();
	await picture(page, 'node-panel');

	await entry.click();
	await page.getByRole('button', { name: 'Add to workflow' }).click();
	await byTestId(page, 'parameter-input-operation').click();
	await page.getByRole('option', { name: /^Get Company/ }).click();
	await byTestId(page, 'rlc-input').click();
	await byTestId(page, 'rlc-search').fill('ü');
	const found = byTestId(page, 'rlc-item');
	await found.filter({ hasNotText: /ü/i }).waitFor({ state: 'detached' });
	const choice = found.filter({ hasText: 'Müller' }).first();
	await choice.waitFor();
	const names = await found.allInnerTexts();
	console.log(`    The picker offers for "ü": ${names.join(', ')}`);
	if (names.some((name) => !/ü/i.test(name))) throw new Problem('The picker offers companies without an "ü" in their names.');
	await picture(page, 'company-picker');

	await choice.click();
	await byTestId(page, 'node-execute-button').click();
	await page.getByText('Node executed successfully').waitFor();
	await byTestId(page, 'ndv-run-data-display-mode').last().getByText('Schema').click();
	await picture(page, 'company-node');
}

/** Opens the workflow of the demo and executes it. */
async function demoWorkflow(page: Page, { n8n, client, credential: saved }: Stage): Promise<void> {
	const id = await client.createWorkflow(await readWorkflow(n8n.filesFolder, saved));
	await page.goto(`${n8n.url}/workflow/${id}`);
	await byTestId(page, 'execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor({ timeout: 60_000 });
	await picture(page, 'workflow');
}

/** A form that a person fills in: which node, what is filled in before, what is picked, several lists, a row to add. */
interface Form {
	name: string;
	type: string;
	parameters: INode['parameters'];
	row?: string;
	pick: string[];
	several?: string;
}

const CUSTOMER = 'Golden Crust Bakery';
const FORMS: Record<string, Form> = {
	'enrollment-form': {
		name: 'Enroll New Hires',
		type: 'securityAwarenessEnrollment',
		parameters: {
			operation: 'create',
			name: 'New hires, spring',
			scheduler: { scheduledDate: '2027-03-01T09:00:00', dueDate: '2027-03-15T17:00:00' },
		},
		pick: ['training'],
		several: 'targetGroups',
	},
	'scim-form': {
		name: 'Connect Entra ID',
		type: 'securityAwarenessScimIntegration',
		parameters: { operation: 'create', name: 'Entra ID' },
		row: 'Add Mapping',
		pick: ['scimField'],
	},
	'client-form': {
		name: 'Give Access',
		type: 'securityAwarenessApiClient',
		parameters: {
			operation: 'provision',
			name: 'n8n',
			hasIpAddressRestriction: true,
			allowedIpAddresses: '203.0.113.7, 2001:db8::/32',
		},
		pick: [],
		several: 'roles',
	},
};

/** Chooses the first entry of a picker's list. */
async function choose(page: Page, field: string, text = ''): Promise<void> {
	await byTestId(page, `resource-locator-${field}`).locator('input').last().click();
	if (text !== '') await byTestId(page, 'rlc-search').locator('visible=true').fill(text);
	await byTestId(page, 'rlc-item').filter({ hasText: text }).locator('visible=true').first().click();
}

/** Fills in the forms that have the most to choose, for a customer, from lists that are that customer's. */
async function forms(page: Page, { n8n, client, credential: saved }: Stage): Promise<void> {
	for (const [file, { name, type, parameters, row, pick, several }] of Object.entries(FORMS)) {
		const place = { typeVersion: 1, position: [0, 0] satisfies [number, number] };
		const start = { id: '0', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {}, ...place };
		const node = {
			...{ id: '1', name, type: `n8n-nodes-security-awareness.${type}`, parameters: { ...parameters, companyScope: 'one' } },
			...{ ...place, credentials: { [CREDENTIAL_TYPE]: saved } },
		};
		const id = await client.createWorkflow({ name, nodes: [start, node], connections: {} });
		await page.goto(`${n8n.url}/workflow/${id}`);
		await page.locator('.vue-flow__node', { hasText: name }).dblclick();
		await choose(page, 'company', CUSTOMER);
		if (row) await page.getByRole('button', { name: row }).click();
		for (const field of pick) await choose(page, field);
		if (several) {
			// The list is read anew for the company that was just chosen.
			await page.waitForLoadState('networkidle');
			await page.waitForTimeout(1500);
			await byTestId(page, `parameter-input-${several}`).locator('.el-select').first().click();
			await page.locator('.el-select-dropdown__item:visible').first().click();
			await page.keyboard.press('Tab');
			await page.getByText('Parameters', { exact: true }).first().click();
		}
		await picture(page, file);
	}
}

const TRIGGERS: Record<string, string> = {
	'campaign-trigger': 'securityAwarenessCampaignTrigger',
	'enrollment-trigger': 'securityAwarenessEnrollmentTrigger',
};

/** Opens a trigger of every company and fetches what it would start the workflow with. */
async function triggers(page: Page, { n8n, client, credential: saved }: Stage): Promise<void> {
	for (const [file, type] of Object.entries(TRIGGERS)) {
		const name = file === 'campaign-trigger' ? 'New Campaigns' : 'New Enrollments';
		const node = {
			...{ id: '1', name, type: `n8n-nodes-security-awareness.${type}`, typeVersion: 1, position: [0, 0] satisfies [number, number] },
			...{ parameters: { companyScope: 'every' }, credentials: { [CREDENTIAL_TYPE]: saved } },
		};
		const id = await client.createWorkflow({ name, nodes: [node], connections: {} });
		await page.goto(`${n8n.url}/workflow/${id}`);
		await page.locator('.vue-flow__node', { hasText: name }).dblclick();
		await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await page.getByText('Node executed successfully').waitFor({ timeout: 60_000 });
		await byTestId(page, 'ndv-run-data-display-mode').last().getByText('Schema').click();
		await picture(page, file);
	}
}

async function main(script: Script): Promise<void> {
	const stage = await setStage({}, script.cleanups);
	await mkdir(folder, { recursive: true });
	const { page, close } = await openEditor(stage.n8n.url, OWNER);
	script.cleanups.push(close);

	const walk: Array<[string, (page: Page, stage: Stage) => Promise<void>]> = [
		['The credential', credential],
		['The Company node', companyNode],
		['The demo workflow', demoWorkflow],
		['Forms', forms],
		['Triggers', triggers],
	];
	for (const [title, part] of walk.filter(([title]) => title.includes(word))) {
		await step(title, '5 to 15 s', () => part(page, stage)).catch(async (error: unknown) => {
			await page.screenshot({ path: join(folder, 'failed.png') });
			throw error;
		});
	}
}

runScript(main);
