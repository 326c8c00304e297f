import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Problem } from '../real-n8n/problem';
import { CommandFailed, runCommand } from '../real-n8n/processes';
import { findProgram } from '../real-n8n/programs';
import { showStep as step } from '../real-n8n/steps';

const POSTGRES = '/usr/lib/postgresql';

/** Debian keeps Postgres's programs in a folder for each version, off the PATH; the newest first. */
function postgresFolders(): string[] {
	try {
		const versions = readdirSync(POSTGRES).sort((one, other) => Number(other) - Number(one));
		return versions.map((version) => join(POSTGRES, version, 'bin'));
	} catch {
		return [];
	}
}

/** Programs that npm does not have: the program's name, the Debian package that has it, and its possible names. */
const PROGRAMS = {
	redis: { inPackage: 'redis-server', names: ['redis-server'] },
	postgres: { inPackage: 'postgresql', names: ['postgres'] },
	initdb: { inPackage: 'postgresql', names: ['initdb'] },
	psql: { inPackage: 'postgresql', names: ['psql'] },
	'redis-cli': { inPackage: 'redis-server', names: ['redis-cli'] },
	chromium: { inPackage: 'chromium', names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] },
};

export type Program = keyof typeof PROGRAMS;

const find = (program: Program): string | undefined => findProgram(PROGRAMS[program].names, postgresFolders());

/**
 * Makes sure that programs are installed, with apt-get if this person may use it.
 * @param results a folder for the log of the installation
 * @returns a function that returns the path of each
 * @throws Problem with the command to install them, if they are missing and cannot be installed from here
 */
export async function debianPrograms(wanted: Program[], results: string): Promise<(program: Program) => string> {
	const missing = () => [
		...new Set(wanted.filter((program) => !find(program)).map((program) => PROGRAMS[program].inPackage)),
	];
	const path = (program: Program) => {
		const found = find(program);
		if (found) return found;
		throw new Problem(`The program ${program} was not found.`);
	};
	const packages = missing();
	if (packages.length === 0) return path;

	const how = `Install them first. On Debian or Ubuntu: sudo apt-get install ${packages.join(' ')}`;
	const names = `These programs are missing: ${packages.join(', ')}.`;
	const [program, ...apt] = aptGet() ?? [];
	if (!program)
		throw new Problem(`${names} They cannot be installed from here, because that takes apt-get and root. ${how}`);
	await step(`Install ${packages.join(' and ')}`, '20 to 90 s', async () => {
		const logFile = join(results, 'apt.log');
		// The packages would start servers of their own: not at this run level.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		try {
			await runCommand(program, [...apt, 'update'], { env, logFile });
			await runCommand(program, [...apt, 'install', '--yes', '--no-install-recommends', ...packages], { env, logFile });
		} catch (error) {
			throw error instanceof CommandFailed
				? new Problem(`${names} apt-get could not install them:\n${error.output}\n${how}`)
				: error;
		}
	});
	if (missing().length > 0)
		throw new Problem(`${names} They are missing still, though apt-get has installed the packages. ${how}`);
	return path;
}

/** apt-get as root runs it, or undefined where this person cannot be root without being asked. */
function aptGet(): string[] | undefined {
	if (!findProgram(['apt-get'])) return undefined;
	if (process.getuid?.() === 0) return ['apt-get'];
	if (!findProgram(['sudo']) || spawnSync('sudo', ['--non-interactive', 'true']).status !== 0) return undefined;
	return ['sudo', '--non-interactive', '--preserve-env=DEBIAN_FRONTEND,RUNLEVEL', 'apt-get'];
}
