/** Tests reported emails: updates, notifications of the reporter and safe output of the body. */
import type { IDataObject } from 'n8n-workflow';
import { extractBodyText } from '../../nodes/ReportedEmail/bodyText';
import { toIdLocator } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { getFailureMessage } from './deployedFixture';

const fixture = createOperationFixture('deployed');
const READ_EMAIL = 'GET /api/notified-emails/{resourceId}';
const UPDATE_EMAIL = 'PUT /api/notified-emails/{resourceId}';

const getEmail = (index = 0) => requireValue(fixture.customer.companyData.reportedEmails[index]);
const update = async (fields: IDataObject, index = 0) =>
	runCase(
		fixture,
		{ node: 'ReportedEmail', operation: 'update' },
		{
			parameters: {
				...fixture.customer.companyParameters,
				reportedEmail: toIdLocator(getEmail(index).resourceId),
				...fields,
			},
		},
	);

describe('an update only changes the entered fields', () => {
	const CHANGES: Array<[change: string, additionalFields: IDataObject, changedFields: IDataObject]> = [
		['the status', { status: toIdLocator('Closed') }, { status: 'Closed' }],
		[
			'a status that only the platform knows',
			{ status: toIdLocator('Escalated, tier 2') },
			{ status: 'Escalated, tier 2' },
		],
		['the note', { note: 'Seen' }, { note: 'Seen' }],
		['tags', { tag: 'wave 2, bank' }, { tags: ['wave 2', 'bank'] }],
		['removal of all tags', { tag: '' }, { tags: [] }],
		['a status whose expression has no value', { status: toIdLocator('={{ $json.none }}'), note: 'x' }, { note: 'x' }],
	];
	test.each(CHANGES)('%s', async (_change, additionalFields, changedFields) => {
		const emailBefore = { ...getEmail() };
		const { hints } = await update({ additionalFields });
		expect(getEmail()).toEqual({ ...emailBefore, isNotifyUser: false, ...changedFields });
		expect(hints).toEqual([]);
	});
});

test('an email without note, tags and message keeps them empty', async () => {
	const emailBefore = { ...getEmail(1) };
	const { hints } = await update({ additionalFields: { result: toIdLocator('Phishing') } }, 1);
	expect(getEmail(1)).toEqual({ ...emailBefore, result: 'Phishing' });
	expect(hints).toEqual([]);
});

/** Adds fields to the record of each email until the test ends. */
const addToRecord = (fields: IDataObject) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			const response = envelope as { data: object };
			return route === READ_EMAIL ? { ...response, data: { ...response.data, ...fields } } : envelope;
		},
	});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

test('the template of the email to the reporter is sent back, because an update without it would remove it', async () => {
	addToRecord({ notificationTemplateResourceId: 'template7' });
	await update({ additionalFields: { note: 'Seen' } });
	const [request] = fixture.standIn.getRequests(UPDATE_EMAIL);
	expect(request?.body).toMatchObject({ note: 'Seen', notificationTemplateResourceId: 'template7' });
});

describe('the reporter', () => {
	test('only gets an email if the user selected it, even if the last update sent one', async () => {
		expect(getEmail().isNotifyUser).toBe(true);
		await update({ additionalFields: { status: toIdLocator('Closed') } });
		expect(getEmail().sentEmailCount).toBe(0);
		await update({ notifyReporter: true, additionalFields: { customMessage: 'It was an attack. Thank you!' } });
		expect(getEmail()).toMatchObject({
			sentEmailCount: 1,
			customMessage: 'It was an attack. Thank you!',
			status: 'Closed',
		});
	});

	test('can get an email without any other change; an update that changes nothing and sends no email is an error', async () => {
		const emailBefore = { ...getEmail() };
		await update({ notifyReporter: true });
		expect(getEmail()).toEqual({ ...emailBefore, isNotifyUser: true, sentEmailCount: 1 });
		const message = await getFailureMessage(update({ notifyReporter: false }));
		expect(message).toContain("'Update Fields' must have at least one field to change");
		expect(fixture.standIn.getRequests(UPDATE_EMAIL)).toHaveLength(1);
	});

	test.each(['reset-after', 'truncate', 'status-500', 'html-502'] as const)(
		'never gets an email twice if the request fails: %s',
		async (kind) => {
			fixture.standIn.addFault({ route: UPDATE_EMAIL, kind, times: Infinity });
			await getFailureMessage(update({ notifyReporter: true, additionalFields: { status: toIdLocator('Closed') } }));
			expect(fixture.standIn.getRequests(UPDATE_EMAIL)).toHaveLength(1);
			expect(getEmail().sentEmailCount).toBeLessThan(2);
		},
	);
});

