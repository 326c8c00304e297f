import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pause } from '../http/concurrency';
import { ServiceError } from '../http/errors';
import { unexpectedResponse } from '../http/responseErrors';
import type { ServiceRequest } from '../http/request';
import type { HttpResponse } from '../http/client';
import type { OperationContext, OutputItem } from './responseHandler';
import { fileNameOf, nameIn } from './fileName';
import { nameOfSubject, type Subject } from './fileOwner';
import { toJson } from '../values';

/** How a file is called and where it goes: the beginning of its name if the service sends none, and the item's binary field. */
export interface FileWanted {
	stem: string;
	format: { extension: string; mimeType: string };
	field: string;
	/** What it is of, besides its company. */
	of?: Subject | undefined;
}

/** The same, with what is added to its name, and to its item. */
interface Named extends FileWanted {
	labels: string[];
	fields: IDataObject;
}

/** The statuses of an export that is still being prepared (deployment activity, 6). */
const NOT_READY = [201, 202];
/** How long to wait before it is asked for again, in ms: at first, at most, and in all. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 30_000;
const PATIENCE_MS = 300_000;

const TOO_LATE = {
	reason: 'the service has not finished preparing the file within 5 minutes',
	advice: 'Run the node again later: then the file may be ready.',
	cause: 'temporarily-unavailable',
} as const;

const IN_PARTS = {
	reason: 'only a part of the file came back (206)',
	advice: 'Something between n8n and the service, such as a proxy, may have cut it. Run the node again.',
};

/**
 * Requests an export until its file is there, and stores it.
 * @returns the item with the file, or with what the service answered instead of one
 * @throws ServiceError, also for a file that is not ready after five minutes
 */
export async function download(
	request: ServiceRequest,
	context: OperationContext,
	wanted: FileWanted,
): Promise<OutputItem> {
	const { service, signal } = context;
	// Before the file, because what is asked while it comes would wait for a place among the requests.
	const name = wanted.of && (await nameOfSubject(wanted.of, context));
	const named: Named = {
		...wanted,
		labels: [await context.fileLabel(), ...(wanted.of ? labelsOf(wanted.of, name) : [])],
		fields: wanted.of && name ? { [wanted.of.as]: name } : {},
	};
	const ended = AbortSignal.any([signal, service.signal].filter((each) => each !== undefined));
	const end = Date.now() + PATIENCE_MS;
	for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
		const item = await service.stream(request, async (reply, sent) =>
			NOT_READY.includes(reply.status) ? undefined : await received(sent, reply, context, named),
		);
		if (item) return item;
		if (Date.now() + wait > end) throw new ServiceError(TOO_LATE);
		await pause(wait, ended);
	}
}

/** What tells the files of things apart: their names, or else their IDs. */
const labelsOf = ({ id, part = '' }: Subject, name = '') => (name ? [name, part] : [id]);

const NO_FILE = { bytes: 0, message: 'The service accepted the export but returned no file' };

/** The value of a header as text; empty if it is missing. */
const headerOf = ({ headers }: HttpResponse, name: string): string =>
	typeof headers[name] === 'string' || typeof headers[name] === 'number' ? String(headers[name]) : '';

/** The item of an answer. @throws ServiceError for a part of a file, and what `service.read` throws */
async function received(
	request: ServiceRequest,
	answer: HttpResponse,
	context: OperationContext,
	wanted: Named,
): Promise<OutputItem> {
	if (answer.status === 206) throw new ServiceError(IN_PARTS);
	const type = headerOf(answer, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
	// The service may answer with JSON instead of a file, and a proxy with a web page.
	if (type.includes('json') || type === 'text/html') return await itemOfText(request, answer, context, wanted);
	if (headerOf(answer, 'content-length') === '0' || answer.status === 204) return { json: NO_FILE };
	const mimeType = type === '' || type === 'application/octet-stream' ? wanted.format.mimeType : type;
	// If the connection ends before the announced length, the stream fails and nothing is stored.
	const file = { content: answer.body, name: nameIn(headerOf(answer, 'content-disposition')), mimeType };
	return await stored(file, context, wanted);
}

/** A file inside of JSON, in base64 (deployment activity, 6); an export that failed has null in its place. */
const fileInJson = z.object({ byteArray: z.string().nullable(), fileName: z.string().catch('') });

/** The item of an answer that is text: the file in it, or what the service says. @throws ServiceError */
async function itemOfText(
	request: ServiceRequest,
	answer: HttpResponse,
	context: OperationContext,
	wanted: Named,
): Promise<OutputItem> {
	const { data, messages } = await context.service.read(request, answer);
	const file = fileInJson.safeParse(data).data;
	if (!data || (file && !file.byteArray))
		return { json: { ...NO_FILE, ...(messages[0] ? { serviceMessage: messages[0] } : {}) } };
	if (!file?.byteArray) return { json: toJson(data) };
	const content = Buffer.from(file.byteArray, 'base64');
	// What is not base64 would be left out without a word.
	if (content.length !== Math.floor((file.byteArray.replace(/={1,2}$/, '').length * 3) / 4))
		throw unexpectedResponse('');
	return await stored({ content, name: file.fileName }, context, wanted);
}

/** Stores a file. @param file.name the service's; empty if it sent none @param file.mimeType found by the name, unless given */
async function stored(
	file: { content: unknown; name: string; mimeType?: string },
	{ files }: OperationContext,
	{ stem, format, field, labels, fields }: Named,
): Promise<OutputItem> {
	const wanted = fileNameOf(file.name, stem, format.extension, labels);
	const { binary, bytes, fileName } = await files.store(file.content, wanted, file.mimeType);
	if (bytes === 0) return { json: NO_FILE };
	const json = { ...fields, fileName, mimeType: file.mimeType ?? binary.mimeType, bytes };
	return { json, binary: { [field]: binary } };
}
