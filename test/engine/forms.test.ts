/**
 * Every rule of the contract about input (sections 2 and 8), checked before a request is sent: the error names the
 * field, and no other item is affected. The forms of the first nodes are in test/engine/badInput. PRINT=1 npx jest
 * test/engine/forms prints the table.
 */
import { get, once, set } from 'lodash';
import { NodeApiError, NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { runNode } from '../n8n-core';
import { sample } from '../setup/depth';
import { operationFixture, itemWith } from '../cases/operationFixture';
import { createClient, enroll, LIMITS, saml, samlText, user, x, type Form } from './formsLimits';
import { ROWS } from './formsTable';

const printed: string[] = [];
afterAll(() => {
	if (process.env.PRINT) process.stdout.write(`${['| Input | Message |', '|---|---|', ...printed].join('\n')}\n`);
});

const g = operationFixture('contract');
const XML = '<?xml version="1.0" encoding="UTF-16"?><EntityDescriptor entityID="x"/>';
const FILES = {
	notXml: { fileName: 'a.txt', mimeType: 'text/plain', content: Buffer.from('entityID = x') },
	utf16: { fileName: 'a.xml', mimeType: 'application/xml', content: Buffer.from(`\ufeff${XML}`, 'utf16le') },
	utf16be: { fileName: 'a.xml', mimeType: 'application/xml', content: Buffer.from(`\ufeff${XML}`, 'utf16le').swap16() },
	page: { fileName: 'a.html', mimeType: 'text/html', content: Buffer.from('<!doctype html><html></html>') },
};

async function ready({ case: { node, operation, prepare }, more, asTool }: Form) {
	const { parameters, files } = await prepare(g.customer, asTool);
	g.service.clearLog();
	return { node, parameters: structuredClone({ operation, ...parameters, ...more }), files };
}

/** Put away once, for all tests. */
const binaries = once(async () => (await itemWith(FILES)).binary);

/** An item with the files that a case needs, and those of the rows. */
async function inputWith(files: Parameters<typeof itemWith>[0], json?: IDataObject): Promise<INodeExecutionData> {
	const item = await itemWith(files, json);
	return { ...item, binary: { ...item.binary, ...(await binaries()) } };
}

/** A message as far as the table has it: after a colon come the JSON parser's words, which differ between versions of Node. */
const beginning = (message: string, expected: string) =>
	expected.endsWith(': ') ? message.slice(0, expected.length) : message;

/** n8n's expressions take no raw line break in a text. */
const code = (value: unknown) => JSON.stringify(value ?? null);

test.each(ROWS)('%s: said before anything is asked, not even for a token', async (input, of, field, bad, message) => {
	const { node, parameters, files } = await ready(of);
	expect(get(parameters, field)).toBeDefined();
	set(parameters, field, `={{ ${code(bad)} }}`);
	const thrown: unknown = await runNode({
		node: g.node(node),
		parameters,
		credential: g.newCredential(),
		items: [await inputWith(files)],
	}).then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(thrown instanceof NodeOperationError) || thrown instanceof NodeApiError)
		throw new Error('It was not refused', { cause: thrown });
	expect(beginning(thrown.message, message)).toBe(message);
	expect(thrown.description).toMatch(/\w/);
	expect(g.service.log).toEqual([]);
	printed.push(`| ${input} | ${thrown.message.replaceAll('|', '\\|')} |`);
});

const failure = z.object({ error: z.object({ message: z.string(), description: z.string() }), message: z.string() });

