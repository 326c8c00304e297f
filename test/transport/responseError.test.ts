/** What an answer means to a person, rule by rule: its status, the service's own words, and what can be done. */
import { connectionOf } from '../../nodes/shared/transport/connection';
import { ServiceError, type ServiceErrorDetails } from '../../nodes/shared/transport/errors';
import type { Envelope } from '../../nodes/shared/transport/envelope';
import type { ServiceRequest } from '../../nodes/shared/transport/request';
import {
	errorOfResponse,
	notOffered,
	unexpectedResponse,
	retryAfterMs,
} from '../../nodes/shared/transport/responseError';

const connection = connectionOf({ serverUrl: 'https://x.example', clientId: 'i', clientSecret: 's' });
const request: ServiceRequest = {
	contract: 'GET /api/trainings/{id}',
	path: { id: 'a' },
	repeatable: true,
	purpose: 'p',
};
const envelope = (more: Partial<Envelope> = {}): Envelope => ({ data: null, messages: [], failed: false, ...more });

interface Answered {
	envelope?: Envelope;
	headers?: Record<string, unknown>;
	of?: Partial<ServiceRequest>;
	permissions?: string[];
}
function told(status: number, { envelope: words, headers = {}, of = {}, permissions = [] }: Answered = {}) {
	const answer = { status, envelope: words, headers };
	return errorOfResponse({ ...request, ...of }, { ...connection, permissions }, answer)?.details;
}

describe('Retry-After', () => {
	const NOW = Date.parse('2026-01-31T09:00:00Z');
	test.each<[unknown, number | undefined]>([
		['5', 5000],
		[' 1.5 ', 1500],
		['0', 0],
		['121', 120_000],
		['Sat, 31 Jan 2026 09:00:30 GMT', 30_000],
		['Sat, 31 Jan 2026 08:59:00 GMT', 0],
		['Sun, 01 Feb 2026 09:00:00 GMT', 120_000],
		['soon', undefined],
		['5x', undefined],
		['', undefined],
		['  ', undefined],
		[5, undefined],
		[undefined, undefined],
	])('%j: %j ms', (header, ms) => {
		expect(retryAfterMs(header, NOW)).toBe(ms);
	});

	test('as a date is by the clock of whoever answered', () => {
		const headers = { date: 'Sat, 31 Jan 2026 09:00:00 GMT', 'retry-after': 'Sat, 31 Jan 2026 09:00:10 GMT' };
		expect(told(503, { headers })).toMatchObject({ retryAfterMs: 10_000 });
		const soon = new Date(Date.now() + 60_000).toUTCString();
		const { retryAfterMs: ms = 0 } = told(429, { headers: { 'retry-after': soon } }) ?? {};
		expect(ms).toBeGreaterThan(50_000);
		expect(ms).toBeLessThanOrEqual(60_000);
		expect(told(503)).not.toHaveProperty('retryAfterMs');
	});
});

describe('a success', () => {
	test.each([200, 201, 204, 299])('%i is none of an error', (status) => {
		expect(told(status)).toBeUndefined();
		expect(told(status, { envelope: envelope() })).toBeUndefined();
	});

	test.each<[outcome: string | undefined, Partial<ServiceErrorDetails>]>([
		[
			'INPUT_ERROR',
			{ reason: 'the service did not accept the input', isInputRefused: true, mayHaveBeenApplied: false },
		],
		['Internal_Server_Error', { reason: 'the service is having trouble', mayHaveBeenApplied: true }],
		['INPUT_ERROR_2', { reason: 'the service could not carry it out', mayHaveBeenApplied: false }],
		['NO_INPUT_ERROR', { reason: 'the service could not carry it out' }],
		[undefined, { reason: 'the service could not carry it out' }],
	])('that says of itself that it failed: %s', (outcome, details) => {
		const failed = envelope({ failed: true, ...(outcome === undefined ? {} : { outcome }) });
		expect(told(200, { envelope: failed })).toMatchObject({
			...details,
			status: 200,
			cause: 'refused',
			transient: false,
		});
	});
});

test.each<[status: number, Partial<ServiceErrorDetails>]>([
	[400, { isInputRefused: true, cause: 'refused', transient: false, mayHaveBeenApplied: false }],
	[422, { isInputRefused: true, cause: 'refused' }],
	[401, { cause: 'credential-invalid', transient: false }],
	[403, { cause: 'configuration-invalid' }],
	[404, { cause: 'configuration-invalid' }],
	[409, { cause: 'refused' }],
	[413, { cause: 'refused' }],
	[429, { cause: 'rate-limited', transient: true, mayHaveBeenApplied: false }],
	[302, { cause: 'configuration-invalid' }],
	[418, { cause: 'refused' }],
	[500, { cause: 'temporarily-unavailable', transient: false, mayHaveBeenApplied: true }],
	[501, { transient: false }],
	[502, { transient: true, mayHaveBeenApplied: true }],
	[503, { transient: true, mayHaveBeenApplied: true }],
	[504, { transient: true }],
	[505, { transient: false }],
])('%i: who is to blame, whether asking again helps, and whether it may have been done', (status, details) => {
	expect(told(status)).toMatchObject({ ...details, status });
});

test('a 503 that says when to come back turned the request away', () => {
	expect(told(503, { headers: { 'retry-after': '1' } })).toMatchObject({ mayHaveBeenApplied: false });
	expect(told(502, { headers: { 'retry-after': '1' } })).toMatchObject({ mayHaveBeenApplied: true });
});

