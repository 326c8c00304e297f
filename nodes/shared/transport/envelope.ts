import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { jsonOrUndefined } from './json';
import { isRecord } from './record';

/** A JSON answer, separated into its payload and what the service says about the outcome (contract 2.1). */
export interface Envelope {
	data: unknown;
	/** All messages of the service, each once. */
	messages: string[];
	/** Whether the answer itself says that the operation failed. */
	failed: boolean;
	/**
	 * The service's code for the outcome, such as INPUT_ERROR (deployment behaviour); it counts more than the HTTP
	 * status.
	 */
	outcome?: string;
	/** Fields next to non-empty data that do not belong to the envelope. */
	otherFields?: Record<string, unknown>;
	/** When the service answered, by its own clock (the Date header), in ms since 1970. */
	servedAt?: number;
}

/**
 * The names of the envelope's own fields (contract 2.1; isSuccess and messages: deployment facts), in lower case
 * because their case varies.
 */
const ENVELOPE_FIELDS = ['data', 'status', 'message', 'messages', 'validationmessages', 'issuccess'];
/** Further fields that describe a failure: error codes, problem details (contract 4.2), OAuth errors. */
const ERROR_FIELDS = ['code', 'title', 'detail', 'type', 'errors', 'error', 'error_description'];
/** Fields that only serve to find the answer in the service's log. */
const TRACE_FIELDS = [
	'traceid',
	'requestid',
	'correlationid',
	'timestamp',
	'instance',
	'path',
	'statuscode',
	'version',
];
const KNOWN_FIELDS = new Set([...ENVELOPE_FIELDS, ...ERROR_FIELDS, ...TRACE_FIELDS]);

const FAILURE_TEXT = /error|fail|invalid|denied|forbidden|unauthori[sz]ed|not.?found/i;
/** The form of the service's outcome codes (INPUT_ERROR); the status of a record never has it. */
const OUTCOME_CODE = /^[A-Z]+(_[A-Z]+)+$/;
/** A status that only says that the operation succeeded. */
const SUCCESS_TEXT =
	/^(ok|true|done|success|successful|successfully|succeeded|completed?|created|accepted|no.?content)$/i;
