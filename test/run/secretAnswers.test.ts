/**
 * Answers that carry secrets nobody asked for (contract 2.11; deployment activity
 * 5, 9): no operation and no trigger gives them, with no choice of 'Output'; those whose purpose is a secret do.
 */
import type { IDataObject } from 'n8n-workflow';
import { removeSecrets } from '../../nodes/core/response/outputFields';
import { cases, type Case } from '../cases';
import { createOperationFixture, TESTED_PROFILES, runCase, takeShare, type OperationFixture } from '../cases/operationFixture';
import { isJsonObject } from '../stand-in/http';
import { collectTexts } from '../n8n-core/texts';
import { ActiveTrigger, createEnrollmentTrigger, PollingFixture } from '../trigger/pollingFixture';

const LEAKED = {
	token: 'leaked-1',
	clientSecret: 'leaked-2',
	accessToken: 'leaked-3',
	// The texts of a change in an audit log (deployment activity 9).
	oldValue: '{"name":"n8n","clientSecret":"leaked-7","statusId":1}',
	newValue: 'name=n8n; password=leaked-8',
	smtpSetting: [
		{ server: 'mail.seen.example', userName: 'leaked-4', password: 'leaked-5', deep: { scimToken: 'leaked-6' } },
	],
};

/** Records with secrets in them: the rows of a list, or the one. */
function leaking(data: unknown): unknown {
	if (Array.isArray(data)) return data.map((each: unknown) => (isJsonObject(each) ? { ...each, ...LEAKED } : each));
	if (!isJsonObject(data)) return data;
	const inside = ['items', 'results'].find((name) => name in data);
	if (inside !== undefined) return { ...data, [inside]: leaking(data[inside]) };
	const [only, ...others] = Object.keys(data);
	// A list that is the only field of an object.
	if (only !== undefined && others.length === 0 && Array.isArray(data[only])) return { [only]: leaking(data[only]) };
	return { ...data, ...LEAKED };
}

const garble = (envelope: unknown): unknown =>
	isJsonObject(envelope) && 'data' in envelope ? { ...envelope, data: leaking(envelope.data) } : envelope;

/** Every text of what a run shows. */
async function shown(g: OperationFixture, each: Case, more: IDataObject): Promise<string> {
	g.standIn.setOptions({ transformEnvelope: undefined });
	g.standIn.reset();
	const run = await each.prepare(g.customer);
	g.standIn.setOptions({ transformEnvelope: garble });
	const { items, hints } = await runCase(g, each, { ...run, parameters: { ...run.parameters, ...more } });
	return collectTexts([items.map(({ json }) => json), hints]).join('\n');
}

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const g = createOperationFixture(profile);
	afterEach(() => g.standIn.setOptions({ transformEnvelope: undefined }));

	test('no operation gives a secret that is not its purpose', async () => {
		const wrong: string[] = [];
		const reached: string[] = [];
		for (const each of takeShare(profile, cases)) {
			const { fields: form, outputsSecret, isReadOnly: reads } = g.getOperation(each.node, each.operation);
			if (outputsSecret) continue;
			const outputs = 'output' in form ? ['raw', 'selected'] : [undefined];
			for (const output of outputs) {
				const outputFields = [...Object.keys(LEAKED), 'smtpSetting[0].password'];
				const text = await shown(g, each, output === undefined ? {} : { output, outputFields });
				if (text.includes('leaked')) wrong.push(`${each.node} ${each.operation}, ${output}`);
				if (reads && text.includes('mail.seen.example')) reached.push(`${each.node} ${each.operation}`);
			}
		}
		expect(wrong).toEqual([]);
		// Those whose items are records as the service sends them.
		expect(reached.length).toBeGreaterThan(20);
	});

	test('those whose purpose it is give it', async () => {
		for (const each of takeShare(profile, cases)) {
			const { outputsSecret, endpoint } = g.getOperation(each.node, each.operation);
			if (outputsSecret && endpoint !== null) expect(await shown(g, each, {})).toContain('leaked-1');
		}
	});
});

