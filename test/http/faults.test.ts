/**
 * What a user notices of each fault in each kind of request: whether the run works in the end, how often the request was
 * sent, what became of a write, and what the error says. Against the stand-in service, over real HTTP.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { readBinary } from '../n8n-core';
import { failureOf, isFailed, jsonOf, nodeFixture, the, TOKEN, type NodeClass } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';
import type { FaultRule } from '../stand-in';

const pageShape = z.object({ pageNumber: z.number() });
const b = nodeFixture({ companies: 12 });
turnClock();

interface Fault {
	rule: Pick<FaultRule, 'kind' | 'retryAfter' | 'landed'>;
	/** Whether a request that changes nothing is sent again, up to five times in all. */
	passes: boolean;
	/** What a write's error must say of it: nothing, as it certainly was not carried out; or that it may have been. */
	write: 'turned away' | 'perhaps carried out';
	says: RegExp;
	/** What the token request's error says; it is never sent with the write itself. */
	token: RegExp;
}

const TURNED_AWAY = { write: 'turned away' } as const;
const PERHAPS = { write: 'perhaps carried out' } as const;
/** n8n does not always tell that it was the token request whose connection was cut. */
const NO_TOKEN = /the service could not issue a token|the connection was cut/;
const TROUBLE = (status: number) => ({
	says: new RegExp(`the service is having trouble \\(${status}\\)`),
	token: NO_TOKEN,
});
const CUT = { passes: true, ...PERHAPS, says: /the connection was cut before the answer/, token: NO_TOKEN };
const LATE = { passes: true, ...PERHAPS, says: /the service did not answer in time/, token: NO_TOKEN };
const MANY = { passes: true, ...TURNED_AWAY, says: /too many requests \(429\)/, token: NO_TOKEN };
const OTHER_SERVER = /that address does not issue tokens for this service/;
const REFUSED = /did not accept the Client ID or Client Secret/;

const FAULTS: Record<string, Fault> = {
	'429 with Retry-After': { rule: { kind: 'status-429', retryAfter: '2' }, ...MANY },
	'429': { rule: { kind: 'status-429' }, ...MANY },
	'500': { rule: { kind: 'status-500' }, passes: true, ...PERHAPS, ...TROUBLE(500) },
	'502, a page': { rule: { kind: 'html-502' }, passes: true, ...PERHAPS, ...TROUBLE(502) },
	'503': { rule: { kind: 'status-503' }, passes: true, ...PERHAPS, ...TROUBLE(503) },
	'503 with Retry-After': {
		rule: { kind: 'status-503', retryAfter: '0' },
		passes: true,
		...PERHAPS,
		...TROUBLE(503),
	},
	'504 after it was carried out': {
		rule: { kind: 'html-504', landed: true },
		passes: true,
		...PERHAPS,
		...TROUBLE(504),
	},
	'reset before': { rule: { kind: 'reset-before' }, ...CUT },
	'reset after': { rule: { kind: 'reset-after' }, ...CUT },
	'cut short': { rule: { kind: 'truncate' }, ...CUT },
	'no answer': { rule: { kind: 'stall' }, ...LATE },
	'a failure on 200': {
		rule: { kind: 'error-envelope' },
		passes: false,
		...TURNED_AWAY,
		says: /the service could not carry it out/,
		token: OTHER_SERVER,
	},
	'a web page on 200': {
		rule: { kind: 'html-200' },
		passes: false,
		...PERHAPS,
		says: /a web page came back instead of data/,
		token: OTHER_SERVER,
	},
	'403': {
		rule: { kind: 'forbidden-company' },
		passes: false,
		...TURNED_AWAY,
		says: /access was refused \(403\)/,
		token: REFUSED,
	},
};

interface Kind {
	node: NodeClass;
	route: string;
	parameters: () => IDataObject;
	/** The fault happens in requests for this page, or this company, only. */
	only?: () => Pick<FaultRule, 'page' | 'company'>;
	isWrite?: boolean;
	onError?: 'continueRegularOutput';
}

