import { onAbort } from './waiting';

/** The body of a download; its class depends on the version of n8n. */
interface ByteStream {
	destroy: (error?: Error) => unknown;
	on: (event: string, listener: (value: unknown) => void) => unknown;
	off: (event: string, listener: (value: unknown) => void) => unknown;
}

const METHODS = ['destroy', 'on', 'off', 'pipe'];

export const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && METHODS.every((name) => typeof Reflect.get(body, name) === 'function');

/**
 * Closes a stream that will not be read any more: an unread stream keeps its connection open.
 * @param body anything; only a stream is closed
 * @param why the error for a reader that is still reading it
 */
export function discard(body: unknown, why?: Error): void {
	if (!isStream(body)) return;
	// An error event without a listener would end the process.
	body.on('error', () => {});
	body.destroy(why);
}

/** Calls `call` when a stream has given no data for `ms`. It does not read the stream, and does not start its flow. */
export function onIdle(body: unknown, ms: number, call: () => void): void {
	if (!isStream(body)) return;
	let last = performance.now();
	let stopTimer = () => {};
	const startTimer = (left: number) => {
		stopTimer = onAbort([AbortSignal.timeout(Math.ceil(left))], () => {
			const idle = performance.now() - last;
			if (idle >= ms) call();
			else startTimer(ms - idle);
		});
	};
	const listen = (event: unknown) => {
		if (event !== 'data' && event !== 'readable') return;
		body.off('newListener', listen);
		// Only after the reader has added its listener: the first listener for data starts the flow.
		queueMicrotask(() => body.on('data', () => (last = performance.now())));
	};
	body.on('newListener', listen);
	body.on('close', () => stopTimer());
	startTimer(ms);
}
