/**
 * Tests that a write is repeated only if it certainly was not carried out. Some operations that write are run with each fault, over
 * real HTTP. The fault hits each of their writing requests, or the token request. The HTTP libraries of n8n's versions handle these
 * faults differently (n8n 3), so e2e `versions` runs this file with n8n 1.123 and 2.41.
 * `PRINT=1 npm run test:file test/http/writes` prints how often each write was sent.
 */
import { Socket } from 'node:net';
import { countBy } from 'lodash';
import { cases } from '../cases';
import { createOperationFixture, runCase, TOKEN_ROUTE } from '../cases/operationFixture';
import { listEndpointKeys } from '../contract/catalogue';
import { requireValue } from '../n8n-core/schemas';
import { useSimulatedDate } from '../setup/testClock';
import type { FaultRule } from '../stand-in';
import { chooseTimeout, SLOW_FAULT_KINDS } from '../stand-in/chooseTimeout';

const fixture = createOperationFixture('deployed');
useSimulatedDate();

const SINGLE_REQUEST_WRITES = [
	'CompanyGroup create',
	'CompanyGroup member.replace',
	'ApiClient create',
	'GoogleOAuth complete',
	'SamlSetting create',
	'PhishingCampaign campaignJob.stop',
	'TargetGroup delete',
	'ScimIntegration revokeToken',
];
/** Operations that send several requests. */
const COMPOSITES = [
	'ApiClient provision',
	'Enrollment createAndSend',
	'PhishingCampaign createAndStart',
	'TargetUser importFile',
	'TargetUser createOrUpdate',
];
/** Operations after which the platform sends emails to people. */
const EMAILING_OPERATIONS = [
	'Enrollment followUp.resend',
	'Enrollment followUp.resendToPeople',
	'Enrollment followUp.resendCertificate',
	'PhishingCampaign campaignJob.resend',
	'SmishingCampaign campaignJob.resend',
	'QuishingCampaign campaignJob.resendToPeople',
	'ExecutiveReport scheduledReport.create',
	'ExecutiveReport scheduledReport.turnOnOrOff',
];
const ALL_WRITES = [...SINGLE_REQUEST_WRITES, ...COMPOSITES, ...EMAILING_OPERATIONS];

type Fault = Omit<FaultRule, 'route'>;
const buildFaults = (kind: FaultRule['kind'], statuses: number[], options: Partial<Fault> = {}) =>
	Object.fromEntries(statuses.map((status): [string, Fault] => [`${kind} ${status}`, { kind, status, ...options }]));

/** Faults after which the write may have been carried out. */
const REQUEST_FAULTS: Record<string, Fault> = {
	'connection reset before the write is carried out': { kind: 'reset-before' },
	'connection reset after the write was carried out': { kind: 'reset-after' },
	'a truncated body': { kind: 'truncate' },
	'no response': { kind: 'stall' },
	'503 with Retry-After': { kind: 'status-503', retryAfter: '0', shouldTakeEffect: true },
	...buildFaults('undecodable', [200, 201, 302, 502], { shouldTakeEffect: true }),
	...buildFaults('redirect', [300, 301, 302, 303, 307, 308], { shouldTakeEffect: true, redirectUrl: '/api/elsewhere' }),
	...buildFaults('status', [500, 501, 502, 503, 504, 505, 507, 520], { shouldTakeEffect: true }),
};

/** Faults of the token endpoint, after which the write is not sent. */
const TOKEN_FAULTS: Record<string, Fault> = {
	'connection reset': { kind: 'reset-before' },
	'a truncated body': { kind: 'truncate' },
	'no response': { kind: 'stall' },
	'a web page': { kind: 'html-200' },
	'no token': { kind: 'wrong-shape' },
	...buildFaults('undecodable', [200, 400, 502]),
	...buildFaults('redirect', [301, 308], { redirectUrl: '/api/elsewhere' }),
	...buildFaults('status', [400, 401, 403, 404, 407, 429, 500, 503]),
};

/**
 * Selects every fifth write, or one write for a slow fault. The selection differs from fault to fault, so that each write is tested with some faults. With the
 * n8n-core of an installed n8n (e2e `versions`), all writes are selected.
 */
function selectWrites(faultName: string, faults: Record<string, Fault>): string[] {
	if (process.env.N8N_CORE_DIR) return ALL_WRITES;
	const faultIndex = Object.keys(faults).indexOf(faultName);
	const selectedWrites = ALL_WRITES.filter((_write, index) => index % 5 === faultIndex % 5);
	const isSlow = SLOW_FAULT_KINDS.includes(requireValue(faults[faultName]).kind);
	return isSlow ? selectedWrites.slice(0, 1) : selectedWrites;
}

const requestCounts = new Map<string, number[]>();
const addRequestCount = (title: string, count: number) =>
	requestCounts.set(title, [...(requestCounts.get(title) ?? []), count]);
