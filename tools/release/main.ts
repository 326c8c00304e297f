/**
 * `npm run release:check`: checks a release without publishing it. Builds and packs the package, checks its content,
 * publishes it to a registry on this machine, and lets a real n8n install it from there. `--tag v1.2.3` also checks that
 * the tag matches package.json and a dated entry in the changelog, and that docs/publishing.md is filled in; `--out folder`
 * keeps the packed package. It stops at the first fault.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import type { N8nClient } from '../../test/real-n8n/client';
import { installN8n } from '../../test/real-n8n/install';
import { Problem } from '../../test/real-n8n/problem';
import { CommandFailed, END_WITH_PARENT, runCommand, runNpm } from '../../test/real-n8n/processes';
import { runScript } from '../../test/real-n8n/script';
import { openN8n, packInto, temporaryFolder, type Cleanups } from '../../test/real-n8n/stage';
import { showStep as step } from '../../test/real-n8n/steps';
import { changelogEntry } from './changelog';
import { readManifest, type Manifest } from './manifest';
import { openFacts, ownersFacts } from './owner';
import { startRegistry } from './registry';

const ROOT = join(__dirname, '..', '..');
/** What only a release needs, a local registry and a checker of links: a folder of its own, so that nobody else has to download it. */
const TOOLS = join(__dirname, '.tools', 'node_modules');

runScript(async ({ cleanups }) => {
	const text = { type: 'string' as const };
	const { tag, out } = parseArgs({ options: { tag: text, out: text } }).values;
	const folder = await temporaryFolder(cleanups);
	if (tag !== undefined) await said('What only the owner can fill in', filledIn);

	const tarball = await packInto(folder);
	const manifest = readManifest(await packedManifest(folder, tarball));
	const { name, version, n8n: parts } = manifest;
	console.log(`    ${name} ${version}: ${parts.nodes.length} nodes, ${parts.credentials.length} credential`);
	await said('Changelog', () => Promise.resolve(changelog(manifest, tag)));
	await said('Links in README, docs and the like', () => checkLinks(folder));
	await said('Scan of source and tarball', () => scan(folder));
	await said('Install it into an empty folder', () => installAlone(folder, tarball));
	await checkInN8n(manifest, tarball, folder, cleanups);
	if (out !== undefined) {
		await mkdir(out, { recursive: true });
		await copyFile(tarball, join(out, basename(tarball)));
	}
	console.log('\nReady to be released.');
});

const said = async (title: string, work: () => Promise<string>) =>
	console.log(`    ${await step(title, '1 to 60 s', work)}`);

/** Publishes it to a registry on this machine; n8n installs it from there, serves it, and removes it. */
async function checkInN8n(manifest: Manifest, tarball: string, folder: string, cleanups: Cleanups): Promise<void> {
	const { name, n8n: parts } = manifest;
	const installation = await installN8n(step);
	const registry = await step('Start a registry on this machine', '5 s', () =>
		startRegistry(join(folder, 'registry'), installation, TOOLS, cleanups),
	);
	await step('npm publish', '2 s', () => registry.publish(tarball));
	const { client } = await openN8n({ env: registry.env }, cleanups);
	const nodes = parts.nodes.map((path) => {
		const className = /(\w+)\.node\.js$/.exec(path)?.[1] ?? '';
		return `${name}.${className.charAt(0).toLowerCase()}${className.slice(1)}`;
	});
	await said("Install it by n8n's own endpoint, as Settings, Community Nodes does", () => install(client, manifest));
	await said('n8n serves every node', async () => {
		const served = await servedOf(client, nodes);
		const missing = nodes.filter((each) => !served.some((name) => each.endsWith(`.${name}`) || each === name));
		if (missing.length > 0) throw new Problem(`n8n does not know ${missing.join(', ')}`);
		return `${served.length} node types with their parameters`;
	});
	await said('Remove it in the same way', async () => {
		await client.request('DELETE', `${PACKAGES}?${new URLSearchParams({ name })}`);
		const left = await servedOf(client, nodes);
		if (left.length > 0) throw new Problem(`Removed, and still served: ${left.join(', ')}`);
		return 'nothing of it is left';
	});
}

