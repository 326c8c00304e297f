/** What comes of a run: tables, texts, files, errors. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { CUSTOMER, has, succeed, type Step } from './step';
import { company } from './forms';

export const run: Step = async (hour) => {
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

export const text: Step = async (hour) => {
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

export const download: Step = async (hour) => {
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
	// n8n hands it to the browser as the node named it.
	assert.equal(file.suggestedFilename(), 'Companies – Überblick.csv');
	return `${file.suggestedFilename()}: ${bytes.length} bytes, all ${service.state.companies.length} companies`;
};

export const refused: Step = async ({ editor, picture, service }) => {
	await editor.newNode('target group', 'Security Awareness Target Group', 'Get many target groups');
	await editor.pick('company', CUSTOMER);
	service.fault({ route: 'POST /api/target-groups/search/current-company', kind: 'forbidden-company', times: 9 });
	const said = (await editor.execute()) ?? '';
	await picture('26-refused');
	service.clearFaults();
	has(said, `Could not get target groups for '${CUSTOMER}'`);
	return said.replace(/\s+/g, ' ').slice(0, 90);
};
