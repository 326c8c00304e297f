/**
 * Tests responses that contain secrets without a need (contract 2.11; deployment activity 5, 9). No operation and no trigger may output
 * these secrets, no matter which 'Output' is selected. The only exception is an operation that is meant to return a secret.
 */
import type { IDataObject } from 'n8n-workflow';
import { removeSecrets } from '../../nodes/core/response/removeSecrets';
import { cases, loadAllOperations, type Case } from '../cases';
import { findCase } from '../operations/records';
import { addFieldsToRecords } from '../operations/secretFields';
import { createOperationFixture, runCase, type OperationFixture } from '../cases/operationFixture';
import { isJsonObject } from '../stand-in/http';
import { collectTexts } from '../n8n-core/collectTexts';
import { ActiveTrigger, createEnrollmentTrigger, PollingFixture } from '../trigger/pollingFixture';

const LEAKED_FIELDS = {
	token: 'leaked-1',
	clientSecret: 'leaked-2',
	accessToken: 'leaked-3',
	// Audit logs contain texts like these two (deployment activity 9).
	oldValue: '{"name":"n8n","clientSecret":"leaked-7","statusId":1}',
	newValue: 'name=n8n; password=leaked-8',
	smtpSetting: [
		{ server: 'mail.seen.example', userName: 'leaked-4', password: 'leaked-5', deep: { scimToken: 'leaked-6' } },
	],
};

const addLeakedFieldsToEnvelope = (envelope: unknown): unknown =>
	isJsonObject(envelope) && 'data' in envelope
		? { ...envelope, data: addFieldsToRecords(envelope.data, LEAKED_FIELDS) }
		: envelope;

/** Runs a case whose responses contain LEAKED_FIELDS. @returns all texts in the output items and hints */
async function collectShownText(
	fixture: OperationFixture,
	testCase: Case,
	extraParameters: IDataObject,
): Promise<string> {
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	fixture.standIn.reset();
	const run = await testCase.prepare(fixture.customer);
	fixture.standIn.setOptions({ transformEnvelope: addLeakedFieldsToEnvelope });
	const { items, hints } = await runCase(fixture, testCase, {
		...run,
		parameters: { ...run.parameters, ...extraParameters },
	});
	return collectTexts([items.map(({ json }) => json), hints]).join('\n');
}

/**
 * One operation for each way in which an item is made of a response: a page, a plain list, a record, a write, several requests, and records
 * with texts that contain secrets. everyOperation.test.ts checks the simplified output of every operation.
 */
const TESTED_OPERATIONS: Array<[node: string, key: string]> = [
	['Training', 'getMany'],
	['Role', 'getMany'],
	['Enrollment', 'get'],
	['Enrollment', 'create'],
	['TrainingReport', 'getManyByPeriod'],
	['PhishingCampaign', 'result.getFullReport'],
	['Account', 'auditLog.getMany'],
	['Company', 'getOwn'],
];

/** The operations that are meant to return a secret. */
const OPERATIONS_WITH_SECRET_OUTPUT = [
	'Account agentSignIn.exchangeCode',
	'Account agentSignIn.getLoginUrl',
	'Account login',
	'ApiClient generateCredentials',
	'ApiClient provision',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];

