import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { buildContentDisposition } from './files';
import type { Download } from './http';
import type { LoggedRequest } from './log';

/**
 * The size in bytes of the largest file that is sent with a Content-Length header. Larger files are sent in chunks
 * without it.
 */
const MAX_UNCHUNKED_BYTES = 1024 * 1024;

/** A response as it is sent over the connection. */
export interface OutgoingResponse {
	status: number;
	headers: Record<string, string>;
	content: Download['content'];
	isFile: boolean;
}

/**
 * A fault during the transfer of a response. If `durationMs` is undefined, the transfer stalls until the connection
 * closes.
 */
export type TransferFault =
	{ kind: 'truncate' | 'truncate-chunked' } | { kind: 'stall-body'; durationMs: number | undefined };

/** Builds the response that contains a file. */
export function fileResponse(status: number, headers: Record<string, string>, file: Download): OutgoingResponse {
	return {
		status,
		headers: {
			...headers,
			'content-type': file.mimeType,
			'content-disposition': buildContentDisposition(file.fileName),
		},
		content: file.content,
		isFile: true,
	};
}

/** Builds the response that contains a text. */
export function textResponse(
	status: number,
	headers: Record<string, string>,
	text: string,
	mimeType: string,
): OutgoingResponse {
	return {
		status,
		headers: { ...headers, 'content-type': mimeType },
		content: Buffer.from(text, 'utf8'),
		isFile: false,
	};
}

/**
 * Waits for `durationMs` or until the connection closes. If `durationMs` is undefined, waits until the connection
 * closes.
 */
export async function pause(rawResponse: ServerResponse, durationMs: number | undefined): Promise<void> {
	if (rawResponse.destroyed || rawResponse.closed || durationMs === 0) return;
	await new Promise<void>((resolve) => {
		const finish = () => {
			clearTimeout(timer);
			rawResponse.off('close', finish);
			resolve();
		};
		const timer = durationMs === undefined ? undefined : setTimeout(finish, durationMs);
		rawResponse.once('close', finish);
	});
}

/**
 * Writes a chunk and waits until the connection can take more.
 * @returns false if the connection has closed
 */
export async function writeChunk(rawResponse: ServerResponse, chunk: Buffer): Promise<boolean> {
	if (rawResponse.destroyed) return false;
	if (rawResponse.write(chunk)) return true;
	await new Promise<void>((resolve) => {
		const finish = () => {
			rawResponse.off('drain', finish);
			rawResponse.off('close', finish);
			resolve();
		};
		rawResponse.once('drain', finish);
		rawResponse.once('close', finish);
	});
	return !rawResponse.destroyed;
}

/** Cuts a connection after all data written so far has been sent. */
async function cutConnection(rawResponse: ServerResponse): Promise<void> {
	await new Promise<void>((resolve) => {
		// The callback of an empty write runs when all earlier data has been passed to the operating system.
		rawResponse.write('', () => resolve());
		rawResponse.once('close', () => resolve());
	});
	rawResponse.destroy();
}

/**
 * Sends a response, and records in the log entry what was sent.
 * @returns true if the response was sent completely
 */
export async function sendResponse(
	rawResponse: ServerResponse,
	response: OutgoingResponse,
	entry: LoggedRequest,
	transferFault?: TransferFault,
): Promise<boolean> {
	if (rawResponse.destroyed) return false;
	const content = response.content;
	const totalBytes = Buffer.isBuffer(content) ? content.length : content.bytes;
	const isLargeFile = response.isFile && totalBytes > MAX_UNCHUNKED_BYTES;
	const isChunked = transferFault?.kind === 'truncate-chunked' || (transferFault?.kind !== 'truncate' && isLargeFile);
	// An empty body cannot be truncated, so a larger length is announced.
	const announcedBytes = transferFault?.kind === 'truncate' && totalBytes === 0 ? 64 : totalBytes;
	const headers = { ...response.headers };
	if (!isChunked) headers['content-length'] = String(announcedBytes);
	rawResponse.writeHead(response.status, headers);
	entry.status = response.status;
	const hash = createHash('sha256');
	let remainingBytes = transferFault ? Math.floor(totalBytes / 2) : totalBytes;
	let isStallDue = transferFault?.kind === 'stall-body';
	if (transferFault) rawResponse.flushHeaders();
	for (let chunk of Buffer.isBuffer(content) ? [content] : content.chunks()) {
		while (chunk.length > 0) {
			const sentChunk = chunk.subarray(0, remainingBytes);
			if (sentChunk.length > 0) {
				hash.update(sentChunk);
				if (!(await writeChunk(rawResponse, sentChunk))) return false;
				entry.bytesSent += sentChunk.length;
				remainingBytes -= sentChunk.length;
				chunk = chunk.subarray(sentChunk.length);
			}
			if (chunk.length === 0) break;
			if (!isStallDue || transferFault?.kind !== 'stall-body') {
				await cutConnection(rawResponse);
				return false;
			}
			await pause(rawResponse, transferFault.durationMs);
			remainingBytes = totalBytes - entry.bytesSent;
			isStallDue = false;
			if (rawResponse.destroyed) return false;
		}
	}
	if (transferFault && transferFault.kind !== 'stall-body') {
		await cutConnection(rawResponse);
		return false;
	}
	if (response.isFile) entry.sha256 = hash.digest('hex');
	rawResponse.end();
	return true;
}
