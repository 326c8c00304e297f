import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { findFreePort } from '../../real-n8n/startN8n';
import type { FaultRule } from '../../stand-in';
import type { CheckResult } from './checkResult';

interface CredentialTest {
	description: string;
	data: TestEnvironment['secrets'] & { moreSettings?: boolean; allowPlainHttp?: boolean };
	expectedMessage: RegExp | undefined;
	/** A fault that the service simulates during the test. */
	fault?: FaultRule;
}

/** Lists values that users may fill in, and the message that the credential's test must show. No message means success. */
async function listCredentialTests({ secrets }: TestEnvironment): Promise<CredentialTest[]> {
	const closedUrl = `http://127.0.0.1:${await findFreePort()}`;
	// This is the same machine, but the URL doesn't show that it is local.
	const plainHttpUrl = secrets.serverUrl.replace('127.0.0.1', '0.0.0.0');
	return [
		{ description: 'the right data', data: secrets, expectedMessage: undefined },
		{
			description: 'a wrong secret',
			data: { ...secrets, clientSecret: 'wrong-secret' },
			expectedMessage: /authenti|credential|client/i,
		},
		{
			description: 'a wrong client',
			data: { ...secrets, clientId: 'nobody' },
			expectedMessage: /authenti|credential|client/i,
		},
		{
			description: 'an address where nobody answers',
			data: { ...secrets, serverUrl: closedUrl },
			expectedMessage: /refused|offline|connect/i,
		},
		{
			description: 'an address with a path',
			data: { ...secrets, serverUrl: `${secrets.serverUrl}/elsewhere` },
			expectedMessage: /404|not found|could not be found/i,
		},
		{
			description: 'plain http to elsewhere',
			data: { ...secrets, serverUrl: plainHttpUrl },
			expectedMessage: /base-url-must-begin-with-https/,
		},
		{
			description: 'plain http to elsewhere, allowed',
			data: { ...secrets, serverUrl: plainHttpUrl, moreSettings: true, allowPlainHttp: true },
			expectedMessage: undefined,
		},
		{
			description: 'a web page in the place of the API',
			data: secrets,
			expectedMessage: /A web page came back instead of data/,
			fault: { route: 'GET /api/enrollments/form-details', kind: 'html-200' },
		},
		{
			// The help in the credential's form explains this message.
			description: 'https where http is spoken',
			data: { ...secrets, serverUrl: secrets.serverUrl.replace('http:', 'https:') },
			expectedMessage: /EPROTO|SSL|wrong version number/,
		},
	];
}

/** Checks the results of the credential's test, each time with a new credential. */
export async function checkCredentialTest(environment: TestEnvironment): Promise<CheckResult> {
	const failures: string[] = [];
	const tests = await listCredentialTests(environment);
	for (const { description, data, expectedMessage, fault } of tests) {
		const credential = await environment.client.createCredential(description, CREDENTIAL_TYPE, { ...data });
		if (fault) environment.service.addFault(fault);
		const { status, message } = await environment.client.testCredential(credential, CREDENTIAL_TYPE, { ...data });
		const isExpected = expectedMessage ? status === 'Error' && expectedMessage.test(message) : status === 'OK';
		if (!isExpected) failures.push(`With ${description} the test of the credential says: ${status}, ${message}`);
		if (message.includes(data.clientSecret))
			failures.push(`With ${description} the test of the credential tells the secret.`);
	}
	return { checked: tests.length, failures };
}
