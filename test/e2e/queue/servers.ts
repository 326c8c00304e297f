import { spawnSync, type SpawnOptions } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';

import Redis from 'ioredis';
import { Client } from 'pg';

import { temporaryFolder } from '../../real-n8n/stage';
import { Problem } from '../../real-n8n/problem';
import { runCommand, startProcess, stopProcess } from '../../real-n8n/processes';
import { freePort } from '../../real-n8n/start';
import { waitUntil } from '../../setup/waitUntil';
import type { Tools } from '../part';
import { debianPrograms } from '../debian';

const DATABASE = 'n8n';
const HOST = '127.0.0.1';

/** The two servers that n8n's queue mode needs. */
export interface Servers {
	/** What n8n needs to know of them. */
	env: Record<string, string>;
	/** One row or more from n8n's database. */
	query: <Row extends object>(sql: string) => Promise<Row[]>;
	/** Ends Redis and starts it again with what it has on disk. @returns for how long it was away, in ms */
	restartRedis: () => Promise<number>;
}

/** Starts Postgres and Redis, empty, on free ports. */
export async function startServers({ results, cleanups }: Tools): Promise<Servers> {
	const program = await debianPrograms(['redis', 'postgres', 'initdb'], results);
	const postgresPort = await freePort();
	const redisPort = await freePort();

	const database = await temporaryFolder(cleanups);
	const logFile = join(results, 'postgres.log');
	const person = await unprivileged('postgres', database);
	const data = join(database, 'data');
	const options = { cwd: database, ...person, logFile };
	await runCommand(
		program('initdb'),
		['-D', data, '-U', DATABASE, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
		options,
	);
	const settings = [
		`listen_addresses=${HOST}`,
		`port=${postgresPort}`,
		'unix_socket_directories=',
		'fsync=off',
		'max_connections=200',
	];
	const postgres = startProcess(
		program('postgres'),
		['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		options,
	);
	cleanups.push(() => stopProcess(postgres));
	const connect = async (name: string) => {
		const client = new Client({ host: HOST, port: postgresPort, user: DATABASE, database: name });
		// Its server ends before it does.
		client.on('error', () => undefined);
		await client.connect();
		return client;
	};
	await becomesReady('Postgres', async () => {
		const first = await connect('postgres');
		await first.query(`CREATE DATABASE ${DATABASE}`);
		await first.end();
	});
	const client = await connect(DATABASE);
	cleanups.push(() => client.end());

	const folder = await temporaryFolder(cleanups);
	const startRedis = async () => {
		const args = ['--bind', HOST, '--port', String(redisPort), '--dir', folder, '--save', '', '--appendonly', 'yes'];
		const server = startProcess(program('redis'), args, { cwd: folder, logFile: join(results, 'redis.log') });
		await becomesReady('Redis', async () => {
			const probe = new Redis({ host: HOST, port: redisPort, lazyConnect: true, retryStrategy: () => null });
			probe.on('error', () => undefined);
			try {
				await probe.connect();
				await probe.ping();
			} finally {
				probe.disconnect();
			}
		});
		return server;
	};
	let redis = await startRedis();
	cleanups.push(() => stopProcess(redis));

	return {
		env: {
			...{ EXECUTIONS_MODE: 'queue', QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: String(redisPort) },
			...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: HOST, DB_POSTGRESDB_PORT: String(postgresPort) },
			...{ DB_POSTGRESDB_DATABASE: DATABASE, DB_POSTGRESDB_USER: DATABASE, DB_POSTGRESDB_PASSWORD: 'any' },
		},
		query: async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
		restartRedis: async () => {
			const since = Date.now();
			await stopProcess(redis);
			redis = await startRedis();
			return Date.now() - since;
		},
	};
}

/** Postgres refuses to run as root: the person to run it as, who gets the folder. Nobody else, where this is not root. */
async function unprivileged(name: string, folder: string): Promise<Pick<SpawnOptions, 'uid' | 'gid'>> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = ['-u', '-g'].map((flag) =>
		Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN),
	);
	if (!uid || !gid)
		throw new Problem(`Postgres cannot run as root, and there is no user ${name} on this machine to run it as.`);
	await chown(folder, uid, gid);
	return { uid, gid };
}

/** @throws Problem when it does not work within 30 s */
async function becomesReady(what: string, attempt: () => Promise<void>): Promise<void> {
	const isReady = async () => {
		await attempt();
		return true;
	};
	await waitUntil(`${what} is ready`, isReady, { withinMs: 30_000, everyMs: 200 }).catch((error: unknown) => {
		throw new Problem(error instanceof Error ? error.message : String(error));
	});
}