/** @throws Problem when one of the values is a placeholder, or is missing where it belongs */
async function filledIn(): Promise<string> {
	const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
	const page = read('docs/publishing.md');
	const open = openFacts(page, read);
	if (open.length > 0) throw new Problem(`This is not ready to be published:\n${open.join('\n')}`);
	return `${ownersFacts(page).length} values`;
}

/** As for somebody who installs it without n8n. @throws Problem when anything else comes along */
async function installAlone(folder: string, tarball: string): Promise<string> {
	const cwd = join(folder, 'alone');
	await mkdir(cwd);
	await writeFile(join(cwd, 'package.json'), '{ "private": true }');
	await runNpm(['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd,
		logFile: join(folder, 'alone.log'),
	});
	const packages = (await readdir(join(cwd, 'node_modules'))).filter((name) => !name.startsWith('.'));
	if (packages.length !== 1) throw new Problem(`It brings ${packages.join(', ')}`);
	return '1 package';
}

async function packedManifest(folder: string, tarball: string): Promise<string> {
	await runCommand('tar', ['-xzf', tarball, '-C', folder, 'package/package.json'], {
		logFile: join(folder, 'tar.log'),
	});
	return await readFile(join(folder, 'package', 'package.json'), 'utf8');
}

/** n8n's scan, which looks at what the tarball holds as well. @throws Problem, CommandFailed */
async function scan(folder: string): Promise<string> {
	const logFile = join(folder, 'scan.log');
	const lines = async () => (await readFile(logFile, 'utf8')).trimEnd().split('\n');
	await runNpm(['run', 'scan', '--silent'], { cwd: ROOT, logFile }).catch(async (error: Error) => {
		// What it found is indented; the tables after it say only how much.
		const faults = (await lines()).filter((line) => line.startsWith('  '));
		throw faults.length > 0 ? new Problem(faults.join('\n')) : error;
	});
	return (await lines()).at(-1) ?? '';
}

/** Checks that every link to a file or a heading of this repository leads to one. @throws Problem */
async function checkLinks(folder: string): Promise<string> {
	const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
	const quiet = ['--frail', '--quiet', '--no-stdout', '--no-color', '--no-config', '--no-ignore'];
	const plugin = `${join(TOOLS, 'remark-validate-links', 'index.js')}=repository:false`;
	const args = [...END_WITH_PARENT, join(TOOLS, 'remark-cli', 'cli.js'), ...quiet, '--use', plugin, ...pages];
	const options = { cwd: ROOT, logFile: join(folder, 'links.log') };
	await runCommand(process.execPath, args, options).catch((error: unknown) => {
		throw error instanceof CommandFailed ? new Problem(error.output) : error;
	});
	return `${pages.length} pages`;
}

/** @throws Problem when the version has no entry, or the tag is of another version or of an undated entry */
function changelog({ version }: Manifest, tag: string | undefined): string {
	const { date } = changelogEntry(ROOT, version);
	if (tag === undefined) return `${version}, ${date}`;
	if (tag !== `v${version}`) throw new Problem(`The tag is ${tag}, the version in package.json ${version}`);
	if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Problem(`The entry of ${version} has no date, but "${date}"`);
	return `${tag}, ${date}`;
}

const PACKAGES = '/rest/community-packages';
const installedSchema = z.object({ installedVersion: z.string(), installedNodes: z.array(z.unknown()) });

/** @throws Problem when n8n installs something else */
async function install(client: N8nClient, { name, version, n8n }: Manifest): Promise<string> {
	const { installedVersion, installedNodes } = installedSchema.parse(await client.request('POST', PACKAGES, { name }));
	const said = `${name}@${installedVersion}, ${installedNodes.length} nodes`;
	if (installedVersion !== version || installedNodes.length !== n8n.nodes.length)
		throw new Problem(`n8n installed ${said}`);
	return said;
}

const descriptions = z.array(z.object({ name: z.string(), properties: z.array(z.unknown()) }));

/** Which of these nodes n8n describes when its editor asks for them. */
async function servedOf(client: N8nClient, nodes: string[]): Promise<string[]> {
	const nodeInfos = nodes.map((name) => ({ name, version: 1 }));
	const answer = await client.request('POST', '/rest/node-types', { nodeInfos }).catch((error: Error) => {
		if (error.message.includes('Unrecognized node type')) return [];
		throw error;
	});
	return descriptions.parse(answer).flatMap(({ name, properties }) => (properties.length > 0 ? [name] : []));
}
