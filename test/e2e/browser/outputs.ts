/** Tests the results of executions: tables, texts, files and errors. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { CUSTOMER, assertIncludes, executeSuccessfully, type Step } from './step';
import { addCompanyNode } from './forms';

/** Reads the output of a filtered list as a table and as a schema. */
export const readTable: Step = async (context) => {
	const { editor, takePicture } = context;
	await addCompanyNode(context);
	await editor.addOption('Add Filter', 'Search Text');
	await editor.fillField('searchText', 'bakery');
	await executeSuccessfully(editor);
	const table = await editor.readOutput('Table');
	await takePicture('12-table');
	const columns = await editor.findByTestId('output-panel').locator('thead th').allInnerTexts();
	assert.equal(columns[0]?.trim(), 'companyName');
	assertIncludes(table, CUSTOMER);
	const schema = await editor.readOutput('Schema');
	await takePicture('13-schema');
	for (const field of ['companyName', 'licenseTypeName', 'companyResourceId']) assertIncludes(schema, field);
	await editor.closeNode();
	const nodeText = await editor.findNodeOnCanvas('Get many companies').first().innerText();
	await takePicture('14-canvas');
	assertIncludes(nodeText, 'Get Many: Company');
	return 'table and schema show the companies, the canvas says what the node does';
};

/** Builds a text by dragging two output fields into an Edit Fields node. */
export const buildTextByDragging: Step = async (context) => {
	const { editor, takePicture } = context;
	const { page } = editor;
	await addCompanyNode(context);
	await executeSuccessfully(editor);
	await editor.closeNode();
	await editor.openPanelAfter('Get many companies');
	await editor.searchNodes('edit fields');
	await editor.addNode('Edit Fields (Set)');
	const dragField = async (field: string, target: string) => {
		const startBox = await editor
			.findByTestId('run-data-schema-item')
			.getByText(field, { exact: true })
			.first()
			.boundingBox();
		const targetBox = await editor.findByTestId(target).first().boundingBox();
		assert.ok(startBox && targetBox, `${field} or the place for it is not to be seen.`);
		await page.mouse.move(startBox.x + startBox.width / 2, startBox.y + startBox.height / 2);
		await page.mouse.down();
		await page.mouse.move(startBox.x + 40, startBox.y + 30, { steps: 5 });
		// Dropping a field to the right of existing text appends the field to that text.
		await page.mouse.move(targetBox.x + targetBox.width * 0.85, targetBox.y + targetBox.height / 2, { steps: 15 });
		await page.waitForTimeout(300);
		await page.mouse.up();
		await page.waitForTimeout(700);
	};
	await dragField('companyName', 'assignment-collection-drop-area');
	await dragField('licenseTypeName', 'assignment-value');
	const expression = await editor.findByTestId('assignment-value').first().innerText();
	await takePicture('19-dragged');
	assertIncludes(expression, '$json.companyName');
	assertIncludes(expression, '$json.licenseTypeName');
	await executeSuccessfully(editor);
	const table = await editor.readOutput('Table');
	await takePicture('20-text');
	assert.match(table, /(Standard|Premium|Trial|Enterprise)/);
	return `built by dragging: ${expression.replace(/\s+/g, ' ').trim()}`;
};

/** Exports the companies and downloads the file. */
export const downloadFile: Step = async (context) => {
	const { editor, takePicture, service } = context;
	await addCompanyNode(context);
	await editor.selectOperation('Export');
	await executeSuccessfully(editor);
	await editor.readOutput('Binary');
	await takePicture('21-exported');
	const [file] = await Promise.all([
		editor.page.waitForEvent('download'),
		editor.findByTestId('ndv-download-binary-data').first().click(),
	]);
	const bytes = await readFile(await file.path());
	const [{ bytesSent = -1 } = {}] = service.getRequests('POST /api/companies/search/export').slice(-1);
	assert.equal(bytes.length, bytesSent, 'The file is not as long as the service sent it.');
	const csv = bytes.toString('utf8');
	const missingCompanies = service.world.companies.filter(({ companyResourceId }) => !csv.includes(companyResourceId));
	assert.equal(missingCompanies.length, 0, `${missingCompanies.length} companies are not in the file.`);
	// The browser gets the file name that the node has set.
	assert.equal(file.suggestedFilename(), 'Companies – Überblick.csv');
	return `${file.suggestedFilename()}: ${bytes.length} bytes, all ${service.world.companies.length} companies`;
};

/** Checks the error message that a node shows if the service refuses access to a company. */
export const showRefusal: Step = async ({ editor, takePicture, service }) => {
	await editor.addNodeToNewWorkflow('target group', 'Security Awareness Target Group', 'Get many target groups');
	await editor.selectInPicker('company', CUSTOMER);
	service.addFault({ route: 'POST /api/target-groups/search/current-company', kind: 'forbidden-company', times: 9 });
	const message = (await editor.executeNode()) ?? '';
	await takePicture('26-refused');
	service.clearFaults();
	assertIncludes(message, `Could not get target groups for '${CUSTOMER}'`);
	return message.replace(/\s+/g, ' ').slice(0, 90);
};
