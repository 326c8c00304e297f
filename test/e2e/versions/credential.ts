import type { Stage } from '../../real-n8n/stage';
import { CREDENTIAL_TYPE } from '../../real-n8n/workflow';
import { freePort } from '../../real-n8n/start';
import type { FaultRule } from '../../stand-in';
import type { Checked } from './check';

interface Attempt {
	what: string;
	data: Stage['secrets'] & { moreSettings?: boolean; allowPlainHttp?: boolean };
	says: RegExp | undefined;
	/** What the service does wrong meanwhile. */
	fault?: FaultRule;
}

/** What somebody may fill in, and what the test of the credential has to say to it. */
async function attempts({ secrets }: Stage): Promise<Attempt[]> {
	const nobody = `http://127.0.0.1:${await freePort()}`;
	// The same machine by an address that does not say so.
	const plain = secrets.serverUrl.replace('127.0.0.1', '0.0.0.0');
	return [
		{ what: 'the right data', data: secrets, says: undefined },
		{ what: 'a wrong secret', data: { ...secrets, clientSecret: 'wrong-secret' }, says: /authenti|credential|client/i },
		{ what: 'a wrong client', data: { ...secrets, clientId: 'nobody' }, says: /authenti|credential|client/i },
		{
			what: 'an address where nobody answers',
			data: { ...secrets, serverUrl: nobody },
			says: /refused|offline|connect/i,
		},
		{
			what: 'an address with a path',
			data: { ...secrets, serverUrl: `${secrets.serverUrl}/elsewhere` },
			says: /404|not found|could not be found/i,
		},
		{
			what: 'plain http to elsewhere',
			data: { ...secrets, serverUrl: plain },
			says: /base-url-must-begin-with-https/,
		},
		{
			what: 'plain http to elsewhere, allowed',
			data: { ...secrets, serverUrl: plain, moreSettings: true, allowPlainHttp: true },
			says: undefined,
		},
		{
			what: 'a web page in the place of the API',
			data: secrets,
			says: /A web page came back instead of data/,
			fault: { route: 'GET /api/enrollments/form-details', kind: 'html-200' },
		},
		{
			// The credential's form explains these words.
			what: 'https where http is spoken',
			data: { ...secrets, serverUrl: secrets.serverUrl.replace('http:', 'https:') },
			says: /EPROTO|SSL|wrong version number/,
		},
	];
}

/** Whether the test of a credential passes and fails rightly, each time in a new credential, as it is saved first. */
export async function credentialIsTested(stage: Stage): Promise<Checked> {
	const failures: string[] = [];
	const all = await attempts(stage);
	for (const { what, data, says, fault } of all) {
		const created = await stage.client.createCredential(what, CREDENTIAL_TYPE, { ...data });
		if (fault) stage.service.fault(fault);
		const { status, message } = await stage.client.testCredential(created, CREDENTIAL_TYPE, { ...data });
		const isRight = says ? status === 'Error' && says.test(message) : status === 'OK';
		if (!isRight) failures.push(`With ${what} the test of the credential says: ${status}, ${message}`);
		if (message.includes(data.clientSecret)) failures.push(`With ${what} the test of the credential tells the secret.`);
	}
	return { checked: all.length, failures };
}
