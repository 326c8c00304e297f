import { omit, pick } from 'lodash';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from './errors';
import { endpointOf, type EndpointKey } from '../api/endpoint';
import { findNoValue, NO_VALUE_ADVICE } from './noValue';
import type { Choice } from '../values';

export interface Upload {
	fileName: string;
	mimeType: string;
	/** Undefined while the items of a write are checked. It is read when the item's turn comes. */
	content: Buffer | undefined;
}

/** The fields of a multipart/form-data body; arrays become repeated fields, undefined is left out. */
export type FormFields = Record<string, string | number | boolean | string[] | Upload | undefined>;

/** A request to the service, before its address and token are known. */
export interface ServiceRequest {
	endpoint: EndpointKey;
	/** Values for the placeholders of the endpoint's path, not yet encoded. */
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** Fields that a person adds and that nobody documented; merged into the body last. */
	additionalFields?: IDataObject;
	form?: FormFields;
	/** Sent in the scoping header (contract 4.1). */
	company?: Choice;
	/** What is being done, for messages: "get many companies". */
	purpose: string;
	/** Aborted when nobody needs the answer any more: then the request is not sent, or not repeated. */
	signal?: AbortSignal;
	/** Values of this request that must never be shown. */
	secrets?: string[];
}

const MAX_ID_LENGTH = 256;

const ID_ADVICE =
	"Choose an entry from the list, or drag the ID from another node's output; a name is not accepted here.";

/** Returns true for a GUID, which can't be a name. */
export const isGuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Whether a text is in one of the forms of IDs that are known: a GUID, or some twelve letters and digits (deployment behaviour,
 * "Trainings, groups, enrollments"). A name such as Standort2024 has its digits at the end. IDs of other forms exist.
 */
export const looksLikeId = (text: string) => isGuid(text) || /^(?=[a-z]*\d+[a-z])[a-z\d]{11,13}$/i.test(text);

/** Matches the text of a number that could not be calculated. */
const NO_NUMBER = /^[+-]?(NaN|Infinity)$/;

const hasControlCharacter = (text: string) => /[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Parses an identifier that a person gives. It is opaque (contract 2), but the known forms have neither blanks nor an @
 * (deployment behaviour, "Trainings, groups, enrollments"): what has one is a name or an e-mail address, which ends as a 403 or a 404.
 * @param advice how to put right what is none, for the error
 * @throws InvalidInput
 */
export function parseId(raw: unknown, advice = ID_ADVICE): string {
	const id = parsePart(raw, advice);
	if (!/[\s@]/.test(id)) return id;
	const shown = id.length > 40 ? `${id.slice(0, 40)}…` : id;
	throw new InvalidInput(`must be an ID, but '${shown}' looks like a name`, [], advice);
}

/**
 * Parses an identifier or a word for a path, without spaces at its ends: only what could change the meaning of a request is refused.
 * @throws InvalidInput
 */
export function parsePart(raw: unknown, advice = ID_ADVICE): string {
	const text = parseKey(raw, advice);
	if (/[/\\?#]/.test(text) || text === '.' || text === '..')
		throw new InvalidInput('is not an ID: it must not have / \\ ? # or be dots only', [], advice);
	return text;
}

/** Parses an identifier or a name, without spaces at its ends. @throws InvalidInput for what is neither */
export function parseKey(raw: unknown, advice = ID_ADVICE): string {
	const text = typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : undefined;
	if (raw === undefined || raw === null || text === '') throw new InvalidInput('must not be empty', [], advice);
	if (text === undefined) throw new InvalidInput('must be an ID', [], advice);
	if (NO_NUMBER.test(text) || findNoValue(text) !== undefined)
		throw new InvalidInput(`must be an ID, but is ${text}`, [], NO_VALUE_ADVICE);
	if (typeof raw === 'number' && Math.abs(raw) > Number.MAX_SAFE_INTEGER)
		throw new InvalidInput('is a number with more digits than a number can keep', [], 'Give the ID as a text.');
	// Checked before trimming, which would remove a line break at its end.
	if (typeof raw === 'string' && hasControlCharacter(raw))
		throw new InvalidInput('must not have line breaks or control characters', [], advice);
	if (text.length > MAX_ID_LENGTH)
		throw new InvalidInput(`must have at most ${MAX_ID_LENGTH} characters, but has ${text.length}`, [], advice);
	return text;
}

/** A second header with the company, which platforms need in requests about enrollments (deployment behaviour). */
const SECOND_HEADER = 'x-ir-company-id';

/**
 * The headers that name the company to act for (contract 4.1).
 * @throws InvalidInput for an ID that a header cannot carry: Node refuses most other letters, and sends the rest as Latin-1
 */
function companyHeaders({ company, endpoint }: ServiceRequest, name: string): Record<string, string> {
	if (!company) return {};
	if (!/^[\x20-\x7e]+$/.test(company.id))
		throw new InvalidInput(
			'must have only letters, digits and signs that a header can carry (ASCII)',
			['Company'],
			"Choose the company 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.",
		);
	const { secondHeader } = endpointOf(endpoint);
	return { [name]: company.id, ...(secondHeader ? { [SECOND_HEADER]: company.id } : {}) };
}

/** The path of a request with its placeholders filled in. @throws InvalidInput naming the placeholder */
function pathOf(template: string, values: Record<string, string> = {}): string {
	return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
		try {
			return encodeURIComponent(parsePart(values[name]));
		} catch (error) {
			throw error instanceof InvalidInput ? error.within(name) : new InvalidInput('is not text', [name]);
		}
	});
}

/** Returns the content of a file. @throws TypeError if it was not read yet, which is a mistake in our code */
export function getContent({ fileName, content }: Upload): Buffer {
	if (content === undefined) throw new TypeError(`The file ${fileName} was not read`);
	return content;
}

function createBlob(upload: Upload): Blob {
	return new Blob([new Uint8Array(getContent(upload))], { type: upload.mimeType });
}

/** Creates a multipart body. Each attempt needs a new one, because a body can be sent only once. */
function multipartOf(fields: FormFields): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) for (const entry of value) form.append(name, entry);
		else if (typeof value === 'object') form.append(name, createBlob(value), value.fileName);
		else form.append(name, String(value));
	}
	return form;
}

