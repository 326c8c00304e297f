/** Each word by which an answer speaks of itself (contract 2.1, 4.2; deployment facts, Responses), one at a time. */
import { readEnvelope, toJson } from '../../nodes/shared/transport/envelope';

const OUTCOME = ['status', 'message', 'messages', 'validationMessages', 'isSuccess'];
const FAULT = ['code', 'title', 'detail', 'type', 'errors', 'error', 'error_description'];
const TRACE = ['traceId', 'requestId', 'correlationId', 'timestamp', 'instance', 'path', 'statusCode', 'version'];
const spelled = (word: string) => [
	word,
	word.toLowerCase(),
	word.toUpperCase(),
	word[0]?.toUpperCase() + word.slice(1),
];

test.each([...OUTCOME, ...FAULT, ...TRACE])('%s is none of the data, however it is written', (word) => {
	for (const name of spelled(word))
		expect(readEnvelope({ data: { a: 1 }, [name]: 'x' })).not.toHaveProperty('otherFields');
	expect(readEnvelope({ data: { a: 1 }, [`own_${word}`]: 'x' })?.otherFields).toEqual({ [`own_${word}`]: 'x' });
});

test.each(TRACE)('an answer of nothing but "%s" has no data', (word) => {
	expect(readEnvelope({ status: 'SUCCESS', data: null, [word]: 'x' })?.data).toBeNull();
});

test.each(FAULT)('an answer without data, with "%s", is kept: it says something', (word) => {
	expect(readEnvelope({ status: 'SUCCESS', data: null, [word]: 'x' })?.data).toEqual({
		status: 'SUCCESS',
		[word]: 'x',
	});
});

describe('a status', () => {
	test.each(['Error', 'Failed', 'FAILURE', 'Invalid input', 'Access denied', 'Forbidden', 'Unauthorized'])(
		'"%s" in an envelope speaks of a failure',
		(status) => {
			expect(readEnvelope({ data: null, status })?.failed).toBe(true);
			expect(readEnvelope({ status })?.failed).toBe(true);
			// A record's own status is the record's affair.
			expect(readEnvelope({ id: '1', status })?.failed).toBe(false);
		},
	);

	test.each(['unauthorised', 'not found', 'NotFound', 'not_found', 'INPUT_ERROR'])('"%s" does so too', (status) => {
		expect(readEnvelope({ data: null, status })?.failed).toBe(true);
	});

	test.each([
		...['ok', 'true', 'done', 'success', 'successful', 'successfully', 'succeeded', 'complete', 'completed'],
		...['created', 'accepted', 'no content', 'NoContent', ' SUCCESS '],
	])('"%s" says no more than that it worked', (status) => {
		expect(readEnvelope({ data: null, status })).toEqual({ data: null, messages: [], failed: false });
	});

	test.each(['Queued', 'not ok', 'done soon', 'Unsuccessful'])('"%s" says something, and is kept', (status) => {
		expect(readEnvelope({ data: null, status })).toEqual({ data: { status }, messages: [], failed: false });
	});

	test.each([
		[399, false],
		[400, true],
		[599, true],
		[600, false],
	])('%i, as in problem details: a failure is %s', (status, failed) => {
		expect(readEnvelope({ status })?.failed).toBe(failed);
		expect(readEnvelope({ status, data: { a: 1 } })?.failed).toBe(false);
	});

	test("the service's own word for an outcome is told, from the status or else from the code", () => {
		expect(readEnvelope({ data: null, status: ' INPUT_ERROR ' })?.outcome).toBe('INPUT_ERROR');
		expect(readEnvelope({ data: null, status: 'error', code: 'NOT_FOUND' })?.outcome).toBe('NOT_FOUND');
		expect(readEnvelope({ data: null, status: 'ERROR' })).not.toHaveProperty('outcome');
		expect(readEnvelope({ data: null, status: 'a INPUT_ERROR b' })).not.toHaveProperty('outcome');
	});

	test('such a word is a failure also of a record', () => {
		expect(readEnvelope({ id: '1', status: 'INPUT_ERROR' })?.failed).toBe(true);
		expect(readEnvelope({ id: '1', code: 'INPUT_ERROR' })?.failed).toBe(true);
		expect(readEnvelope({ id: '1', code: 'INPUT_OK' })?.failed).toBe(false);
	});
});

