/**
 * Tests each fault with each kind of request: whether the run succeeds in the end, how often the request is sent, whether a write
 * takes effect twice, and what the error says. The requests go to the stand-in over real HTTP.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { readBinary } from '../n8n-core';
import {
	catchNodeError,
	isFailedItem,
	getJson,
	createNodeFixture,
	requireValue,
	TOKEN_ROUTE,
	type NodeClass,
} from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import type { FaultRule } from '../stand-in';
import { chooseTimeout } from '../stand-in/chooseTimeout';
import type { FaultKind } from '../stand-in/faults';

const pageSchema = z.object({ pageNumber: z.number() });
const fixture = createNodeFixture({ companyCount: 12 });
useSimulatedDate();

interface Fault {
	rule: Pick<FaultRule, 'kind' | 'retryAfter' | 'shouldTakeEffect'>;
	/** True if a read is repeated after this fault. The read is then sent up to five times in total. */
	isRepeated: boolean;
	/**
	 * 'maybe carried out' if a write may have been carried out in spite of this fault. The write is then not repeated, and the error
	 * says that it may have been carried out.
	 */
	writeOutcome: 'not carried out' | 'maybe carried out';
	/** Matches the error message if the fault hits the request itself. */
	message: RegExp;
	/** Matches the error message if the fault hits the token request. The request itself is then not sent. */
	tokenMessage: RegExp;
}

const NOT_APPLIED = { writeOutcome: 'not carried out' } as const;
const MAYBE_APPLIED = { writeOutcome: 'maybe carried out' } as const;
/**
 * Matches the message after a token request that failed but may succeed later. n8n's error doesn't always show that the lost
 * connection belonged to the token request.
 */
const NO_TOKEN = /the platform could not issue a token|the connection ended/;
const describeServerError = (status: number) => ({
	message: new RegExp(`the platform had an internal error \\(${status}\\)`),
	tokenMessage: NO_TOKEN,
});
const CONNECTION_CUT = {
	...MAYBE_APPLIED,
	isRepeated: true,
	message: /the connection ended before the response/,
	tokenMessage: NO_TOKEN,
};
const TIMED_OUT = {
	...MAYBE_APPLIED,
	isRepeated: true,
	message: /the platform did not respond in time/,
	tokenMessage: NO_TOKEN,
};
const TOO_MANY_REQUESTS = {
	...NOT_APPLIED,
	isRepeated: true,
	message: /too many requests \(429\)/,
	tokenMessage: NO_TOKEN,
};
const OTHER_SERVER = /the server at 'Base URL' does not issue tokens for the platform/;
const CREDENTIAL_REJECTED = /did not accept the Client ID or Client Secret/;

const FAULTS: Record<string, Fault> = {
	'429 with Retry-After': { rule: { kind: 'status-429', retryAfter: '2' }, ...TOO_MANY_REQUESTS },
	'429': { rule: { kind: 'status-429' }, ...TOO_MANY_REQUESTS },
	'500': { rule: { kind: 'status-500' }, isRepeated: true, ...MAYBE_APPLIED, ...describeServerError(500) },
	'502 with a web page': {
		rule: { kind: 'html-502' },
		isRepeated: true,
		...MAYBE_APPLIED,
		...describeServerError(502),
	},
	'503': { rule: { kind: 'status-503' }, isRepeated: true, ...MAYBE_APPLIED, ...describeServerError(503) },
	'503 with Retry-After': {
		rule: { kind: 'status-503', retryAfter: '0' },
		isRepeated: true,
		...MAYBE_APPLIED,
		...describeServerError(503),
	},
	'504 after the request took effect': {
		rule: { kind: 'html-504', shouldTakeEffect: true },
		isRepeated: true,
		...MAYBE_APPLIED,
		...describeServerError(504),
	},
	'connection reset before the request takes effect': { rule: { kind: 'reset-before' }, ...CONNECTION_CUT },
	'connection reset after the request took effect': { rule: { kind: 'reset-after' }, ...CONNECTION_CUT },
	'truncated response': { rule: { kind: 'truncate' }, ...CONNECTION_CUT },
	'no response': { rule: { kind: 'stall' }, ...TIMED_OUT },
	'200 with a failure': {
		rule: { kind: 'error-envelope' },
		isRepeated: false,
		...NOT_APPLIED,
		message: /the platform could not do this/,
		tokenMessage: OTHER_SERVER,
	},
	'200 with a web page': {
		rule: { kind: 'html-200' },
		isRepeated: false,
		...MAYBE_APPLIED,
		message: /the platform sent a web page instead of data/,
		tokenMessage: OTHER_SERVER,
	},
	'403': {
		rule: { kind: 'forbidden-company' },
		isRepeated: false,
		...NOT_APPLIED,
		message: /the platform refused access \(403\)/,
		tokenMessage: CREDENTIAL_REJECTED,
	},
};

interface RequestKind {
	node: NodeClass;
	route: string;
	getParameters: (faultKind: FaultKind) => IDataObject;
	/** Limits the fault to the requests for one page or one company. */
	getFaultLimits?: () => Pick<FaultRule, 'pageNumber' | 'companyId'>;
	isWrite?: boolean;
	onError?: 'continueRegularOutput';
}

