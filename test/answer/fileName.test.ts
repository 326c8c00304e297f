/** File names as a service sends them in its headers (RFC 6266), and as every file system accepts them. */
import { parse } from 'node:path/win32';
import fc from 'fast-check';
import { fileNameOf, fold, headerOf, MAX_ID_BYTES, safeName } from '../../nodes/shared/answer/fileName';
import { deepOr } from '../setup/depth';

const response = (headers: Record<string, unknown>) => ({ status: 200, headers, body: '' });
const named = (disposition: string, company?: string, stem = 'Report') =>
	fileNameOf(response({ 'content-disposition': disposition }), stem, 'csv', company);
const TODAY = new Date().toISOString().slice(0, 10);

test('a header is a text, or a number; nothing else', () => {
	expect(['a', 'b', 'c', 'd'].map((name) => headerOf(response({ a: 'x', b: 5, c: ['x'] }), name))).toEqual([
		'x',
		'5',
		'',
		'',
	]);
});

test.each([
	['attachment; filename="Users.csv"', 'Users.csv'],
	['attachment; filename=Users.csv', 'Users.csv'],
	['attachment; filename = Users.xlsx ; size=5', 'Users.xlsx'],
	['attachment; FileName="a \\"b\\" c.csv"', 'a _b_ c.csv'],
	['attachment; filename="plain.csv"; filename*=UTF-8\'\'%C3%BCber.csv', 'über.csv'],
	["attachment; filename* = utf-8'en'%e2%82%ac.csv; filename=x", '€.csv'],
	["attachment; filename*=ISO-8859-1''plain.csv", 'plain.csv'],
	['attachment; filename="plain.csv"; filename*=UTF-8\'\'%ZZ', 'plain.csv'],
	['attachment; filename="no ending"', 'no ending.csv'],
	['attachment; filename="v1.2.tar"', 'v1.2.tar'],
	['attachment; filename="name.averylongending"', 'name.averylongending.csv'],
	['attachment; filename="../../etc/passwd.csv"', 'etc-passwd.csv'],
	['attachment; filename="C:\\\\Users\\\\a.csv"', 'C_-Users-a.csv'],
	['attachment; filename="Leaderboard Miller A/S.csv"', 'Leaderboard Miller A-S.csv'],
])('%s', (disposition, name) => {
	expect(named(disposition)).toBe(name);
});

test.each(['', 'attachment', 'attachment; filename=""', 'attachment; filename="..."'])(
	'without a name (%j): what it is, and the day',
	(disposition) => {
		expect(named(disposition)).toBe(`Report-${TODAY}.csv`);
		expect(named(disposition, 'Bakery')).toBe(`Report-Bakery-${TODAY}.csv`);
	},
);

test('the company is in it once', () => {
	expect(named('attachment; filename="Users.csv"', 'Bakery')).toBe('Users-Bakery.csv');
	expect(named('attachment; filename="Users of BAKERY.csv"', 'Bakery')).toBe('Users of BAKERY.csv');
	expect(named('attachment; filename="B\u0061\u0308cker.csv"', 'B\u00e4cker')).toBe('B\u00e4cker.csv');
	expect(named('attachment; filename="Users.csv"', '')).toBe('Users.csv');
});

test.each(['con', 'PRN', 'aux', 'nul', 'COM1', 'lpt9', 'com\u00b9'])(
	'%s is a device of Windows, so it is not the name',
	(name) => {
		expect(named(`attachment; filename*=UTF-8''${encodeURIComponent(name)}.csv`)).toBe(`_${name}.csv`);
		expect(named(`attachment; filename*=UTF-8''x${encodeURIComponent(name)}.csv`)).toBe(`x${name}.csv`);
	},
);

test.each(['Common.csv', 'comb.csv', 'console.csv', 'lpt.csv'])('%s is none', (name) => {
	expect(named(`attachment; filename="${name}"`)).toBe(name);
});

test('the longest name that file systems take is not exceeded, whatever it is made of', () => {
	const long = named(`attachment; filename="${'ü'.repeat(300)}.csv"`, 'ß'.repeat(59));
	expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
	expect(long).toMatch(/^ü+-ß{59}\.csv$/);
	expect(Buffer.byteLength(named('', '漢'.repeat(40), 'x'.repeat(300)))).toBeLessThanOrEqual(255);
});

