/** Tests the plain functions for values that responses, forms and messages share. */
import { cleanIfEmailAddress, normalizeEmailAddress } from '../../nodes/core/fields/contact';
import { readEnvelope } from '../../nodes/core/http/envelope';
import { mapConcurrently } from '../../nodes/core/http/mapConcurrently';
import { getBackoffMs } from '../../nodes/core/http/retry';
import {
	findByName,
	formatList,
	formatTime,
	indexByName,
	isDateOnly,
	isMasked,
	normalizeText,
	parseDecimal,
	parseNumber,
	readFirstValue,
	readLastMoment,
	redact,
	toTitleCase,
} from '../../nodes/core/values';
import { addTrainingFigures, readTrainingNames } from '../../nodes/domain/enrollments/trainingFigures';
import { formatActiveStatus, isActivePerson } from '../../nodes/domain/people/personStatus';
import { getEmailDomain } from '../../nodes/domain/people/verifiedDomains';
import { describeWrite } from '../../nodes/domain/writeReport';

afterEach(() => jest.restoreAllMocks());

test.each([
	['5', 5],
	[' -1.5 ', -1.5],
	['+2', 2],
	['0x5', NaN],
	['1e3', NaN],
	['', NaN],
	['1.', NaN],
	['1,5', NaN],
])('the text %j is the number %p', (text, expected) => {
	expect(parseDecimal(text)).toBe(expected);
	expect(parseNumber(text)).toBe(expected);
});

test.each([null, true, { list: [] }, undefined].map((value) => [value]))('%j is not a number', (value) => {
	expect(parseNumber(value)).toBeNaN();
	expect(parseNumber([5])).toBeNaN();
});

test.each([
	['2026-03-05', true],
	[' 2026-03-05 ', true],
	['2026-03-05T00:00:00', true],
	['2026-03-05 00:00', true],
	['2026-03-05T00:00:00.000', true],
	['2026-03-05T00:00:00Z', false],
	['2026-03-05T00:00:01', false],
	['2026-03-05T09:00', false],
	['2026-3-5', false],
	[20260305, false],
])('%j is a date without a time: %s', (value, expected) => {
	expect(isDateOnly(value)).toBe(expected);
});

test.each([
	['2026-03-05', '2026-03-05T22:59:59.999Z'],
	[' 2026-03-05T00:00:00', '2026-03-05T22:59:59.999Z'],
	['2026-03-05T09:00:00', '2026-03-05T09:00:00.000Z'],
	['2026-03-05T09:00:00+02:00', '2026-03-05T07:00:00.000Z'],
])('the last moment of %j in Berlin is %s', (value, expected) => {
	expect(readLastMoment(value, 'Europe/Berlin').toUTC().toISO()).toBe(expected);
});

test.each([['soon'], [null], [5], ['']])('%j has no last moment', (value) => {
	expect(readLastMoment(value, 'Europe/Berlin').isValid).toBe(false);
});

test.each([
	['a****m', true],
	['a****m@o****e', true],
	['****@example.com', true],
	['a***@example.com', true],
	[{ user: { email: 'a****m' } }, true],
	[['x', 'a****m'], true],
	['a**m', false],
	['***', false],
	['five *** stars', false],
	['a@example.com', false],
	[null, false],
	[7, false],
])('%j is masked: %s', (value, expected) => {
	expect(isMasked(value)).toBe(expected);
});

test('secrets are hidden, the longer one first; very short ones stay', () => {
	expect(redact('abcd abcdef', ['abcd', 'abcdef'])).toBe('••• •••');
	expect(redact('abc abc', ['abc', '  abc  '])).toBe('abc abc');
	expect(redact('key=wxyz', [' wxyz '])).toBe('key=•••');
});

test.each([
	['İstanbul', 'istanbul'],
	['STRAẞE', 'strasse'],
	['Café  Noir ', 'cafe noir'],
	['Nguyễn', 'nguyen'],
	['u\u0308ber', 'uber'],
])('%j is compared as %j', (text, expected) => {
	expect(normalizeText(text)).toBe(expected);
});

