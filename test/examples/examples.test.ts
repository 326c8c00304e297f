/** Every workflow in examples can be imported as it is, and has its page, its picture and its check in a real n8n. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { listExamples, readExample, type Example } from '../real-n8n/examples';
import { loadNode, manifest, packageRoot } from '../n8n-core/package';
import { loadAllOperations } from '../contract/catalogue';
import { findRetryFaults, settingsIn, workflowFaults } from './examples';

let examples: Example[];
let descriptions: INodeTypeDescription[];
beforeAll(async () => {
	examples = await listExamples();
	descriptions = (await Promise.all(manifest.n8n.nodes.map((listed) => loadNode(listed)))).map(
		({ description }) => description,
	);
});

const exists = (...path: string[]) => existsSync(join(packageRoot, ...path));

test('every example is made of nodes, operations and parameters that there are, and holds nothing of anybody', async () => {
	const faults = examples.map(async ({ name }) =>
		workflowFaults(await readExample(name), descriptions).map((fault) => `${name}: ${fault}`),
	);
	expect(examples.length).toBeGreaterThan(0);
	expect((await Promise.all(faults)).flat()).toEqual([]);
});

/** From here on they are small enough to be read at a glance; the night is a dispatcher and a worker in one. */
const isSmall = (number: number) => number >= 15 && number !== 22;
/** The maximum number of nodes in a small example. */
const MOST_NODES = 16;

test('no node has more than ten settings, no newer example more than sixteen nodes or a Code node', async () => {
	const large = examples.map(async ({ name, number }) => {
		const nodes = (await readExample(name)).nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const settings = nodes
			.filter(({ parameters }) => settingsIn(parameters) > 10)
			.map((node) => `${name}: ${node.name}`);
		if (!isSmall(number)) return settings;
		const code = nodes.filter(({ type }) => type.endsWith('.code')).map((node) => `${name}: ${node.name} is code`);
		return [...settings, ...code, ...(nodes.length > MOST_NODES ? [`${name} has ${nodes.length} nodes`] : [])];
	});
	expect((await Promise.all(large)).flat()).toEqual([]);
});

test('what is wrong with a workflow is seen', async () => {
	const workflow = await readExample('05-campaign-summary');
	const spoilt = JSON.stringify(workflow)
		.replace('"getJobSummary"', '"getSummaries"')
		.replace('"watch":"jobs"', '"watch":"campaigns"')
		.replace('"node":"Wait Two Days"', '"node":"Wait"')
		.replace("$('Settings')", "$('Options')")
		.replace('"id":null', '"id":"3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111"');
	expect(workflowFaults(JSON.parse(spoilt) as typeof workflow, descriptions)).toEqual([
		"A connection names the node 'Wait', which is not there",
		"An expression names the node 'Options', which is not there",
		'It has a fixed ID in it',
		'New Campaign Jobs: does not name the credential as n8n does',
		"New Campaign Jobs: the parameter 'watch' is unknown, hidden, or the default",
		"Get the Figures: has no operation 'getSummaries'",
	]);
});

test('no example has Retry On Fail where it would change something twice', async () => {
	const operations = await loadAllOperations();
	const reads = (folder: string, value: string) =>
		operations.some(({ node, operation }) => node === folder && operation.value === value && operation.isReadOnly);
	const faults = examples.map(async ({ name }) =>
		findRetryFaults(await readExample(name), reads).map((fault) => `${name}: ${fault}`),
	);
	expect((await Promise.all(faults)).flat()).toEqual([]);
	const workflow = await readExample('12-approved-assistant');
	const nodes = workflow.nodes.map((node) => ({ ...node, retryOnFail: true }));
	const found = findRetryFaults({ ...workflow, nodes }, reads).map((fault) => fault.split(' has ')[0]);
	expect(found).toEqual(expect.arrayContaining(['Create Enrollment', 'Send Enrollment']));
	expect(found).not.toContain('Find Customers');
});

test('an optional field that a model fills in without a default is found', async () => {
	const workflow = await readExample('11-mcp-server');
	const spoilt = JSON.stringify(workflow).replace(", 'string', '')", ", 'string')");
	expect(workflowFaults(JSON.parse(spoilt) as typeof workflow, descriptions)).toEqual([
		"Find Customers: the optional 'filters' has a $fromAI without '' as its default",
	]);
});

test('every example has in n8n the number and the title of its page', () => {
	const headings = examples.map(({ name }) => {
		const [heading = ''] = readFileSync(join(packageRoot, 'docs', 'examples', `${name}.md`), 'utf8').split('\n');
		return heading.replace(/^# (\d+)\./, 'Security Awareness $1:').toLowerCase();
	});
	expect(headings).toEqual(examples.map(({ title }) => title.toLowerCase()));
	const rows = examples.map(({ name, title }) => {
		const [, number, words] = /^Security Awareness (\d+): (.*)$/.exec(title) ?? [];
		return `| ${number} | [${words}](${name}.md)`.toLowerCase();
	});
	expect(rows.filter((row) => !table().toLowerCase().includes(row))).toEqual([]);
});

const table = () => readFileSync(join(packageRoot, 'docs', 'examples', 'README.md'), 'utf8');

test('every example has a page in the table, with its picture, and a check', () => {
	const missing = examples.flatMap(({ name, number }) => {
		const picture = `.images/examples/${name.slice(0, 2)}.png`;
		const page = `docs/examples/${name}.md`;
		return [
			...(table().includes(`(${name}.md)`) ? [] : [`${name} is not in the table`]),
			...(exists('docs', picture) ? [] : [`${name} has no picture`]),
			...(exists(page) && readFileSync(join(packageRoot, page), 'utf8').includes(`(../${picture})`)
				? []
				: [`${name} has no page that shows its picture`]),
			...(exists('test', 'e2e', 'examples', `${String(number).padStart(2, '0')}.ts`) ? [] : [`${name} has no check`]),
		];
	});
	expect(missing).toEqual([]);
});
