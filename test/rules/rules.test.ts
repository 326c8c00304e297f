import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { loadOperations } from '../contract/catalogue';
import { loadCredentialTypes, loadNode, manifest, createNode, PACKAGE_ROOT, toSourcePath } from '../n8n-core/package';
import { findNodeFaults, isTrigger, findSharedObjects } from './checks';
import {
	CREDENTIAL_PAGE_TITLE,
	findCodexFaults,
	findIconFaults,
	findOutputSchemaFaults,
	findPageFaults,
} from './nodeFiles';
import { listOperationOptions } from './nodeFields';

const nodeFiles = manifest.n8n.nodes.map(toSourcePath);
const credentialFiles = manifest.n8n.credentials.map(toSourcePath);

test('every class that package.json lists has its source', () => {
	const missingFiles = [...nodeFiles, ...credentialFiles].filter((file) => !existsSync(file));
	expect(missingFiles.map((file) => relative(PACKAGE_ROOT, file))).toEqual([]);
});

describe.each(manifest.n8n.nodes)('%s', (nodePath) => {
	const file = toSourcePath(nodePath);
	let node: INodeType;

	beforeAll(async () => {
		node = await loadNode(nodePath);
	});

	test('has the texts and fields that n8n asks for', () => {
		expect(findNodeFaults(node)).toEqual([]);
	});

	test('has one version', () => {
		expect(node.description.version).toBe(1);
	});

	test('has its codex, icons and output schemas', () => {
		expect([
			...findCodexFaults(file, node),
			...findIconFaults(file, node.description.icon),
			...findOutputSchemaFaults(file, node),
		]).toEqual([]);
	});

	test('shares no object with another node or another instance of itself', async () => {
		const descriptions = await Promise.all(
			manifest.n8n.nodes.map(async (path) => [path, (await loadNode(path)).description] as const),
		);
		const { description: newDescription } = await createNode(nodePath);
		const roots = { [`another ${nodePath}`]: newDescription, ...Object.fromEntries(descriptions) };
		expect(findSharedObjects(roots)).toEqual([]);
	});

	test('offers its operations', async () => {
		if (isTrigger(node)) return;
		const operations = await loadOperations(nodePath);
		const offeredOperations = listOperationOptions(node.description).map(
			({ resource, value }) => `${resource}.${String(value)}`,
		);
		expect(offeredOperations.sort()).toEqual(
			operations.map(({ resource, operation }) => `${resource}.${operation.value}`).sort(),
		);
	});
});

test("finds a link that does not lead to the node's own page", async () => {
	const { description } = await loadNode(manifest.n8n.nodes.find((nodePath) => nodePath.includes('/Role/')) ?? '');
	const [repository] = manifest.homepage.split('#');
	const findFaults = (path: string) => findPageFaults(`${repository}${path}`, description);
	expect(findFaults('/blob/main/docs/nodes/role.md')).toEqual([]);
	expect(findFaults('#nodes')).toEqual([expect.stringContaining('is no page of this repository')]);
	expect(findFaults('/blob/main/docs/nodes/roles.md')).toEqual([
		expect.stringContaining('is no page of this repository'),
	]);
	for (const page of ['README.md', 'docs/triggers.md', 'docs/nodes/README.md', 'docs/nodes/company.md'])
		expect(findFaults(`/blob/main/${page}`)).toEqual([
			expect.stringContaining("is not the page of 'Security Awareness Role'"),
		]);
});

test('every picture is on a page', () => {
	const pages = readdirSync(join(PACKAGE_ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => join('docs', name));
	const text = ['README.md', ...pages].map((page) => readFileSync(join(PACKAGE_ROOT, page), 'utf8')).join('\n');
	const imageFolder = join(PACKAGE_ROOT, 'docs', '.images');
	const fileNames = readdirSync(imageFolder, { recursive: true, encoding: 'utf8' });
	const images = fileNames.filter((name) => /\.(png|svg)$/.test(name)).map((name) => name.replaceAll('\\', '/'));
	expect(images.length).toBeGreaterThan(20);
	expect(images.filter((name) => !text.includes(`images/${name})`))).toEqual([]);
});

test("the credential has its own icons, and n8n's link leads to its page", async () => {
	const [credentialType] = await loadCredentialTypes();
	expect(findPageFaults(credentialType?.documentationUrl ?? '', CREDENTIAL_PAGE_TITLE)).toEqual([]);
	expect(findIconFaults(credentialFiles[0] ?? '', credentialType?.icon)).toEqual([]);
});
