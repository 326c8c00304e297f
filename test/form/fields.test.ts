/**
 * Each kind of field, one rule at a time: which values it accepts, how it converts them, and its message for all
 * others.
 */
import { DateTime } from 'luxon';
import { choice } from '../../nodes/shared/form/choice';
import { collection, rows } from '../../nodes/shared/form/collection';
import { dateTime, isLocalTime } from '../../nodes/shared/form/date';
import { isShown, labelsOf, savedOnly, showWhen, type ItemContext } from '../../nodes/shared/form/field';
import { idField } from '../../nodes/shared/form/id';
import { wholeNumber } from '../../nodes/shared/form/number';
import { optional } from '../../nodes/shared/form/optional';
import { parseTexts, text, texts } from '../../nodes/shared/form/text';
import { toggle } from '../../nodes/shared/form/toggle';
import { numberOf, shown } from '../../nodes/shared/form/value';
import { refusalOf, says } from './refusal';

const item: ItemContext = { timezone: 'Europe/Berlin', upload: () => Promise.reject(new Error('There is no file')) };
const label = { displayName: 'Field' };

test('a value in a message is short, and never the inside of an object', () => {
	expect([undefined, null, '', [1], { a: 1 }, 0, false, 'x', 'y'.repeat(41)].map(shown)).toEqual([
		...['empty', 'empty', 'empty', 'a list', 'an object', "'0'", "'false'", "'x'", `'${'y'.repeat(40)}…'`],
	]);
	expect(shown('y'.repeat(40))).toBe(`'${'y'.repeat(40)}'`);
});

describe('a switch', () => {
	const { parse } = toggle({ ...label, description: '', default: true });

	test.each<[unknown, boolean]>([
		...[true, 'true', ' TRUE '].map((raw): [unknown, boolean] => [raw, true]),
		...[false, 'false', ' False ', '', null, undefined].map((raw): [unknown, boolean] => [raw, false]),
	])('%j is %s, as an expression may give it', (raw, value) => {
		expect(parse(raw, item)).toBe(value);
	});

	test.each(['yes', 1, {}])('%j is none', async (raw) => {
		expect((await refusalOf(() => parse(raw, item))).complaint).toMatch(/^must be true or false, but is /);
	});
});

test('a number may come as text; nothing that would break is made one', () => {
	expect([5, '5', ' 5 '].map(numberOf)).toEqual([5, 5, 5]);
	expect([{}, [5], 'x', undefined].map(numberOf)).toEqual([NaN, NaN, NaN, NaN]);
	expect(numberOf(null)).toBe(0);
});

describe('a text', () => {
	const bounded = text({ ...label, min: 2, max: 4 });

	test.each<[unknown, string]>([
		['ab', 'ab'],
		['abcd', 'abcd'],
		[12, '12'],
		[true, 'true'],
		['😀😀😀😀', '😀😀😀😀'],
	])('%j is taken', (raw, value) => {
		expect(bounded.parse(raw, item)).toBe(value);
	});

	test.each<[unknown, string]>([
		['a', 'must have 2 to 4 characters, but has 1'],
		['abcde', 'must have 2 to 4 characters, but has 5'],
		['', 'must not be empty'],
		['   ', 'must not be empty'],
		[undefined, 'must not be empty'],
		[{}, 'must be text'],
		[['ab'], 'must be text'],
	])('%j is refused', (raw, complaint) => {
		expect(() => bounded.parse(raw, item)).toThrow(says(complaint));
	});

	test('may be empty unless it is required, and only then may it be blank', () => {
		expect(text(label).parse(undefined, item)).toBe('');
		expect(text(label).parse('  ', item)).toBe('  ');
		expect(() => text({ ...label, required: true }).parse('  ', item)).toThrow(says('must not be empty'));
		expect(() => text({ ...label, min: 3 }).parse('ab', item)).toThrow(
			says('must have at least 3 characters, but has 2'),
		);
	});

	test('shows what it is', () => {
		expect(text({ ...label, default: 'x', rows: 3, required: true }).property).toEqual({
			...{ displayName: 'Field', type: 'string', default: 'x', required: true, typeOptions: { rows: 3 } },
		});
		expect(text({ ...label, password: true, hint: 'h', placeholder: 'p', description: 'd' }).property).toEqual({
			...{ displayName: 'Field', type: 'string', default: '', hint: 'h', placeholder: 'p', description: 'd' },
			typeOptions: { password: true },
		});
		expect(text(label).property).toEqual({ displayName: 'Field', type: 'string', default: '' });
	});
});

