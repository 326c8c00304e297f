/**
 * Every fault of the token request × kind of operation × On Error: a fault that happens once has no effect on the
 * result; one that persists causes three requests and no write, and an error that explains it.
 */
import { CredentialStore, runNode } from '../n8n-core';
import { sample } from '../setup/depth';
import { asData, nodeFixture, failedItem, failureOf, isFailed, itemsOf, the, TOKEN } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import type { FaultKind } from '../stand-in';
import { ApiClient } from '../stand-in/apiClient';
import { DOINGS, MODES, nodeOf, type Doing, type Mode } from './doings';
import { turnClock } from '../setup/turnedClock';

interface TokenFault {
	name: string;
	kind: FaultKind;
	/** How often a token is asked for if it goes on so. */
	asked: number;
	happened: string;
}

const FAULTS: TokenFault[] = [
	{ name: 'hangs', kind: 'stall', asked: 3, happened: 'the service could not issue a token in time' },
	{ name: 'is answered with 503', kind: 'status-503', asked: 3, happened: 'the service could not issue a token' },
	{ name: 'is answered with 429', kind: 'status-429', asked: 3, happened: 'the service could not issue a token (429)' },
	{ name: 'is cut off', kind: 'reset-before', asked: 3, happened: 'the service could not issue a token' },
	{
		name: 'is cut off when the token was made',
		kind: 'reset-after',
		asked: 3,
		happened: 'the service could not issue a token',
	},
	{
		name: 'is answered with a web page',
		kind: 'html-200',
		asked: 1,
		happened: 'that address does not issue tokens for this service',
	},
];
const STORES = ['a first token', 'a further token'] as const;

const b = nodeFixture({ companies: 40 });
turnClock();

async function run(doing: Doing, store: CredentialStore, mode: Mode, items: number) {
	const { state } = b.service;
	const customer = the(state.companies[0]).companyResourceId;
	const { options, ...parameters } = doing.parameters;
	return await runNode({
		node: nodeOf(doing.node),
		parameters: {
			operation: doing.operation,
			companyScope: 'one',
			company: byId('={{ $json.id }}'),
			...parameters,
			options: { ...Object(options), timeout: 1 },
		},
		credential: store,
		items: itemsOf(
			...Array.from({ length: items }, (_, n) => ({
				n,
				id: customer,
				...(doing.thing ? { thing: doing.thing(state, customer) } : {}),
			})),
		),
		onError: MODES[mode],
	});
}

/** What was carried out for the customer. */
const effects = (doing: Doing) =>
	doing.effects?.(b.service.state, the(b.service.state.companies[0]).companyResourceId) ?? 0;

async function storeFor(which: (typeof STORES)[number]): Promise<CredentialStore> {
	const { clientId, clientSecret } = b.service.clients.reseller;
	const data = asData({ serverUrl: b.service.url, clientId, clientSecret });
	if (which === 'a first token') return new CredentialStore(data);
	const token = String((await new ApiClient(b.service, b.service.clients.reseller).requestToken()).data.access_token);
	b.service.expireTokens();
	return new CredentialStore({ ...data, oauthTokenData: { access_token: token, token_type: 'Bearer' } });
}

// A request that hangs takes time, so it is not tried with every setting.
const hangs = (fault: TokenFault) => fault.kind === 'stall';
const modesOf = (fault: TokenFault, doing: Doing) =>
	(Object.keys(MODES) as Mode[]).filter((mode) => !hangs(fault) || (mode === 'stop') === (doing.access === 'write'));
const rows = FAULTS.flatMap((fault) => STORES.flatMap((which) => DOINGS.map((doing) => ({ fault, which, doing }))));
// Three seconds each, so a sample has few of them.
const tried = [
	...sample(
		rows.filter(({ fault }) => hangs(fault)),
		2,
	),
	...sample(
		rows.filter(({ fault }) => !hangs(fault)),
		25,
	),
];
const cells = tried.flatMap((row, index) =>
	sample(modesOf(row.fault, row.doing), 1, index).map((mode) => ({ ...row, mode })),
);
const nameOf = ({ fault, which, doing, mode }: (typeof cells)[number]) =>
	`${which} ${fault.name} | ${doing.answer}, ${doing.access}: ${doing.operation} | ${mode}`;

test.each(cells.map((cell) => ({ ...cell, name: nameOf(cell) })))('$name', async ({ fault, which, doing, mode }) => {
	const store = await storeFor(which);
	b.service.clearLog();
	const before = effects(doing);
	b.service.fault({ route: TOKEN, kind: fault.kind, times: Infinity });
	if (mode === 'stop') expect((await failureOf(run(doing, store, mode, 2))).message).toContain(fault.happened);
	else {
		const { items, errors } = await run(doing, store, mode, 2);
		expect((errors ?? items).map((item) => failedItem(item).message.includes(fault.happened))).toEqual([true, true]);
	}
	// n8n from 2.41 on makes one of several renewals at a time, also of one that hangs.
	expect([fault.asked, ...(fault.kind === 'stall' ? [1] : [])]).toContain(b.tokenRequests);
	expect(b.asked.filter(({ status }) => status !== 401)).toEqual([]);
	expect(effects(doing)).toBe(before);
	b.service.clearFaults();
	if (fault.asked === 1 || fault.kind === 'stall') return;

	const other = await storeFor(which);
	b.service.fault({ route: TOKEN, kind: fault.kind });
	const { items } = await run(doing, other, mode, 1);
	expect(items.length).toBeGreaterThanOrEqual(1);
	expect(items.filter(isFailed)).toEqual([]);
	if (doing.effects) expect(effects(doing)).toBe(before + 1);
});