describe('isSuccess', () => {
	test.each([false, 'false', 'False', ' FALSE '])('%j is a failure, whatever else is there', (isSuccess) => {
		expect(readEnvelope({ isSuccess, data: { a: 1 } })?.failed).toBe(true);
		expect(readEnvelope({ isSuccess, id: '1' })?.failed).toBe(true);
	});

	test.each([true, 'true', 'True', ' TRUE '])('%j is a success, with whatever words', (isSuccess) => {
		expect(readEnvelope({ isSuccess, data: null, errors: ['x'] })?.failed).toBe(false);
		expect(readEnvelope({ isSuccess, data: null, status: 500 })?.failed).toBe(false);
	});

	test.each([null, 'yes', 1, undefined])('%j says nothing', (isSuccess) => {
		expect(readEnvelope({ isSuccess, data: null, errors: ['x'] })?.failed).toBe(true);
		expect(readEnvelope({ isSuccess, data: null })?.failed).toBe(false);
	});
});

describe('words for a person', () => {
	const said = (body: unknown) => readEnvelope(body)?.messages;

	test.each(['validationMessages', 'errors', 'error'])('%s in an envelope without data is a failure', (word) => {
		expect(readEnvelope({ data: null, [word]: ['No.'] })?.failed).toBe(true);
		expect(readEnvelope({ data: null, [word]: [] })?.failed).toBe(false);
		expect(readEnvelope({ data: { a: 1 }, [word]: ['No.'] })?.failed).toBe(false);
	});

	test.each(['validationMessages', 'messages', 'errors', 'message', 'detail', 'error_description', 'title'])(
		'are read from %s',
		(word) => {
			expect(said({ data: null, [word]: ' No. ' })).toEqual(['No.']);
			expect(said({ data: null, [word]: ['One.', '  ', 'Two.', 'One.'] })).toEqual(['One.', 'Two.']);
		},
	);

	test('are read from "error" where nothing else says anything', () => {
		expect(said({ error: 'invalid_grant' })).toEqual(['invalid_grant']);
		expect(said({ error: 'invalid_grant', error_description: 'Used up' })).toEqual(['Used up']);
	});

	test('the particular ones come before the general ones', () => {
		const body = { title: 'e', detail: 'd', message: 'c', errors: ['b2'], messages: ['b'], validationMessages: ['a'] };
		expect(said(body)).toEqual(['a', 'b', 'b2', 'c', 'd', 'e']);
	});

	test('are read from lists, from objects that have a message, and by field', () => {
		expect(said({ errors: [{ message: 'One.' }, { Description: 'Two.' }, { field: 'x' }] })).toEqual(['One.', 'Two.']);
		expect(said({ errors: { Name: ['Too long.'], Email: ['Missing.'], other: 'no list' } })).toEqual([
			'Too long.',
			'Missing.',
		]);
		expect(said({ errors: [[[['Four deep.']]]] })).toEqual(['Four deep.']);
		expect(said({ errors: [[[[[[['Too deep.']]]]]]] })).toEqual([]);
		expect(said({ errors: 5, message: null })).toEqual([]);
	});
});

describe('what is no JSON object', () => {
	test.each<[unknown]>([['https://x.example/path'], ['aaa.bbb.ccc'], ['"https://x.example"']])(
		'%s is an answer',
		(body) => {
			expect(readEnvelope(body)).toMatchObject({ failed: false, messages: [] });
		},
	);

	test.each<[unknown]>([['<html></html>'], ['Some words'], ['https://x.example and more'], [5], [null], [true], ['']])(
		'%j is none',
		(body) => {
			expect(readEnvelope(body)).toBeUndefined();
		},
	);

	test.each(['abcdefgh', ' a-token_with~signs.+/=: '.trim(), 'x'.repeat(4096)])(
		'one word where one may come: %s',
		(word) => {
			expect(readEnvelope(word)).toBeUndefined();
			expect(readEnvelope(word, true)?.data).toBe(word);
		},
	);

	test.each(['abcdefg', 'two words here', 'x'.repeat(4097), '<html></html>'])('no word: %s', (text) => {
		expect(readEnvelope(text, true)).toBeUndefined();
	});

	test('a list is data', () => {
		expect(readEnvelope([1])).toEqual({ data: [1], messages: [], failed: false });
		expect(readEnvelope('[1]')).toEqual({ data: [1], messages: [], failed: false });
	});
});

test('an item holds an object as it is, and anything else under a name', () => {
	expect(toJson({ a: [1] })).toEqual({ a: [1] });
	expect(toJson('x')).toEqual({ value: 'x' });
	expect(toJson([1], 'list')).toEqual({ list: [1] });
});