/** An address or a token that is answered without any JSON around it. */
const BARE_VALUE = /^(https?:\/\/[^\s<>"]+|[\w-]+\.[\w-]+\.[\w-]+)$/;
/** A token or an ID alone, not a web page and not a sentence. */
const SINGLE_WORD = /^\s*[\w.~+/=:-]{8,4096}\s*$/;

type Fields = Record<string, unknown>;

const isNil = (value: unknown) => value === null || value === undefined;

const isEmpty = (value: unknown) =>
	isNil(value) || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * Reads a JSON answer, with or without the envelope of contract 2.1. No content is dropped: if `data` is missing or empty
 * and the answer has any field that does not belong to the envelope, the whole answer is the payload. Such a record may
 * have a status or a message of its own, so it counts as a failure only by isSuccess or an outcome code (INPUT_ERROR).
 * Inside an envelope every status that means a failure counts, also with HTTP 2xx.
 * @param body parsed JSON, or text
 * @param mayBeText whether the answer may be a single word, such as a token
 * @returns undefined when the answer is no JSON object, list, token or address, for example a web page or incomplete text
 */
export function readEnvelope(body: unknown, mayBeText = false): Envelope | undefined {
	const json = typeof body === 'string' ? jsonOrUndefined(body) : body;
	if (Array.isArray(json)) return { data: json, messages: [], failed: false };
	if (!isRecord(json)) {
		const bare = typeof json === 'string' ? json : body;
		return typeof bare === 'string' && (BARE_VALUE.test(bare) || (mayBeText && SINGLE_WORD.test(bare)))
			? { data: bare, messages: [], failed: false }
			: undefined;
	}
	const words = knownFieldsOf(json);
	const fields = Object.entries(json).filter(([name]) => !KNOWN_FIELDS.has(name.toLowerCase()));
	const messages = messagesIn(words);
	const failed = saysFailed(
		words,
		fields.some(([, value]) => !isEmpty(value)),
	);
	const data = payloadOf(json, words, fields);
	const hasData = words.has('data') && !isEmpty(words.get('data'));
	const outcome = [words.get('status'), words.get('code')].find(
		(word) => typeof word === 'string' && OUTCOME_CODE.test(word.trim()),
	);
	return {
		data,
		messages,
		failed,
		...(typeof outcome === 'string' ? { outcome: outcome.trim() } : {}),
		...(hasData && fields.length > 0 ? { otherFields: Object.fromEntries(fields) } : {}),
	};
}

/**
 * The known fields by their names in lower case. If two names differ in case only, the one in the contract's spelling is
 * used.
 */
function knownFieldsOf(json: Fields): Map<string, unknown> {
	const isLowerCamelCase = (name: string) => /^[a-z]/.test(name);
	const words = Object.entries(json).filter(([name]) => KNOWN_FIELDS.has(name.toLowerCase()));
	words.sort(([one], [other]) => Number(isLowerCamelCase(one)) - Number(isLowerCamelCase(other)));
	return new Map(words.map(([name, value]) => [name.toLowerCase(), value]));
}

function payloadOf(json: Fields, words: Map<string, unknown>, fields: Array<[string, unknown]>): unknown {
	const data = words.get('data');
	if (!isEmpty(data)) return data;
	const status = words.get('status');
	const hasInformation =
		fields.length > 0 ||
		ERROR_FIELDS.some((word) => !isEmpty(words.get(word))) ||
		(typeof status === 'string' && status.trim() !== '' && !SUCCESS_TEXT.test(status.trim()));
	const isEnvelope = ['data', 'status', 'issuccess'].some((word) => words.has(word));
	if (!isEnvelope || (fields.length > 0 && !words.has('data'))) return json;
	if (!hasInformation) return data;
	const rest = Object.entries(json).filter(([name, value]) => !KNOWN_FIELDS.has(name.toLowerCase()) || !isEmpty(value));
	return Object.fromEntries(rest.filter(([name]) => name.toLowerCase() !== 'data'));
}

/** @param hasOtherFields whether there are fields beyond the known ones, so that these may belong to a record */
function saysFailed(words: Map<string, unknown>, hasOtherFields: boolean): boolean {
	const isEnvelope = words.has('data') || !hasOtherFields;
	const [status, code] = [words.get('status'), words.get('code')];
	const isSuccess = toBoolean(words.get('issuccess'));
	if (isSuccess === false) return true;
	const isFailure = (word: unknown) =>
		typeof word === 'string' && FAILURE_TEXT.test(word) && (isEnvelope || OUTCOME_CODE.test(word.trim()));
	if (isFailure(status) || isFailure(code)) return true;
	if (!isEnvelope || !isNil(words.get('data')) || isSuccess === true) return false;
	// Problem details have the HTTP status as a number.
	const isErrorStatus = typeof status === 'number' && status >= 400 && status < 600;
	return isErrorStatus || ['validationmessages', 'errors', 'error'].some((word) => textsIn(words.get(word)).length > 0);
}

function toBoolean(value: unknown): boolean | undefined {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : undefined;
}

function messagesIn(words: Map<string, unknown>): string[] {
	const messageFields = ['validationmessages', 'messages', 'errors', 'message', 'detail', 'error_description', 'title'];
	const messages = messageFields.flatMap((word) => textsIn(words.get(word)));
	return [...new Set(messages.length > 0 ? messages : textsIn(words.get('error')))];
}

/** How many levels deep messages are searched for. */
const MAX_DEPTH = 4;

/**
 * The messages in a text, a list, an object with `message` or `description`, or an object with a list of messages per
 * field.
 */
function textsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
	if (!isRecord(value)) return [];
	const named = new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]));
	const own = named.get('message') ?? named.get('description');
	if (typeof own === 'string') return textsIn(own);
	return Object.values(value).flatMap((each) => (Array.isArray(each) ? textsIn(each, depth + 1) : []));
}

const record = z.record(z.unknown());

/** A value as the json of an n8n item: an object as it is, anything else as the field `name`. */
export function toJson(value: unknown, name = 'value'): IDataObject {
	const parsed = record.safeParse(value);
	// Values parsed from JSON are valid in an item's json.
	return (parsed.success ? parsed.data : { [name]: value }) as IDataObject;
}
