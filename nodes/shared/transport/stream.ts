import { onAbort } from './waiting';

/** What n8n gives for the body of a download, of one kind or another. */
interface ByteStream {
	destroy: (error?: Error) => unknown;
	on: (event: string, listener: (value: unknown) => void) => unknown;
	off: (event: string, listener: (value: unknown) => void) => unknown;
}

const METHODS = ['destroy', 'on', 'off', 'pipe'];

export const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && METHODS.every((name) => typeof Reflect.get(body, name) === 'function');

/**
 * Lets go of what nobody will read any more: an unread stream keeps its connection.
 * @param why what those get who are reading it
 */
export function discard(body: unknown, why?: Error): void {
	if (!isStream(body)) return;
	// An error that nobody listens for would end the process.
	body.on('error', () => {});
	body.destroy(why);
}

/** Calls `call` once nothing has come of a stream for so long. It neither reads it, nor makes it flow. */
export function onIdle(body: unknown, ms: number, call: () => void): void {
	if (!isStream(body)) return;
	let last = performance.now();
	let forget = () => {};
	const wait = (left: number) => {
		forget = onAbort([AbortSignal.timeout(Math.ceil(left))], () => {
			const idle = performance.now() - last;
			if (idle >= ms) call();
			else wait(ms - idle);
		});
	};
	const listen = (event: unknown) => {
		if (event !== 'data' && event !== 'readable') return;
		body.off('newListener', listen);
		// Only after the reader: whoever listens for data first makes it flow.
		queueMicrotask(() => body.on('data', () => (last = performance.now())));
	};
	body.on('newListener', listen);
	body.on('close', () => forget());
	wait(ms);
}
