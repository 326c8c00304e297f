import { execFile, spawnSync, type SpawnOptions } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createTemporaryFolder } from '../../real-n8n/testEnvironment';
import { Problem } from '../../real-n8n/problem';
import { runCommand, startProcess, stopProcess } from '../../real-n8n/processes';
import { waitUntilReady } from '../../real-n8n/waitUntilReady';
import { findFreePort } from '../../real-n8n/startN8n';
import type { TestPartContext } from '../part';
import { installDebianPrograms } from '../debian';

const DATABASE_NAME = 'n8n';
const HOST = '127.0.0.1';
const execFileAsync = promisify(execFile);

/** Postgres and Redis, which n8n's queue mode needs. */
export interface Servers {
	/** Environment variables that make n8n use queue mode with these servers. */
	env: Record<string, string>;
	/** Runs a SELECT in n8n's database. @returns the rows as JSON */
	query: (sql: string) => Promise<unknown>;
	/** Runs SQL of any length in n8n's database. */
	runSql: (sql: string) => Promise<unknown>;
	/** Stops Redis and starts it again with the data that it had on disk. @returns the downtime in milliseconds */
	restartRedis: () => Promise<number>;
}

/** Starts an empty Postgres and an empty Redis on free ports. */
export async function startServers({ resultsFolder, cleanups }: TestPartContext): Promise<Servers> {
	const getProgramPath = await installDebianPrograms(
		['redis', 'redis-cli', 'postgres', 'initdb', 'psql'],
		resultsFolder,
	);
	const postgresPort = String(await findFreePort());
	const redisPort = String(await findFreePort());

	const postgresFolder = await createTemporaryFolder(cleanups);
	const logFile = join(resultsFolder, 'postgres.log');
	const postgresOptions = { cwd: postgresFolder, ...(await findUnprivilegedUser('postgres', postgresFolder)), logFile };
	const dataFolder = join(postgresFolder, 'data');
	const initArgs = ['-D', dataFolder, '-U', DATABASE_NAME, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
	await runCommand(getProgramPath('initdb'), initArgs, postgresOptions);
	const settings = [
		`listen_addresses=${HOST}`,
		`port=${postgresPort}`,
		'unix_socket_directories=',
		'fsync=off',
		'max_connections=200',
	];
	const serverArgs = ['-D', dataFolder, ...settings.flatMap((setting) => ['-c', setting])];
	const postgres = startProcess(getProgramPath('postgres'), serverArgs, postgresOptions);
	cleanups.push(() => stopProcess(postgres));
	const buildPsqlArgs = (database: string) => [
		'-h',
		HOST,
		'-p',
		postgresPort,
		'-U',
		DATABASE_NAME,
		'-d',
		database,
		'-v',
		'ON_ERROR_STOP=1',
	];
	const runPsql = async (database: string, sql: string) => {
		const args = [...buildPsqlArgs(database), '-Atqc', sql];
		const { stdout } = await execFileAsync(getProgramPath('psql'), args, { maxBuffer: 200_000_000 });
		return stdout;
	};
	const isSuccessful = async (promise: Promise<unknown>) =>
		promise.then(
			() => true,
			() => false,
		);
	await waitUntilReady('Postgres', postgres, logFile, () => isSuccessful(runPsql('postgres', 'SELECT 1')));
	await runPsql('postgres', `CREATE DATABASE ${DATABASE_NAME}`);

	const redisFolder = await createTemporaryFolder(cleanups);
	const startRedis = async () => {
		const redisLogFile = join(resultsFolder, 'redis.log');
		const args = ['--bind', HOST, '--port', redisPort, '--dir', redisFolder, '--save', '', '--appendonly', 'yes'];
		const child = startProcess(getProgramPath('redis'), args, { cwd: redisFolder, logFile: redisLogFile });
		const ping = async () => execFileAsync(getProgramPath('redis-cli'), ['-h', HOST, '-p', redisPort, '-e', 'ping']);
		await waitUntilReady('Redis', child, redisLogFile, () => isSuccessful(ping()));
		return child;
	};
	let redis = await startRedis();
	cleanups.push(() => stopProcess(redis));

	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: redisPort,
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: postgresPort,
			DB_POSTGRESDB_DATABASE: DATABASE_NAME,
			DB_POSTGRESDB_USER: DATABASE_NAME,
			DB_POSTGRESDB_PASSWORD: 'any',
		},
		query: async (sql) =>
			JSON.parse(
				await runPsql(DATABASE_NAME, `SELECT COALESCE(json_agg(each), '[]') FROM (${sql}) AS each`),
			) as unknown,
		runSql: async (sql) => {
			const psqlRun = execFileAsync(getProgramPath('psql'), [...buildPsqlArgs(DATABASE_NAME), '-q']);
			psqlRun.child.stdin?.end(sql);
			await psqlRun;
		},
		restartRedis: async () => {
			const stoppedAt = Date.now();
			await stopProcess(redis);
			redis = await startRedis();
			return Date.now() - stoppedAt;
		},
	};
}

/**
 * If the current user is root, finds another user to run Postgres, because Postgres refuses to run as root. Makes that user the owner
 * of the folder. Returns no user otherwise.
 * @throws Problem if the user doesn't exist
 */
async function findUnprivilegedUser(name: string, folder: string): Promise<Pick<SpawnOptions, 'uid' | 'gid'>> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = ['-u', '-g'].map((flag) =>
		Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN),
	);
	if (!uid || !gid)
		throw new Problem(`Postgres cannot run as root, and there is no user ${name} on this machine to run it as.`);
	await chown(folder, uid, gid);
	return { uid, gid };
}
