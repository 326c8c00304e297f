/**
 * `npm run release:check`: checks a release without publishing it. Builds and packs the package, checks its content,
 * publishes it to a registry on this machine as the release workflow would, and lets a real n8n install it from there.
 * `--tag v1.2.3` also checks that the tag matches package.json and a dated entry in the changelog, and that
 * docs/publishing.md is filled in. `--out folder` saves what the workflow publishes: the packed package, and notes.md for the
 * release's page. The check stops at the first problem.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import type { N8nClient } from '../../test/real-n8n/client';
import { installN8n } from '../../test/real-n8n/installN8n';
import { Problem } from '../../test/real-n8n/problem';
import { CommandFailed, END_WITH_PARENT_ARGS, runCommand, runNpm } from '../../test/real-n8n/processes';
import { runScript } from '../../test/real-n8n/script';
import { openN8n, packPackage, createTemporaryFolder, type Cleanups } from '../../test/real-n8n/testEnvironment';
import { runStep } from '../../test/real-n8n/steps';
import { readChangelogEntry } from './changelog';
import { readManifest, type Manifest } from './manifest';
import { findOwnerFactProblems, parseOwnerFacts } from './owner';
import { checkRepository, readPublishOptions } from './publishCommand';
import { startRegistry } from './registry';

const ROOT = join(__dirname, '..', '..');
/**
 * The programs that only a release needs: a registry and a link checker. They are in a separate folder, so only a release installs
 * them.
 */
const TOOLS_FOLDER = join(__dirname, '.tools', 'node_modules');
const RELEASE_WORKFLOW = '.github/workflows/release.yml';

runScript(async ({ cleanups }) => {
	const stringOption = { type: 'string' as const };
	const { tag, out } = parseArgs({ options: { tag: stringOption, out: stringOption } }).values;
	const temporaryFolder = await createTemporaryFolder(cleanups);
	if (tag !== undefined) await runCheck('What only the owner can fill in', checkOwnerFacts);

	const tarball = await packPackage(temporaryFolder);
	const manifest = readManifest(await readPackedManifest(temporaryFolder, tarball));
	const { name, version, n8n: packageContents } = manifest;
	console.log(
		`    ${name} ${version}: ${packageContents.nodes.length} nodes, ${packageContents.credentials.length} credential`,
	);
	await runCheck('Changelog', () => Promise.resolve(checkChangelog(manifest, tag)));
	const repository = process.env.GITHUB_REPOSITORY;
	if (repository !== undefined) checkRepository(manifest.repository.url, repository);
	await runCheck('Links in README, docs and the like', () => checkLinks(temporaryFolder));
	await runCheck('Scan of source and tarball', () => runScan(temporaryFolder));
	await runCheck('Install it into an empty folder', () => installIntoEmptyFolder(temporaryFolder, tarball));
	await checkInN8n(manifest, tarball, temporaryFolder, cleanups);
	if (out !== undefined) {
		await mkdir(out, { recursive: true });
		await copyFile(tarball, join(out, basename(tarball)));
		await writeFile(join(out, 'notes.md'), `${readChangelogEntry(ROOT, version).text}\n`);
	}
	console.log('\nReady to be released.');
});

/** Runs a check as a step and prints the text that it returns. */
const runCheck = async (title: string, work: () => Promise<string>) =>
	console.log(`    ${await runStep(title, '1 to 60 s', work)}`);

/** Publishes the package to a registry on this machine. Checks that n8n can install it from there, serves its nodes, and can remove it. */
async function checkInN8n(
	manifest: Manifest,
	tarball: string,
	temporaryFolder: string,
	cleanups: Cleanups,
): Promise<void> {
	const { name, n8n: packageContents } = manifest;
	const installation = await installN8n(runStep);
	const registry = await runStep('Start a registry on this machine', '5 s', () =>
		startRegistry(join(temporaryFolder, 'registry'), installation, TOOLS_FOLDER, cleanups),
	);
	const publishOptions = readPublishOptions(readFileSync(join(ROOT, RELEASE_WORKFLOW), 'utf8'));
	await runCheck('npm publish, as a dry run and to this registry', async () => {
		await registry.publish(tarball, publishOptions);
		return `npm publish ${publishOptions.all.join(' ')}`;
	});
	const { client } = await openN8n({ env: registry.env }, cleanups);
	const nodes = packageContents.nodes.map((path) => {
		const className = /(\w+)\.node\.js$/.exec(path)?.[1] ?? '';
		return `${name}.${className.charAt(0).toLowerCase()}${className.slice(1)}`;
	});
	await runCheck("Install it by n8n's own endpoint, as Settings, Community Nodes does", () =>
		installInN8n(client, manifest),
	);
	await runCheck('n8n serves every node', async () => {
		const servedNodes = await listServedNodes(client, nodes);
		const missingNodes = nodes.filter(
			(node) => !servedNodes.some((servedName) => node.endsWith(`.${servedName}`) || node === servedName),
		);
		if (missingNodes.length > 0) throw new Problem(`n8n does not know ${missingNodes.join(', ')}`);
		return `${servedNodes.length} node types with their parameters`;
	});
	await runCheck('Remove it in the same way', async () => {
		await client.request('DELETE', `${PACKAGES_PATH}?${new URLSearchParams({ name })}`);
		const remainingNodes = await listServedNodes(client, nodes);
		if (remainingNodes.length > 0) throw new Problem(`Removed, and still served: ${remainingNodes.join(', ')}`);
		return 'nothing of it is left';
	});
}

