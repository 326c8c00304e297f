/** Why a request got no answer, found out from the errors of n8n's request helpers: by code, by text, by status. */
import { connectionOf } from '../../nodes/shared/transport/connection';
import { ServiceError } from '../../nodes/shared/transport/errors';
import { errorOfFault, isCancelled } from '../../nodes/shared/transport/fault';

const connection = connectionOf({ serverUrl: 'https://x.example', clientId: 'i', clientSecret: 's' });
const detailsOf = (thrown: unknown, asksForToken?: boolean) => errorOfFault(thrown, connection, asksForToken).details;

/** The three ways in which an error with this code reaches a node. */
const thrownWith = (code: string): Array<[how: string, thrown: unknown]> => [
	['itself', Object.assign(new Error('It failed'), { code })],
	['what caused it', new Error('n8n says', { cause: Object.assign(new Error('It failed'), { code }) })],
	['as n8n before 2.41 has it', { message: 'n8n says', messages: ['It failed'], httpCode: code }],
];

const UNREACHABLE = {
	reason: /^https:\/\/x\.example cannot be reached \([A-Z_]+\)$/,
	...{ cause: 'temporarily-unavailable', mayHaveBeenApplied: false, transient: true },
};
const CUT = {
	reason: /^the connection was cut before the answer was complete$/,
	...{ cause: 'temporarily-unavailable', mayHaveBeenApplied: true, transient: true },
};
const LATE = { ...CUT, reason: /^the service did not answer in time$/ };
const NO_ROOM = {
	reason: /^n8n could not store the file$/,
	...{ cause: 'refused', mayHaveBeenApplied: true, transient: false },
};
const UNTRUSTED = {
	reason: /^the server's certificate is not trusted$/,
	...{ cause: 'configuration-invalid', mayHaveBeenApplied: false, transient: false },
};
const NOT_HTTPS = { ...UNTRUSTED, reason: /^https:\/\/x\.example does not support https$/ };
const UNKNOWN = { ...NO_ROOM, reason: /^the request could not be made$/ };
type Expected = typeof CUT;