afterAll(() => {
	if (!process.env.PRINT) return;
	for (const [title, counts] of requestCounts) process.stdout.write(`${title}: ${JSON.stringify(countBy(counts))}\n`);
});

const NOT_SENT =
	/could not issue a token|does not issue tokens|did not accept the Client ID|n8n cannot reach|a proxy between/;
const MAYBE_CARRIED_OUT = /may have carried it out|may have been carried out/;

function findCase(write: string) {
	const testCase = cases.find(({ node, operation }) => `${node} ${operation}` === write);
	if (!testCase) throw new Error(`There is no case ${write}`);
	return testCase;
}

/** Lists the keys of the endpoints to which an operation sends writes. */
function listWriteRoutes(write: string): string[] {
	const { node, operation } = findCase(write);
	const { dependencies = [], endpoint } = fixture.getOperation(node, operation);
	if (endpoint !== null) return [endpoint];
	return dependencies.filter(({ isReadOnly }) => !isReadOnly).flatMap(listEndpointKeys);
}

/** Runs a write. @returns its error as text, or an empty text if it succeeded */
async function runWrite(write: string, rule: FaultRule | undefined, credential = fixture.credential): Promise<string> {
	const testCase = findCase(write);
	const { parameters, inputFiles = {} } = await testCase.prepare(fixture.customer);
	fixture.standIn.clearLog();
	if (rule) fixture.standIn.addFault({ times: Infinity, ...rule });
	const caseInput = { parameters: { ...parameters, options: { timeout: chooseTimeout(rule?.kind) } }, inputFiles };
	try {
		await runCase(fixture, testCase, caseInput, { credential });
		return '';
	} catch (error) {
		return String(error);
	}
}

describe.each(Object.entries(REQUEST_FAULTS))('%s', (faultName, fault) => {
	test.each(selectWrites(faultName, REQUEST_FAULTS))(
		'%s: sent once, and the error says that it may have been carried out',
		async (write) => {
			for (const route of listWriteRoutes(write)) {
				fixture.standIn.reset();
				const error = await runWrite(write, { ...fault, route });
				const requests = fixture.standIn.getRequests(route).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
				addRequestCount(faultName, requests.length);
				expect(Object.entries(countBy(requests)).filter(([, count]) => count > 1)).toEqual([]);
				expect(fixture.standIn.getRequests('unknown')).toEqual([]);
				expect(error).not.toMatch(NOT_SENT);
				// A composite behaves differently: it searches for the record that it created, or says which requests succeeded.
				if (!COMPOSITES.includes(write)) expect(error).toMatch(MAYBE_CARRIED_OUT);
			}
		},
	);
});

describe.each(Object.entries(TOKEN_FAULTS))('token endpoint: %s', (faultName, fault) => {
	test.each(selectWrites(faultName, TOKEN_FAULTS))('%s: not sent', async (write) => {
		const error = await runWrite(write, { ...fault, route: TOKEN_ROUTE }, fixture.createCredential());
		addRequestCount(`token endpoint: ${faultName}`, fixture.requests.length);
		expect(fixture.requests.filter(({ route }) => route !== 'unknown')).toEqual([]);
		expect(error).toMatch(NOT_SENT);
		expect(error).not.toMatch(MAYBE_CARRIED_OUT);
	});
});

test.each(['http://127.0.0.1:1', 'http://nobody.invalid'])(
	'no connection to %s: tried five times',
	async (serverUrl) => {
		const credential = fixture.createCredential('reseller', { serverUrl });
		Object.assign(credential.data, { allowPlainHttp: true, moreSettings: true });
		credential.data.oauthTokenData = { access_token: 'a-token', token_type: 'Bearer' };
		const error = await runWrite('CompanyGroup create', undefined, credential);
		expect(error).toMatch(
			/n8n cannot reach \S+ \((ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\).* The request was sent 5 times\.$/s,
		);
		expect(error).not.toMatch(MAYBE_CARRIED_OUT);
	},
);

test.each(['EHOSTUNREACH', 'ENETUNREACH'])(
	'the network loses the way to the platform (%s): sent once, because it may have lost the way after the request was sent',
	async (code) => {
		const connect = jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
			process.nextTick(() => this.destroy(Object.assign(new Error(`connect ${code} 192.0.2.1:80`), { code })));
			return this;
		});
		const credential = fixture.createCredential('reseller', { serverUrl: 'http://192.0.2.1' });
		Object.assign(credential.data, { allowPlainHttp: true, moreSettings: true });
		credential.data.oauthTokenData = { access_token: 'a-token', token_type: 'Bearer' };
		const error = await runWrite('TargetGroup delete', undefined, credential);
		expect(connect).toHaveBeenCalledTimes(1);
		expect(error).toContain(`n8n cannot reach http://192.0.2.1 (${code})`);
		expect(error).toMatch(MAYBE_CARRIED_OUT);
	},
);
