import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { actions, customCall, inserted, saved } from './actions';
import { toldToBuilder } from './builder';
import { CUSTOMER, has, succeed, type Hour, type Step } from './step';

const COMPANIES = 'POST /api/companies/search';
const pageNumber = z.object({ pageNumber: z.number() });
const sent = z.object({ name: z.string(), enrollmentScheduler: z.object({ scheduledDate: z.string() }) });

/** An empty workflow with the Company node, its form open. */
async function company({ editor }: Hour): Promise<void> {
	await editor.newWorkflow();
	await editor.searchNodes('tenant');
	await editor.takeNode('Security Awareness Company', 'Get many companies');
	await editor.field('operation').waitFor();
}

const installed: Step = async ({ editor, picture }) => {
	await editor.newWorkflow();
	await editor.searchNodes('security awareness');
	await picture('01-installed');
	// The panel fills its list while one scrolls.
	const names = editor.byTestId('node-creator-item-name');
	await names.last().scrollIntoViewIfNeeded();
	await editor.page.waitForTimeout(1000);
	const ours = (await names.allInnerTexts()).filter((name) => name.trim().startsWith('Security Awareness '));
	// Of 21 nodes: n8n puts the Enrollment Trigger into the entry of Enrollment.
	assert.equal(ours.length, 20, `The panel offers ${ours.join(', ')}`);
	return `${ours.length} entries in the panel`;
};

const credential: Step = async ({ editor, picture, secrets, service }) => {
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
	for (const [said, explained] of [
		[wrongSecret, 'enter ID and secret again'],
		[nobody, 'check the Base URL'],
		[website, 'enter the address of the API'],
	] as const)
		has(said, explained);

	service.clearLog();
	const right = await save(secrets, '06-credential-right');
	has(right, 'Connection tested successfully');
	assert.equal(service.requests('GET /api/enrollments/form-details').length, 1);
	return 'wrong secret, wrong address and a website explained; right one tested';
};

const nodePanel: Step = async ({ editor, picture }) => {
	await editor.newWorkflow();
	const forCustomer = await editor.searchNodes('customer');
	assert.ok(forCustomer.includes('Security Awareness Company'), forCustomer.join(', '));
	for (const word of ['export', 'CSV'])
		assert.ok(
			(await editor.searchNodes(word)).includes('Security Awareness Company'),
			`'${word}' does not lead to Company.`,
		);
	const [first] = await editor.searchNodes('tenant');
	assert.equal(first, 'Security Awareness Company');
	await picture('07-tenant');
	await editor.takeNode('Security Awareness Company', 'Get many companies');
	await editor.field('operation').waitFor();
	assert.equal(await editor.shown('operation'), 'Get Many Companies');
	await editor.field('operation').click();
	await editor.page.waitForTimeout(500);
	await picture('08-operations');
	const descriptions = editor.page.locator('.el-select-dropdown__item:visible .option-description');
	assert.ok((await descriptions.count()) >= 5, 'The operations have no descriptions.');
	const cut = await descriptions.evaluateAll((texts) =>
		texts.filter((text) => text.scrollHeight > text.clientHeight + 1).map((text) => text.textContent),
	);
	assert.deepEqual(cut, [], 'Descriptions of operations are cut off.');
	return '"tenant" leads to Company first, "customer" as well';
};

const pickBySearch: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.chooseOption('operation', /^Get Company/);
	await editor.openPicker('company', 'bakery');
	await editor.entries
		.filter({ hasNotText: /bakery/i })
		.first()
		.waitFor({ state: 'detached' });
	const names = await editor.entries.allInnerTexts();
	await picture('09-picker-search');
	assert.ok(names.length > 1 && names.every((name) => /bakery/i.test(name)), names.join(', '));
	await editor.entries.filter({ hasText: CUSTOMER }).first().click();
	assert.equal(await editor.shown('company'), CUSTOMER);
	service.clearLog();
	await succeed(editor);
	const [{ path = '' } = {}] = service.requests('GET /api/companies/{resourceId}');
	const chosen = service.state.companies.find(({ companyName }) => companyName === CUSTOMER);
	assert.ok(path.endsWith(chosen?.companyResourceId ?? '?'), path);
	has(await editor.output('Schema'), CUSTOMER);
	await picture('10-company');
	return `${names.length} entries, each with the text`;
};

const pickByScrolling: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.chooseOption('operation', /^Get Company/);
	service.clearLog();
	await editor.openPicker('company');
	const pagesRead = () => service.requests(COMPANIES).map(({ body }) => pageNumber.parse(body).pageNumber);
	while (Math.max(...pagesRead()) < 3) {
		const before = await editor.entries.count();
		await editor.entries.last().scrollIntoViewIfNeeded();
		await editor.page.waitForFunction(
			(count) => document.querySelectorAll('[data-test-id="rlc-item"]').length > count,
			before,
		);
	}
	assert.deepEqual(pagesRead().slice(0, 3), [1, 2, 3]);
	await editor.entries.last().scrollIntoViewIfNeeded();
	const count = await editor.entries.count();
	// Not the last one: by then a further page may have come.
	const entry = editor.entries.nth(count - 1);
	const last = (await entry.innerText()).trim();
	await picture('11-picker-page-3');
	await entry.click();
	await succeed(editor);
	const shown = await editor.output('Schema');
	has(shown, last.replace('↳ ', ''));
	return `${count} entries after three pages; took the last, ${last}`;
};

