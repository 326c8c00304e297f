import { isRecord, tryParseJson } from '../values';

/** A JSON response, separated into its payload and the platform's statements about the result (contract 2.1). */
export interface Envelope {
	/** The payload. It is undefined if the response has none, or no body at all. */
	data: unknown;
	messages: string[];
	/**
	 * True if the body reports a failure. The HTTP status may be 2xx nevertheless (deployment behaviour, "Token, roles,
	 * errors").
	 */
	isFailure: boolean;
	/** The word with which the platform names the result, such as INPUT_ERROR (deployment behaviour, "Token, roles, errors"). */
	statusWord?: string;
}

/**
 * The envelope's field names in lower case, because platforms differ in their case (contract 2.1; deployment facts, "Responses";
 * deployment behaviour, "Token, roles, errors").
 */
const ENVELOPE_FIELDS = ['data', 'status', 'message', 'validationmessages', 'issuccess', 'messages', 'code'];
/** The fields of an error in the "problem details" format, in lower case (contract 4.2). */
const PROBLEM_FIELDS = ['type', 'title', 'detail', 'errors', 'instance', 'traceid'];
const ENVELOPE_AND_PROBLEM_FIELDS = new Set([...ENVELOPE_FIELDS, ...PROBLEM_FIELDS]);
const MESSAGE_FIELDS = ['validationmessages', 'messages', 'errors', 'message', 'detail', 'title'];

const FAILURE_WORD = /error|fail|invalid|denied/i;
/**
 * Matches a token or a URL that is sent as plain text instead of JSON. It doesn't match a web page, a sentence or
 * truncated JSON.
 */
const BARE_TOKEN_OR_URL = /^[\w.~+/=:?&%#-]{8,4096}$/;

/**
 * Reads a JSON response, which may be parsed already or still be text. If it has no envelope, the whole response is the payload.
 * @returns undefined if the body isn't JSON, for example a web page or truncated JSON
 */
export function readEnvelope(body: unknown): Envelope | undefined {
	if (body === undefined || body === null || body === '') return { data: undefined, messages: [], isFailure: false };
	const parsed = typeof body === 'string' ? tryParseJson(body) : { value: body };
	const json = 'value' in parsed ? parsed.value : body;
	if (Array.isArray(json) || (typeof json === 'string' && BARE_TOKEN_OR_URL.test(json)))
		return { data: json, messages: [], isFailure: false };
	if (!isRecord(json)) return undefined;
	const fields = new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
	const isBareRecord = !fields.has('data') && [...fields.keys()].some((name) => !ENVELOPE_AND_PROBLEM_FIELDS.has(name));
	const messages = [...new Set(MESSAGE_FIELDS.flatMap((name) => collectTexts(fields.get(name))))];
	const statusWord = [fields.get('code'), fields.get('status')].find((word) => typeof word === 'string' && word !== '');
	return {
		data: isBareRecord ? json : fields.get('data'),
		messages,
		isFailure: isFailureResponse(fields, isBareRecord),
		statusWord: typeof statusWord === 'string' ? statusWord : undefined,
	};
}

/**
 * Returns true if a response reports a failure.
 * @param fields the fields of the response, by lower-case name
 * @param isBareRecord true if the response is a record without an envelope
 */
function isFailureResponse(fields: ReadonlyMap<string, unknown>, isBareRecord: boolean): boolean {
	if (typeof fields.get('issuccess') === 'boolean') return fields.get('issuccess') === false;
	// The status of a record is not the status of the request. An enrollment may have the status "Error", for example.
	if (isBareRecord) return false;
	const statusWords = [fields.get('status'), fields.get('code')];
	if (statusWords.some((word) => typeof word === 'string' && FAILURE_WORD.test(word))) return true;
	// Validation messages report a failure if there is no data.
	return (fields.get('data') ?? null) === null && collectTexts(fields.get('validationmessages')).length > 0;
}

/**
 * Collects the messages from a text, from a list of texts, or from an object with such a list for each field (problem
 * details).
 */
function collectTexts(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (Array.isArray(value)) return value.flatMap(collectTexts);
	return isRecord(value) ? Object.values(value).flatMap(collectTexts) : [];
}