test('a name is found exactly, or else ignoring case and accents', () => {
	const names = ['Café', 'cafe', 'CAFE', 'Other'];
	const find = (name: string) => [findByName(names, name, String), indexByName(names, String)(name)];
	expect(find('cafe')).toEqual([['cafe'], ['cafe']]);
	expect(find(' CAFÉ ')).toEqual([
		['Café', 'cafe', 'CAFE'],
		['Café', 'cafe', 'CAFE'],
	]);
	expect(find('nobody')).toEqual([[], []]);
});

test('a long list is cut, and the rest is counted', () => {
	expect(formatList(['a', 'b', 'c'], ', ', 2)).toBe('a, b, and 1 more');
	expect(formatList(['a', 'b'], ' and ', 2)).toBe('a and b');
	const entries = Array.from({ length: 21 }, (_, index) => String(index));
	expect(formatList(entries)).toMatch(/, 19, and 1 more$/);
	expect(toTitleCase('target groups')).toBe('Target Groups');
});

test('a time is shown in the time zone of the workflow', () => {
	expect(formatTime(Date.parse('2026-05-03T12:05:00Z'), 'Europe/Berlin')).toBe('3 May 2026, 14:05 (Europe/Berlin)');
	expect(formatTime(NaN, 'UTC')).toBeUndefined();
	expect(describeWrite('started', 'Europe/Berlin', '2026-05-03T12:05:00Z')).toEqual({
		result: 'started',
		time: '2026-05-03T14:05:00.000+02:00',
		timeZone: 'Europe/Berlin',
	});
	expect(describeWrite('started', 'UTC', 'soon').time).toBe('soon');
});

test('the first value that is not empty is read', () => {
	expect(readFirstValue({ a: ' ', b: null, c: 0, d: 'x' }, ['a', 'b', 'c', 'd'])).toBe(0);
	expect(readFirstValue({ a: '' }, ['a', 'b'])).toBeNull();
});

test.each([
	[{ isActive: false, status: 'Active' }, false, 'Inactive'],
	[{ isActive: true }, true, 'Active'],
	[{ isActive: null, status: ' ACTIVE ' }, true, 'Active'],
	[{ status: 'inactive' }, false, 'Inactive'],
	[{ status: 'Deleted' }, undefined, null],
	[{ status: 1 }, undefined, null],
	[{}, undefined, null],
])('the person %j is active: %p', (person, expected, text) => {
	expect(isActivePerson(person)).toBe(expected);
	expect(formatActiveStatus(expected)).toBe(text);
});

test('an address is cleaned of what copying adds; a name stays as it is', () => {
	expect(cleanIfEmailAddress('mailto:zoe@harbour.example?subject=Hi')).toBe('zoe@harbour.example');
	expect(cleanIfEmailAddress("'zoe@harbour.example'")).toBe('zoe@harbour.example');
	expect(cleanIfEmailAddress(" 'Zoe' ")).toBe(" 'Zoe' ");
	expect(normalizeEmailAddress('Zoe\u0308@harbour.example')).toBe('zoë@harbour.example');
});

test.each([
	['zoe@Harbour.Example', 'harbour.example'],
	['mailto:zoe@harbour.example?subject=a@b.c', 'harbour.example'],
	['a@b@harbour.example.', 'harbour.example'],
	['zoe@bücher.example', 'xn--bcher-kva.example'],
	['zoe', ''],
])('the domain of %j is %j', (email, expected) => {
	expect(getEmailDomain(email)).toBe(expected);
});

