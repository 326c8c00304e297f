/** What was thrown instead of an answer, as the versions of n8n throw it: n8n-core's own tests here run with one of them. */
import { connectionOf } from '../../nodes/core/http/credential';
import { readEnvelope } from '../../nodes/core/http/envelope';
import { retryAfterMs } from '../../nodes/core/http/responseErrors';
import { explainFault, explainTokenFault } from '../../nodes/core/http/networkErrors';
import { parseId } from '../../nodes/core/http/request';
import { formKey } from '../../nodes/core/http/requestVariants';

const connection = connectionOf({
	serverUrl: 'https://awareness.example.com',
	clientId: 'client',
	clientSecret: 'secret',
});
const request = { endpoint: 'POST /api/company-groups', purpose: 'try' } as const;
const thrown = (message: string, more: object = {}) => Object.assign(new Error(message), more);

/** Sure not to have landed, or perhaps. */
const NEVER = false;
const MAYBE = true;

test.each([
	// The HTTP library of n8n 2.41 gives the error of a cut answer the answer's status.
	['aborted', { code: 'ECONNRESET', status: 200, response: { status: 200 } }, /the connection was cut/, MAYBE],
	['stream has been aborted', { code: 'ERR_BAD_RESPONSE', response: { status: 500 } }, /the connection was cut/, MAYBE],
	['timeout of 2000ms exceeded', { code: 'ECONNABORTED', response: { status: 200 } }, /did not answer in time/, MAYBE],
	// A body that cannot be decompressed, before and since n8n 2.41.
	['incorrect header check', { httpCode: '502' }, /the service is having trouble \(502\)/, MAYBE],
	['incorrect header check', { code: 'Z_DATA_ERROR', response: { status: 200 } }, /cannot be read \(200\)/, MAYBE],
	['incorrect header check', { code: 'Z_DATA_ERROR', response: { status: 307 } }, /not followed \(307\)/, MAYBE],
	['connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }, /cannot be reached/, NEVER],
	['The service refused the connection', { httpCode: 'ECONNREFUSED' }, /cannot be reached/, NEVER],
	['getaddrinfo ENOTFOUND x.example', { code: 'ENOTFOUND' }, /cannot be reached/, NEVER],
	['getaddrinfo EAI_AGAIN x.example', { code: 'EAI_AGAIN' }, /cannot be reached/, NEVER],
	['connect EHOSTUNREACH 10.0.0.1:443', { code: 'EHOSTUNREACH' }, /cannot be reached/, MAYBE],
	['connect ENETUNREACH 10.0.0.1:443', { code: 'ENETUNREACH' }, /cannot be reached/, MAYBE],
	// Words are no codes: they may be the service's, or a name.
	['upstream: connect ECONNREFUSED', { code: 'Z_DATA_ERROR', response: { status: 502 } }, /trouble \(502\)/, MAYBE],
	['no luck with ENOTFOUND', {}, /the request could not be made/, MAYBE],
	['aborted', { config: { url: 'https://awareness.example.com/connect/token' } }, /the connection was cut/, MAYBE],
	['Request failed', { response: { status: 400 } }, /did not accept the input/, NEVER],
])('%s %j', (message, more, reason, mayHaveBeenApplied) => {
	const { details } = explainFault(thrown(message, more), request, connection);
	expect(details.reason).toMatch(reason);
	expect(details.mayHaveBeenApplied ?? false).toBe(mayHaveBeenApplied);
});

test.each([
	['HTTP status 404', { status: 404 }, /does not issue tokens/, undefined],
	['Client authentication failed', { code: 'EAUTH' }, /did not accept the Client ID or Client Secret/, undefined],
	['HTTP status 407', { status: 407 }, /a proxy between n8n and the service asks for a sign-in/, undefined],
	['aborted', { code: 'ECONNRESET' }, /could not issue a token/, true],
	['Request failed', { response: { status: 503 } }, /could not issue a token \(503\)/, true],
	['connect ENETUNREACH', { code: 'ENETUNREACH' }, /cannot be reached/, true],
])('of a token request: %s %j', (message, more, reason, transient) => {
	const { details } = explainTokenFault(thrown(message, more), connection);
	expect(details.reason).toMatch(reason);
	expect([details.transient, details.mayHaveBeenApplied ?? false]).toEqual([transient, false]);
});

test.each([
	['2', 2000],
	[' 120.5 ', 120_500],
	['0.5', 500],
	['0', 0],
	['86400', 86_400_000],
	['Wed, 21 Oct 2015 07:28:00 GMT', 0],
	['-5', undefined],
	['1e3', undefined],
	['NaN', undefined],
	['Infinity', undefined],
	['2099', 2_099_000],
	['2099-10-21', undefined],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
])('Retry-After %j is a wait of %j ms', (header, ms) => {
	expect(retryAfterMs(header)).toBe(ms);
});

test('Retry-After as a date is the time until then', () => {
	const wait = retryAfterMs(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0;
	expect(Math.abs(wait - 3_600_000)).toBeLessThan(2000);
});

test.each([NaN, Infinity, -Infinity, 'NaN', ' Infinity ', '-Infinity', 'undefined', 'null', '[object Object]'])(
	'%p is no ID',
	(raw) => {
		expect(() => parseId(raw)).toThrow('must be an ID');
	},
);

test.each(['Nanny', 'NaN-1', 'infinity', 0, 42])('%p is one', (raw) => {
	expect(parseId(raw)).toBe(String(raw));
});

test.each(['message', 'messages', 'validationMessages', 'errors', 'detail', 'title'])(
	"an envelope's %s is shown, beside the others",
	(field) => {
		expect(readEnvelope({ [field]: 'What was wrong', status: 400, code: 'x' })?.messages).toEqual(['What was wrong']);
	},
);

test.each(['ERROR', 'FAILED', 'INVALID_INPUT', 'ACCESS_DENIED'])('the word %s on 200 is a failure', (status) => {
	expect(readEnvelope({ data: {}, status })?.failed).toBe(true);
});

test('an ID may have 256 characters', () => {
	expect(parseId('x'.repeat(256))).toHaveLength(256);
});

test('forms that differ in what can be left out are remembered apart', () => {
	const asked = { endpoint: 'POST /api/scim/search', purpose: 'try' } as const;
	expect(formKey({ ...asked, body: { activityType: 0 } })).not.toBe(formKey({ ...asked, body: {} }));
});