const CODES: Array<[expected: Expected, codes: string[]]> = [
	[UNREACHABLE, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']],
	[{ ...UNREACHABLE, transient: false }, ['ERR_INVALID_URL']],
	[CUT, ['ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE']],
	[LATE, ['ETIMEDOUT', 'ECONNABORTED']],
	[NO_ROOM, ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENOENT']],
	[
		UNTRUSTED,
		[
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
		],
	],
	[NOT_HTTPS, ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']],
	[UNKNOWN, ['EWHATEVER']],
];
const rows = CODES.flatMap(([expected, codes]) =>
	codes.flatMap((code) => thrownWith(code).map(([how, thrown]) => ({ code, how, thrown, expected }))),
);

const matching = ({ reason, ...expected }: Expected) => ({ ...expected, reason: expect.stringMatching(reason) });

test.each(rows)('$code, $how', ({ thrown, expected }) => {
	const details = detailsOf(thrown);
	expect(details).toMatchObject(matching(expected));
	// What to do about it is always said.
	expect(details.advice).toMatch(/^\S.{15,}/);
	if (expected.reason === UNREACHABLE.reason) expect(details.advice).toMatch(/Base URL.*n8n's machine can reach it/);
});

test.each<[words: string, expected: Expected]>([
	['aborted', CUT],
	['socket hang up', CUT],
	['Premature close', CUT],
	['timeout of 1000ms exceeded', LATE],
	['The file is too large', NO_ROOM],
	['maxContentLength size of 5 exceeds what is allowed', NO_ROOM],
	['Something else', UNKNOWN],
])('%s', (words, expected) => {
	expect(detailsOf(new Error(words))).toMatchObject(matching(expected));
	expect(detailsOf({ message: 'n8n says', messages: [words] })).toMatchObject(matching(expected));
});

test('what cannot be told is told in the words of what happened first', () => {
	expect(detailsOf(new Error('n8n says', { cause: new Error('The disk is on fire') })).advice).toBe(
		'n8n reports: The disk is on fire',
	);
	expect(detailsOf('a text').advice).toBe('n8n reports: a text');
});

test.each(['canceled', 'cancelled', 'The request was canceled'])('%s: the run was stopped', (words) => {
	for (const thrown of [new Error(words), new Error('x', { cause: { message: 'y', code: 'ERR_CANCELED' } })]) {
		expect(detailsOf(thrown)).toMatchObject({ cause: 'cancelled', transient: false, mayHaveBeenApplied: false });
		expect(isCancelled(thrown)).toBe(true);
	}
	expect(isCancelled(new Error('aborted'))).toBe(false);
});

test('what is told already stays as it is', () => {
	const told = new ServiceError({
		reason: 'r',
		advice: 'a',
		cause: 'refused',
		transient: true,
		mayHaveBeenApplied: true,
	});
	expect(errorOfFault(told, connection)).toBe(told);
});

describe('a token request', () => {
	const REFUSED = 'the service did not accept the Client ID or Client Secret';
	const NONE = 'that address does not issue tokens for this service';
	const trouble = (status?: number) =>
		`the service could not issue a token${status === undefined ? '' : ` (${status})`}`;

	test.each<[how: string, thrown: unknown]>([
		['by the code of the OAuth library', Object.assign(new Error('Refused'), { code: 'EAUTH' })],
		['by its code for a status', Object.assign(new Error('Refused'), { code: 'ESTATUS', status: 401 })],
		['by its address', Object.assign(new Error('Refused'), { config: { url: 'https://x.example/connect/token' } })],
		["by n8n's words", new Error('Failed to acquire OAuth2 access token: Refused')],
	])('is known %s', (_how, thrown) => {
		expect(detailsOf(thrown)).toMatchObject({
			...{ reason: REFUSED, cause: 'credential-invalid', mayHaveBeenApplied: false, transient: false },
		});
	});

	test.each<[status: number | undefined, reason: string, cause: string, transient: boolean]>([
		[200, NONE, 'configuration-invalid', false],
		[302, NONE, 'configuration-invalid', false],
		[400, REFUSED, 'credential-invalid', false],
		[401, REFUSED, 'credential-invalid', false],
		[403, REFUSED, 'credential-invalid', false],
		[404, NONE, 'configuration-invalid', false],
		[405, NONE, 'configuration-invalid', false],
		[429, trouble(429), 'rate-limited', true],
		[500, trouble(500), 'temporarily-unavailable', true],
		[503, trouble(503), 'temporarily-unavailable', true],
		[undefined, REFUSED, 'credential-invalid', false],
	])('answered with %s', (status, reason, cause, transient) => {
		const error = Object.assign(new Error('Failed'), status === undefined ? {} : { status });
		for (const thrown of [error, new Error('n8n says', { cause: error })])
			expect(detailsOf(thrown, true)).toMatchObject({ reason, cause, transient, mayHaveBeenApplied: false });
	});

	test.each([
		'Unexpected content type text/html',
		'Expected JSON',
		'HTTP status 404',
		'HTTP status 302',
		'Unsupported protocol x:',
	])('%s: there is none at that address', (words) => {
		expect(detailsOf(new Error(words), true).reason).toBe(NONE);
	});

	test.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])('%s: it could not be issued, and asking again may help', (code) => {
		expect(detailsOf(Object.assign(new Error('Failed'), { code }), true)).toMatchObject({
			...{ reason: trouble(), transient: true, mayHaveBeenApplied: false },
		});
	});

	test('a machine that cannot be reached is called that', () => {
		expect(detailsOf(Object.assign(new Error('Failed'), { code: 'ECONNREFUSED' }), true)).toMatchObject(
			matching(UNREACHABLE),
		);
	});
});
