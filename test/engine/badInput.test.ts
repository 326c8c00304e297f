/**
 * Input that cannot be sent: it is named in an error before any request is sent, and no other item is affected. PRINT=1
 * npx jest test/engine/badInput prints the table.
 */
import { set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { storeBinary } from '../n8n-core';
import { nodeFixture, failedItem, failureOf, isFailed, textOf } from '../n8n-core/nodeFixture';
import { getCompany } from './badInputForms';
import { perItem, perRun } from './badInputTable';
import { sample } from '../setup/depth';

const b = nodeFixture({ companies: 40 });

const credentials: Array<[input: string, credential: IDataObject, message: string]> = [
	...(
		[
			['empty', '  ', 'is empty'],
			['without scheme', 'awareness.example.com', 'must begin with https://'],
			['with another scheme', 'ftp://awareness.example.com', 'must begin with https://'],
			['without host', 'https://', 'is not a web address'],
			['with a path', 'https://awareness.example.com/app', 'must not have a path'],
			['with a path below /api', 'https://awareness.example.com/api/v1', 'must not have a path'],
			['with a query', 'https://awareness.example.com/?a=b', 'must not have a path'],
			[
				'with user and password',
				'https://user:password@awareness.example.com',
				'must not hold a user name or password',
			],
			[
				'http on another host',
				'http://awareness.example.com',
				'must begin with https://, because over http:// others can read your data on the way',
			],
			[
				'http on a host that only begins like this machine',
				'http://127.0.0.1.example.com',
				'must begin with https://, because over http:// others can read your data on the way',
			],
			['with a line break', 'https://awareness.\nexample.com', 'is not a web address'],
		] as const
	).map(([input, serverUrl, message]): [string, IDataObject, string] => [
		`Base URL ${input}`,
		{ serverUrl },
		`'Base URL' ${message}`,
	]),
	...(
		[
			['with a line break', 'X-A\r\nX-Evil: 1'],
			['with NUL', 'X-A\u0000'],
			['with a blank', 'X A'],
			['with a colon', 'X-A:'],
			['with an umlaut', 'X-Fïrma'],
		] as const
	).map(([input, companyHeaderName]): [string, IDataObject, string] => [
		`Company Header Name ${input}`,
		{ companyHeaderName },
		"'Company Header Name' must be a header name: letters, digits and hyphens only, with no blanks or line breaks",
	]),
];

const printed: Array<[input: string, message: string]> = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Input | Message |', '|---|---|', ...printed.map(([input, message]) => `| ${input} | ${message} |`)].join('\n')}\n`,
		);
});

/** The parameters with a bad value in one place: always, or for the items that say so. */
function withBad(good: IDataObject, field: string, bad: unknown, always: boolean): IDataObject {
	const value: unknown = field
		.split('.')
		.reduce<unknown>(
			(from, key) => (typeof from === 'object' && from !== null && key in from ? Reflect.get(from, key) : undefined),
			good,
		);
	// n8n's expressions take no raw line separator.
	const code = JSON.stringify(bad).replace(/\u2028/g, '\\u2028');
	return set(
		structuredClone(good),
		field,
		`={{ ${always ? '' : `!$json.bad ? ${JSON.stringify(value ?? null)} : `}${code} }}`,
	);
}

/** A message as far as the table has it: after a colon come the JSON parser's words, which differ between versions of Node. */
const beginning = (message: string, expected: string) =>
	expected.endsWith(': ') ? message.slice(0, expected.length) : message;

async function items(...bad: boolean[]) {
	const file = await storeBinary(Buffer.from('file'), { fileName: 'f.png', mimeType: 'image/png' });
	return bad.map((isBad) => ({ json: { bad: isBad }, binary: { data: file } }));
}

test.each([...perItem, ...perRun])(
	'%s: said before anything is asked, not even for a token',
	async (input, { node, good }, field, bad, message) => {
		const parameters =
			field === 'operation'
				? { ...good(b.service.state), operation: textOf(bad) }
				: withBad(good(b.service.state), field, bad, true);
		const error = await failureOf(b.run(node, parameters, { store: b.newStore(), items: await items(true) }));
		expect(b.service.log).toEqual([]);
		expect(beginning(error.message, message)).toBe(message);
		expect(error.description).toMatch(/\w/);
		printed.push([input, error.message]);
	},
);

// The messages were checked above, so a sample has only a quarter of the rows here.
test.each(sample(perItem, Math.ceil(perItem.length / 3)))(
	'%s: the other items are unharmed',
	async (_input, { node, good }, field, bad, message) => {
		const parameters = withBad(good(b.service.state), field, bad, false);
		const some = await items(false, true, false);
		const alone = await b.run(node, parameters, { items: some.slice(0, 1) });
		const requests = b.asked.length;
		b.service.clearLog();
		const result = await b.run(node, parameters, { items: some, onError: 'continueRegularOutput' });
		const [first, ...others] = result.items.filter(isFailed);
		expect(beginning(failedItem(first).message.replace(/ \[item 1\]$/, ''), message)).toBe(message);
		expect(failedItem(first).message).toMatch(/ \[item 1\]$/);
		expect(first?.pairedItem).toEqual({ item: 1 });
		expect(others).toEqual([]);
		for (const item of [0, 2])
			expect(result.items.filter((each) => JSON.stringify(each.pairedItem) === `{"item":${item}}`)).toHaveLength(
				alone.items.length,
			);
		expect(b.asked).toHaveLength(2 * requests);
	},
);

test.each(credentials)('%s: said before anything is asked', async (input, credential, message) => {
	const error = await failureOf(
		b.run(getCompany.node, getCompany.good(b.service.state), { store: b.newStore('reseller', credential) }),
	);
	expect(b.service.log).toEqual([]);
	expect(error.message).toBe(message);
	expect(error.description).toContain('Open the credential to change it.');
	printed.push([input, error.message]);
});