test('several texts stand in a list, in JSON, or between commas and line breaks', () => {
	const expected = ['a', 'b c', '3'];
	for (const raw of [
		['a', ' b c ', 3],
		[['a', 'b c'], 3],
		'["a", "b c", 3]',
		'a, b c,,3',
		'a\nb c\n3',
		' a , b c ,3, ',
	]) {
		expect(parseTexts(raw)).toEqual(expected);
		expect(texts(label).parse(raw, item)).toEqual(expected);
	}
	expect([undefined, null, '', [], ' , ', 7].map(parseTexts)).toEqual([[], [], [], [], [], ['7']]);
	expect(() => parseTexts([{}])).toThrow(says('must be text'));
	expect(() => parseTexts('[a')).toThrow(says(/^must be JSON, but is not: /));
});

describe('a whole number', () => {
	const field = wholeNumber({ ...label, default: 2, min: 1, max: 5 });

	test.each([1, 5, '3', ' 4 ', 2.0])('%j is taken', (raw) => {
		expect(field.parse(raw, item)).toBe(Number(raw));
	});

	test.each<[unknown, string]>([
		...[0, 6, 1.5, NaN, '', ' ', 'x', null, undefined, true, [2], {}].map((raw): [unknown, string] => [
			raw,
			shown(raw),
		]),
	])('%j is refused', (raw, what) => {
		expect(() => field.parse(raw, item)).toThrow(says(`must be a whole number from 1 to 5, but is ${what}`));
	});

	test('may have no end', () => {
		const open = wholeNumber({ ...label, default: 2, min: 1 });
		expect(open.parse(1e9, item)).toBe(1e9);
		expect(() => open.parse(0, item)).toThrow(says("must be a whole number of at least 1, but is '0'"));
		// What is blank is not 0.
		const fromZero = wholeNumber({ ...label, default: 2, min: 0 });
		expect(() => fromZero.parse(' ', item)).toThrow(says(`must be a whole number of at least 0, but is ${shown(' ')}`));
		expect(open.property.typeOptions).toEqual({ minValue: 1 });
		expect(field.property).toEqual({ ...label, type: 'number', default: 2, typeOptions: { minValue: 1, maxValue: 5 } });
	});
});

describe('a point in time', () => {
	const field = dateTime(label);

	test.each<[unknown, string]>([
		['2026-01-31', '2026-01-30T23:00:00.000Z'],
		['2026-01-31T09:00', '2026-01-31T08:00:00.000Z'],
		[' 2026-01-31 09:00:00 ', '2026-01-31T08:00:00.000Z'],
		['2026-07-31T09:00:00', '2026-07-31T07:00:00.000Z'],
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00-05:00', '2026-01-31T14:00:00.000Z'],
		[new Date('2026-01-31T09:00:00Z'), '2026-01-31T09:00:00.000Z'],
		[DateTime.fromISO('2026-01-31T09:00:00', { zone: 'Asia/Tokyo' }), '2026-01-31T00:00:00.000Z'],
	])("%s is meant in the workflow's time zone, unless it says another", (raw, utc) => {
		expect(field.parse(raw, item)).toBe(utc);
	});

	test.each<[unknown]>([
		['31.01.2026'],
		['2026-13-01'],
		['x2026-01-31'],
		[5],
		[{}],
		[new Date('x')],
		[DateTime.invalid('x')],
	])('%j is none', (raw) => {
		expect(() => field.parse(raw, item)).toThrow(
			says(/^must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is /),
		);
	});

	test('may be left out', () => {
		expect([undefined, null, ''].map((raw) => field.parse(raw, item))).toEqual([undefined, undefined, undefined]);
		expect(field.property).toEqual({ ...label, type: 'dateTime', default: '' });
	});

	test('is local where a time zone decides which moment it is', () => {
		expect(['2026-01-31', '2026-01-31 09:00', ' 2026-01-31T09:00:00 '].map(isLocalTime)).toEqual([true, true, true]);
		expect(['2026-01-31T09:00:00Z', '2026-01-31T09:00+01:00', 'soon', '', 5, new Date()].map(isLocalTime)).toEqual(
			Array.from({ length: 6 }, () => false),
		);
	});
});

