/** Real mails that people reported: attacks, and people who wait for an answer. */
import type { IDataObject } from 'n8n-workflow';
import { extractBodyText } from '../../nodes/ReportedEmail/bodyText';
import { toIdLocator } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { getFailureMessage } from './deployed';

const fixture = createOperationFixture('deployed');
const PUT = 'PUT /api/notified-emails/{resourceId}';

const mail = (index = 0) => requireValue(fixture.customer.companyData.reportedEmails[index]);
const update = async (more: IDataObject, index = 0) =>
	runCase(
		fixture,
		{ node: 'ReportedEmail', operation: 'update' },
		{
			parameters: {
				...fixture.customer.companyParameters,
				reportedEmail: toIdLocator(mail(index).resourceId),
				...more,
			},
		},
	);

describe('an update changes what a person added, and nothing else', () => {
	const CHANGES: Array<[what: string, additionalFields: IDataObject, after: IDataObject]> = [
		['the status', { status: toIdLocator('Closed') }, { status: 'Closed' }],
		['a word of the platform', { status: toIdLocator('Escalated, tier 2') }, { status: 'Escalated, tier 2' }],
		['the note', { note: 'Seen' }, { note: 'Seen' }],
		['tags', { tag: 'wave 2, bank' }, { tags: ['wave 2', 'bank'] }],
		['no tags any more', { tag: '' }, { tags: [] }],
		[
			'a status that an expression does not give',
			{ status: toIdLocator('={{ $json.none }}'), note: 'x' },
			{ note: 'x' },
		],
	];
	test.each(CHANGES)('%s', async (_what, additionalFields, after) => {
		const before = { ...mail() };
		const { hints } = await update({ additionalFields });
		expect(mail()).toEqual({ ...before, isNotifyUser: false, ...after });
		expect(hints).toEqual([]);
	});
});

test('a mail without note, tags and message stays so', async () => {
	const before = { ...mail(1) };
	const { hints } = await update({ additionalFields: { result: toIdLocator('Phishing') } }, 1);
	expect(mail(1)).toEqual({ ...before, result: 'Phishing' });
	expect(hints).toEqual([]);
});

describe('the reporter', () => {
	test('gets a mail only if it was chosen, although the last update sent one', async () => {
		expect(mail().isNotifyUser).toBe(true);
		await update({ additionalFields: { status: toIdLocator('Closed') } });
		expect(mail().sentEmailCount).toBe(0);
		await update({ notifyReporter: true, additionalFields: { customMessage: 'It was an attack. Thank you!' } });
		expect(mail()).toMatchObject({ sentEmailCount: 1, customMessage: 'It was an attack. Thank you!', status: 'Closed' });
	});

	test.each(['reset-after', 'truncate', 'status-500', 'html-502'] as const)(
		'gets none twice, whatever happens to the answer: %s',
		async (kind) => {
			fixture.standIn.addFault({ route: PUT, kind, times: Infinity });
			await getFailureMessage(update({ notifyReporter: true, additionalFields: { status: toIdLocator('Closed') } }));
			expect(fixture.standIn.getRequests(PUT)).toHaveLength(1);
			expect(mail().sentEmailCount).toBeLessThan(2);
		},
	);
});

test('what the platform refuses is said in its own words', async () => {
	const message = await getFailureMessage(update({ additionalFields: { note: 'x' } }, 2));
	expect(message).toContain('The email is being analyzed.');
});

test('what an attacker wrote is in no message of a failure', async () => {
	Object.assign(mail(), { subject: '<b>subject</b>', htmlBody: '<b>body</b>', note: 'x'.repeat(300) });
	const message = await getFailureMessage(update({ additionalFields: { status: toIdLocator('Closed') } }));
	expect(message).not.toContain('<b>');
});

describe('the body', () => {
	const read = async (output: string) =>
		getJson(
			(
				await runCase(
					fixture,
					{ node: 'ReportedEmail', operation: 'get' },
					{
						parameters: {
							...fixture.customer.companyParameters,
							reportedEmail: toIdLocator(mail().resourceId),
							output,
						},
					},
				)
			).items,
		);

	test('comes as text; its HTML and links only with all fields', async () => {
		const simple = JSON.stringify(await read('simplified'));
		expect(simple).toContain('your invoice is overdue & must be paid: Pay now');
		expect(simple).not.toMatch(/<|evil\.example\/|steal/);
		const [raw] = await read('raw');
		expect(raw).toMatchObject({ htmlBody: mail().htmlBody, bodyText: expect.stringContaining('Pay now') });
	});

	test.each([
		['<a href="https://evil.example">Your&nbsp;bank</a>', 'Your bank'],
		['one<br>two</p><p>three</p>', 'one\ntwo\nthree'],
		['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
		['<<b>script>alert(1)', '&lt;script>alert(1)'],
		['before<img src=x onerror="steal()"', 'before'],
		['<script>never ends', ''],
		['<!-- never ends', ''],
		['<STYLE>p{}</STYLE >seen', 'seen'],
		['1 < 2', '1 &lt; 2'],
		['Tom &amp; Ada&#39;s &quot;bank&quot;', 'Tom & Ada\'s "bank"'],
	])('%s', (html, text) => {
		expect(extractBodyText(html)).toBe(text);
	});

	test.each(['<script>', '<!--', '<', '<br', '</script ', '\n '])('%j a million times takes no time', (part) => {
		const began = performance.now();
		expect(extractBodyText(part.repeat(1_000_000 / part.length))).not.toMatch(/<[a-z]/i);
		expect(performance.now() - began).toBeLessThan(2000);
	});
});

test.each([
	['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
	['one<br>two', 'one\ntwo'],
	['<p>one</p><p>two</p>', 'one\ntwo'],
	['<div>one</div><div>two</div>', 'one\ntwo'],
	['<table><tr><td>one</td></tr><tr><td>two</td></tr></table>', 'one\ntwo'],
	['<h1>one</h1>two', 'one\ntwo'],
])('the text of %s', (html, text) => {
	expect(extractBodyText(html)).toBe(text);
});

test.each([
	['status', 'eq', () => mail().status],
	['reportedBy', 'eq', () => mail().reportedBy],
	['subject', 'contains', () => mail().subject],
	['SenderIp', 'eq', () => mail().senderIp],
	['SHA512', 'eq', () => mail().sha512],
])('a condition on %s is one that the platform knows, and returns the mail', async (field, operator, value) => {
	const filters = { fieldFilters: { rows: [{ field, operator, value: value() }] } };
	fixture.standIn.setOptions({ undocumentedFieldsMode: 'refused' });
	const { items } = await runCase(
		fixture,
		{ node: 'ReportedEmail', operation: 'getMany' },
		{ parameters: { ...fixture.customer.companyParameters, returnAll: true, filters } },
	);
	fixture.standIn.setOptions({ undocumentedFieldsMode: 'ignored' });
	expect(items.map(({ json }) => json.resourceId)).toContain(mail().resourceId);
	expect(fixture.requests.map(({ status }) => status)).toEqual([200]);
});
