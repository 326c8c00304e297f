/**
 * Runs random histories of the triggers and counts what came of them:
 * `npx tsx test/deep/triggers/main.ts --count 10000 --seed 1 --processes 2`. A history of its own seed is run again, shrunk and
 * printed with `--count 1 --seed 4711 --shrink`. The model answers n8n's HTTP helper directly; `--http` goes over HTTP, which takes
 * several times as long.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { countsOf, histories, type Counts } from './histories';

const OPTIONS = {
	count: { type: 'string', default: '1000' },
	seed: { type: 'string', default: '1' },
	processes: { type: 'string', default: '1' },
	shrink: { type: 'boolean', default: false },
	http: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	const [count, seed, processes] = [Number(values.count), Number(values.seed), Number(values.processes)];
	if (processes === 1) {
		const result = await histories(count, seed, {
			shrink: values.shrink,
			isDirect: !values.http,
			tell: (line) => process.stdout.write(`${line}\n`),
		});
		if (process.send) process.send(result.counts);
		else process.stdout.write(`${JSON.stringify(result.counts, null, 1)}\n`);
		process.exitCode = result.failures.length > 0 ? 1 : 0;
		return;
	}
	const share = Math.ceil(count / processes);
	const parts = Array.from({ length: processes }, (_, index) => {
		const own = Math.max(0, Math.min(share, count - index * share));
		return part([
			...['--count', String(own), '--seed', String(seed + index * share)],
			...(values.shrink ? ['--shrink'] : []),
			...(values.http ? ['--http'] : []),
		]);
	});
	process.stdout.write(`${JSON.stringify(countsOf(await Promise.all(parts)), null, 1)}\n`);
}

const counts = z.record(z.number());

async function part(args: string[]): Promise<Counts> {
	const child = fork(__filename, args, { execArgv: process.execArgv });
	let result: Counts = {};
	child.on('message', (message) => (result = counts.parse(message)));
	await new Promise((resolve) => child.once('exit', resolve));
	return result;
}

void main();
