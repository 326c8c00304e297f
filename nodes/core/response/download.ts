import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pause } from '../http/clock';
import { RequestError } from '../http/errors';
import { createUnexpectedResponseError } from '../http/responseErrors';
import type { ApiRequest } from '../http/request';
import type { HttpResponse } from '../http/client';
import type { OperationContext, OutputItem } from './responseHandler';
import { buildFileName, readFileName } from './fileName';
import { readOwnerName, type FileOwner } from './fileOwner';
import { toItemJson } from '../values';

/** Describes how to name an exported file, and where to put it. */
export interface DownloadOptions {
	/** The beginning of the file name if the platform doesn't send one. */
	fallbackName: string;
	format: { extension: string; mimeType: string };
	/** The name of the output item's binary field. */
	binaryField: string;
	/** The record that the file is about, such as a campaign job. It is undefined for a file about the whole company. */
	owner?: FileOwner | undefined;
}

/** Download options with the texts that name the company and the file's owner. */
interface LabeledDownloadOptions extends DownloadOptions {
	/** The names and IDs that are added to the file name. */
	labels: string[];
	/** The fields that are added to the output item: the name of the record that the file belongs to, if it is known. */
	itemFields: IDataObject;
}

/** The HTTP statuses of the response while the platform is still preparing the file (deployment activity 6). */
const PREPARING_STATUSES = [201, 202];
/** The first pause before an export is requested again, in ms. Each later pause is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 30_000;
/** The longest time to wait until an export is ready, in ms. */
const MAX_EXPORT_WAIT_MS = 300_000;

const NOT_READY_IN_TIME = {
	reason: 'the platform did not prepare the file within 5 minutes',
	advice: 'Run the node again later. The file may be ready then.',
	cause: 'temporarily-unavailable',
} as const;

const PARTIAL_FILE = {
	reason: 'the platform sent only a part of the file (206)',
	advice: 'A proxy between n8n and the platform may have cut off the rest. Run the node again.',
};

/**
 * Requests an export until the file is ready, and stores the file.
 * @returns the item with the file, or with the data that the platform returned instead of a file
 * @throws RequestError, also if the file isn't ready after five minutes
 */
export async function download(
	request: ApiRequest,
	context: OperationContext,
	options: DownloadOptions,
): Promise<OutputItem> {
	const { client, signal } = context;
	const labeledOptions = await addLabels(options, context);
	const stopSignal = AbortSignal.any(
		[signal, client.stopSignal].filter((optionalSignal) => optionalSignal !== undefined),
	);
	const deadline = Date.now() + MAX_EXPORT_WAIT_MS;
	const tryDownload = () =>
		client.requestFile(request, async (response, sentRequest) => {
			if (PREPARING_STATUSES.includes(response.status)) return undefined;
			return await readFile(sentRequest, response, context, labeledOptions);
		});
	let pauseMs = FIRST_PAUSE_MS;
	let item = await tryDownload();
	while (!item) {
		if (Date.now() + pauseMs > deadline) throw new RequestError(NOT_READY_IN_TIME);
		await pause(pauseMs, stopSignal);
		pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
		item = await tryDownload();
	}
	return item;
}

/**
 * Adds the names of the file's company and owner to the options. This must happen before the download: a download holds one of the
 * slots for parallel requests, so a request for a name during the download might never get a slot.
 */
async function addLabels(options: DownloadOptions, context: OperationContext): Promise<LabeledDownloadOptions> {
	const { owner: fileOwner } = options;
	if (!fileOwner) return { ...options, labels: [await context.getFileLabel()], itemFields: {} };
	const ownerName = await readOwnerName(fileOwner, context);
	const ownerLabels = ownerName ? [ownerName, fileOwner.distinguishingLabel ?? ''] : [fileOwner.id];
	return {
		...options,
		labels: [await context.getFileLabel(), ...ownerLabels],
		itemFields: ownerName ? { [fileOwner.nameField]: ownerName } : {},
	};
}

const NO_FILE_JSON = { bytes: 0, message: 'The platform accepted the export but sent no file' };

/** Reads the value of a header as text. Returns '' if the header is missing. */
function readHeader({ headers }: HttpResponse, name: string): string {
	const value = headers[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Turns the response of an export into an item. @throws RequestError if the response has only a part of the file, or if it can't be read */
async function readFile(
	request: ApiRequest,
	response: HttpResponse,
	context: OperationContext,
	options: LabeledDownloadOptions,
): Promise<OutputItem> {
	if (response.status === 206) throw new RequestError(PARTIAL_FILE);
	const contentType = readHeader(response, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
	// The platform may respond with JSON instead of a file, and a proxy with a web page.
	if (contentType.includes('json') || contentType === 'text/html')
		return await readJson(request, response, context, options);
	if (readHeader(response, 'content-length') === '0' || response.status === 204) return { json: NO_FILE_JSON };
	const mimeType =
		contentType === '' || contentType === 'application/octet-stream' ? options.format.mimeType : contentType;
	const name = readFileName(readHeader(response, 'content-disposition'));
	// If the connection ends before the announced length, the stream fails and nothing is stored.
	return await storeFile({ content: response.body, name, mimeType }, context, options);
}

/** A JSON response with a file in base64 (deployment activity 6). `byteArray` is null if the export failed. */
const jsonFileSchema = z.object({ byteArray: z.string().nullable(), fileName: z.string().catch('') });

/** Turns a JSON response into an item: the file inside it, or the data that the platform sent instead. @throws RequestError */
async function readJson(
	request: ApiRequest,
	response: HttpResponse,
	context: OperationContext,
	options: LabeledDownloadOptions,
): Promise<OutputItem> {
	const { data, messages } = await context.client.readResponse(request, response);
	const file = jsonFileSchema.safeParse(data).data;
	if (!data || (file && !file.byteArray)) {
		const [serviceMessage] = messages;
		return { json: serviceMessage ? { ...NO_FILE_JSON, serviceMessage } : NO_FILE_JSON };
	}
	if (!file?.byteArray) return { json: toItemJson(data) };
	const content = Buffer.from(file.byteArray, 'base64');
	// Node skips characters that aren't base64 instead of throwing an error. They can only be noticed by the wrong length.
	const expectedLength = Math.floor((file.byteArray.replace(/={1,2}$/, '').length * 3) / 4);
	if (content.length !== expectedLength) throw createUnexpectedResponseError('');
	return await storeFile({ content, name: file.fileName }, context, options);
}

/**
 * Stores a file and creates its item.
 * @param file.name the name that the platform sent, or an empty text if it sent none
 * @param file.mimeType if it is undefined, it is derived from the file name
 */
async function storeFile(
	file: { content: unknown; name: string; mimeType?: string },
	context: OperationContext,
	options: LabeledDownloadOptions,
): Promise<OutputItem> {
	const wantedName = buildFileName(file.name, options.fallbackName, options.format.extension, options.labels);
	const { binary, bytes, fileName } = await context.files.store(file.content, wantedName, file.mimeType);
	if (bytes === 0) return { json: NO_FILE_JSON };
	const json = { ...options.itemFields, fileName, mimeType: file.mimeType ?? binary.mimeType, bytes };
	return { json, binary: { [options.binaryField]: binary } };
}