test('if the platform rejects an update, its message is shown', async () => {
	const message = await getFailureMessage(update({ additionalFields: { note: 'x' } }, 2));
	expect(message).toContain('The email is being analyzed.');
});

test('no error message contains text of the attacker', async () => {
	Object.assign(getEmail(), { subject: '<b>subject</b>', htmlBody: '<b>body</b>', note: 'x'.repeat(300) });
	const message = await getFailureMessage(update({ additionalFields: { status: toIdLocator('Closed') } }));
	expect(message).not.toContain('<b>');
});

describe('the body', () => {
	const getEmailOutput = async (output: string) =>
		getJson(
			(
				await runCase(
					fixture,
					{ node: 'ReportedEmail', operation: 'get' },
					{
						parameters: {
							...fixture.customer.companyParameters,
							reportedEmail: toIdLocator(getEmail().resourceId),
							output,
						},
					},
				)
			).items,
		);

	test('is returned as text, and its HTML and links only in the raw output', async () => {
		const simplified = JSON.stringify(await getEmailOutput('simplified'));
		expect(simplified).toContain('your invoice is overdue & must be paid: Pay now');
		expect(simplified).not.toMatch(/<|evil\.example\/|steal/);
		const [raw] = await getEmailOutput('raw');
		expect(raw).toMatchObject({ htmlBody: getEmail().htmlBody, bodyText: expect.stringContaining('Pay now') });
	});

	test.each([null, undefined])('has no text if the record has no HTML: %s', async (htmlBody) => {
		addToRecord({ htmlBody });
		const [raw] = await getEmailOutput('raw');
		expect(raw).toMatchObject({ resourceId: getEmail().resourceId });
		expect(raw).not.toHaveProperty('bodyText');
	});

	test.each([
		['<a href="https://evil.example">Your&nbsp;bank</a>', 'Your bank'],
		['one<br>two</p><p>three</p>', 'one\ntwo\nthree'],
		['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
		['<<b>script>alert(1)', '&lt;script>alert(1)'],
		['before<img src=x onerror="steal()"', 'before'],
		['<script>never ends', ''],
		['<!-- never ends', ''],
		['<!--[if mso]><p>hidden</p><![endif]-->seen', 'seen'],
		['<STYLE>p{}</STYLE >seen', 'seen'],
		['1 < 2', '1 &lt; 2'],
		['Tom &amp; Ada&#39;s &quot;bank&quot;', 'Tom & Ada\'s "bank"'],
	])('%s', (html, text) => {
		expect(extractBodyText(html)).toBe(text);
	});

	test.each(['<script>', '<!--', '<', '<br', '</script ', '\n '])(
		'a body of one million characters of %j is read in less than two seconds',
		(part) => {
			const startedAt = performance.now();
			expect(extractBodyText(part.repeat(1_000_000 / part.length))).not.toMatch(/<[a-z]/i);
			expect(performance.now() - startedAt).toBeLessThan(2000);
		},
	);
});

test.each([
	['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
	['one<br>two', 'one\ntwo'],
	['<p>one</p><p>two</p>', 'one\ntwo'],
	['<div>one</div><div>two</div>', 'one\ntwo'],
	['<table><tr><td>one</td></tr><tr><td>two</td></tr></table>', 'one\ntwo'],
	['<h1>one</h1>two', 'one\ntwo'],
])('the body text of %s', (html, text) => {
	expect(extractBodyText(html)).toBe(text);
});

test.each([
	['status', 'eq', () => getEmail().status],
	['reportedBy', 'eq', () => getEmail().reportedBy],
	['subject', 'contains', () => getEmail().subject],
	['SenderIp', 'eq', () => getEmail().senderIp],
	['SHA512', 'eq', () => getEmail().sha512],
])('a condition on %s is known to the platform and returns the email', async (field, operator, value) => {
	const filters = { fieldFilters: { rows: [{ field, operator, value: value() }] } };
	fixture.standIn.setOptions({ undocumentedFieldsMode: 'refused' });
	const { items } = await runCase(
		fixture,
		{ node: 'ReportedEmail', operation: 'getMany' },
		{ parameters: { ...fixture.customer.companyParameters, returnAll: true, filters } },
	);
	fixture.standIn.setOptions({ undocumentedFieldsMode: 'ignored' });
	expect(items.map(({ json }) => json.resourceId)).toContain(getEmail().resourceId);
	expect(fixture.requests.map(({ status }) => status)).toEqual([200]);
});
