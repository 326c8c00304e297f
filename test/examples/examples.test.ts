/** Tests that every workflow in examples can be imported unchanged, and has a page, a picture and a test in a real n8n. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { listExamples, readExample, type Example } from '../real-n8n/examples';
import { loadNode, manifest, PACKAGE_ROOT } from '../n8n-core/package';
import { loadAllOperations } from '../contract/catalogue';
import { countSettings, findErrorReads, findRetryFaults, findWorkflowFaults } from './examples';

let examples: Example[];
let descriptions: INodeTypeDescription[];
beforeAll(async () => {
	examples = await listExamples();
	descriptions = (await Promise.all(manifest.n8n.nodes.map((path) => loadNode(path)))).map(
		({ description }) => description,
	);
});

const hasFile = (...path: string[]) => existsSync(join(PACKAGE_ROOT, ...path));

test('every example only uses nodes, operations and parameters that exist, and contains no IDs of a user', async () => {
	const faults = examples.map(async ({ name }) =>
		findWorkflowFaults(await readExample(name), descriptions).map((fault) => `${name}: ${fault}`),
	);
	expect(examples.length).toBeGreaterThan(0);
	expect((await Promise.all(faults)).flat()).toEqual([]);
});

/**
 * Returns true if an example must be small enough to be read at a glance. Example 22 combines a dispatcher and a worker, so it is larger.
 */
const isSmallExample = (number: number) => number >= 15 && number !== 22;
/** The maximum number of nodes in a small example. */
const MAX_SMALL_EXAMPLE_NODES = 16;
/**
 * The maximum number of nodes in small examples that need more. 17 creates the customer map, looks up the product's number in Autotask,
 * and reads each quantity before and after it changes it. 18 reads risk, coverage and people at risk, and the customer map again before each
 * email. 18 and 19 call example 28. 19 has one node for each of nine kinds of evidence, because each comes from another list of the platform.
 * 21 creates the customer map and its own table. 23 does so too, plans, asks, writes and undoes.
 */
const MAX_NODES_BY_NUMBER: Record<number, number> = { 17: 21, 18: 22, 19: 26, 21: 17, 23: 21 };

/** The maximum number of settings in an example. */
const MAX_SETTINGS = 11;

test('no node has more than eleven settings, no newer example more than sixteen nodes or a Code node', async () => {
	const faults = examples.map(async ({ name, number }) => {
		const nodes = (await readExample(name)).nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const settingsFaults = nodes
			.filter(({ parameters }) => countSettings(parameters) > MAX_SETTINGS)
			.map((node) => `${name}: ${node.name}`);
		if (!isSmallExample(number)) return settingsFaults;
		const codeNodeFaults = nodes
			.filter(({ type }) => type.endsWith('.code'))
			.map((node) => `${name}: ${node.name} is code`);
		const sizeFaults =
			nodes.length > (MAX_NODES_BY_NUMBER[number] ?? MAX_SMALL_EXAMPLE_NODES)
				? [`${name} has ${nodes.length} nodes`]
				: [];
		return [...settingsFaults, ...codeNodeFaults, ...sizeFaults];
	});
	expect((await Promise.all(faults)).flat()).toEqual([]);
});

test('the faults of a workflow are found', async () => {
	const workflow = await readExample('05-campaign-summary');
	const faultyWorkflow = JSON.stringify(workflow)
		.replace('"getSummary"', '"getSummaries"')
		.replace('"watch":"jobs"', '"watch":"campaigns"')
		.replace('"node":"Wait Two Days"', '"node":"Wait"')
		.replace("$('Settings')", "$('Options')")
		.replace('"id":null', '"id":"3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111"');
	expect(findWorkflowFaults(JSON.parse(faultyWorkflow) as typeof workflow, descriptions)).toEqual([
		"A connection names the node 'Wait', which is not there",
		"An expression names the node 'Options', which is not there",
		'It has a fixed ID in it',
		'New Campaign Jobs: does not name the credential as n8n does',
		"New Campaign Jobs: the parameter 'watch' is unknown, hidden, or the default",
		"Get the Figures: has no operation 'getSummaries' for the resource 'campaignJob'",
	]);
});