const getCompanyId = (index: number) => requireValue(fixture.standIn.world.companies[index]).companyResourceId;
/** Builds the node's options. Only a fault of the kind 'stall' makes the node wait for its timeout. */
const buildOptions = (faultKind: FaultKind) => ({ timeout: chooseTimeout(faultKind), concurrency: 3 });
const companyRead: RequestKind = {
	node: SecurityAwarenessCompany,
	route: 'GET /api/companies/{resourceId}',
	getParameters: (faultKind) => ({
		operation: 'get',
		company: { mode: 'id', value: getCompanyId(0) },
		options: buildOptions(faultKind),
	}),
};
const REQUEST_KINDS: Record<string, RequestKind> = {
	read: companyRead,
	write: {
		node: SecurityAwarenessCompanyGroup,
		route: 'POST /api/company-groups',
		getParameters: (faultKind) => ({
			operation: 'create',
			name: 'New',
			membersFrom: 'none',
			options: buildOptions(faultKind),
		}),
		isWrite: true,
	},
	'a page': {
		node: SecurityAwarenessCompany,
		route: 'POST /api/companies/search',
		getParameters: (faultKind) => ({
			operation: 'getMany',
			returnAll: true,
			options: { ...buildOptions(faultKind), pageSize: 2 },
		}),
		getFaultLimits: () => ({ pageNumber: 2 }),
	},
	'a file': {
		node: SecurityAwarenessLeaderboard,
		route: 'POST /api/leaderboard/get-all/export',
		getParameters: (faultKind) => ({ operation: 'export', companyScope: 'own', options: buildOptions(faultKind) }),
	},
	'the token': { ...companyRead, route: TOKEN_ROUTE },
	'every company': {
		node: SecurityAwarenessTargetGroup,
		route: 'POST /api/target-groups/search/current-company',
		getParameters: (faultKind) => ({
			operation: 'getMany',
			companyScope: 'every',
			limit: 1,
			options: buildOptions(faultKind),
		}),
		getFaultLimits: () => ({ companyId: getCompanyId(3) }),
		onError: 'continueRegularOutput',
	},
};

interface FaultCase {
	faultName: string;
	fault: Fault;
	kindName: string;
	kind: RequestKind;
	/** The number of requests that the fault hits: 1, or Infinity for all. */
	faultCount: number;
}

/**
 * Combines each fault with each kind of request. In every second combination, the fault hits one request. In the others, it hits
 * all requests. With the n8n-core of an installed n8n (e2e `versions`), each combination is tested both ways.
 */
function buildFaultCases(): FaultCase[] {
	return Object.entries(FAULTS).flatMap(([faultName, fault], faultIndex) =>
		Object.entries(REQUEST_KINDS).flatMap(([kindName, kind], kindIndex) => {
			// A token request that gets no response is not repeated: token.test.ts.
			if (faultName === 'no response' && kindName === 'the token') return [];
			// Each request without a response takes a second, because the timeouts are real.
			const isSlow = faultName === 'no response' && kindName !== 'read';
			const alternatingCount = isSlow || (faultIndex + kindIndex) % 2 === 0 ? 1 : Infinity;
			const faultCounts = process.env.N8N_CORE_DIR ? [1, Infinity] : [alternatingCount];
			return faultCounts.map((faultCount) => ({ faultName, fault, kindName, kind, faultCount }));
		}),
	);
}

test.each(buildFaultCases())('$faultName × $kindName × $faultCount', async ({ fault, kindName, kind, faultCount }) => {
	const { node, route, getParameters, onError, isWrite = false } = kind;
	const isTokenRequest = kindName === 'the token';
	const credentialStore = fixture.createCredentialStore();
	const run = () =>
		fixture.run(node, getParameters(fault.rule.kind), onError ? { credentialStore, onError } : { credentialStore });
	const readContent = async ({ items }: Awaited<ReturnType<typeof run>>) => {
		const content: unknown[] = [getJson(items)];
		if (kindName === 'a file') content.push(await readBinary(items[0]));
		return content;
	};
	const expectedContent = isWrite || isTokenRequest ? undefined : await readContent(await run());
	fixture.standIn.clearLog();
	const faultLimits = kind.getFaultLimits?.() ?? {};
	fixture.standIn.addFault({ route, ...fault.rule, ...faultLimits, times: faultCount });

	const isRepeatedRequest = fault.isRepeated && (!isWrite || fault.writeOutcome === 'not carried out');
	const isRepeated = isTokenRequest ? fault.tokenMessage === NO_TOKEN : isRepeatedRequest;
	const message = isTokenRequest ? fault.tokenMessage : fault.message;
	const countRequests = () =>
		fixture.standIn.getRequests(route).filter(({ companyId, body }) => {
			if (faultLimits.companyId) return companyId === faultLimits.companyId;
			return !faultLimits.pageNumber || pageSchema.parse(body).pageNumber === faultLimits.pageNumber;
		}).length;
	if (isRepeated && faultCount === 1) {
		const result = await run();
		if (expectedContent) expect(await readContent(result)).toEqual(expectedContent);
		expect(countRequests()).toBe(2);
	} else if (onError) {
		const { items } = await run();
		expect(items.filter(isFailedItem).map(({ json }) => json.message)).toEqual([expect.stringMatching(message)]);
		expect(items.length).toBeGreaterThan(11);
		expect(countRequests()).toBe(isRepeated ? 5 : 1);
	} else {
		const error = await catchNodeError(run());
		expect(error.message).toMatch(message);
		expect(countRequests()).toBe(isRepeated ? 5 : 1);
		expect(/The request was sent 5 times\.$/.test(error.description ?? '')).toBe(isRepeated);
		expect(/the platform may have carried it out\. Check this/.test(error.description ?? '')).toBe(
			isWrite && fault.writeOutcome === 'maybe carried out',
		);
	}
	const createdGroups = fixture.standIn.world.companyGroups.filter(({ name }) => name === 'New');
	expect(createdGroups.length).toBeLessThanOrEqual(1);
});