describe('a part of a name', () => {
	test.each([
		['a/b\\c', 'a-b-c'],
		['Miller A/S', 'Miller A-S'],
		['<b>Bold</b> & Co', '_b_Bold_-b_ & Co'],
		['/etc/', 'etc'],
		['a\ud800b\u00adc', 'abc'],
		['<>:"|?*', '_______'],
		[' .a. ', 'a'],
		['a\u0000b\u001fc\u007fd\u0085e', 'abcde'],
		['a\u061c\u200b\u200f\u2028\u202e\u2060\u2069\ufeffb', 'ab'],
		['e\u0301', '\u00e9'],
		['..', ''],
	])('%j becomes %j', (text, name) => {
		expect(safeName(text)).toBe(name);
	});

	test('has at most 120 bytes, keeps its ending, and has no letter cut in two', () => {
		expect(safeName('x'.repeat(120))).toBe('x'.repeat(120));
		expect(safeName('x'.repeat(121))).toBe('x'.repeat(120));
		expect(safeName(`${'x'.repeat(130)}.xlsx`)).toBe(`${'x'.repeat(115)}.xlsx`);
		expect(safeName(`Report 2026.01 ${'x'.repeat(130)}.xlsx`)).toMatch(/^Report 2026\.01 x+\.xlsx$/);
		expect(safeName('漢'.repeat(41))).toBe('漢'.repeat(40));
		expect(safeName(`${'x'.repeat(119)}ü`)).toBe('x'.repeat(119));
		expect(safeName(`${'x'.repeat(118)} yyyy`)).toBe(`${'x'.repeat(118)} y`);
		expect(safeName(`${'x'.repeat(119)} yyyy`)).toBe('x'.repeat(119));
	});
});

/** What each system says of a file's name, in the words of its own documentation. */
const REFUSALS: Array<[system: string, refuses: (name: string) => boolean]> = [
	['Windows', (name) => /[<>:"/\\|?*\u0000-\u001f]|[. ]$/.test(name) || name.length > 255],
	['Windows', (name) => /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i.test(name)],
	['macOS', (name) => /[/:\u0000]/.test(name) || Buffer.byteLength(name) > 255],
	['Linux', (name) => /[/\u0000]/.test(name) || Buffer.byteLength(name) > 255],
	['Everybody', (name) => name === '' || name.startsWith('.')],
	// n8n writes it like this into the header of a download.
	['n8n', (name) => encodeURIComponent(name) === ''],
	['n8n', (name) => parse(name).base !== name || parse(name).dir !== ''],
];

const lettersOf = (text: string) =>
	text
		.normalize('NFC')
		.match(/[\p{L}\p{N}]/gu)
		?.join('') ?? '';

/** Whatever a company may be called: letters of all kinds, halves of characters, and what file systems refuse. */
const anyName = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 60 }),
	fc.string({ unit: 'grapheme', maxLength: 60 }),
	fc
		.array(
			fc.constantFrom(
				...[
					'Miller A/S',
					'<b>Bold</b> & Co',
					'con',
					'aux.',
					'..',
					'.',
					' ',
					'/',
					'\\',
					'?',
					'*',
					'"',
					'\u202e',
					'\ud83d',
				],
				...[
					'\u0000',
					'\n',
					'漢',
					'e\u0301',
					'ﬁ',
					'\u00bd',
					'COM1',
					'Inc.',
					'Co.KG',
					':',
					"'",
					'%',
					'%2F',
					'x'.repeat(50),
				],
			),
			{ maxLength: 12 },
		)
		.map((parts) => parts.join('')),
);

/** Whether one text is another without some of its characters. */
function isInOrder(some: string, all: string): boolean {
	const rest = [...some];
	for (const character of all) if (character === rest[0]) rest.shift();
	return rest.length === 0;
}

test('any name of a company: a file name that every system takes, with all letters and digits in their order', () => {
	fc.assert(
		fc.property(
			anyName,
			anyName,
			fc.constantFrom('', 'Users.csv', 'Users ', 'con.csv'),
			fc.boolean(),
			(company, other, before, isInName) => {
				const label = safeName(company);
				const given = before === '' ? '' : isInName ? `${before}${company}.csv` : before;
				const sent =
					given === '' ? '' : `attachment; filename*=UTF-8''${encodeURIComponent(given.replace(/\p{Cs}/gu, ''))}`;
				const name = named(sent, label, 'leaderboard');
				for (const [system, refuses] of REFUSALS)
					if (refuses(name)) throw new Error(`${system} refuses ${JSON.stringify(name)}`);
				const letters = lettersOf(company.replace(/\p{Cs}/gu, ''));
				expect(Buffer.byteLength(label)).toBeLessThanOrEqual(120);
				if (Buffer.byteLength(company) <= 120) {
					expect(lettersOf(label)).toBe(letters);
					if (label !== '') expect(fold(lettersOf(name))).toContain(fold(letters));
				} else expect(isInOrder(lettersOf(label), letters)).toBe(true);
				expect(named('', `${label}-${safeName(other, MAX_ID_BYTES)}`, 'leaderboard').length).toBeGreaterThan(4);
				expect(
					Buffer.byteLength(named('', `${label}-${safeName(other, MAX_ID_BYTES)}`, 'leaderboard')),
				).toBeLessThanOrEqual(255);
			},
		),
		{ numRuns: deepOr(3000, 150) },
	);
});

test('the same text is the same however it is written', () => {
	expect(fold('A\u0308B')).toBe(fold('\u00e4b'));
});