/** The body as it is sent: the leaderboard has the page and the order in an object of its own (deployment facts). */
function bodyOf({ endpoint, body, additionalFields, form }: ServiceRequest): IHttpRequestOptions['body'] {
	const { bare, pageInside } = endpointOf(endpoint);
	if (form) return multipartOf(form);
	if (body && bare !== undefined) return body[bare];
	if (!body || !pageInside) return body && { ...body, ...additionalFields };
	const page = ['pageNumber', 'pageSize', 'orderBy', 'ascending'];
	return { ...omit(body, page), pagination: pick(body, page), ...additionalFields };
}

/** What a request is sent with besides its own parts. */
export interface Sending {
	baseUrl: string;
	companyHeader: string;
	/** How long to wait for an answer, in ms. */
	timeoutMs: number;
	kind: 'json' | 'file';
	signal: AbortSignal;
}

/**
 * Creates the options for n8n's HTTP helper. Each attempt needs new ones, because the helper changes them, and a multipart
 * body can be sent only once.
 * @throws InvalidInput for an ID that cannot be sent
 */
export function httpOptionsOf(request: ServiceRequest, sending: Sending): IHttpRequestOptions {
	const { path: values, query, body } = request;
	const { method, path } = endpointOf(request.endpoint);
	const isFile = sending.kind === 'file';
	return {
		method,
		url: sending.baseUrl + pathOf(path, values),
		headers: {
			...companyHeaders(request, sending.companyHeader),
			...(body ? { 'Content-Type': 'application/json' } : {}),
			// Uncompressed, Content-Length is the length of the file itself.
			...(isFile ? { 'Accept-Encoding': 'identity', Accept: '*/*' } : {}),
		},
		qs: query,
		body: bodyOf(request),
		...(isFile ? { encoding: 'stream' } : { json: true }),
		timeout: sending.timeoutMs,
		abortSignal: sending.signal,
		returnFullResponse: true,
		// If n8n before 2.41 throws for a status, headers and body of the answer are lost (n8n-facts 12).
		ignoreHttpStatusErrors: true,
		// n8n would repeat a write, and send the token, other headers and a 307's body where they do not belong (n8n-facts 16).
		disableFollowRedirect: true,
	};
}
