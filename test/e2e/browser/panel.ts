/** What the panel with all nodes offers: nodes, triggers, tools. */
import assert from 'node:assert/strict';
import { CUSTOMER, has, succeed, type Step } from './step';

export const installed: Step = async ({ editor, picture }) => {
	await editor.newWorkflow();
	await editor.searchNodes('security awareness');
	await picture('01-installed');
	// The panel fills its list while one scrolls.
	const names = editor.byTestId('node-creator-item-name');
	await names.last().scrollIntoViewIfNeeded();
	await editor.page.waitForTimeout(1000);
	const ours = (await names.allInnerTexts()).filter((name) => name.trim().startsWith('Security Awareness '));
	// Of 24 nodes: n8n puts the triggers of Enrollment and Reported Email into the entries of these.
	assert.equal(ours.length, 22, `The panel offers ${ours.join(', ')}`);
	return `${ours.length} entries in the panel`;
};

export const nodePanel: Step = async ({ editor, picture }) => {
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
	const docs = editor.page.getByRole('link', { name: 'Docs' }).first();
	has((await docs.getAttribute('href')) ?? '', '/blob/main/docs/nodes/company.md');
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

const named = (...names: string[]) => names.map((name) => `Security Awareness ${name}`);

/** What people type, and the entries that must be among those offered. An entry with a trigger leaves out that word. */
const FOUND: Record<string, string[]> = {
	'monthly active users': named('Company'),
	MAU: named('Company'),
	'export report': named('Training Report', 'Leaderboard'),
	'who clicked': named('Phishing Campaign', 'Smishing Campaign', 'Quishing Campaign'),
	'who scanned': named('Quishing Campaign'),
	'who failed the phishing test': named('Phishing Campaign'),
	'remove leaver': named('Target User'),
	'license expires': named('Company'),
	// The trigger of all three campaigns beside each of them.
	'phishing campaign': named('Phishing Campaign', 'Campaign'),
	'smishing campaign': named('Smishing Campaign', 'Campaign'),
	'quishing campaign': named('Quishing Campaign', 'Campaign'),
	'new campaign': named('Campaign'),
	enrollment: named('Enrollment'),
};

/** Nodes are found by what people call their work, and a trigger from the nodes whose records it waits for. */
export const found: Step = async ({ editor, picture }) => {
	await editor.newWorkflow();
	for (const [words, wanted] of Object.entries(FOUND)) {
		const names = await editor.searchNodes(words);
		await picture(`07-found-${words.split(' ').join('-').toLowerCase()}`);
		for (const name of wanted)
			assert.ok(names.includes(name), `'${words}' does not lead to ${name}: ${names.join(', ')}`);
	}
	for (const simulator of ['Phishing', 'Smishing', 'Quishing']) {
		await editor.searchNodes(`Security Awareness ${simulator} Campaign`);
		const entry = editor.byTestId('node-creator').first();
		has(await entry.innerText(), 'the Campaign Trigger starts a workflow for new ones');
	}
	return Object.keys(FOUND).join(', ');
};

export const triggers: Step = async ({ editor, picture }) => {
	const seen: string[] = [];
	for (const [word, name] of [
		['campaign', 'Security Awareness Campaign'],
		['enrollment', 'Security Awareness Enrollment'],
	] as const) {
		await editor.newNode(word, name, `On new ${word}s`);
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

export const agent: Step = async ({ editor, picture }) => {
	await editor.newNode('AI Agent', 'AI Agent');
	await editor.closeNode();
	await editor.addTool('AI Agent');
	const names = await editor.searchNodes('security awareness');
	await picture('24-tools');
	const ours = names.filter((name) => /^Security Awareness .* Tool$/.test(name));
	assert.equal(ours.length, 21, names.join(', '));
	await editor.takeNode('Security Awareness Company Tool');
	await editor.field('operation').waitFor();
	await picture('25-tool');
	assert.equal(await editor.shown('operation'), 'Get Many Companies');
	return `${ours.length} tools`;
};
