/**
 * Tests how n8n's errors are explained. This file imitates the errors of several versions of n8n, because the other tests run with
 * only one version of n8n-core. It also tests how Retry-After headers, envelopes and IDs are read.
 */
import { parseCredential } from '../../nodes/core/http/credential';
import { readEnvelope } from '../../nodes/core/http/envelope';
import { parseRetryAfter } from '../../nodes/core/http/responseErrors';
import { explainNetworkError, explainTokenError } from '../../nodes/core/http/networkErrors';
import { parseId } from '../../nodes/core/http/resourceId';
import { getVariantKey } from '../../nodes/core/http/requestVariants';

const credential = parseCredential({
	serverUrl: 'https://awareness.example.com',
	clientId: 'client',
	clientSecret: 'secret',
});
const request = { endpoint: 'POST /api/company-groups', purpose: 'try' } as const;
const createError = (message: string, properties: object = {}) => Object.assign(new Error(message), properties);

/** The expected `mayHaveBeenApplied`: false if a write was certainly not carried out, true if it may have been carried out. */
const NOT_APPLIED = false;
const MAYBE_APPLIED = true;

test.each([
	// In n8n 2.41, the error of a truncated response has the response's status.
	['aborted', { code: 'ECONNRESET', status: 200, response: { status: 200 } }, /the connection ended/, MAYBE_APPLIED],
	[
		'stream has been aborted',
		{ code: 'ERR_BAD_RESPONSE', response: { status: 500 } },
		/the connection ended/,
		MAYBE_APPLIED,
	],
	[
		'timeout of 2000ms exceeded',
		{ code: 'ECONNABORTED', response: { status: 200 } },
		/did not respond in time/,
		MAYBE_APPLIED,
	],
	// The errors for a body that can't be decompressed: first the error of n8n before 2.41, then those of n8n 2.41 and later.
	['incorrect header check', { httpCode: '502' }, /the platform had an internal error \(502\)/, MAYBE_APPLIED],
	[
		'incorrect header check',
		{ code: 'Z_DATA_ERROR', response: { status: 200 } },
		/cannot read the response \(200\)/,
		MAYBE_APPLIED,
	],
	[
		'incorrect header check',
		{ code: 'Z_DATA_ERROR', response: { status: 307 } },
		/another address \(307\)/,
		MAYBE_APPLIED,
	],
	['connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }, /n8n cannot reach/, NOT_APPLIED],
	['The service refused the connection', { httpCode: 'ECONNREFUSED' }, /n8n cannot reach/, NOT_APPLIED],
	['getaddrinfo ENOTFOUND x.example', { code: 'ENOTFOUND' }, /n8n cannot reach/, NOT_APPLIED],
	['getaddrinfo EAI_AGAIN x.example', { code: 'EAI_AGAIN' }, /n8n cannot reach/, NOT_APPLIED],
	['connect EHOSTUNREACH 10.0.0.1:443', { code: 'EHOSTUNREACH' }, /n8n cannot reach/, MAYBE_APPLIED],
	['connect ENETUNREACH 10.0.0.1:443', { code: 'ENETUNREACH' }, /n8n cannot reach/, MAYBE_APPLIED],
	[
		'unable to verify the first certificate',
		{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
		/does not trust the server's certificate/,
		NOT_APPLIED,
	],
	['wrong version number', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, /does not support https/, NOT_APPLIED],
	['write EPROTO', { code: 'EPROTO' }, /does not support https/, NOT_APPLIED],
	// The client looks for words such as ECONNREFUSED only in error codes. A message may contain them by chance, because it may quote the
	// platform.
	[
		'upstream: connect ECONNREFUSED',
		{ code: 'Z_DATA_ERROR', response: { status: 502 } },
		/internal error \(502\)/,
		MAYBE_APPLIED,
	],
	['no luck with ENOTFOUND', {}, /the request failed/, MAYBE_APPLIED],
	[
		'aborted',
		{ config: { url: 'https://awareness.example.com/connect/token' } },
		/the connection ended/,
		MAYBE_APPLIED,
	],
	['Request failed', { response: { status: 400 } }, /did not accept the input/, NOT_APPLIED],
])('network error: %s %j', (message, properties, reason, mayHaveBeenApplied) => {
	const { details } = explainNetworkError(createError(message, properties), request, credential);
	expect(details.reason).toMatch(reason);
	expect(details.mayHaveBeenApplied ?? false).toBe(mayHaveBeenApplied);
});

test('the error shows the message of the innermost cause that has one', () => {
	const thrown = createError('The file is broken', {
		cause: createError('disk 7 is full', { cause: createError('') }),
	});
	expect(explainNetworkError(thrown, request, credential).details.advice).toBe('n8n reports: disk 7 is full');
});

test.each([
	['HTTP status 404', { status: 404 }, /does not issue tokens/, undefined],
	['HTTP status 405', { status: 405 }, /does not issue tokens/, undefined],
	['HTTP status 302', { status: 302 }, /does not issue tokens/, undefined],
	['HTTP status 429', { status: 429 }, /could not issue a token \(429\)/, true],
	['Client authentication failed', { code: 'EAUTH' }, /did not accept the Client ID or Client Secret/, undefined],
	['HTTP status 407', { status: 407 }, /a proxy between n8n and the platform requires a sign-in/, undefined],
	['aborted', { code: 'ECONNRESET' }, /could not issue a token/, true],
	['Request failed', { response: { status: 503 } }, /could not issue a token \(503\)/, true],
	['connect ENETUNREACH', { code: 'ENETUNREACH' }, /n8n cannot reach/, true],
])('token request: %s %j', (message, properties, reason, isTransient) => {
	const { details } = explainTokenError(createError(message, properties), credential);
	expect(details.reason).toMatch(reason);
	expect([details.isTransient, details.mayHaveBeenApplied ?? false]).toEqual([isTransient, false]);
});

test('after a 429 for a token, n8n waits longer before the next poll', () => {
	const thrown = createError('Too many requests', { response: { status: 429 } });
	expect(explainTokenError(thrown, credential).details.cause).toBe('rate-limited');
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
	expect(parseRetryAfter(header)).toBe(ms);
});

test('Retry-After as a date is the time until then', () => {
	const waitMs = parseRetryAfter(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0;
	expect(Math.abs(waitMs - 3_600_000)).toBeLessThan(2000);
});

test.each([NaN, Infinity, -Infinity, 'NaN', ' Infinity ', '-Infinity', 'undefined', 'null', '[object Object]'])(
	'%p is not an ID',
	(raw) => {
		expect(() => parseId(raw)).toThrow('must be an ID');
	},
);

test.each(['Nanny', 'NaN-1', 'infinity', 0, 42])('%p is an ID', (raw) => {
	expect(parseId(raw)).toBe(String(raw));
});

test.each(['message', 'messages', 'validationMessages', 'errors', 'detail', 'title'])(
	"an envelope's message in %s is read",
	(field) => {
		expect(readEnvelope({ [field]: 'What was wrong', status: 400, code: 'x' })?.messages).toEqual(['What was wrong']);
	},
);

test.each(['ERROR', 'FAILED', 'INVALID_INPUT', 'ACCESS_DENIED'])('the word %s on 200 is a failure', (status) => {
	expect(readEnvelope({ data: {}, status })?.isFailure).toBe(true);
});

test('an ID may have 256 characters', () => {
	expect(parseId('x'.repeat(256))).toHaveLength(256);
});

test('requests with and without a field that a variant omits have different keys', () => {
	const searchRequest = { endpoint: 'POST /api/scim/search', purpose: 'try' } as const;
	expect(getVariantKey({ ...searchRequest, body: { activityType: 0 } })).not.toBe(
		getVariantKey({ ...searchRequest, body: {} }),
	);
});
