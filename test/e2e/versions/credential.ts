import type { TestEnvironment } from '../../real-n8n/stage';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { findFreePort } from '../../real-n8n/start';
import type { FaultRule } from '../../stand-in';
import type { CheckResult } from './check';

interface CredentialTest {
	description: string;
	data: TestEnvironment['secrets'] & { moreSettings?: boolean; allowPlainHttp?: boolean };
	expectedMessage: RegExp | undefined;
	/** What the service does wrong meanwhile. */
	fault?: FaultRule;
}

/** What somebody may fill in, and what the test of the credential has to say to it. */
async function listCredentialTests({ secrets }: TestEnvironment): Promise<CredentialTest[]> {
	const closedUrl = `http://127.0.0.1:${await findFreePort()}`;
	// The same machine by an address that does not say so.
	const plainHttpUrl = secrets.serverUrl.replace('127.0.0.1', '0.0.0.0');
	return [
		{ description: 'the right data', data: secrets, expectedMessage: undefined },
		{ description: 'a wrong secret', data: { ...secrets, clientSecret: 'wrong-secret' }, expectedMessage: /authenti|credential|client/i },
		{ description: 'a wrong client', data: { ...secrets, clientId: 'nobody' }, expectedMessage: /authenti|credential|client/i },
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
			// The credential's form explains these words.
			description: 'https where http is spoken',
			data: { ...secrets, serverUrl: secrets.serverUrl.replace('http:', 'https:') },
			expectedMessage: /EPROTO|SSL|wrong version number/,
		},
	];
}

/** Whether the test of a credential passes and fails rightly, each time in a new credential, as it is saved first. */
export async function checkCredentialTest(stage: TestEnvironment): Promise<CheckResult> {
	const failures: string[] = [];
	const all = await listCredentialTests(stage);
	for (const { description: what, data, expectedMessage: says, fault } of all) {
		const created = await stage.client.createCredential(what, CREDENTIAL_TYPE, { ...data });
		if (fault) stage.service.addFault(fault);
		const { status, message } = await stage.client.testCredential(created, CREDENTIAL_TYPE, { ...data });
		const isRight = says ? status === 'Error' && says.test(message) : status === 'OK';
		if (!isRight) failures.push(`With ${what} the test of the credential says: ${status}, ${message}`);
		if (message.includes(data.clientSecret)) failures.push(`With ${what} the test of the credential tells the secret.`);
	}
	return { checked: all.length, failures };
}
