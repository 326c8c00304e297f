/**
 * `npm run release:check`: checks a release without publishing it. Builds and packs the package, checks its content,
 * publishes it to a local registry, installs it from there, and lets a real n8n install it from there as well. `--tag
 * v1.2.3` also checks that the tag matches package.json and a dated entry in the changelog.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { runScript, type Script } from '../../test/real-n8n/script';
import { OWNER } from '../../test/real-n8n/stage';
import { N8nClient } from '../../test/real-n8n/client';
import { installN8n } from '../../test/real-n8n/install';
import { Problem } from '../../test/real-n8n/problem';
import { END_WITH_PARENT, runCommand, runNpm } from '../../test/real-n8n/processes';
import { startN8n } from '../../test/real-n8n/start';
import { showStep as step } from '../../test/real-n8n/steps';
import { changelogEntry } from './changelog';
import { Checks } from './checks';
import { licence, listing, readManifest, size, sourceMaps, type Manifest, type Packed } from './contents';
import { startRegistryProxy } from './registryProxy';
import { install, load, remove, serves } from './inN8n';
import { startRegistry } from './registry';

const ROOT = join(__dirname, '..', '..');
/** What only a release needs, a local registry and a checker of links: a folder of its own, so that nobody else has to download it. */
const TOOLS = join(__dirname, 'tools', 'node_modules');

async function main({ cleanups }: Script): Promise<void> {
	const { tag } = parseArgs({ options: { tag: { type: 'string' } } }).values;
	const temporary = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-release-')));
	cleanups.push(() => rm(temporary, { recursive: true, force: true, maxRetries: 10 }));

	const checks = new Checks();
	const installation = await installN8n(step);

	const packed = await checks.run('Built from nothing and packed', () => pack(temporary), listing);
	if (!packed) return report(checks);
	const manifest = await checks.run('package.json is as n8n and npm want it', () => readManifest(packed), describe);
	await checks.run('Small enough', () => size(packed));
	await checks.run('Source maps', () => sourceMaps(packed));
	await checks.run('Scan of source and tarball, nothing in it that does not belong', () => scan(temporary));
	await checks.run('Links in README, docs and the like', () => checkLinks(temporary));
	if (!manifest) return report(checks);
	await checks.run('Licence', () => licence(packed, manifest));
	await checks.run('Changelog', () => changelog(manifest, tag));
	// If a check has failed, the package is not tried out.
	if (checks.failed.length > 0) return report(checks);

	const registry = await checks.run(
		'A registry on this machine',
		() => startRegistry(join(temporary, 'registry'), installation.node, TOOLS),
		({ url }) => url,
	);
	if (!registry) return report(checks);
	cleanups.push(registry.stop);
	const { name, version, n8n: parts } = manifest;

	const published = await checks.run('npm publish', async () => {
		await registry.npm(temporary, 'publish', packed.tarball);
		return `${name}@${version}`;
	});
	if (!published) return report(checks);

	const folder = join(temporary, 'empty');
	const installed = await checks.run('npm install in an empty folder', async () => {
		await mkdir(folder);
		await writeFile(join(folder, 'package.json'), '{ "private": true }');
		// n8n installs without the packages that it brings itself.
		await registry.npm(folder, 'install', name, '--legacy-peer-deps', '--ignore-scripts');
		const packages = (await readdir(join(folder, 'node_modules'))).filter((entry) => !entry.startsWith('.'));
		if (packages.join() !== name) throw new Problem(`Not only ${name} was installed: ${packages.join(', ')}`);
		return `${packages.join()} and nothing else`;
	});
	const modules = join(installation.folder, 'node_modules');
	if (!installed) return report(checks);
	const nodes = await checks.run(
		`Every node and credential, loaded from there as n8n ${installation.version} does`,
		() => load(temporary, installation.node, modules, join(folder, 'node_modules', name), parts),
		(names) => `${names.length} nodes, all at once and each when it is used`,
	);
	if (!nodes) return report(checks);

	await checks.run('The same tarball comes back', async () => {
		const target = join(temporary, 'fetched');
		await mkdir(target);
		await registry.npm(target, 'pack', `${name}@${version}`, '--pack-destination', target);
		const [tarball = ''] = await readdir(target);
		const [sent, got] = await Promise.all([packed.tarball, join(target, tarball)].map(digest));
		if (sent !== got) throw new Problem('The registry gave out another file than it was given');
		return `sha512 ${got?.slice(0, 16)}…`;
	});

	const running = await checks.run(
		`An n8n ${installation.version} without it, for which this registry is the public one`,
		async () => {
			const proxy = await startRegistryProxy(temporary, installation.node, registry.url);
			cleanups.push(proxy.stop);
			return await startN8n(installation, { env: proxy.env });
		},
		({ url }) => url,
	);
	if (!running) return report(checks);
	cleanups.push(running.stop);
	const client = new N8nClient(running.url);
	await client.setUpOwner(OWNER);
	await checks.run("Installed by n8n's own endpoint, as Settings, Community Nodes does", () =>
		install(client, manifest, nodes),
	);
	await checks.run('n8n serves every node', () => serves(client, manifest, nodes));
	await checks.run('Removed in the same way', () => remove(client, manifest, nodes));
	report(checks);
}