const run: Step = async (hour) => {
	const { editor, picture } = hour;
	await company(hour);
	await editor.addOption('Add Filter', 'Search Text');
	await editor.fill('searchText', 'bakery');
	await succeed(editor);
	const table = await editor.output('Table');
	await picture('12-table');
	const heads = await editor.byTestId('output-panel').locator('thead th').allInnerTexts();
	assert.equal(heads[0]?.trim(), 'companyName');
	has(table, CUSTOMER);
	const schema = await editor.output('Schema');
	await picture('13-schema');
	for (const field of ['companyName', 'licenseTypeName', 'companyResourceId']) has(schema, field);
	await editor.closeNode();
	const node = await editor.nodeOnCanvas('Get many companies').first().innerText();
	await picture('14-canvas');
	has(node, 'Get Many Companies');
	return 'table and schema show the companies, the canvas says what the node does';
};

const enroll: Step = async ({ editor, picture, service }) => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.searchNodes('enrollment');
	await editor.takeNode('Security Awareness Enrollment', 'Create enrollment');
	await editor.pick('company', CUSTOMER);
	await editor.pick('training');
	const training = await editor.shown('training');
	await editor.fill('name', 'New hires, spring');
	await editor.pickOneOfSeveral('targetGroups');
	await editor.addOption('Add Date or Time Zone', 'Start Date');
	await editor.field('scheduledDate').locator('input').click();
	const panel = page.locator('.el-picker-panel:visible');
	await panel.locator('.el-date-picker__next-btn, .arrow-right').locator('visible=true').first().click();
	await panel
		.locator('td.available')
		.filter({ hasText: /^\s*15\s*$/ })
		.first()
		.click();
	await picture('15-date-picker');
	await panel.getByRole('button', { name: 'OK' }).click();
	const date = await editor.shown('scheduledDate');
	assert.match(date, /^\d{4}-\d{2}-15 /);
	await picture('16-enrollment-form');

	// Another operation and back: what was filled in is still there.
	await editor.chooseOption('operation', /^Create and Send/);
	const kept = async () => [
		await editor.shown('company'),
		await editor.shown('training'),
		await editor.shown('name'),
		await editor.shown('scheduledDate'),
	];
	const filled = [CUSTOMER, training, 'New hires, spring', date];
	assert.deepEqual(await kept(), filled);
	await picture('17-switched');
	await editor.chooseOption('operation', /^Create Enrollment/);
	assert.deepEqual(await kept(), filled);

	service.clearLog();
	await succeed(editor);
	const [created, ...more] = service.requests('POST /api/enrollments');
	assert.ok(created?.landed && more.length === 0, 'Not exactly one enrollment was created.');
	const body = sent.parse(created.body);
	assert.equal(body.name, 'New hires, spring');
	const day = new Date(body.enrollmentScheduler.scheduledDate).toLocaleDateString('en-CA', {
		timeZone: 'America/New_York',
	});
	assert.equal(day, date.slice(0, 10));
	has(await editor.output('Schema'), 'Scheduled');
	await picture('18-enrolled');
	// n8n keeps what both operations have.
	await editor.chooseOption('operation', /^Get Many/);
	assert.equal(await editor.shown('company'), CUSTOMER);
	return `one enrollment for ${date}; values survive a change of operation`;
};

const text: Step = async (hour) => {
	const { editor, picture } = hour;
	const { page } = editor;
	await company(hour);
	await succeed(editor);
	await editor.closeNode();
	await editor.addAfter('Get many companies');
	await editor.searchNodes('edit fields');
	await editor.takeNode('Edit Fields (Set)');
	const drag = async (field: string, target: string) => {
		const from = await editor.byTestId('run-data-schema-item').getByText(field, { exact: true }).first().boundingBox();
		const to = await editor.byTestId(target).first().boundingBox();
		assert.ok(from && to, `${field} or the place for it is not to be seen.`);
		await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await page.mouse.down();
		await page.mouse.move(from.x + 40, from.y + 30, { steps: 5 });
		// What is dropped behind a text is added to it.
		await page.mouse.move(to.x + to.width * 0.85, to.y + to.height / 2, { steps: 15 });
		await page.waitForTimeout(300);
		await page.mouse.up();
		await page.waitForTimeout(700);
	};
	await drag('companyName', 'assignment-collection-drop-area');
	await drag('licenseTypeName', 'assignment-value');
	const expression = await editor.byTestId('assignment-value').first().innerText();
	await picture('19-dragged');
	has(expression, '$json.companyName');
	has(expression, '$json.licenseTypeName');
	await succeed(editor);
	const table = await editor.output('Table');
	await picture('20-text');
	assert.match(table, /(Standard|Premium|Trial|Enterprise)/);
	return `built by dragging: ${expression.replace(/\s+/g, ' ').trim()}`;
};

