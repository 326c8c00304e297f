import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { invalid } from './envelope';
import { isRow, type Body, type Part } from './http';

/** The largest body that is taken. */
export const BODY_LIMIT = 50 * 1024 * 1024;

interface JsonText {
	jsonText: string;
	patch: boolean;
}

function isJsonText(value: unknown): value is JsonText {
	return isRow(value) && typeof value.jsonText === 'string' && typeof value.patch === 'boolean';
}

/** Registers the content types of the contract with the server; of any other type only the name is recorded. */
export async function installBodies(app: FastifyInstance): Promise<void> {
	app.removeAllContentTypeParsers();
	// JSON is parsed later, so that malformed JSON can be answered with an envelope, and logged.
	app.addContentTypeParser(
		/^(?:text\/json|application\/(?:json|[^;]+\+json))(?:\s*;|$)/i,
		{ parseAs: 'string' },
		(request, text, done) => {
			const patch = /json-patch\+json/i.test(request.headers['content-type'] ?? '');
			done(null, { jsonText: String(text), patch } satisfies JsonText);
		},
	);
	await app.register(formbody, { bodyLimit: BODY_LIMIT });
	await app.register(multipart, {
		limits: { fileSize: BODY_LIMIT, fieldSize: BODY_LIMIT, fields: 1000, files: 20, parts: 1020 },
	});
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined));
}

/** What files had in them; neither the log nor a record shows it. */
const contents = new WeakMap<Part, Buffer>();

/** The bytes of a file that came. */
export const contentOf = (part: Part): Buffer => contents.get(part) ?? Buffer.alloc(0);

async function readMultipart(request: FastifyRequest): Promise<Body> {
	const fields: Record<string, string[]> = {};
	const files: Part[] = [];
	for await (const part of request.parts()) {
		// Name[], Name[0] and Name mean the same list.
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
		contents.set(file, content);
		files.push(file);
	}
	return { kind: 'multipart', fields, files };
}

/** What came in the body of a request. */
export async function readBody(request: FastifyRequest): Promise<Body> {
	if (request.isMultipart()) {
		return await readMultipart(request).catch((error: unknown) => {
			// A body that is too large has its own status; any other failure here is a form that cannot be read.
			throw error instanceof Error && 'statusCode' in error && error.statusCode === 413
				? error
				: invalid('The form data cannot be read.');
		});
	}
	const { body } = request;
	if (isJsonText(body)) {
		if (body.jsonText.trim() === '') return { kind: 'none' };
		try {
			return { kind: 'json', value: JSON.parse(body.jsonText), patch: body.patch };
		} catch {
			return { kind: 'malformed', text: body.jsonText.slice(0, 2000) };
		}
	}
	const type = request.headers['content-type'] ?? '';
	if (isRow(body) && Object.keys(body).length > 0) {
		const fields = Object.entries(body).map(([name, value]): [string, string] => [
			name,
			Array.isArray(value) ? value.join(',') : String(value),
		]);
		return { kind: 'form', fields: Object.fromEntries(fields) };
	}
	const none =
		request.headers['content-length'] === undefined
			? request.headers['transfer-encoding'] === undefined
			: request.headers['content-length'] === '0';
	return none ? { kind: 'none' } : { kind: 'other', type };
}

/** The body as the log shows it. */
export function loggedBody(body: Body): unknown {
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
