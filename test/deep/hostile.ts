/**
 * What the tests of hostile input share: values that are meant to cause failures, and the rules that must hold
 * nevertheless.
 */
import fc from 'fast-check';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';
import { type RunResult } from '../n8n-core';
import { deepOr } from '../setup/depth';
import { textsIn } from '../n8n-core/texts';
import { byId } from '../cases/customerFixture';
/** How many times as much is tried when there is time. */
export const LONG = process.env.LONG_RUN === '1' ? 20 : 1;
export const runs = (count: number) => ({ numRuns: deepOr(count * LONG, Math.ceil(count / 10)) });
/** How many operations a sample tries of each kind. */
export const OPERATIONS = 8;
export const patience = 60_000 * LONG;

const AWKWARD = [
	...[
		'',
		' ',
		'.',
		'..',
		'../../x',
		'..\\..\\x',
		'/etc/passwd',
		'C:\\x',
		'%2e%2e%2f',
		'a%0d%0ab',
		'?a=b',
		'#x',
		'a/b',
		';',
		'&a=b',
		'"',
		"'",
	],
	...[
		'a\u0000b',
		'a\r\nX-Evil: 1',
		'a\nb',
		'\u2028',
		'\u202Egnp.exe',
		'\ufeff',
		'\ud800',
		'🚀',
		'株式会社',
		'x'.repeat(10_000),
		'🚀'.repeat(2_500),
	],
	...[
		'__proto__',
		'constructor',
		'toString',
		'null',
		'undefined',
		'NaN',
		'{{ 1 }}',
		'={{ 1 }}',
		'${1}',
		'<script>',
		'CON',
		'nul.csv',
	],
];
export const awkward = fc.oneof(
	fc.constantFrom(...AWKWARD),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.string({ maxLength: 40 }),
);
export const someAwkward = (count: number) => fc.array(awkward, { minLength: count, maxLength: count });

/** Values that JSON can have, of every kind, some of them meant ill. */
const DEEP = `${'['.repeat(1000)}${']'.repeat(1000)}`;
const DEEP_OBJECT = `${'{"children":'.repeat(1000)}{}${'}'.repeat(1000)}`;
const POLLUTING = [
	'{"__proto__":{"polluted":true}}',
	'{"constructor":{"prototype":{"polluted":true}}}',
	'[{"__proto__":{"polluted":true}}]',
];
export const jsonText = fc.oneof(
	fc.constantFrom(
		'null',
		'true',
		'false',
		'0',
		'-1',
		'1e308',
		'1e400',
		'""',
		'"text"',
		'[]',
		'{}',
		'[null]',
		'[[[]]]',
		'[1,"a",null]',
		'{"a":{"b":[{}]}}',
		DEEP,
		DEEP_OBJECT,
		...POLLUTING,
	),
	fc.json(),
	fc.json({ maxDepth: 3 }).map((inner) => `{"__proto__":${inner},"constructor":${inner},"name":${inner}}`),
);
export const junk = jsonText.map((text): unknown => JSON.parse(text));

const untouched = () =>
	[Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype).map(String));
const before = untouched();
export const expectUnpolluted = () => {
	expect(untouched()).toEqual(before);
	expect({}).not.toHaveProperty('polluted');
};
/** Words of JavaScript that mean nothing to most people. */
const RAW =
	/undefined|is not a function|not iterable|Cannot (read|set|convert)|is not valid JSON|Maximum call stack|\[object|Invalid (time value|array length|string length)|Unexpected (token|end)|ZodError|invalid_type/;
/** Checks that a message can be understood without knowledge of JavaScript. */
export function expectReadable(message: string, description: string | null | undefined, given: string[] = []): void {
	expect(message).toMatch(/^(Could not |')/);
	const words = given.reduce(
		(text, each) => (each === '' ? text : text.split(each).join('')),
		`${message}\n${description ?? ''}`,
	);
	expect(words).not.toMatch(RAW);
	expect(description ?? '').toMatch(/\w/);
}

export type Ended = { result: RunResult } | { error: NodeApiError | NodeOperationError };
/** However a run ends: with items that are objects, or with an error for a person. */
export async function endOf(run: Promise<RunResult>, given: string[] = []): Promise<Ended> {
	const ended = await run.then(
		(result) => ({ result }),
		(error: unknown) => ({ error }),
	);
	if ('error' in ended) {
		const { error } = ended;
		if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) throw error;
		expectReadable(error.message, error.description, given);
		return { error };
	}
	for (const { json } of ended.result.items) {
		expect(Object.prototype.toString.call(json)).toBe('[object Object]');
		expect(() => JSON.stringify(json)).not.toThrow();
	}
	return ended;
}

export const ofItem = ({ items }: RunResult, index: number): INodeExecutionData[] =>
	items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item: index }));

/** Nothing of a credential is in any of these. */
export function expectNone(values: unknown[], secrets: string[]): void {
	const texts = textsIn(values);
	expect(texts.length).toBeGreaterThan(0);
	expect(
		texts
			.filter((text) => secrets.some((secret) => secret !== '' && text.includes(secret)))
			.map((text) => text.slice(0, 200)),
	).toEqual([]);
}

export const ownCompany = { companyScope: 'own' };
export const groupsOf = (company: string) => ({ operation: 'getMany', companyScope: 'one', company: byId(company) });
export const onError = 'continueRegularOutput' as const;