test('a choice is one of its values, also as a number', () => {
	const field = choice({
		...label,
		default: '1',
		options: [
			{ name: 'One', value: '1' },
			{ name: 'Two', value: '2' },
		],
	});
	expect(['1', 2].map((raw) => field.parse(raw, item))).toEqual(['1', '2']);
	for (const raw of ['One', '', undefined, 3, ['1']])
		expect(() => field.parse(raw, item)).toThrow(says(`must be one of '1', '2', but is ${shown(raw)}`));
	expect(field.property).not.toHaveProperty('noDataExpression');
	const fixed = choice({ ...label, default: 'a', options: [{ name: 'A', value: 'a' }], noDataExpression: true });
	expect(fixed.property).toHaveProperty('noDataExpression', true);
});

describe('fields inside a field', () => {
	const fields = {
		a: text({ displayName: 'A', required: true }),
		b: wholeNumber({ displayName: 'B', default: 1, min: 1 }),
	};

	test('of a collection have a value only if they were added', async () => {
		const field = collection({ displayName: 'Options', fields });
		expect(await field.parse({ b: '2', other: 1 }, item)).toEqual({ b: 2 });
		for (const raw of [{}, undefined, null, 'x', []]) expect(await field.parse(raw, item)).toEqual({});
		expect(await refusalOf(() => field.parse({ b: 0 }, item))).toMatchObject({ path: ['b'] });
		expect(field.property).toMatchObject({ type: 'collection', default: {}, placeholder: 'Add Field' });
		expect(field.property.options).toEqual([
			expect.not.objectContaining({ required: true }),
			expect.objectContaining({ name: 'b' }),
		]);
	});

	test.each([
		[4, ['D', 'C', 'B', 'A']],
		[5, ['A', 'B', 'C', 'D', 'E']],
	])('%i of them stand in the order that n8n wants', (count, names) => {
		const made = Object.fromEntries(
			[...'EDCBA'].slice(5 - count).map((name) => [name.toLowerCase(), text({ displayName: name })]),
		);
		const { options = [] } = collection({ ...label, fields: made }).property;
		expect(options.map((option) => ('displayName' in option ? option.displayName : ''))).toEqual(names);
	});

	test('of rows are in each row', async () => {
		const field = rows({ ...label, button: 'Add', row: 'Row', fields });
		expect(await field.parse({ rows: [{ a: 'x', b: 1 }, 'odd', { a: 'y', b: 2 }] }, item)).toEqual([
			...[
				{ a: 'x', b: 1 },
				{ a: 'y', b: 2 },
			],
		]);
		for (const raw of [{}, undefined, { rows: 'x' }, []]) expect(await field.parse(raw, item)).toEqual([]);
		expect(field.property).toMatchObject({
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
		});
	});

	test('are called by the names that a person sees on the way', () => {
		const map = { options: collection({ displayName: 'Options', fields }) };
		expect(labelsOf(map, ['options', 'a'])).toEqual(['Options', 'A']);
		expect(labelsOf(map, ['options', 'other', 'x'])).toEqual(['Options', 'other', 'x']);
		expect(labelsOf(map, [])).toEqual([]);
	});
});

test('a field may be shown, hidden, optional, or kept only for what was saved in it', async () => {
	const plain = text({ displayName: 'A', required: true, default: 'x' });
	const sometimes = showWhen({ mode: ['one', 'two'] }, plain);
	expect(
		[{ mode: 'one' }, { mode: 'three' }, {}, { mode: undefined }].map((values) => isShown(sometimes, values)),
	).toEqual([...[true, false, true, false]]);
	expect(isShown(plain, { mode: 'three' })).toBe(true);
	expect(sometimes.property).toEqual({ ...plain.property, displayOptions: { show: { mode: ['one', 'two'] } } });
	expect(savedOnly(plain).property).toEqual({ displayName: 'A', type: 'hidden', default: 'x' });
	const none = optional(plain);
	for (const raw of [undefined, null, '', { value: '' }, { value: null }])
		expect(await none.parse(raw, item)).toBeUndefined();
	expect(await none.parse('y', item)).toBe('y');
});

test('an ID is required, and taken without blanks', () => {
	const field = idField({ displayName: 'ID' });
	expect(field.property).toMatchObject({
		required: true,
		placeholder: expect.stringMatching(/^e\.g\. [0-9a-f-]{36}$/),
	});
	expect(field.parse(' a ', item)).toBe('a');
	expect(() => field.parse('a/b', item)).toThrow(says(/^is not an ID/));
});
