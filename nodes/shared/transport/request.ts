import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInput } from './errors';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A row of the contract's section 4: "POST /api/companies/search". */
export type ContractKey = `${Method} /api/${string}`;

/** The {placeholders} of a contract key. */
export type PathNames<K extends string> = K extends `${string}{${infer Name}}${infer Rest}`
	? Name | PathNames<Rest>
	: never;

/** A file to upload. */
export interface Upload {
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** The fields of a multipart/form-data body; arrays become repeated fields, undefined is left out. */
export type FormFields = Record<string, string | number | boolean | string[] | Upload | undefined>;

/** A company to act for. */
export interface Company {
	id: string;
	/** As the service calls it; empty where only the ID is known. */
	name: string;
}

/** A request to the service, before its address and token are known. */
export interface ServiceRequest {
	contract: ContractKey;
	/** Values for the contract key's placeholders, not yet encoded. */
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** Fields that a person adds and that nobody documented; merged into the body last. */
	more?: IDataObject;
	form?: FormFields;
	/** Sent in the scoping header (contract 4.1). */
	company?: Company;
	/** Whether sending it twice does no harm: GET, and every search or export. */
	repeatable: boolean;
	/** What is being done, for messages: "get many companies". */
	purpose: string;
	/** Aborted when nobody needs the answer any more: then the request is not sent, or not repeated. */
	signal?: AbortSignal;
	/**
	 * Other paths at which some deployments have the same operation (deployment facts: agent-auth without v2), the
	 * likeliest first.
	 */
	fallbackContracts?: readonly ContractKey[];
	/** Whether the contract does not have this operation, so that a deployment may lack it: a 404 is explained that way. */
	isOptional?: boolean;
	/** Values of this request that must never be shown. */
	secrets?: string[];
}

const MAX_ID_LENGTH = 256;

const ID_ADVICE = 'Choose an entry from the list, or enter the ID exactly as the service gave it.';

/** What an expression leaves of something that is none, also within a text. */
const NO_VALUE = /^([+-]?(NaN|Infinity)|undefined|null|\[object Object\])$/;

const hasControlCharacter = (text: string) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);

/**
 * Parses an identifier for a path or a header, without spaces at its ends. Identifiers are opaque (contract 2), so only what
 * could change the meaning of a request is refused.
 * @param advice how to put right what is none, for the error
 * @throws InvalidInput
 */
export function parseId(raw: unknown, advice = ID_ADVICE): string {
	const text = typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : undefined;
	if (raw === undefined || raw === null || text === '') throw new InvalidInput('must not be empty', [], advice);
	if (text === undefined) throw new InvalidInput('must be an ID', [], advice);
	if (NO_VALUE.test(text)) throw new InvalidInput(`must be an ID, but is ${text}`, [], advice);
	// Checked before trimming, which would remove a line break at its end.
	if (typeof raw === 'string' && hasControlCharacter(raw))
		throw new InvalidInput('must not have line breaks or control characters', [], advice);
	if (text.length > MAX_ID_LENGTH)
		throw new InvalidInput(`must have at most ${MAX_ID_LENGTH} characters, but has ${text.length}`, [], advice);
	if (/[/\\?#]/.test(text) || text === '.' || text === '..')
		throw new InvalidInput('is not an ID: it must not have / \\ ? # or be dots only', [], advice);
	return text;
}

/** A second header with the company, which platforms need in requests about enrollments (deployment behaviour). */
const ENROLLMENT_HEADER = 'x-ir-company-id';

/**
 * The headers that name the company to act for (contract 4.1).
 * @throws InvalidInput for an ID that a header cannot carry: Node refuses most other letters, and sends the rest as Latin-1
 */
function companyHeaders({ company, contract }: ServiceRequest, name: string): Record<string, string> {
	if (!company) return {};
	if (!/^[\x20-\x7e]+$/.test(company.id))
		throw new InvalidInput(
			'must have only letters, digits and signs that a header can carry (ASCII)',
			['Company'],
			"Choose the company 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.",
		);
	const isAboutEnrollments = /^\w+ \/api\/enrollments(\/|$)/.test(contract);
	return { [name]: company.id, ...(isAboutEnrollments ? { [ENROLLMENT_HEADER]: company.id } : {}) };
}

/** The path of a request with its placeholders filled in. @throws InvalidInput naming the placeholder */
function pathOf(contract: ContractKey, values: Record<string, string> = {}): string {
	const template = contract.slice(contract.indexOf(' ') + 1);
	return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
		try {
			return encodeURIComponent(parseId(values[name]));
		} catch (error) {
			throw error instanceof InvalidInput ? error.within(name) : new InvalidInput('is not text', [name]);
		}
	});
}

/** The contract key in the notation of the token's permissions: "companies/search|POST". */
export function permissionOf(contract: ContractKey): string {
	const [method, path = ''] = contract.split(' ');
	return `${path.replace(/^\/api\//, '')}|${method}`;
}

/** Creates a multipart body. Each attempt needs a new one, because a body can be sent only once. */
function multipartOf(fields: FormFields): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) for (const entry of value) form.append(name, entry);
		else if (typeof value === 'object')
			form.append(name, new Blob([new Uint8Array(value.content)], { type: value.mimeType }), value.fileName);
		else form.append(name, String(value));
	}
	return form;
}

const methodShape = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What a request is sent with besides its own parts. */
interface Sending {
	baseUrl: string;
	/** The name of the company header. */
	companyHeader: string;
	/** How long to wait for an answer, in ms. */
	timeoutMs: number;
	/** What the answer is. */
	kind: 'json' | 'file';
	signal: AbortSignal;
}

/**
 * Creates the options for n8n's HTTP helper. Each attempt needs new ones, because the helper changes them, and a multipart
 * body can be sent only once.
 * @throws InvalidInput for an ID that cannot be sent
 */
export function httpOptionsOf(request: ServiceRequest, sending: Sending): IHttpRequestOptions {
	const { contract, path, query, body, more, form } = request;
	const [method] = contract.split(' ');
	const isFile = sending.kind === 'file';
	return {
		method: methodShape.parse(method),
		url: sending.baseUrl + pathOf(contract, path),
		headers: {
			...companyHeaders(request, sending.companyHeader),
			...(body ? { 'Content-Type': 'application/json' } : {}),
			// Uncompressed, Content-Length is the length of the file itself.
			...(isFile ? { 'Accept-Encoding': 'identity', Accept: '*/*' } : {}),
		},
		...(query ? { qs: query } : {}),
		...(body ? { body: { ...body, ...more } } : {}),
		...(form ? { body: multipartOf(form) } : {}),
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
