/** What is read out of an answer: with the envelope of the contract, without one, and everything between. */
import type { IDataObject } from 'n8n-workflow';
import { readEnvelope } from '../../nodes/shared/transport/envelope';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { answering, nodeFixture, failureOf, jsonOf, sendJson } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture();
turnClock();

/** What an operation gives where the service answers so. */
async function givenFor(operation: 'exchange' | 'delete' | 'send', body: unknown, status = 200) {
	const odd = await answering((_request, response) =>
		typeof body === 'string'
			? response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
			: sendJson(response, status, body),
	);
	const own = { companyScope: 'own' };
	const runs = {
		exchange: async () =>
			await b.run(
				SecurityAwarenessAccount,
				{ operation: 'exchangeAgentCode', authCode: 'the-code-of-the-login' },
				{ store: odd.store },
			),
		delete: async () =>
			await b.run(
				SecurityAwarenessApiClient,
				{ operation: 'delete', ...own, apiClient: byId('client') },
				{ store: odd.store },
			),
		send: async () =>
			await b.run(
				SecurityAwarenessEnrollment,
				{ operation: 'send', ...own, enrollment: byId('enrollment') },
				{ store: odd.store },
			),
	};
	return runs[operation]();
}

describe('what the service answered is what comes out', () => {
	const token = 'the-token-for-the-agent';
	const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmVk';
	test.each<[string, unknown, IDataObject]>([
		['flat', { accessToken: token }, { accessToken: token }],
		['flat, with a status', { accessToken: token, status: 'success' }, { accessToken: token, status: 'success' }],
		[
			'flat, with isSuccess',
			{ accessToken: token, isSuccess: true, messages: [] },
			{ accessToken: token, isSuccess: true, messages: [] },
		],
		['flat, with a message', { accessToken: token, message: 'Welcome' }, { accessToken: token, message: 'Welcome' }],
		['flat, with a status that is a number', { accessToken: token, status: 200 }, { accessToken: token, status: 200 }],
		[
			'flat, with a status that is no text',
			{ accessToken: token, status: true, code: { a: 1 } },
			{ accessToken: token, status: true, code: { a: 1 } },
		],
		['flat, and nothing in it', { accessToken: null, status: 'success' }, { accessToken: null, status: 'success' }],
		[
			'beside null',
			{ data: null, accessToken: token, status: 'success', message: null, validationMessages: null },
			{ accessToken: token, status: 'success' },
		],
		[
			'beside an empty object',
			{ data: {}, accessToken: token, isSuccess: true, messages: [] },
			{ accessToken: token, isSuccess: true },
		],
		['beside an empty text', { data: '', accessToken: token, message: 'ok' }, { accessToken: token, message: 'ok' }],
		[
			'beside an object',
			{ data: { expiresIn: 60 }, accessToken: token, status: 'success', traceId: 'x' },
			{ accessToken: token, expiresIn: 60 },
		],
		[
			'beside a text',
			{ data: token, refreshToken: 'other', status: 'success' },
			{ accessToken: token, refreshToken: 'other' },
		],
		[
			'in an envelope',
			{ data: { accessToken: token }, status: 'success', message: 'Done', validationMessages: null },
			{ accessToken: token },
		],
		[
			'in an envelope with capitals',
			{ Data: { accessToken: token }, Status: 'SUCCESS', Message: null, ValidationMessages: [] },
			{ accessToken: token },
		],
		['a text in an envelope', { data: token, isSuccess: true }, { accessToken: token }],
		[
			'a one-time code that is called as an error code is',
			{ status: 'success', code: 'A1-b2-C3' },
			{ status: 'success', code: 'A1-b2-C3' },
		],
		[
			'the same beside null',
			{ data: null, status: 'success', message: null, code: 'A1-b2-C3' },
			{ status: 'success', code: 'A1-b2-C3' },
		],
		[
			'a word of its own',
			{ data: null, status: 'Queued', message: 'In a minute' },
			{ status: 'Queued', message: 'In a minute' },
		],
		[
			'a record with a status of its own',
			{ id: '1', name: 'Spring', status: 'Error' },
			{ id: '1', name: 'Spring', status: 'Error' },
		],
		[
			'a record whose status speaks of a failure',
			{ id: '1', status: 'Failed login', message: 'Twice' },
			{ id: '1', status: 'Failed login', message: 'Twice' },
		],
		[
			'a record inside data',
			{ data: { id: '1', status: 'Failed', message: 'No answer' }, status: 'success' },
			{ id: '1', status: 'Failed', message: 'No answer' },
		],
		['a bare token', JWT, { accessToken: JWT }],
		['nothing but that it worked', { status: 'success', message: null, validationMessages: null }, { success: true }],
		[
			'nothing but that it worked, with words',
			{ data: null, isSuccess: true, messages: ['One.', 'Two.'] },
			{ success: true, message: 'One. Two.' },
		],
		[
			'nothing, but found in the log',
			{ status: 'success', traceId: '00-af', timestamp: '2026-01-01' },
			{ success: true },
		],
	])('%s', async (_name, body, json) => {
		expect(jsonOf((await givenFor('exchange', body)).items)).toEqual([json]);
	});

	test.each<[string, unknown, IDataObject]>([
		[
			'flat',
			{ scheduledFor: '2030-01-01', status: 'success' },
			{ deleted: true, scheduledFor: '2030-01-01', status: 'success' },
		],
		[
			'words',
			{ data: null, status: 'success', message: 'Gone in an hour' },
			{ deleted: true, message: 'Gone in an hour' },
		],
		['a text', { data: 'job-1', status: 'success' }, { deleted: true, value: 'job-1' }],
		['a yes', { data: true, status: 'success' }, { deleted: true }],
		[
			'beside an object',
			{ data: { resourceId: 'x' }, jobId: 'j', status: 'success' },
			{ deleted: true, jobId: 'j', resourceId: 'x' },
		],
	])('also where it only had to be done: %s', async (_name, body, json) => {
		expect(jsonOf((await givenFor('delete', body)).items)).toEqual([json]);
	});

	test('a list without an envelope is a list', async () => {
		expect(jsonOf((await givenFor('send', [{ resourceId: 'a' }, { resourceId: 'b' }])).items)).toMatchObject([
			{ resourceId: 'a' },
			{ resourceId: 'b' },
		]);
	});

	test.each(['accepted by the gateway', 'OK', '{"data": {"accessTo', '<html></html>', 'a.b'])(
		'words that are no answer of the service are an error: %s',
		async (body) => {
			const error = await failureOf(givenFor('exchange', body));
			expect(error.message).toMatch(/^Could not exchange agent code: (the answer is not in the form|a web page)/);
		},
	);
});