function report({ rows, failed }: Checks): void {
	console.table(rows);
	console.log(`${rows.length - failed.length} ok, ${failed.length} failed`);
	if (failed.length > 0) throw new Problem('This is not ready to be released.');
}

const describe = ({ name, version, n8n }: Manifest) =>
	`${name} ${version}: ${n8n.nodes.length} nodes, ${n8n.credentials.length} credential, no dependencies`;

/** Builds the package and packs it as npm publishes it. @throws CommandFailed */
async function pack(temporary: string): Promise<Packed> {
	const logFile = join(temporary, 'build.log');
	const destination = join(temporary, 'packed');
	const folder = join(temporary, 'unpacked');
	await mkdir(destination);
	await mkdir(folder);
	await runNpm(['run', 'build'], { cwd: ROOT, logFile });
	await runNpm(['pack', '--pack-destination', destination], { cwd: ROOT, logFile });
	const [file = ''] = await readdir(destination);
	const tarball = join(destination, file);
	await runCommand('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { logFile });
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
	return { tarball, folder, paths: paths.sort() };
}

/** n8n's scan, which looks at what the tarball holds as well. @throws Problem, CommandFailed */
async function scan(temporary: string): Promise<string> {
	const logFile = join(temporary, 'scan.log');
	const lines = async () => (await readFile(logFile, 'utf8')).trimEnd().split('\n');
	await runNpm(['run', 'scan', '--silent'], { cwd: ROOT, logFile }).catch(async (error: Error) => {
		// What it found is indented; the tables after it say only how much.
		const faults = (await lines()).filter((line) => line.startsWith('  '));
		throw faults.length > 0 ? new Problem(faults.join('\n')) : error;
	});
	return (await lines()).at(-1) ?? '';
}

/** Checks that every link to a file or a heading of this repository leads to one. @throws Problem, CommandFailed */
async function checkLinks(temporary: string): Promise<string> {
	const [whole, top] = [
		['.github', 'docs', 'examples'],
		['.', 'test/e2e'],
	];
	const pages = (
		await Promise.all([...whole.map((folder) => pagesIn(folder)), ...top.map((folder) => pagesIn(folder, false))])
	).flat();
	const logFile = join(temporary, 'links.log');
	const plugin = join(TOOLS, 'remark-validate-links', 'index.js');
	const args = [
		'--frail',
		'--quiet',
		'--no-stdout',
		'--no-color',
		'--no-config',
		'--no-ignore',
		'--use',
		`${plugin}=repository:false`,
	];
	const program = join(TOOLS, 'remark-cli', 'cli.js');
	await runCommand(process.execPath, [...END_WITH_PARENT, program, ...args, ...pages], { cwd: ROOT, logFile });
	return `${pages.length} pages`;
}

async function pagesIn(folder: string, recursive = true): Promise<string[]> {
	const names = await readdir(join(ROOT, folder), { recursive });
	return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

/** @throws Problem when the version has no entry, or the tag is of another version or of an undated entry */
function changelog({ version }: Manifest, tag: string | undefined): string {
	const { date } = changelogEntry(ROOT, version);
	if (tag === undefined) return `${version}, ${date}`;
	if (tag !== `v${version}`) throw new Problem(`The tag is ${tag}, the version in package.json ${version}`);
	if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Problem(`The entry of ${version} has no date, but "${date}"`);
	return `${tag}, ${date}`;
}

const digest = async (file: string): Promise<string> =>
	createHash('sha512')
		.update(await readFile(file))
		.digest('hex');

runScript(main);