const download: Step = async (hour) => {
	const { editor, picture, service } = hour;
	await company(hour);
	await editor.chooseOption('operation', /^Export Companies/);
	await succeed(editor);
	await editor.output('Binary');
	await picture('21-exported');
	const [file] = await Promise.all([
		editor.page.waitForEvent('download'),
		editor.byTestId('ndv-download-binary-data').first().click(),
	]);
	const bytes = await readFile(await file.path());
	const [{ bytesSent = -1 } = {}] = service.requests('POST /api/companies/search/export').slice(-1);
	assert.equal(bytes.length, bytesSent, 'The file is not as long as the service sent it.');
	const csv = bytes.toString('utf8');
	const missing = service.state.companies.filter(({ companyResourceId }) => !csv.includes(companyResourceId));
	assert.equal(missing.length, 0, `${missing.length} companies are not in the file.`);
	return `${file.suggestedFilename()}: ${bytes.length} bytes, all ${service.state.companies.length} companies`;
};

const triggers: Step = async ({ editor, picture }) => {
	const seen: string[] = [];
	for (const [word, name] of [
		['campaign', 'Security Awareness Campaign'],
		['enrollment', 'Security Awareness Enrollment'],
	] as const) {
		await editor.newWorkflow();
		await editor.searchNodes(word);
		await editor.takeNode(name, `On new ${word}s`);
		await editor.field('companyScope').waitFor();
		await editor.pick('company', CUSTOMER);
		await succeed(editor);
		const items = await editor.byTestId('output-panel').locator('[data-test-id="ndv-items-count"]').innerText();
		const schema = await editor.output('Schema');
		await picture(`${seen.length === 0 ? '22' : '23'}-${word}-trigger`);
		assert.match(items, /[1-9]\d* items?/);
		has(schema, 'companyName');
		seen.push(`${name}: ${items.trim()}`);
	}
	return seen.join('; ');
};

const agent: Step = async ({ editor, picture }) => {
	await editor.newWorkflow();
	await editor.searchNodes('AI Agent');
	await editor.takeNode('AI Agent');
	await editor.closeNode();
	await editor.addTool('AI Agent');
	const names = await editor.searchNodes('security awareness');
	await picture('24-tools');
	const ours = names.filter((name) => /^Security Awareness .* Tool$/.test(name));
	assert.equal(ours.length, 19, names.join(', '));
	await editor.takeNode('Security Awareness Company Tool');
	await editor.field('operation').waitFor();
	await picture('25-tool');
	assert.equal(await editor.shown('operation'), 'Get Many Companies');
	return `${ours.length} tools`;
};

const refused: Step = async ({ editor, picture, service }) => {
	await editor.newWorkflow();
	await editor.searchNodes('target group');
	await editor.takeNode('Security Awareness Target Group', 'Get many target groups');
	await editor.pick('company', CUSTOMER);
	service.fault({ route: 'POST /api/target-groups/search/current-company', kind: 'forbidden-company', times: 9 });
	const said = (await editor.execute()) ?? '';
	await picture('26-refused');
	service.clearFaults();
	has(said, `Could not get many target groups for '${CUSTOMER}'`);
	return said.replace(/\s+/g, ' ').slice(0, 90);
};

const dark: Step = async (hour) => {
	const { editor, picture } = hour;
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	try {
		await company(hour);
		await editor.closeNode();
		await picture('27-dark');
		const icon = await editor.nodeOnCanvas('Get many companies').locator('img').first().getAttribute('src');
		assert.match(icon ?? '', /company\.dark\.svg/);
		return 'the icon for the dark theme is there';
	} finally {
		await editor.page.emulateMedia({ colorScheme: 'light' });
	}
};

/** The newcomer's hour, in its order. */
export const STEPS: Record<string, Step> = {
	'the package is there': installed,
	'a credential: wrong, wrong, right': credential,
	'Company by the word "tenant"': nodePanel,
	'every action listed': actions,
	'actions taken into a workflow': inserted,
	'a customer by search': pickBySearch,
	'a customer on page 3': pickByScrolling,
	'table and schema': run,
	'an enrollment with the date picker': enroll,
	'a text by dragging': text,
	'a file downloaded': download,
	'both triggers, test event': triggers,
	"an AI Agent's tools": agent,
	'a refusal explained': refused,
	'dark theme': dark,
	'saved before the resource was shown': saved,
	'Custom API Call': customCall,
	'what an AI builder is told': toldToBuilder,
};

/** Where a step's pictures go. */
export const pathOf = (folder: string, name: string): string => join(folder, `${name}.png`);