describe('a trigger', () => {
	const g = createOperationFixture('contract');
	afterEach(() => g.standIn.setOptions({ transformEnvelope: undefined }));

	test('gives none either', async () => {
		const fixture = new PollingFixture(g.standIn);
		const active = new ActiveTrigger(
			createEnrollmentTrigger(),
			{ companyScope: 'one', company: g.customer.companyParameters.company },
			g.standIn,
		);
		g.standIn.setOptions({ transformEnvelope: garble });
		await active.poll();
		const index = g.standIn.state.companies.findIndex(
			({ companyResourceId }) => companyResourceId === g.customer.companyId,
		);
		fixture.now = Date.now();
		fixture.createRecord('enrollment', index);
		const text = collectTexts(await active.poll()).join('\n');
		expect(text).toContain('mail.seen.example');
		expect(text).not.toContain('leaked');
	});
});

test.each<[string, IDataObject, IDataObject]>([
	['a password, and whose it is', { userName: 'x', user_name: 'y', password: 'z', host: 'h' }, { host: 'h' }],
	['a user without a password', { userName: 'ada' }, { userName: 'ada' }],
	[
		'no secret, although it is called so',
		{ minPasswordComplexity: 3, hasToken: true, token: 0 },
		{ minPasswordComplexity: 3, hasToken: true, token: 0 },
	],
	[
		'texts with secrets in them, at any depth',
		{ id: 1, changes: [{ newValue: '{"Name":"SIEM","Token":"t0p","port":514}' }, 'scimToken=abc def'] },
		{ id: 1, changes: [{ newValue: '{"Name":"SIEM","Token":"•••","port":514}' }, 'scimToken=••• def'] },
	],
	['a list of lists', { rows: [[{ Token: 't', id: 1 }], 'text', null] }, { rows: [[{ id: 1 }], 'text', null] }],
])('%s', (_what, record, without) => {
	expect(removeSecrets(record)).toEqual(without);
});

test.each<[what: string, text: string, without: string]>([
	['JSON', '{"clientSecret":"a","b":1}', '{"clientSecret":"•••","b":1}'],
	['JSON with blanks and quotes', '{ "Password" : "a\\"b" , "b": 1 }', '{ "Password" : "•••" , "b": 1 }'],
	[
		'JSON inside of JSON',
		'{"old":"{\\"apiToken\\":\\"a\\",\\"b\\":1}"}',
		'{"old":"{\\"apiToken\\":\\"•••\\",\\"b\\":1}"}',
	],
	['JSON that is cut off', 'New value: {"clientSecret":"abc', 'New value: {"clientSecret":"•••'],
	['single quotes', "{'password':'a'}", "{'password':'•••'}"],
	['an assignment', 'Host=h; Password = a$b,c; User=u', 'Host=h; Password = •••; User=u'],
	['assignments with commas', 'Client(clientSecret=a,b, name=n8n)', 'Client(clientSecret=•••, name=n8n)'],
	['the parts of a form', 'user=u&password=a&x=1', 'user=u&password=•••&x=1'],
	['an assignment with quotes', 'token="a b" x', 'token="•••" x'],
	['whether there is one, or how many', '{"hasToken":true,"token":null,"tokens":2} resetPassword=true', ''],
	['an empty one', '{"password":""} token=; password=', ''],
	['a sentence', 'Password: how to choose one. Never tell a token.', ''],
	['the address of a link, which an analyst needs as it is', 'See https://evil.example/login?token=a&x=1', ''],
	['another word', '{"tokenType":"Bearer","minPasswordComplexity":"3"} secretary=Ada', ''],
])('in a text: %s', (_what, text, without) => {
	expect(removeSecrets({ newValue: text })).toEqual({ newValue: without === '' ? text : without });
});

test('a text that was built to be slow takes little time', () => {
	const started = performance.now();
	for (const part of ['password=', '"token":"', '\\', '"password', 'token ', "token='", 'https://', ',a'])
		removeSecrets({ newValue: `"password":${part.repeat(50_000)}` });
	// It takes a fifth of a second. A pattern with quadratic time would take minutes.
	expect(performance.now() - started).toBeLessThan(5000);
});
