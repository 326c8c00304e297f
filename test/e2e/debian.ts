import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Problem } from '../real-n8n/problem';
import { CommandFailed, runCommand } from '../real-n8n/processes';
import { findProgram } from '../real-n8n/programs';
import { runStep } from '../real-n8n/steps';

const POSTGRES_FOLDER = '/usr/lib/postgresql';

/** Lists the folders with Postgres's programs, newest version first. Debian has one folder per version, and none of them is on the PATH. */
function listPostgresFolders(): string[] {
	try {
		const versions = readdirSync(POSTGRES_FOLDER).sort((first, second) => Number(second) - Number(first));
		return versions.map((version) => join(POSTGRES_FOLDER, version, 'bin'));
	} catch {
		return [];
	}
}

/** The Debian package and the possible file names of each program that the tests need and npm doesn't offer. */
const PROGRAMS = {
	redis: { debianPackage: 'redis-server', names: ['redis-server'] },
	postgres: { debianPackage: 'postgresql', names: ['postgres'] },
	initdb: { debianPackage: 'postgresql', names: ['initdb'] },
	psql: { debianPackage: 'postgresql', names: ['psql'] },
	'redis-cli': { debianPackage: 'redis-server', names: ['redis-cli'] },
	chromium: {
		debianPackage: 'chromium',
		names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
	},
};

/** The name of a program in `PROGRAMS`. */
export type Program = keyof typeof PROGRAMS;

const findInstalledProgram = (program: Program): string | undefined =>
	findProgram(PROGRAMS[program].names, listPostgresFolders());

/**
 * Installs missing programs with apt-get, if the current user may use it.
 * @param resultsFolder the folder for the log of the installation
 * @returns a function that returns the path of a program
 * @throws Problem with the command to install missing programs, if they can't be installed
 */
export async function installDebianPrograms(
	programs: Program[],
	resultsFolder: string,
): Promise<(program: Program) => string> {
	const listMissingPackages = () => [
		...new Set(
			programs.filter((program) => !findInstalledProgram(program)).map((program) => PROGRAMS[program].debianPackage),
		),
	];
	const getPath = (program: Program) => {
		const path = findInstalledProgram(program);
		if (path) return path;
		throw new Problem(`The program ${program} was not found.`);
	};
	const missingPackages = listMissingPackages();
	if (missingPackages.length === 0) return getPath;

	const advice = `Install them first. On Debian or Ubuntu: sudo apt-get install ${missingPackages.join(' ')}`;
	const problem = `These programs are missing: ${missingPackages.join(', ')}.`;
	const [command, ...aptArgs] = findAptGet() ?? [];
	if (!command)
		throw new Problem(`${problem} They cannot be installed from here, because that takes apt-get and root. ${advice}`);
	await runStep(`Install ${missingPackages.join(' and ')}`, '20 to 90 s', async () => {
		const logFile = join(resultsFolder, 'apt.log');
		// The packages would start their servers. Run level 1 prevents this.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		try {
			await runCommand(command, [...aptArgs, 'update'], { env, logFile });
			await runCommand(command, [...aptArgs, 'install', '--yes', '--no-install-recommends', ...missingPackages], {
				env,
				logFile,
			});
		} catch (error) {
			throw error instanceof CommandFailed
				? new Problem(`${problem} apt-get could not install them:\n${error.output}\n${advice}`)
				: error;
		}
	});
	if (listMissingPackages().length > 0)
		throw new Problem(`${problem} They are missing still, though apt-get has installed the packages. ${advice}`);
	return getPath;
}

/** Returns the command line to run apt-get as root, or undefined if that isn't possible without a password. */
function findAptGet(): string[] | undefined {
	if (!findProgram(['apt-get'])) return undefined;
	if (process.getuid?.() === 0) return ['apt-get'];
	if (!findProgram(['sudo']) || spawnSync('sudo', ['--non-interactive', 'true']).status !== 0) return undefined;
	return ['sudo', '--non-interactive', '--preserve-env=DEBIAN_FRONTEND,RUNLEVEL', 'apt-get'];
}