/** Checks docs/publishing.md. @throws Problem if a value is still a placeholder, or is missing in a file that must contain it */
async function checkOwnerFacts(): Promise<string> {
	const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
	const page = read('docs/publishing.md');
	const openFacts = findOwnerFactProblems(page, read);
	if (openFacts.length > 0) throw new Problem(`This is not ready to be published:\n${openFacts.join('\n')}`);
	return `${parseOwnerFacts(page).length} values`;
}

/** Installs the package into an empty folder, without n8n. @throws Problem if npm also installs another package */
async function installIntoEmptyFolder(temporaryFolder: string, tarball: string): Promise<string> {
	const cwd = join(temporaryFolder, 'alone');
	await mkdir(cwd);
	await writeFile(join(cwd, 'package.json'), '{ "private": true }');
	await runNpm(['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd,
		logFile: join(temporaryFolder, 'alone.log'),
	});
	const packages = (await readdir(join(cwd, 'node_modules'))).filter((name) => !name.startsWith('.'));
	if (packages.length !== 1) throw new Problem(`It brings ${packages.join(', ')}`);
	return '1 package';
}

/** Reads the package.json in the packed package. */
async function readPackedManifest(temporaryFolder: string, tarball: string): Promise<string> {
	await runCommand('tar', ['-xzf', tarball, '-C', temporaryFolder, 'package/package.json'], {
		logFile: join(temporaryFolder, 'tar.log'),
	});
	return await readFile(join(temporaryFolder, 'package', 'package.json'), 'utf8');
}

/** Runs `npm run scan`. @returns the last line that it prints. @throws Problem with the findings, or CommandFailed if there are none */
async function runScan(temporaryFolder: string): Promise<string> {
	const logFile = join(temporaryFolder, 'scan.log');
	const readLines = async () => (await readFile(logFile, 'utf8')).trimEnd().split('\n');
	await runNpm(['run', 'scan', '--silent'], { cwd: ROOT, logFile }).catch(async (error: Error) => {
		// Findings are indented. The other lines are totals.
		const findings = (await readLines()).filter((line) => line.startsWith('  '));
		throw findings.length > 0 ? new Problem(findings.join('\n')) : error;
	});
	return (await readLines()).at(-1) ?? '';
}

/** Checks all links to files and headings of this repository. @throws Problem if a link doesn't work */
async function checkLinks(temporaryFolder: string): Promise<string> {
	const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
	const quiet = ['--frail', '--quiet', '--no-stdout', '--no-color', '--no-config', '--no-ignore'];
	const plugin = `${join(TOOLS_FOLDER, 'remark-validate-links', 'index.js')}=repository:false`;
	const args = [
		...END_WITH_PARENT_ARGS,
		join(TOOLS_FOLDER, 'remark-cli', 'cli.js'),
		...quiet,
		'--use',
		plugin,
		...pages,
	];
	const options = { cwd: ROOT, logFile: join(temporaryFolder, 'links.log') };
	await runCommand(process.execPath, args, options).catch((error: unknown) => {
		throw error instanceof CommandFailed ? new Problem(error.output) : error;
	});
	return `${pages.length} pages`;
}

/**
 * Checks the version's changelog entry.
 * @throws Problem if there is none, or if there is a tag and it differs from the version or the entry has no date
 */
function checkChangelog({ version }: Manifest, tag: string | undefined): string {
	const { date, text } = readChangelogEntry(ROOT, version);
	const summary = `${version}, ${date}, ${text.match(/^- /gm)?.length} changes`;
	if (tag === undefined) return summary;
	if (tag !== `v${version}`) throw new Problem(`The tag is ${tag}, the version in package.json ${version}`);
	if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Problem(`The entry of ${version} has no date, but "${date}"`);
	return summary;
}

const PACKAGES_PATH = '/rest/community-packages';
const installedSchema = z.object({ installedVersion: z.string(), installedNodes: z.array(z.unknown()) });

/** Lets n8n install the package. @throws Problem if n8n installs another version or another number of nodes */
async function installInN8n(client: N8nClient, { name, version, n8n }: Manifest): Promise<string> {
	const { installedVersion, installedNodes } = installedSchema.parse(
		await client.request('POST', PACKAGES_PATH, { name }),
	);
	const summary = `${name}@${installedVersion}, ${installedNodes.length} nodes`;
	if (installedVersion !== version || installedNodes.length !== n8n.nodes.length)
		throw new Problem(`n8n installed ${summary}`);
	return summary;
}

const descriptionsSchema = z.array(z.object({ name: z.string(), properties: z.array(z.unknown()) }));

/** Returns the names of the nodes that n8n describes to its editor. Nodes that n8n doesn't know are left out. */
async function listServedNodes(client: N8nClient, nodes: string[]): Promise<string[]> {
	const nodeInfos = nodes.map((name) => ({ name, version: 1 }));
	const response = await client.request('POST', '/rest/node-types', { nodeInfos }).catch((error: Error) => {
		if (error.message.includes('Unrecognized node type')) return [];
		throw error;
	});
	return descriptionsSchema.parse(response).flatMap(({ name, properties }) => (properties.length > 0 ? [name] : []));
}
