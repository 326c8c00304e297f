import type { IExecuteFunctions } from 'n8n-workflow';

import { createTimeoutError } from './responseErrors';

/** The stream of a file, as n8n's helpers accept it. */
export type FileStream = Exclude<Parameters<IExecuteFunctions['helpers']['binaryToString']>[0], Buffer>;

/** Returns true for the stream of a file. The stream's class depends on the version of n8n (n8n 12). */
export const isFileStream = (body: unknown): body is FileStream =>
	typeof body === 'object' && body !== null && 'destroy' in body && 'pipe' in body;

/**
 * Ends a download that delivers no data for `timeoutMs`. n8n's own timeout only covers the time until the headers arrive. The
 * stream doesn't start to flow before the caller reads it.
 * @param endRequest ends the request. In n8n 2.41, destroying the stream isn't enough, because the stream wraps the response and
 * waits for the response's end.
 */
export function abortOnInactivity(stream: FileStream, timeoutMs: number, endRequest: () => void): void {
	let lastDataTime = performance.now();
	// Without a listener for 'error', an error would end the process.
	stream.on('error', () => {});
	const watchForReader = (eventName: unknown) => {
		if (eventName !== 'data' && eventName !== 'readable') return;
		stream.off('newListener', watchForReader);
		// The first listener for 'data' starts the flow, so the reader's listener must be added before this one.
		queueMicrotask(() =>
			stream.on('data', () => {
				lastDataTime = performance.now();
			}),
		);
	};
	stream.on('newListener', watchForReader);
	const checkInactivityAfter = (delayMs: number) => {
		AbortSignal.timeout(Math.ceil(delayMs)).addEventListener('abort', () => {
			const inactiveMs = performance.now() - lastDataTime;
			if (stream.destroyed || stream.readableEnded) return;
			if (inactiveMs < timeoutMs) {
				checkInactivityAfter(timeoutMs - inactiveMs);
				return;
			}
			stream.destroy(createTimeoutError());
			endRequest();
		});
	};
	checkInactivityAfter(timeoutMs);
}
