/**
 * What certainly did not land, and nothing else, is repeated: eight writes and the composites, with each fault in each of their
 * writing requests and in the token request, over real HTTP. The HTTP libraries of n8n's versions differ in these faults
 * (n8n-facts 16): e2e `versions` runs this on those of n8n 1.123 and 2.41.
 * PRINT=1 npx jest test/http/writes prints how often a write was sent.
 */
import { countBy } from 'lodash';
import { cases } from '../cases';
import { createOperationFixture, runCase, TOKEN_ROUTE } from '../cases/operationFixture';
import { listEndpointKeys } from '../contract/catalogue';
import { useSimulatedClock } from '../setup/turnedClock';
import type { FaultRule } from '../stand-in';

const g = createOperationFixture('deployed');
useSimulatedClock();

const WRITES = [
	'CompanyGroup create',
	'CompanyGroup replaceParticipants',
	'ApiClient create',
	'GoogleOAuth complete',
	'SamlSetting create',
	'PhishingCampaign stopJob',
	'TargetGroup delete',
	'ScimIntegration revokeToken',
];
const COMPOSITES = [
	'ApiClient provision',
	'Enrollment createAndSend',
	'PhishingCampaign createAndStart',
	'TargetUser importFile',
	'TargetUser createOrUpdate',
];
/** What people get again by mail: these have every fault. */
const RESENDS = [
	'Enrollment resend',
	'Enrollment resendToPeople',
	'Enrollment resendCertificate',
	'PhishingCampaign resendJob',
	'SmishingCampaign resendJob',
	'QuishingCampaign resendJobToPeople',
	'ExecutiveReport createScheduledReport',
	'ExecutiveReport switchScheduledReport',
];
const ALL = [...WRITES, ...COMPOSITES, ...RESENDS];

type Fault = Omit<FaultRule, 'route'>;
const withEach = (kind: FaultRule['kind'], statuses: number[], more: Partial<Fault> = {}) =>
	Object.fromEntries(statuses.map((status): [string, Fault] => [`${kind} ${status}`, { kind, status, ...more }]));

/** What may have landed. */
const FAULTS: Record<string, Fault> = {
	'cut before it was worked on': { kind: 'reset-before' },
	'cut after it was carried out': { kind: 'reset-after' },
	'a cut body': { kind: 'truncate' },
	'no answer': { kind: 'stall' },
	'503 with Retry-After': { kind: 'status-503', retryAfter: '0', takesEffect: true },
	...withEach('undecodable', [200, 201, 302, 502], { takesEffect: true }),
	...withEach('redirect', [300, 301, 302, 303, 307, 308], { takesEffect: true, redirectUrl: '/api/elsewhere' }),
	...withEach('status', [500, 501, 502, 503, 504, 505, 507, 520], { takesEffect: true }),
};

/** A token endpoint in trouble: then the write is not sent. */
const OF_TOKENS: Record<string, Fault> = {
	cut: { kind: 'reset-before' },
	'a cut body': { kind: 'truncate' },
	'no answer': { kind: 'stall' },
	'a web page': { kind: 'html-200' },
	'no token': { kind: 'wrong-shape' },
	...withEach('undecodable', [200, 400, 502]),
	...withEach('redirect', [301, 308], { redirectUrl: '/api/elsewhere' }),
	...withEach('status', [400, 401, 403, 404, 407, 429, 500, 503]),
};

/** Here every fifth write has a fault, others the next one; on the n8n-core of an installed n8n (e2e `versions`) each has each. */
const shareOf = (title: string, faults: Record<string, Fault>) =>
	ALL.filter((_write, place) => process.env.N8N_CORE_DIR || place % 5 === Object.keys(faults).indexOf(title) % 5);

const printed = new Map<string, number[]>();
const print = (title: string, count: number) => printed.set(title, [...(printed.get(title) ?? []), count]);
afterAll(() => {
	if (!process.env.PRINT) return;
	for (const [title, counts] of printed) process.stdout.write(`${title}: ${JSON.stringify(countBy(counts))}\n`);
});

const NOT_SENT =
	/could not issue a token|does not issue tokens|did not accept the Client ID|cannot be reached|a proxy between/;
const MAY_HAVE_LANDED = /may have carried it out|may have been carried out/;

function caseOf(write: string) {
	const found = cases.find(({ node, operation }) => `${node} ${operation}` === write);
	if (!found) throw new Error(`There is no case ${write}`);
	return found;
}

/** The writing requests of an operation. */
function routesOf(write: string): string[] {
	const { node, operation } = caseOf(write);
	const { dependencies: uses = [], endpoint } = g.getOperation(node, operation);
	return endpoint === null ? uses.filter(({ isReadOnly: reads }) => !reads).flatMap(listEndpointKeys) : [endpoint];
}

/** Runs a write. @returns the texts of its error; empty if it worked */
async function errorOf(write: string, rule: FaultRule | undefined, credential = g.credential): Promise<string> {
	const { parameters, inputFiles: files = {} } = await caseOf(write).prepare(g.customer);
	const options = { timeout: 1 };
	g.standIn.clearLog();
	if (rule) g.standIn.addFault({ times: Infinity, ...rule });
	return await runCase(
		g,
		caseOf(write),
		{ parameters: { ...parameters, options }, inputFiles: files },
		{ credential },
	).then(
		() => '',
		(error: unknown) => String(error),
	);
}

describe.each(Object.entries(FAULTS))('%s', (title, fault) => {
	test.each(shareOf(title, FAULTS))('%s: sent once, and the error says that it may have landed', async (write) => {
		for (const route of routesOf(write)) {
			g.standIn.reset();
			const error = await errorOf(write, { ...fault, route });
			const sent = g.standIn.getRequests(route).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
			print(title, sent.length);
			expect(Object.entries(countBy(sent)).filter(([, count]) => count > 1)).toEqual([]);
			expect(g.standIn.getRequests('unknown')).toEqual([]);
			expect(error).not.toMatch(NOT_SENT);
			// A composite looks for what it made, or says which part was done.
			if (!COMPOSITES.includes(write)) expect(error).toMatch(MAY_HAVE_LANDED);
		}
	});
});

describe.each(Object.entries(OF_TOKENS))('token endpoint: %s', (title, fault) => {
	test.each(shareOf(title, OF_TOKENS))('%s: not sent', async (write) => {
		const error = await errorOf(write, { ...fault, route: TOKEN_ROUTE }, g.createCredential());
		print(`token endpoint: ${title}`, g.requests.length);
		expect(g.requests.filter(({ route }) => route !== 'unknown')).toEqual([]);
		expect(error).toMatch(NOT_SENT);
		expect(error).not.toMatch(MAY_HAVE_LANDED);
	});
});

test.each(['http://127.0.0.1:1', 'http://nobody.invalid'])(
	'no connection to %s: tried five times',
	async (serverUrl) => {
		const credential = g.createCredential('reseller', { serverUrl });
		Object.assign(credential.data, { allowPlainHttp: true, moreSettings: true });
		credential.data.oauthTokenData = { access_token: 'a-token', token_type: 'Bearer' };
		const error = await errorOf('CompanyGroup create', undefined, credential);
		expect(error).toMatch(/cannot be reached \((ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\).* It was tried 5 times\.$/s);
		expect(error).not.toMatch(MAY_HAVE_LANDED);
	},
);
