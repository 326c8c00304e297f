/**
 * Checks that no step of "Adding an operation" in CONTRIBUTING.md is missing, and says which file the step belongs to. Other tests check
 * what these files contain.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lowerFirst } from 'lodash';
import { AGENT_RIGHTS } from '../../nodes/core/run/agentRights';
import { cases } from '../cases';
import { loadAllOperations, type ListedOperation } from '../contract/catalogue';
import { parseOperationKey } from '../contract/operationKeys';
import { manifest, PACKAGE_ROOT } from '../n8n-core/package';

const readFile = (...path: string[]) => readFileSync(join(PACKAGE_ROOT, ...path), 'utf8');

/** The classes of all nodes in the folder nodes: "Role/SecurityAwarenessRole". */
const nodeClasses = readdirSync(join(PACKAGE_ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => path.endsWith('.node.ts'))
	.map((path) => path.replace(/\.node\.ts$/, ''));
const isTriggerClass = (nodeClass: string) => nodeClass.endsWith('Trigger');
const getFolder = (nodeClass: string) => nodeClass.split('/')[0] ?? '';

let operations: ListedOperation[];
beforeAll(async () => {
	operations = await loadAllOperations();
});

test('package.json lists every node', () => {
	const missingLines = nodeClasses
		.map((nodeClass) => `dist/nodes/${nodeClass}.node.js`)
		.filter((line) => !manifest.n8n.nodes.includes(line));
	expect(missingLines.map((line) => `Add "${line}" to n8n.nodes in package.json`)).toEqual([]);
});

test('checkAccess lists every node', () => {
	const text = readFile('nodes', 'Account', 'checkAccess.ts');
	const missingFolders = nodeClasses
		.filter((nodeClass) => !isTriggerClass(nodeClass))
		.map(getFolder)
		.filter((folder) => folder !== 'Account' && !text.includes(`from '../${folder}/`));
	expect(missingFolders.map((folder) => `Add the resources of ${folder} to nodes/Account/checkAccess.ts`)).toEqual([]);
});

test('the README, the changelog and the searches of the panel have every node', () => {
	const readme = readFile('README.md');
	const searches = readFile('test', 'rules', 'panel.test.ts');
	const listFolderFaults = (folder: string) => {
		const faults: string[] = [];
		// The page of the phishing campaign describes all three simulators.
		const page = `${lowerFirst(folder.replace(/^(Smishing|Quishing)Campaign$/, 'PhishingCampaign'))}.md`;
		if (!readme.includes(`(docs/nodes/${page})`)) faults.push(`Add ${folder} to the table of nodes in README.md`);
		if (!isTriggerClass(folder) && !searches.includes(`\t${folder}: [`))
			faults.push(`Add what people search for to SEARCHES_BY_NODE in test/rules/panel.test.ts: ${folder}`);
		return faults;
	};
	const folders = nodeClasses.map(getFolder);
	expect(folders.flatMap(listFolderFaults)).toEqual([]);
	const actionNodeCount = folders.filter((folder) => !isTriggerClass(folder)).length;
	expect(readFile('CHANGELOG.md')).toContain(`- ${actionNodeCount} nodes with all `);
});

test('every operation has a case', () => {
	const missingOperations = operations.filter(
		({ node, key }) => !cases.some((testCase) => testCase.node === node && testCase.operation === key),
	);
	expect(missingOperations.map(({ node, key }) => `Add the case '${key}' of ${node} in test/cases`)).toEqual([]);
});

test('every operation has a row with the rights of AI agents', () => {
	const missingRows = operations
		.map(({ node, key }) => ({ node, ...parseOperationKey(node, key) }))
		.filter(({ node, resource, operation }) => AGENT_RIGHTS[lowerFirst(node)]?.[resource]?.[operation] === undefined);
	expect(
		missingRows.map(
			({ node, resource, operation }) =>
				`Add ${operation} of the resource ${resource} of ${node} to nodes/core/run/agentRights.ts`,
		),
	).toEqual([]);
});