test("the service's own words stand in front, each as a sentence", () => {
	const details = told(409, {
		envelope: envelope({ messages: ['The name is taken', 'Really?', 'So:', 'And …', 'Yes!'] }),
	});
	expect(details?.serviceMessage).toBe('The name is taken. Really? So: And … Yes!');
	expect(details?.advice).toBe(
		'The service says: The name is taken. Really? So: And … Yes! Choose another name, or use the existing one.',
	);
	expect(told(409, { envelope: envelope() })).not.toHaveProperty('serviceMessage');
	expect(told(409)?.advice).toBe('Choose another name, or use the existing one.');
});

describe('a 404', () => {
	const noTraining = envelope({ messages: ['No training was found'] });

	test('with a message of the service names the ID', () => {
		expect(told(404, { envelope: noTraining })).toMatchObject({
			reason: "nothing was found with the ID 'a' (404)",
			advice:
				'The service says: No training was found. It may have been deleted, or belong to another company than the one chosen. If the ID is right, the platform may not offer this operation.',
		});
		expect(told(404, { envelope: noTraining, of: { path: { a: '1', b: '2' } } })?.reason).toBe(
			"nothing was found with the ID '1' and '2' (404)",
		);
	});

	test.each<[string, Answered]>([
		['without a message', { envelope: envelope() }],
		['of a web server', {}],
		['of an operation that is not in the contract', { envelope: noTraining, of: { isOptional: true } }],
	])('%s says first that the operation may be missing', (_name, answered) => {
		expect(told(404, answered)).toMatchObject({
			reason: "this platform does not offer the operation, or has nothing with the ID 'a' (404)",
			advice: expect.stringMatching(/Ask the platform whether your license includes the operation\. .* check the ID/),
		});
	});

	test('of a request without an ID is about the address', () => {
		expect(told(404, { of: { path: {} } })).toMatchObject({
			reason: 'the service does not know this address (404)',
			advice: "Check the credential's Base URL, and ask the platform whether it offers this operation.",
		});
	});
});

describe('a 403', () => {
	const company = { id: 'c', name: '' };

	test('of a token that does not list the permission says so', () => {
		for (const scope of [{}, { company }])
			expect(told(403, { of: scope, permissions: ['other|GET'] })?.advice).toMatch(
				/^This credential's token does not list the permission 'trainings\/\{id\}\|GET'\. .*\(usually Reseller\)/,
			);
	});

	test('of a token that lists it, or lists none, speaks of the company, or of the role', () => {
		for (const permissions of [[], ['other|GET', 'trainings/{id}|GET']]) {
			expect(told(403, { of: { company }, permissions })?.advice).toMatch(
				/^Check that this company is one of your customers/,
			);
			expect(told(403, { permissions })?.advice).toMatch(
				/^This operation may need another role: .*The permission is 'trainings\/\{id\}\|GET'\. .*IP addresses/,
			);
		}
	});
});

describe('an operation that was looked for everywhere', () => {
	const failed = (said?: string) =>
		new ServiceError({
			...{
				reason: 'r',
				advice: 'a',
				cause: 'configuration-invalid',
				status: 404,
				mayHaveBeenApplied: false,
				transient: false,
			},
			...(said === undefined ? {} : { serviceMessage: said }),
		});
	const offered = (said: Array<string | undefined>, of: Partial<ServiceRequest> = {}) => {
		const [first = failed(), ...others] = said.map(failed);
		return { first, told: notOffered({ ...request, ...of }, [first, ...others]) };
	};

	test('is not offered', () => {
		for (const { told: error } of [offered([undefined, undefined]), offered(['No', 'No'], { path: {} })])
			expect(error.details.reason).toBe('this platform does not offer the operation (404)');
		expect(offered([undefined]).told.details.advice).toBe(
			'It was tried at every path that platforms are known to use. Ask the platform whether your license includes it.',
		);
	});

	test('or has nothing with that ID, where the service says something of it', () => {
		const { details } = offered(['No', 'No']).told;
		expect(details.reason).toBe("this platform does not offer the operation, or has nothing with the ID 'a' (404)");
		expect(details.advice).toMatch(/^The service says: No\. It was tried at/);
	});

	test('is there where one place says something else', () => {
		const { first, told: error } = offered(['No', 'There is no training of that ID']);
		expect(error).toBe(first);
	});
});

describe('an answer that is not the service’s', () => {
	test.each(['<!DOCTYPE html>', ' <HTML lang="en">', '<head>', 'x < body>'])('%s is a web page', (body) => {
		expect(unexpectedResponse(body).details).toMatchObject({
			reason: 'a web page came back instead of data',
			status: 200,
		});
	});

	test.each<[unknown]>([['<xml>'], ['html'], ['<header>'], [{}], [5], [undefined]])('%j is something else', (body) => {
		expect(unexpectedResponse(body, 500).details).toMatchObject({
			...{
				reason: 'the answer is not in the format of this service',
				cause: 'configuration-invalid',
				status: 500,
			},
			...{ mayHaveBeenApplied: true, transient: false },
		});
	});

	test('the advice is where the mistake may be: for a web page the address or what stands between, else the platform', () => {
		expect(unexpectedResponse('<html>').details.advice).toMatch(/^Check the credential's Base URL: .* firewall/);
		expect(unexpectedResponse('<xml>').details.advice).toMatch(/^Check the credential's Base URL\. .* please report/);
	});
});
