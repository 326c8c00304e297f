import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';

import { z } from 'zod';

import type { Installation } from './install';

const ROOT = join(__dirname, '..', '..');

/** What a child process answers to one message. */
const reply = z.object({ id: z.number(), value: z.unknown(), failure: z.string().optional() });
const question = z.object({ id: z.number(), name: z.string(), input: z.unknown() });

/** A child process; the file that it runs defines the messages that it answers. */
export interface Child {
	pid: number;
	/** Sends it a message and waits until the work is done. @throws the error of that work */
	ask: (name: string, input?: object) => Promise<unknown>;
	stop: () => Promise<void>;
}

/**
 * Runs a file on the Node.js and with the packages of an installed n8n.
 * @param path of the file, which calls answerParent
 */
export async function startChild(
	path: string,
	{ node, folder }: Installation,
	env: Record<string, string> = {},
): Promise<Child> {
	const child = fork(path, {
		execPath: node,
		cwd: ROOT,
		execArgv: ['--expose-gc', ...['--require', join(__dirname, 'from-n8n.cjs')], ...['--import', 'tsx']],
		env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, TZ: 'UTC', N8N_CORE_DIR: folder, ...env },
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		serialization: 'advanced',
	});
	const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
	let last = 0;
	child.on('message', (message) => {
		const answer = reply.parse(message);
		const asked = waiting.get(answer.id);
		waiting.delete(answer.id);
		if (answer.failure !== undefined) asked?.reject(new Error(answer.failure));
		else asked?.resolve(answer.value);
	});
	child.once('exit', (code, signal) => {
		for (const { reject } of waiting.values())
			reject(new Error(`The process of ${basename(path)} ended (${code ?? signal}).`));
		waiting.clear();
	});
	await once(child, 'spawn');
	return {
		pid: child.pid ?? 0,
		ask: async (name, input = {}) =>
			await new Promise((resolve, reject) => {
				const id = ++last;
				waiting.set(id, { resolve, reject });
				child.send({ id, name, input }, (error) => error && reject(error));
			}),
		stop: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const gone = once(child, 'exit');
			child.kill('SIGKILL');
			await gone;
		},
	};
}

/** The child's part: answers messages, and ends when its parent ends. */
export function answerParent(actions: Record<string, (input: unknown) => Promise<unknown>>): void {
	process.on('disconnect', () => process.exit());
	process.on('message', (message) => {
		const { id, name, input } = question.parse(message);
		const action = actions[name];
		void (action ? action(input) : Promise.reject(new Error(`Nothing is called ${name}`))).then(
			(value) => process.send?.({ id, value }),
			(error: unknown) =>
				process.send?.({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
		);
	});
}
