/**
 * What certainly did not land, and nothing else, is repeated: eight writes and the composites with each fault in each of their
 * writing requests, against the stand-in service, over real HTTP. The HTTP libraries of the n8n versions differ: e2e `versions`
 * runs this with those of n8n 1.123 and 2.41 (n8n-facts 16). PRINT=1 prints how often a write was sent.
 */
import { groupBy } from 'lodash';
import { cases } from '../cases';
import { operationFixture, runCase, TOKEN } from '../cases/operationFixture';
import { keysOf } from '../contract/catalogue';
import { turnClock } from '../setup/turnedClock';
import type { FaultRule } from '../stand-in';

const g = operationFixture('deployed');
turnClock();

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

type Fault = Omit<FaultRule, 'route'>;
const each = (statuses: number[], fault: Fault) =>
	Object.fromEntries(statuses.map((status) => [`${fault.kind} ${status}`, { ...fault, status }]));
const FAULTS: Record<string, Fault> = {
	'after sending': { kind: 'reset-after' },
	'before it was worked on': { kind: 'reset-before' },
	'cut body': { kind: 'truncate' },
	'no answer': { kind: 'stall' },
	'503 with Retry-After': { kind: 'status-503', retryAfter: '0' },
	...each([200, 201, 401, 502], { kind: 'undecodable', landed: true }),
	...each([301, 302, 303, 307, 308], { kind: 'redirect', landed: true }),
	...each([500, 501, 502, 503, 504, 505, 520, 522, 524], { kind: 'status', landed: true }),
};
const OF_TOKENS: Record<string, Fault> = {
	...each([301, 307], { kind: 'redirect' }),
	...each([429, 500, 502, 503, 504], { kind: 'status' }),
	...each([200, 502], { kind: 'undecodable' }),
	'a web page': { kind: 'html-200' },
	'no answer': { kind: 'stall' },
	cut: { kind: 'truncate' },
	reset: { kind: 'reset-before' },
};

const printed: Record<string, number[]> = {};
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			Object.entries(printed)
				.map(
					([named, counts]) =>
						`${named}: ${Object.entries(groupBy(counts))
							.map(([n, of]) => `${of.length} × ${n}`)
							.join(', ')}\n`,
				)
				.join(''),
		);
});

const NOT_SENT =
	/could not issue a token|does not issue tokens|did not accept the Client ID|cannot be reached|Nothing was sent/;
const MAY_HAVE = /may have carried it out|may have been carried out/;

const named = (write: string) => {
	const found = cases.find(({ node, operation }) => `${node} ${operation}` === write);
	if (!found) throw new Error(`There is no case ${write}`);
	return found;
};

/** Runs a write with a fault. @returns the texts of its error, and how often each write was sent */
async function sentOf(write: string, rule: FaultRule, credential = g.credential) {
	const found = named(write);
	const { parameters, files } = await found.prepare(g.customer);
	g.service.clearLog();
	g.service.fault({
		to: `${g.service.url}${rule.kind === 'redirect' ? '/api/elsewhere' : ''}`,
		times: Infinity,
		...rule,
	});
	const error = await runCase(
		g,
		found,
		{ parameters: { ...parameters, options: { timeout: 1 } }, ...(files ? { files } : {}) },
		{ credential },
	).then(
		() => '',
		(thrown: unknown) => String(thrown),
	);
	return { error };
}

const writesOf = (write: string) => {
	const { node, operation } = named(write);
	const { uses = [], ...own } = g.operation(node, operation);
	return uses.length > 0 ? uses.filter(({ reads }) => !reads).flatMap(keysOf) : keysOf(own);
};

describe.each(Object.entries(FAULTS))('%s', (title, fault) => {
	test.each([...WRITES, ...COMPOSITES])('%s', async (write) => {
		for (const route of writesOf(write)) {
			g.service.reset();
			const { error } = await sentOf(write, { ...fault, route });
			const sent = g.service.requests(route);
			(printed[title] ??= []).push(
				g.asked.filter(
					(r) => r.method + r.path === sent[0]?.method + (sent[0]?.path ?? '') || r.path.includes('elsewhere'),
				).length,
			);
			if (process.env.PRINT) continue;
			// A composite may have found what it was to make.
			if (sent.length === 0) continue;
			expect(sent).toHaveLength(1);
			expect(error).toMatch(MAY_HAVE);
			expect(error).not.toMatch(NOT_SENT);
		}
	});
});
describe.each(Object.entries(OF_TOKENS))('token endpoint: %s', (title, fault) => {
	test.each([...WRITES, ...COMPOSITES])('%s', async (write) => {
		const { error } = await sentOf(write, { ...fault, route: TOKEN }, g.newCredential());
		(printed[`token ${title}`] ??= []).push(g.asked.length);
		if (process.env.PRINT) return;
		expect(g.asked).toEqual([]);
		expect(error).toMatch(NOT_SENT);
		expect(error).not.toMatch(MAY_HAVE);
	});
});