describe('an operation', () => {
	const fixture = createOperationFixture('deployed');
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

	describe.each(TESTED_OPERATIONS)('%s: %s', (node, key) => {
		test.each(['raw', 'selected'])('outputs no secret with Output: %s', async (output) => {
			const outputFields = [...Object.keys(LEAKED_FIELDS), 'smtpSetting[0].password'];
			const text = await collectShownText(fixture, findCase(node, key), { output, outputFields });
			expect(text).not.toContain('leaked');
			// This proves that the added fields reach the output.
			if (node === 'Training') expect(text).toContain('mail.seen.example');
		});
	});

	test('is only meant to return a secret if it is in the list', async () => {
		const names = (await loadAllOperations())
			.filter(({ operation }) => operation.hasSecretOutput)
			.map(({ node, key }) => `${node} ${key}`);
		expect(names.sort()).toEqual(OPERATIONS_WITH_SECRET_OUTPUT);
	});

	test.each(cases.filter(({ node, operation }) => OPERATIONS_WITH_SECRET_OUTPUT.includes(`${node} ${operation}`)))(
		'$node: $operation outputs its secret',
		async (testCase) => {
			// The outputs of operations with several requests are made of known fields.
			if (fixture.getOperation(testCase.node, testCase.operation).endpoint === null) return;
			expect(await collectShownText(fixture, testCase, {})).toContain('leaked-1');
		},
	);
});

describe('a trigger', () => {
	const fixture = createOperationFixture('contract');
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

	test('outputs no secret', async () => {
		const pollingFixture = new PollingFixture(fixture.standIn);
		const trigger = new ActiveTrigger(
			createEnrollmentTrigger(),
			{ companyScope: 'one', company: fixture.customer.companyParameters.company },
			fixture.standIn,
		);
		fixture.standIn.setOptions({ transformEnvelope: addLeakedFieldsToEnvelope });
		await trigger.poll();
		const index = fixture.standIn.world.companies.findIndex(
			({ companyResourceId }) => companyResourceId === fixture.customer.companyId,
		);
		pollingFixture.now = Date.now();
		pollingFixture.createRecord('enrollment', index);
		const text = collectTexts(await trigger.poll()).join('\n');
		expect(text).toContain('mail.seen.example');
		expect(text).not.toContain('leaked');
	});
});

test.each<[string, IDataObject, IDataObject]>([
	['a password and its user name', { userName: 'x', user_name: 'y', password: 'z', host: 'h' }, { host: 'h' }],
	['a user name without a password', { userName: 'ada' }, { userName: 'ada' }],
	[
		'values that are no secret, although their names sound like one',
		{ minPasswordComplexity: 3, hasToken: true, token: 0 },
		{ minPasswordComplexity: 3, hasToken: true, token: 0 },
	],
	[
		'texts that contain secrets, at any depth',
		{ id: 1, changes: [{ newValue: '{"Name":"SIEM","Token":"t0p","port":514}' }, 'scimToken=abc def'] },
		{ id: 1, changes: [{ newValue: '{"Name":"SIEM","Token":"•••","port":514}' }, 'scimToken=••• def'] },
	],
	['a list of lists', { rows: [[{ Token: 't', id: 1 }], 'text', null] }, { rows: [[{ id: 1 }], 'text', null] }],
])('%s', (_what, record, expected) => {
	expect(removeSecrets(record)).toEqual(expected);
});

test.each<[name: string, text: string, textWithoutSecrets: string]>([
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
	['flags and counts of secrets', '{"hasToken":true,"token":null,"tokens":2} resetPassword=true', ''],
	['an empty secret', '{"password":""} token=; password=', ''],
	['a sentence', 'Password: how to choose one. Never tell a token.', ''],
	['the address of a link, which an analyst needs unchanged', 'See https://evil.example/login?token=a&x=1', ''],
	['another word', '{"tokenType":"Bearer","minPasswordComplexity":"3"} secretary=Ada', ''],
])('in a text: %s', (_what, text, expected) => {
	expect(removeSecrets({ newValue: text })).toEqual({ newValue: expected === '' ? text : expected });
});

test('secrets are removed quickly even from a text that is built to be slow', () => {
	const startedAt = performance.now();
	for (const repeatedText of ['password=', '"token":"', '\\', '"password', 'token ', "token='", 'https://', ',a'])
		removeSecrets({ newValue: `"password":${repeatedText.repeat(50_000)}` });
	// The loop takes a fifth of a second. With a regular expression of quadratic running time, it would take minutes.
	expect(performance.now() - startedAt).toBeLessThan(5000);
});
