import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { disposition } from './files';
import type { Download } from './http';
import type { LoggedRequest } from './log';

/** From this size on a file is sent in chunks, without its length. */
const LARGE = 1024 * 1024;

/** What leaves, whatever it was before. */
export interface Outgoing {
	status: number;
	headers: Record<string, string>;
	content: Download['content'];
	isFile: boolean;
}

/** How an answer goes wrong on its way. */
export type Mishap = { kind: 'truncate' | 'truncate-chunked' } | { kind: 'stall-body'; ms: number | undefined };

/** A file, ready to leave. */
export function fileOut(status: number, headers: Record<string, string>, file: Download): Outgoing {
	return {
		status,
		headers: { ...headers, 'content-type': file.mimeType, 'content-disposition': disposition(file.fileName) },
		content: file.content,
		isFile: true,
	};
}

/** A text, ready to leave. */
export function textOut(status: number, headers: Record<string, string>, text: string, mimeType: string): Outgoing {
	return {
		status,
		headers: { ...headers, 'content-type': mimeType },
		content: Buffer.from(text, 'utf8'),
		isFile: false,
	};
}

/** Waits, but no longer than the connection lives; without a time, exactly that long. */
export async function pause(raw: ServerResponse, ms: number | undefined): Promise<void> {
	if (raw.destroyed || raw.closed || ms === 0) return;
	await new Promise<void>((resolve) => {
		const done = () => {
			clearTimeout(timer);
			raw.off('close', done);
			resolve();
		};
		const timer = ms === undefined ? undefined : setTimeout(done, ms);
		raw.once('close', done);
	});
}

/** Writes with back-pressure; false when the other side has gone. */
export async function write(raw: ServerResponse, chunk: Buffer): Promise<boolean> {
	if (raw.destroyed) return false;
	if (raw.write(chunk)) return true;
	await new Promise<void>((resolve) => {
		const done = () => {
			raw.off('drain', done);
			raw.off('close', done);
			resolve();
		};
		raw.once('drain', done);
		raw.once('close', done);
	});
	return !raw.destroyed;
}

/** Ends a connection in the middle, after what was written has left. */
async function cut(raw: ServerResponse): Promise<void> {
	await new Promise<void>((resolve) => {
		// An empty write is called back when everything before it was handed to the system.
		raw.write('', () => resolve());
		raw.once('close', () => resolve());
	});
	raw.destroy();
}

/** Sends an answer and notes what left; true when all of it did. */
export async function send(
	raw: ServerResponse,
	out: Outgoing,
	entry: LoggedRequest,
	mishap?: Mishap,
): Promise<boolean> {
	if (raw.destroyed) return false;
	const content = out.content;
	const total = Buffer.isBuffer(content) ? content.length : content.bytes;
	const chunked = mishap?.kind === 'truncate-chunked' || (mishap?.kind !== 'truncate' && out.isFile && total > LARGE);
	// An empty body cannot be cut short, so its length promises some.
	const promised = mishap?.kind === 'truncate' && total === 0 ? 64 : total;
	raw.writeHead(out.status, { ...out.headers, ...(chunked ? {} : { 'content-length': String(promised) }) });
	entry.status = out.status;
	const hash = createHash('sha256');
	let left = mishap ? Math.floor(total / 2) : total;
	let held: ((rest: number) => Promise<void>) | undefined =
		mishap?.kind === 'stall-body'
			? async (rest) => {
					await pause(raw, mishap.ms);
					left = rest;
				}
			: undefined;
	if (mishap) raw.flushHeaders();
	for (let chunk of Buffer.isBuffer(content) ? [content] : content.chunks()) {
		while (chunk.length > 0) {
			const part = chunk.subarray(0, left);
			if (part.length > 0) {
				hash.update(part);
				if (!(await write(raw, part))) return false;
				entry.bytesSent += part.length;
				left -= part.length;
				chunk = chunk.subarray(part.length);
			}
			if (chunk.length === 0) break;
			if (!held) {
				await cut(raw);
				return false;
			}
			await held(total - entry.bytesSent);
			held = undefined;
			if (raw.destroyed) return false;
		}
	}
	if (mishap && mishap.kind !== 'stall-body') {
		await cut(raw);
		return false;
	}
	if (out.isFile) entry.sha256 = hash.digest('hex');
	raw.end();
	return true;
}
