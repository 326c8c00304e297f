import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { createBadRequestError } from './envelope';
import { isJsonObject, type RequestBody, type FilePart } from './http';

/** The largest accepted request body, in bytes. */
export const BODY_LIMIT = 50 * 1024 * 1024;

/** The text of a JSON body before it is parsed. */
interface JsonText {
	jsonText: string;
	isJsonPatch: boolean;
}

function isJsonText(value: unknown): value is JsonText {
	return isJsonObject(value) && typeof value.jsonText === 'string' && typeof value.isJsonPatch === 'boolean';
}

/** Registers parsers for the content types of the contract. The body of any other content type is not read. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
	app.removeAllContentTypeParsers();
	// JSON is parsed later, so that malformed JSON is logged and the response has an envelope.
	app.addContentTypeParser(
		/^(?:text\/json|application\/(?:json|[^;]+\+json))(?:\s*;|$)/i,
		{ parseAs: 'string' },
		(request, text, done) => {
			const isJsonPatch = /json-patch\+json/i.test(request.headers['content-type'] ?? '');
			done(null, { jsonText: String(text), isJsonPatch } satisfies JsonText);
		},
	);
	await app.register(formbody, { bodyLimit: BODY_LIMIT });
	await app.register(multipart, {
		limits: { fileSize: BODY_LIMIT, fieldSize: BODY_LIMIT, fields: 1000, files: 20, parts: 1020 },
	});
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined));
}

/** The contents of uploaded files. They are stored here so that neither the log nor a record contains them. */
const fileContents = new WeakMap<FilePart, Buffer>();

/** Returns the bytes of an uploaded file. */
export function getFileContent(part: FilePart): Buffer {
	return fileContents.get(part) ?? Buffer.alloc(0);
}

async function readMultipart(request: FastifyRequest): Promise<RequestBody> {
	const fields: Record<string, string[]> = {};
	const files: FilePart[] = [];
	for await (const part of request.parts()) {
		// A list called "Name" can be sent as Name[], Name[0] or Name.
		const name = part.fieldname.replace(/\[\d*\]$/, '');
		if (part.type === 'field') {
			(fields[name] ??= []).push(String(part.value));
			continue;
		}
		const hash = createHash('sha256');
		const chunks: Buffer[] = [];
		const stream: AsyncIterable<Buffer> = part.file;
		for await (const chunk of stream) {
			hash.update(chunk);
			chunks.push(chunk);
		}
		const content = Buffer.concat(chunks);
		const { filename: fileName, mimetype: mimeType } = part;
		const file = { field: name, fileName, mimeType, bytes: content.length, sha256: hash.digest('hex') };
		fileContents.set(file, content);
		files.push(file);
	}
	return { kind: 'multipart', fields, files };
}

/**
 * Reads and parses the body of a request.
 * @throws HttpError 400 if a multipart body cannot be read; if the body is too large, the HTTP server's own error with
 * status 413
 */
export async function readBody(request: FastifyRequest): Promise<RequestBody> {
	if (request.isMultipart()) {
		return await readMultipart(request).catch((error: unknown) => {
			// A body that is too large has its own status. Any other error here means that the form cannot be read.
			const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
			throw isTooLarge ? error : createBadRequestError('The form data cannot be read.');
		});
	}
	const { body } = request;
	if (isJsonText(body)) {
		if (body.jsonText.trim() === '') return { kind: 'none' };
		try {
			return { kind: 'json', value: JSON.parse(body.jsonText), isJsonPatch: body.isJsonPatch };
		} catch {
			return { kind: 'malformed', text: body.jsonText.slice(0, 2000) };
		}
	}
	const type = request.headers['content-type'] ?? '';
	if (isJsonObject(body) && Object.keys(body).length > 0) {
		const fields = Object.entries(body).map(([name, value]): [string, string] => [
			name,
			Array.isArray(value) ? value.join(',') : String(value),
		]);
		return { kind: 'form', fields: Object.fromEntries(fields) };
	}
	const length = request.headers['content-length'];
	const isEmpty = length === undefined ? request.headers['transfer-encoding'] === undefined : length === '0';
	return isEmpty ? { kind: 'none' } : { kind: 'other', type };
}

/** Converts a body to the form in which it is logged. */
export function toLoggedBody(body: RequestBody): unknown {
	switch (body.kind) {
		case 'json':
			return body.value;
		case 'form':
			return body.fields;
		case 'multipart':
			return {
				fields: Object.fromEntries(
					Object.entries(body.fields).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
				),
				files: body.files,
			};
		case 'malformed':
			return body.text;
		default:
			return undefined;
	}
}