const company = (index: number) => the(b.service.state.companies[index]).companyResourceId;
const options = { timeout: 1, concurrency: 3 };
const get = {
	node: SecurityAwarenessCompany,
	route: 'GET /api/companies/{resourceId}',
	parameters: () => ({ operation: 'get', company: { mode: 'id', value: company(0) }, options }),
};
const KINDS: Record<string, Kind> = {
	read: get,
	write: {
		node: SecurityAwarenessCompanyGroup,
		route: 'POST /api/company-groups',
		parameters: () => ({ operation: 'create', name: 'New', participantsFrom: 'none', options: { timeout: 1 } }),
		isWrite: true,
	},
	'a page': {
		node: SecurityAwarenessCompany,
		route: 'POST /api/companies/search',
		parameters: () => ({ operation: 'getMany', returnAll: true, options: { ...options, pageSize: 2 } }),
		only: () => ({ page: 2 }),
	},
	'a file': {
		node: SecurityAwarenessLeaderboard,
		route: 'POST /api/leaderboard/get-all/export',
		parameters: () => ({ operation: 'export', companyScope: 'own', options }),
	},
	'the token': { ...get, route: TOKEN },
	'every company': {
		node: SecurityAwarenessTargetGroup,
		route: 'POST /api/target-groups/search/current-company',
		parameters: () => ({ operation: 'getMany', companyScope: 'every', limit: 1, options }),
		only: () => ({ company: company(3) }),
		onError: 'continueRegularOutput',
	},
};

/** Here a fault lasts, or does not, by turns; on the n8n-core of an installed n8n (e2e `versions`) each does both. */
const isMine = (lasts: number, place: number) => process.env.N8N_CORE_DIR || (lasts === 1) === (place % 2 === 0);

const cells = Object.entries(FAULTS).flatMap(([named, fault], row) =>
	Object.entries(KINDS).flatMap(([kindNamed, kind], column) =>
		// A token that does not come in time is not asked for again: token.test.ts.
		named === 'no answer' && kindNamed === 'the token'
			? []
			: [1, Infinity]
					.filter((lasts) => isMine(lasts, row + column))
					.map((lasts) => ({ named, fault, kindNamed, kind, lasts })),
	),
);

test.each(cells)('$named × $kindNamed × $lasts', async ({ fault, kindNamed, kind, lasts }) => {
	const { node, route, parameters, onError, isWrite = false } = kind;
	const isToken = kindNamed === 'the token';
	const store = b.newStore();
	const run = async () => b.run(node, parameters(), { store, ...(onError ? { onError } : {}) });
	const contentOf = async ({ items }: Awaited<ReturnType<typeof run>>) => [
		jsonOf(items),
		...(kindNamed === 'a file' ? [await readBinary(items[0])] : []),
	];
	const undisturbed = isWrite || isToken ? undefined : await contentOf(await run());
	b.service.clearLog();
	const only = kind.only?.() ?? {};
	b.service.fault({ route, ...fault.rule, ...only, times: lasts });

	const isRepeated = isToken ? fault.token === NO_TOKEN : fault.passes && (!isWrite || fault.write === 'turned away');
	const says = isToken ? fault.token : fault.says;
	const sent = () =>
		b.service
			.requests(route)
			.filter(({ companyId, body }) =>
				only.company ? companyId === only.company : !only.page || pageShape.parse(body).pageNumber === only.page,
			).length;
	if (isRepeated && lasts === 1) {
		const result = await run();
		if (undisturbed) expect(await contentOf(result)).toEqual(undisturbed);
		expect(sent()).toBe(2);
	} else if (onError) {
		const { items } = await run();
		expect(items.filter(isFailed).map(({ json }) => json.message)).toEqual([expect.stringMatching(says)]);
		expect(items.length).toBeGreaterThan(11);
		expect(sent()).toBe(isRepeated ? 5 : 1);
	} else {
		const error = await failureOf(run());
		expect(error.message).toMatch(says);
		expect(sent()).toBe(isRepeated ? 5 : 1);
		expect(/It was tried 5 times\.$/.test(error.description ?? '')).toBe(isRepeated);
		expect(/may have carried it out anyway: check there/.test(error.description ?? '')).toBe(
			isWrite && fault.write === 'perhaps carried out',
		);
	}
	expect(b.service.state.groups.filter(({ name }) => name === 'New').length).toBeLessThanOrEqual(1);
});
