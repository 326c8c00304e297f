/** Tests the node panel: nodes, triggers and tools for AI agents. */
import assert from 'node:assert/strict';
import { CUSTOMER, assertIncludes, executeSuccessfully, type Step } from './step';

/** Checks that the node panel shows all nodes of the package. */
export const checkInstalled: Step = async ({ editor, takePicture }) => {
	await editor.openNewWorkflow();
	await editor.searchNodes('security awareness');
	await takePicture('01-installed');
	// The panel loads more entries while scrolling.
	const names = editor.findByTestId('node-creator-item-name');
	await names.last().scrollIntoViewIfNeeded();
	await editor.page.waitForTimeout(1000);
	const entries = (await names.allInnerTexts()).filter((name) => name.trim().startsWith('Security Awareness '));
	// The package has 25 nodes. The triggers of Enrollment and Reported Email have no separate entries, so there are 23.
	assert.equal(entries.length, 23, `The panel offers ${entries.join(', ')}`);
	return `${entries.length} entries in the panel`;
};

/** Searches for the Company node with other words and adds it. Checks its docs link and its list of operations. */
export const searchNodePanel: Step = async ({ editor, takePicture }) => {
	await editor.openNewWorkflow();
	const customerResults = await editor.searchNodes('customer');
	assert.ok(customerResults.includes('Security Awareness Company'), customerResults.join(', '));
	for (const word of ['export', 'CSV'])
		assert.ok(
			(await editor.searchNodes(word)).includes('Security Awareness Company'),
			`'${word}' does not lead to Company.`,
		);
	const [firstResult] = await editor.searchNodes('tenant');
	assert.equal(firstResult, 'Security Awareness Company');
	await takePicture('07-tenant');
	await editor.addNode('Security Awareness Company', 'Get many companies');
	await editor.findField('operation').waitFor();
	assert.equal(await editor.readField('operation'), 'Get Many');
	const docsLink = editor.page.getByRole('link', { name: 'Docs' }).first();
	assertIncludes((await docsLink.getAttribute('href')) ?? '', '/blob/main/docs/nodes/company.md');
	await editor.findField('operation').click();
	await editor.page.waitForTimeout(500);
	await takePicture('08-operations');
	const descriptions = editor.page.locator('.el-select-dropdown__item:visible .option-description');
	assert.ok((await descriptions.count()) >= 5, 'The operations have no descriptions.');
	const truncatedDescriptions = await descriptions.evaluateAll((texts) =>
		texts.filter((text) => text.scrollHeight > text.clientHeight + 1).map((text) => text.textContent),
	);
	assert.deepEqual(truncatedDescriptions, [], 'Descriptions of operations are cut off.');
	return '"tenant" leads to Company first, "customer" as well';
};

const addPackagePrefix = (...names: string[]) => names.map((name) => `Security Awareness ${name}`);

/** Texts that users search for, and the entries that must be among the results. The panel leaves out the word Trigger in names. */
const EXPECTED_RESULTS: Record<string, string[]> = {
	'monthly active users': addPackagePrefix('Company'),
	MAU: addPackagePrefix('Company'),
	'export report': addPackagePrefix('Training Report', 'Leaderboard'),
	'who clicked': addPackagePrefix('Phishing Campaign', 'Smishing Campaign', 'Quishing Campaign'),
	'who scanned': addPackagePrefix('Quishing Campaign'),
	'who failed the phishing test': addPackagePrefix('Phishing Campaign'),
	'remove leaver': addPackagePrefix('Target User'),
	'license expires': addPackagePrefix('Company'),
	// The Campaign Trigger must be found with each of the three simulators.
	'phishing campaign': addPackagePrefix('Phishing Campaign', 'Campaign'),
	'smishing campaign': addPackagePrefix('Smishing Campaign', 'Campaign'),
	'quishing campaign': addPackagePrefix('Quishing Campaign', 'Campaign'),
	'new campaign': addPackagePrefix('Campaign'),
	enrollment: addPackagePrefix('Enrollment'),
};

/** Checks that nodes are found by common words, and that the pages of the campaign nodes mention the trigger. */
export const searchByCommonWords: Step = async ({ editor, takePicture }) => {
	await editor.openNewWorkflow();
	for (const [words, expectedNames] of Object.entries(EXPECTED_RESULTS)) {
		const names = await editor.searchNodes(words);
		await takePicture(`07-found-${words.split(' ').join('-').toLowerCase()}`);
		for (const name of expectedNames)
			assert.ok(names.includes(name), `'${words}' does not lead to ${name}: ${names.join(', ')}`);
	}
	for (const simulator of ['Phishing', 'Smishing', 'Quishing']) {
		await editor.searchNodes(`Security Awareness ${simulator} Campaign`);
		const entry = editor.findByTestId('node-creator').first();
		assertIncludes(await entry.innerText(), 'use the Campaign Trigger to start a workflow for new campaigns');
	}
	return Object.keys(EXPECTED_RESULTS).join(', ');
};

/** Fetches a test event of the campaign trigger and of the enrollment trigger. */
export const testTriggers: Step = async ({ editor, takePicture }) => {
	const results: string[] = [];
	for (const [word, name] of [
		['campaign', 'Security Awareness Campaign'],
		['enrollment', 'Security Awareness Enrollment'],
	] as const) {
		await editor.addNodeToNewWorkflow(word, name, `On new ${word}s`);
		await editor.findField('companyScope').waitFor();
		await editor.selectInPicker('company', CUSTOMER);
		await executeSuccessfully(editor);
		const items = await editor.findByTestId('output-panel').locator('[data-test-id="ndv-items-count"]').innerText();
		const schema = await editor.readOutput('Schema');
		await takePicture(`${results.length === 0 ? '22' : '23'}-${word}-trigger`);
		assert.match(items, /[1-9]\d* items?/);
		assertIncludes(schema, 'companyName');
		results.push(`${name}: ${items.trim()}`);
	}
	return results.join('; ');
};

/** Adds a node as a tool of an AI agent. */
export const addAgentTool: Step = async ({ editor, takePicture }) => {
	await editor.addNodeToNewWorkflow('AI Agent', 'AI Agent');
	await editor.closeNode();
	await editor.openToolPanel('AI Agent');
	const names = await editor.searchNodes('security awareness');
	await takePicture('24-tools');
	const entries = names.filter((name) => /^Security Awareness .* Tool$/.test(name));
	assert.equal(entries.length, 21, names.join(', '));
	await editor.addNode('Security Awareness Company Tool');
	await editor.findField('operation').waitFor();
	await takePicture('25-tool');
	assert.equal(await editor.readField('operation'), 'Get Many');
	return `${entries.length} tools`;
};