describe('a failure with status 200', () => {
	test.each<[string, unknown, string]>([
		['INPUT_ERROR', { data: null, status: 'INPUT_ERROR', message: 'Invalid request' }, 'Invalid request.'],
		['INTERNAL_SERVER_ERROR', { status: 'INTERNAL_SERVER_ERROR', message: 'Oh no' }, 'Oh no.'],
		[
			'with capitals',
			{ Data: null, Status: 'INPUT_ERROR', Message: 'Invalid request', ValidationMessages: ['The Name is taken.'] },
			'The Name is taken. Invalid request.',
		],
		[
			'with capitals, by IsSuccess',
			{ Data: { a: 1 }, IsSuccess: false, Messages: [{ Message: 'The Name is taken.' }] },
			'The Name is taken.',
		],
		[
			'with data all the same',
			{ data: { resourceId: 'x' }, status: 'INPUT_ERROR', message: 'Invalid request' },
			'Invalid request.',
		],
		[
			'flat, in the words of the service',
			{ resourceId: 'x', status: 'INPUT_ERROR', message: 'Invalid request' },
			'Invalid request.',
		],
		['flat, by its code', { resourceId: 'x', code: 'INTERNAL_SERVER_ERROR', message: 'Oh no' }, 'Oh no.'],
		['a failed login without anything else', { status: 'Failed login', message: 'Wrong password' }, 'Wrong password.'],
		[
			'a failed login with an empty token',
			{ status: 'Failed login', accessToken: null, message: 'Wrong password' },
			'Wrong password.',
		],
		['with only what finds it in the log', { status: 'error', message: 'No', traceId: '00-af' }, 'No.'],
		['beside null', { data: null, status: 'error', message: 'No', attempt: 2 }, 'No.'],
		[
			'by its validation messages',
			{ data: null, status: null, validationMessages: { Name: ['The Name is taken.'] } },
			'The Name is taken.',
		],
		[
			'by validation messages beside null',
			{ data: null, validationMessages: ['The Name is taken.'], attempt: 2 },
			'The Name is taken.',
		],
		[
			'problem details',
			{ type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'The code was used.' },
			'The code was used. Unauthorized.',
		],
		[
			'problem details with errors by field',
			{ title: 'Bad', status: 400, errors: { AuthCode: ['The AuthCode is wrong.'] } },
			'The AuthCode is wrong. Bad.',
		],
		['an error of OAuth', { error: 'invalid_grant', error_description: 'The code was used' }, 'The code was used.'],
		['an error without words', { error: 'invalid_grant' }, 'invalid_grant.'],
	])('%s', async (_name, body, said) => {
		const error = await failureOf(givenFor('exchange', body));
		// The service's own word says what kind of failure it is.
		const sent = JSON.stringify(body);
		const kind = sent.includes('INPUT_ERROR')
			? 'did not accept the input'
			: sent.includes('INTERNAL_SERVER_ERROR')
				? 'is having trouble'
				: 'could not carry it out';
		expect(error.message).toBe(`Could not exchange agent code: the service ${kind}`);
		expect(error.description?.startsWith(`The service says: ${said}`)).toBe(true);
	});
});

test("the contract's own spelling goes before another one", () => {
	for (const body of [
		{ Status: 'Draft', status: 'error', message: 'No' },
		{ status: 'error', Status: 'Draft', message: 'No' },
	])
		expect(readEnvelope(body)).toMatchObject({ failed: true, messages: ['No'] });
});

test('messages may be nested as deep as anybody likes', () => {
	const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`) as unknown;
	expect(readEnvelope({ data: null, validationMessages: deep, message: 'No' })?.messages).toEqual(['No']);
	const asAList = { errors: { users: [{ messages: [{ message: 'The name is taken' }] }] } };
	expect(readEnvelope({ data: null, ...asAList })?.messages).toEqual(['The name is taken']);
});

test('JSON is asked for, because a service may have other forms of an answer', async () => {
	const { store, requests } = await answering((_request, response) => sendJson(response, 200, { data: {} }));
	await b.run(SecurityAwarenessEnrollment, { operation: 'getFormDetails', companyScope: 'own' }, { store });
	expect(requests.map(({ headers }) => headers.accept)).toEqual(['application/json']);
});
