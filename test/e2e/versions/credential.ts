import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { findFreePort } from '../../real-n8n/startN8n';
import type { FaultRule } from '../../stand-in';
import type { CheckResult } from './checkResult';

interface CredentialTest {
	description: string;
	credentialData: TestEnvironment['secrets'] & { moreSettings?: boolean; allowPlainHttp?: boolean };
	expectedMessage: RegExp | undefined;
	/** A fault that the service simulates during the test. */
	fault?: FaultRule;
}

/** Lists values that users may enter, and the message that the test of the credential must show. Without a message, it must succeed. */
async function listCredentialTests({ secrets }: TestEnvironment): Promise<CredentialTest[]> {
	const closedUrl = `http://127.0.0.1:${await findFreePort()}`;
	// 0.0.0.0 reaches the same machine, but doesn't count as a local address.
	const plainHttpUrl = secrets.serverUrl.replace('127.0.0.1', '0.0.0.0');
	return [
		{ description: 'the right data', credentialData: secrets, expectedMessage: undefined },
		{
			description: 'a wrong secret',
			credentialData: { ...secrets, clientSecret: 'wrong-secret' },
			expectedMessage: /authenti|credential|client/i,
		},
		{
			description: 'a wrong client',
			credentialData: { ...secrets, clientId: 'nobody' },
			expectedMessage: /authenti|credential|client/i,
		},
		{
			description: 'an address where nobody answers',
			credentialData: { ...secrets, serverUrl: closedUrl },
			expectedMessage: /refused|offline|connect/i,
		},
		{
			description: 'an address with a path',
			credentialData: { ...secrets, serverUrl: `${secrets.serverUrl}/elsewhere` },
			expectedMessage: /404|not found|could not be found/i,
		},
		{
			description: 'plain http to elsewhere',
			credentialData: { ...secrets, serverUrl: plainHttpUrl },
			expectedMessage: /base-url-must-begin-with-https/,
		},
		{
			description: 'plain http to elsewhere, allowed',
			credentialData: { ...secrets, serverUrl: plainHttpUrl, moreSettings: true, allowPlainHttp: true },
			expectedMessage: undefined,
		},
		{
			description: 'a web page in the place of the API',
			credentialData: secrets,
			expectedMessage: /The platform sent a web page instead of data/,
			fault: { route: 'GET /api/enrollments/form-details', kind: 'html-200' },
		},
		{
			// The help text in the credential's form explains this message.
			description: 'https where http is spoken',
			credentialData: { ...secrets, serverUrl: secrets.serverUrl.replace('http:', 'https:') },
			expectedMessage: /EPROTO|SSL|wrong version number/,
		},
	];
}

/** Saves a credential for each list of values, and checks the result when n8n tests it. */
export async function checkCredentialTest(environment: TestEnvironment): Promise<CheckResult> {
	const failures: string[] = [];
	const tests = await listCredentialTests(environment);
	for (const { description, credentialData, expectedMessage, fault } of tests) {
		const credential = await environment.client.createCredential(description, CREDENTIAL_TYPE, { ...credentialData });
		if (fault) environment.service.addFault(fault);
		const { status, message } = await environment.client.testCredential(credential, CREDENTIAL_TYPE, {
			...credentialData,
		});
		const isExpected = expectedMessage ? status === 'Error' && expectedMessage.test(message) : status === 'OK';
		if (!isExpected) failures.push(`With ${description} the test of the credential says: ${status}, ${message}`);
		if (message.includes(credentialData.clientSecret))
			failures.push(`With ${description} the test of the credential tells the secret.`);
	}
	return { checkedCount: tests.length, failures };
}