test('no example has Retry On Fail where it would change something twice', async () => {
	const operations = await loadAllOperations();
	const isReadOnly = (folder: string, operationKey: string) =>
		operations.some(({ node, key, operation }) => node === folder && key === operationKey && operation.isReadOnly);
	const faults = examples.map(async ({ name }) =>
		findRetryFaults(await readExample(name), isReadOnly).map((fault) => `${name}: ${fault}`),
	);
	expect((await Promise.all(faults)).flat()).toEqual([]);
	const workflow = await readExample('12-approved-assistant');
	const nodes = workflow.nodes.map((node) => ({ ...node, retryOnFail: true }));
	const nodeNames = findRetryFaults({ ...workflow, nodes }, isReadOnly).map((fault) => fault.split(' has ')[0]);
	expect(nodeNames).toEqual(expect.arrayContaining(['Create Enrollment', 'Send Enrollment']));
	expect(nodeNames).not.toContain('Find Customers');
});

/**
 * Expressions that may have no result. In 20, this is one of the expressions in a query, and becomes empty. 27 has a text for it.
 */
const READS_WITHOUT_RESULT = [
	'20-renewals: What Is Due reads Customer Map',
	'27-customer-map: What Was Read reads PSA Companies',
	'27-customer-map: What Was Read reads Organizations',
];

test('no expression reads a node of n8n that may have failed and continued', async () => {
	const reads = examples.map(async ({ name }) =>
		findErrorReads(await readExample(name)).map((read) => `${name}: ${read}`),
	);
	expect((await Promise.all(reads)).flat()).toEqual(READS_WITHOUT_RESULT);
	const workflow = await readExample('21-overdue-access');
	const faultyWorkflow = JSON.stringify(workflow).replaceAll("$('Get a Token').first(0)", "$('Get a Token').item");
	expect(findErrorReads(JSON.parse(faultyWorkflow) as typeof workflow)).toEqual([
		'Find Group and Person reads Get a Token',
		'Change the Group reads Get a Token',
	]);
});

test('an optional field that a model fills in without a default is found', async () => {
	const workflow = await readExample('11-mcp-server');
	const faultyWorkflow = JSON.stringify(workflow).replace(", 'string', '')", ", 'string')");
	expect(findWorkflowFaults(JSON.parse(faultyWorkflow) as typeof workflow, descriptions)).toEqual([
		"Find Customers: the optional 'filters' has a $fromAI without '' as its default",
	]);
});

test('every example has the same number and title in n8n as on its page', () => {
	const headings = examples.map(({ name }) => {
		const [heading = ''] = readFileSync(join(PACKAGE_ROOT, 'docs', 'examples', `${name}.md`), 'utf8').split('\n');
		return heading.replace(/^# (\d+)\./, 'Security Awareness $1:').toLowerCase();
	});
	expect(headings).toEqual(examples.map(({ title }) => title.toLowerCase()));
	const rows = examples.map(({ name, title }) => {
		const [, number, heading] = /^Security Awareness (\d+): (.*)$/.exec(title) ?? [];
		return `| ${number} | [${heading}](${name}.md)`.toLowerCase();
	});
	expect(rows.filter((row) => !readExampleTable().toLowerCase().includes(row))).toEqual([]);
});

const readExampleTable = () => readFileSync(join(PACKAGE_ROOT, 'docs', 'examples', 'README.md'), 'utf8');

test('every example has a page in the table, with its picture, and a check', () => {
	const faults = examples.flatMap(({ name, number }) => {
		const picture = `.images/examples/${name.slice(0, 2)}.png`;
		const page = `docs/examples/${name}.md`;
		const isPictureOnPage = hasFile(page) && readFileSync(join(PACKAGE_ROOT, page), 'utf8').includes(`(../${picture})`);
		const faults: string[] = [];
		if (!readExampleTable().includes(`(${name}.md)`)) faults.push(`${name} is not in the table`);
		if (!hasFile('docs', picture)) faults.push(`${name} has no picture`);
		if (!isPictureOnPage) faults.push(`${name} has no page that shows its picture`);
		if (!hasFile('test', 'e2e', 'examples', `${String(number).padStart(2, '0')}.ts`))
			faults.push(`${name} has no check`);
		return faults;
	});
	expect(faults).toEqual([]);
});
