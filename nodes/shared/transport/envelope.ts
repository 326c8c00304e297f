import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

export interface Envelope {
	data: unknown;
	/** Everything the service said in words, once each. */
	messages: string[];
	/** Whether the answer says of itself that the operation did not work. */
	failed: boolean;
	/** The service's own word for the outcome, such as INPUT_ERROR (deployment behaviour), which counts more than the HTTP status. */
	outcome?: string;
	/** What stands beside data that is there, and is none of the envelope's words. */
	beside?: Record<string, unknown>;
	/** When it was answered by the service's own clock (its Date header), in ms. */
	servedAt?: number;
}

/** The envelope's own words (contract 2.1; isSuccess and messages: deployment facts). Their case varies, so it is ignored. */
const OUTCOME = ['data', 'status', 'message', 'messages', 'validationmessages', 'issuccess'];
/** What tells of a failure beside them: error codes, problem details (contract 4.2), OAuth errors. */
const FAULT = ['code', 'title', 'detail', 'type', 'errors', 'error', 'error_description'];
/** What only finds an answer again in the service's log. */
const TRACE = ['traceid', 'requestid', 'correlationid', 'timestamp', 'instance', 'path', 'statuscode', 'version'];
const WORDS = new Set([...OUTCOME, ...FAULT, ...TRACE]);

const SAYS_FAILED = /error|fail|invalid|denied|forbidden|unauthori[sz]ed|not.?found/i;
/** How the service writes its own outcomes (INPUT_ERROR), and no record its status. */
const MACHINE_WORD = /^[A-Z]+(_[A-Z]+)+$/;
/** A status that says no more than that it worked. */
const SAYS_DONE = /^(ok|true|done|success|successful|successfully|succeeded|completed?|created|accepted|no.?content)$/i;
/** An address or a token, answered without any JSON around it. */
const BARE_VALUE = /^(https?:\/\/[^\s<>"]+|[\w-]+\.[\w-]+\.[\w-]+)$/;
/** A token or an ID by itself: no page, no sentence. */
const ONE_WORD = /^\s*[\w.~+/=:-]{8,4096}\s*$/;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isNothing = (value: unknown) => value === null || value === undefined;

const isEmpty = (value: unknown) =>
	isNothing(value) || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * Reads a JSON answer, with or without the envelope of contract 2.1. What the service answered is never dropped: an answer
 * without `data`, or with an empty one, is its own payload as soon as it has any field that is none of the envelope's.
 * Such a record may have a status or a message of its own, so it is a failure only by isSuccess or the service's own
 * words for one (INPUT_ERROR); inside an envelope any status that speaks of a failure is one, also with a 2xx.
 * @param mayBeText whether the answer may be one word, such as a token, that is not to be lost
 * @returns undefined when the answer is no JSON object, list, token or address: a web page, say, or cut text
 */
export function readEnvelope(body: unknown, mayBeText = false): Envelope | undefined {
	const json = typeof body === 'string' ? parseJson(body) : body;
	if (Array.isArray(json)) return { data: json, messages: [], failed: false };
	if (!isFields(json)) {
		const bare = typeof json === 'string' ? json : body;
		return typeof bare === 'string' && (BARE_VALUE.test(bare) || (mayBeText && ONE_WORD.test(bare)))
			? { data: bare, messages: [], failed: false }
			: undefined;
	}
	const words = wordsOf(json);
	const fields = Object.entries(json).filter(([name]) => !WORDS.has(name.toLowerCase()));
	const messages = messagesIn(words);
	const failed = saysFailed(
		words,
		fields.some(([, value]) => !isEmpty(value)),
	);
	const data = payloadOf(json, words, fields);
	const isBeside = words.has('data') && !isEmpty(words.get('data'));
	const outcome = [words.get('status'), words.get('code')].find(
		(word) => typeof word === 'string' && MACHINE_WORD.test(word.trim()),
	);
	return {
		data,
		messages,
		failed,
		...(typeof outcome === 'string' ? { outcome: outcome.trim() } : {}),
		...(isBeside && fields.length > 0 ? { beside: Object.fromEntries(fields) } : {}),
	};
}

/** The envelope's words by their names in lower case; those in the contract's own case win. */
function wordsOf(json: Fields): Map<string, unknown> {
	const isContracts = (name: string) => /^[a-z]/.test(name);
	const words = Object.entries(json).filter(([name]) => WORDS.has(name.toLowerCase()));
	words.sort(([one], [other]) => Number(isContracts(one)) - Number(isContracts(other)));
	return new Map(words.map(([name, value]) => [name.toLowerCase(), value]));
}

function payloadOf(json: Fields, words: Map<string, unknown>, fields: Array<[string, unknown]>): unknown {
	const data = words.get('data');
	if (!isEmpty(data)) return data;
	const status = words.get('status');
	const tells =
		fields.length > 0 ||
		FAULT.some((word) => !isEmpty(words.get(word))) ||
		(typeof status === 'string' && status.trim() !== '' && !SAYS_DONE.test(status.trim()));
	const isEnvelope = ['data', 'status', 'issuccess'].some((word) => words.has(word));
	if (!isEnvelope || (fields.length > 0 && !words.has('data'))) return json;
	if (!tells) return data;
	const rest = Object.entries(json).filter(([name, value]) => !WORDS.has(name.toLowerCase()) || !isEmpty(value));
	return Object.fromEntries(rest.filter(([name]) => name.toLowerCase() !== 'data'));
}

/** @param hasContent whether there is more than the envelope's words, so that these may be a record's own */
function saysFailed(words: Map<string, unknown>, hasContent: boolean): boolean {
	const isEnvelope = words.has('data') || !hasContent;
	const [status, code] = [words.get('status'), words.get('code')];
	const isSuccess = yesOrNo(words.get('issuccess'));
	if (isSuccess === false) return true;
	const isFailure = (word: unknown) =>
		typeof word === 'string' && SAYS_FAILED.test(word) && (isEnvelope || MACHINE_WORD.test(word.trim()));
	if (isFailure(status) || isFailure(code)) return true;
	if (!isEnvelope || !isNothing(words.get('data')) || isSuccess === true) return false;
	// Problem details say it by a number.
	const isErrorStatus = typeof status === 'number' && status >= 400 && status < 600;
	return isErrorStatus || ['validationmessages', 'errors', 'error'].some((word) => textsIn(words.get(word)).length > 0);
}

function yesOrNo(value: unknown): boolean | undefined {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : undefined;
}

function messagesIn(words: Map<string, unknown>): string[] {
	const said = ['validationmessages', 'messages', 'errors', 'message', 'detail', 'error_description', 'title'];
	const messages = said.flatMap((word) => textsIn(words.get(word)));
	return [...new Set(messages.length > 0 ? messages : textsIn(words.get('error')))];
}

/** How deep messages are looked for. */
const DEEPEST = 4;

/** A text, texts in a list, those of { message } or { description }, or lists of them by the field that they are about. */
function textsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (depth > DEEPEST) return [];
	if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
	if (!isFields(value)) return [];
	const named = new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]));
	const own = named.get('message') ?? named.get('description');
	if (typeof own === 'string') return textsIn(own);
	return Object.values(value).flatMap((each) => (Array.isArray(each) ? textsIn(each, depth + 1) : []));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const record = z.record(z.unknown());

/** A value as an n8n item's json: objects as they are, anything else under a name. */
export function toJson(value: unknown, name = 'value'): IDataObject {
	const parsed = record.safeParse(value);
	// What came out of JSON is what an item's json may hold.
	return (parsed.success ? parsed.data : { [name]: value }) as IDataObject;
}
