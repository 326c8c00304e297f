import { isRecord, tryJson } from '../values';

/** A JSON answer, separated into its payload and what the service says about the outcome (contract 2.1). */
export interface Envelope {
	/** undefined where the answer has no payload, or no body at all. */
	data: unknown;
	messages: string[];
	/** Whether the answer itself says that the operation failed, which counts on 2xx too (deployment behaviour). */
	failed: boolean;
	/** The service's word for the outcome, such as INPUT_ERROR (deployment behaviour). */
	status?: string;
}

/** The envelope's own fields in lower case, because their case varies (contract 2.1, deployment facts and behaviour). */
const ENVELOPE_FIELDS = ['data', 'status', 'message', 'validationmessages', 'issuccess', 'messages', 'code'];
/** Problem details (contract 4.2). */
const PROBLEM_FIELDS = ['type', 'title', 'detail', 'errors', 'instance', 'traceid'];
const OWN_FIELDS = new Set([...ENVELOPE_FIELDS, ...PROBLEM_FIELDS]);
const MESSAGE_FIELDS = ['validationmessages', 'messages', 'errors', 'message', 'detail', 'title'];

const FAILURE = /error|fail|invalid|denied/i;
/** A token or an address that is answered without any JSON around it: no page, no sentence, no cut JSON. */
const BARE_WORD = /^[\w.~+/=:?&%#-]{8,4096}$/;

/**
 * Reads a JSON answer, parsed or as text; without an envelope, the whole answer is the payload.
 * @returns undefined for anything else, such as a web page or a JSON text that was cut
 */
export function readEnvelope(body: unknown): Envelope | undefined {
	if (body === undefined || body === null || body === '') return { data: undefined, messages: [], failed: false };
	const parsed = typeof body === 'string' ? tryJson(body) : { value: body };
	const json = 'value' in parsed ? parsed.value : body;
	if (Array.isArray(json) || (typeof json === 'string' && BARE_WORD.test(json)))
		return { data: json, messages: [], failed: false };
	if (!isRecord(json)) return undefined;
	const words = new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
	const isRecordItself = !words.has('data') && [...words.keys()].some((name) => !OWN_FIELDS.has(name));
	const messages = [...new Set(MESSAGE_FIELDS.flatMap((name) => textsIn(words.get(name))))];
	const status = [words.get('code'), words.get('status')].find((word) => typeof word === 'string' && word !== '');
	return {
		data: isRecordItself ? json : words.get('data'),
		messages,
		failed: saysFailed(words, isRecordItself),
		status: typeof status === 'string' ? status : undefined,
	};
}

function saysFailed(words: ReadonlyMap<string, unknown>, isRecordItself: boolean): boolean {
	if (typeof words.get('issuccess') === 'boolean') return words.get('issuccess') === false;
	// A record may have a status of its own, such as "Error" for an enrollment.
	if (isRecordItself) return false;
	const status = words.get('status');
	if ([status, words.get('code')].some((word) => typeof word === 'string' && FAILURE.test(word))) return true;
	return (words.get('data') ?? null) === null && textsIn(words.get('validationmessages')).length > 0;
}

/** The messages in a text, a list of texts, or an object with a list of them for each field (problem details). */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (Array.isArray(value)) return value.flatMap(textsIn);
	return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