// The messages were checked above, so a sample has only an eighth of the rows here.
test.each(sample(ROWS, Math.ceil(ROWS.length / 8)))(
	'%s: the next item is unharmed',
	async (_input, of, field, bad, message) => {
		const { node, parameters, files } = await ready(of);
		const good: unknown = get(parameters, field);
		set(parameters, field, `={{ $json.bad ? ${code(bad)} : ${code(good)} }}`);
		const items = [await inputWith(files, { bad: true }), await inputWith(files, { bad: false })];
		const result = await runNode({
			node: g.node(node),
			parameters,
			credential: g.credential,
			items,
			onError: 'continueRegularOutput',
		});
		const [first, ...others] = result.items;
		expect(beginning(failure.parse(first?.json).message.replace(/ \[item 0\]$/, ''), message)).toBe(message);
		expect(first?.pairedItem).toEqual({ item: 0 });
		expect(others.length).toBeGreaterThan(0);
		expect(
			others.filter(({ json, pairedItem }) => json.error !== undefined || JSON.stringify(pairedItem) !== '{"item":1}'),
		).toEqual([]);
	},
);

/** The longest that is allowed, the earliest due date, every form of a date and an address. */
const GOOD: Array<[input: string, form: Form, field: string, good: unknown]> = [
	...LIMITS.map(([what, of, field, , max]): [string, Form, string, unknown] => [
		`${what}: ${max} characters`,
		of,
		field,
		x(max),
	]),
	...LIMITS.map(([what, of, field]): [string, Form, string, unknown] => [`${what}: one character`, of, field, 'y']),
	['System user e-mail: 320 characters', user, 'email', `${x(307)}@mail.example`],
	[
		'IP addresses and ranges',
		createClient,
		'allowedIpAddresses',
		'203.0.113.7, 203.0.113.0/24,2001:db8::1\n2001:db8::/32, ::1, ::ffff:203.0.113.7, 0.0.0.0/0',
	],
	['IP addresses as a list', createClient, 'allowedIpAddresses', ['203.0.113.7', '::1']],
	['Roles as text', createClient, 'roles', undefined],
	['Due at the start', enroll, 'scheduler.dueDate', '2031-03-01T09:00:00'],
	[
		'SAML metadata after a byte order mark',
		samlText,
		'metadataXml',
		'\ufeff<?xml version="1.0"?>\n<!-- Okta --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"/>',
	],
	['SAML metadata in a file of UTF-16', saml, 'metadataFile', 'utf16'],
	['SAML metadata in a file of UTF-16, the other way round', saml, 'metadataFile', 'utf16be'],
	['SAML metadata of several', samlText, 'metadataXml', '<EntitiesDescriptor><EntityDescriptor/></EntitiesDescriptor>'],
];

test.each(GOOD)('%s: taken', async (_input, of, field, good) => {
	const { node, parameters, files } = await ready(of);
	if (good === undefined) set(parameters, field, z.array(z.string()).parse(get(parameters, field)).join(', '));
	else set(parameters, field, `={{ ${code(good)} }}`);
	const { items } = await runNode({
		node: g.node(node),
		parameters,
		credential: g.credential,
		items: [await inputWith(files)],
	});
	expect(items).toHaveLength(1);
});

test.each([
	['ISO 8601 with an offset', '2031-03-01T12:00:00+02:00'],
	['ISO 8601 in UTC', '2031-03-01T10:00:00.000Z'],
	["text in the chosen time zone, as n8n's date picker gives it", '2031-03-01T11:00:00'],
	['text with a blank', '2031-03-01 11:00'],
	["n8n's DateTime", '={{ DateTime.fromISO("2031-03-01T05:00:00", { zone: "America/New_York" }) }}'],
	['a Date', '={{ new Date("2031-03-01T10:00:00Z") }}'],
])('a date as %s is sent in UTC', async (_named, date) => {
	const { node, parameters, files } = await ready(enroll);
	set(parameters, 'scheduler.scheduledDate', date);
	await runNode({ node: g.node(node), parameters, credential: g.credential, items: [await inputWith(files)] });
	const [request] = g.service.requests('POST /api/enrollments');
	expect(request?.body).toMatchObject({ enrollmentScheduler: { scheduledDate: '2031-03-01T10:00:00.000Z' } });
});
