import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { loadOperations } from '../contract/catalogue';
import { loadCredentialTypes, loadNode, manifest, createNode, packageRoot, toSourcePath } from '../n8n-core/package';
import { findNodeFaults, isTrigger, findSharedObjects } from './checks';
import { CREDENTIAL_PAGE, findCodexFaults, findIconFaults, findOutputSchemaFaults, findPageFaults } from './files';
import { getOptions } from './walk';

const files = manifest.n8n.nodes.map(toSourcePath);

test('every class that package.json lists has its source', () => {
	const listed = [...files, ...manifest.n8n.credentials.map(toSourcePath)];
	expect(listed.filter((file) => !existsSync(file)).map((file) => relative(packageRoot, file))).toEqual([]);
});

describe.each(manifest.n8n.nodes)('%s', (listed) => {
	const file = toSourcePath(listed);
	let node: INodeType;

	beforeAll(async () => {
		node = await loadNode(listed);
	});

	test('has the words and fields that n8n asks for', () => {
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
		const others = await Promise.all(
			manifest.n8n.nodes.map(async (other) => [other, (await loadNode(other)).description] as const),
		);
		const another = (await createNode(listed)).description;
		expect(findSharedObjects({ [`another ${listed}`]: another, ...Object.fromEntries(others) })).toEqual([]);
	});

	test('offers its operations', async () => {
		if (isTrigger(node)) return;
		const operations = await loadOperations(listed);
		const shown = node.description.properties.find(({ name }) => name === 'operation');
		const offered = shown ? getOptions(shown).map(({ value }) => String(value)) : [];
		expect(offered.sort()).toEqual(operations.map(({ value }) => value).sort());
	});
});

test("a link that does not lead to the node's own page is found", async () => {
	const { description } = await loadNode(manifest.n8n.nodes.find((listed) => listed.includes('/Role/')) ?? '');
	const [repository] = manifest.homepage.split('#');
	const faults = (place: string) => findPageFaults(`${repository}${place}`, description);
	expect(faults('/blob/main/docs/nodes/role.md')).toEqual([]);
	expect(faults('#nodes')).toEqual([expect.stringContaining('is no page of this repository')]);
	expect(faults('/blob/main/docs/nodes/roles.md')).toEqual([expect.stringContaining('is no page of this repository')]);
	for (const page of ['README.md', 'docs/triggers.md', 'docs/nodes/README.md', 'docs/nodes/company.md'])
		expect(faults(`/blob/main/${page}`)).toEqual([
			expect.stringContaining("is not the page of 'Security Awareness Role'"),
		]);
});

test('every picture is on a page', () => {
	const pages = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => join('docs', name));
	const text = ['README.md', ...pages].map((name) => readFileSync(join(packageRoot, name), 'utf8')).join('\n');
	const folder = join('docs', '.images');
	const pictures = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' });
	const images = pictures.filter((name) => /\.(png|svg)$/.test(name)).map((name) => name.replaceAll('\\', '/'));
	expect(images.length).toBeGreaterThan(20);
	expect(images.filter((name) => !text.includes(`images/${name})`))).toEqual([]);
});

test("the credential has icons of its own, and n8n's link leads to its page", async () => {
	const [type] = await loadCredentialTypes();
	expect(findPageFaults(type?.documentationUrl ?? '', CREDENTIAL_PAGE)).toEqual([]);
	expect(findIconFaults(toSourcePath(manifest.n8n.credentials[0] ?? ''), type?.icon)).toEqual([]);
});