describe('the figures of a training', () => {
	test('have the same names on every platform, and those that cannot be calculated are null', () => {
		const live = {
			reportDetail: { totalTargetUserCount: 9, inProgressCount: 2, completedCount: '3', failedExamCount: 1 },
		};
		expect(addTrainingFigures(live)).toMatchObject({
			enrolled: 9,
			delivered: null,
			inProgress: 2,
			started: 5,
			completed: '3',
			passed: 2,
			failed: 1,
			isTest: false,
		});
		const contract = { name: 'A', deliveredCount: 0, notStartedCount: 4, completedCount: 3, isTest: true };
		expect(addTrainingFigures(contract)).toMatchObject({
			enrollmentName: 'A',
			delivered: 0,
			noResponse: 4,
			started: null,
			passed: null,
			isTest: true,
		});
	});

	test('never show fewer than 0 people who passed, and keep the fields of the platform', () => {
		const summary = { inProgressCount: 0, completedCount: 1, failedExamCount: 2, started: 'own' };
		expect(addTrainingFigures(summary)).toMatchObject({ passed: 0, started: 'own' });
		expect(addTrainingFigures({ note: 'x' })).toEqual({ note: 'x' });
	});

	test('have the names of the enrollment and the training', () => {
		expect(readTrainingNames({ enrollmentName: 'E', name: 'N', trainingName: 'T' })).toEqual({
			enrollmentName: 'E',
			trainingName: 'T',
		});
		expect(readTrainingNames({ name: 'N', trainingDetails: { name: 'D' } })).toEqual({
			enrollmentName: 'N',
			trainingName: 'D',
		});
		expect(readTrainingNames({})).toEqual({ enrollmentName: null, trainingName: null });
	});
});

describe('a response', () => {
	test.each<[string, unknown, object | undefined]>([
		['no body', '', { data: undefined, isFailure: false }],
		['an envelope in any case', { Data: 1, Status: 'success' }, { data: 1, isFailure: false, statusWord: 'success' }],
		[
			'a record without an envelope',
			{ name: 'A', status: 'Error' },
			{ data: { name: 'A', status: 'Error' }, isFailure: false },
		],
		['a list', '[1]', { data: [1], isFailure: false }],
		['a token', 'abcdefgh', { data: 'abcdefgh', isFailure: false }],
		['a short word', 'abcdefg', undefined],
		['a sentence', 'This is not JSON.', undefined],
		['a web page', '<html></html>', undefined],
		['truncated JSON', '{"data":', undefined],
		['a failure word in code', { data: null, code: 'INPUT_ERROR' }, { isFailure: true, statusWord: 'INPUT_ERROR' }],
		['a failure word in status', { data: 1, status: 'failed' }, { isFailure: true }],
		['isSuccess false', { data: 1, isSuccess: false }, { isFailure: true }],
		['isSuccess true', { data: 1, isSuccess: true, status: 'error' }, { isFailure: false }],
		[
			'validation messages without data',
			{ data: null, validationMessages: ['No.'] },
			{ isFailure: true, messages: ['No.'] },
		],
		[
			'validation messages with data',
			{ data: 1, validationMessages: ['No.'] },
			{ isFailure: false, messages: ['No.'] },
		],
		['empty validation messages', { data: null, validationMessages: [' '] }, { isFailure: false, messages: [] }],
		['problem details', { title: 'T', errors: { Name: ['N'] } }, { data: undefined, messages: ['N', 'T'] }],
		['the same message twice', { data: 1, message: 'M', messages: ['M'] }, { messages: ['M'] }],
		['an empty code before a status', { data: 1, code: '', status: 'OK' }, { statusWord: 'OK' }],
	])('with %s', (_what, body, expected) => {
		const envelope = readEnvelope(body);
		if (expected) expect(envelope).toMatchObject(expected);
		else expect(envelope).toBeUndefined();
	});
});

test('the pause before the next try doubles, and is 4 seconds at most before the last one', () => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	expect([1, 2, 3, 4].map(getBackoffMs)).toEqual([500, 1000, 2000, 4000]);
});

test('after a failure, no further request starts, and the running ones end first', async () => {
	const startedEntries: number[] = [];
	let endedCount = 0;
	const runTask = async (entry: number) => {
		startedEntries.push(entry);
		await Promise.resolve();
		if (entry === 1) throw new Error('failed');
		await Promise.resolve();
		endedCount++;
		return entry;
	};
	await expect(mapConcurrently([1, 2, 3, 4], 2, runTask)).rejects.toThrow('failed');
	expect([startedEntries, endedCount]).toEqual([[1, 2], 1]);
});
