/**
 * The fault matrix: every fault × kind of answer × read or write × spread × what to do on error. What must come of a
 * cell follows from the few rules in `expected`; each cell runs in n8n's engine against a service of its own.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isEqual, omit } from 'lodash';
import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, readBinary, runNode, type RunResult } from '../n8n-core';
import { asData, itemsOf, pageOf, the, TOKEN } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import { startService, type LoggedRequest, type StandIn } from '../stand-in';
import { page, ApiClient } from '../stand-in/apiClient';
import {
	ACCESSES,
	ANSWERS,
	DOINGS,
	FAULTS,
	IMPOSSIBLE,
	MODES,
	SPREADS,
	type Customer,
	type Doing,
	type Fault,
	type Lasts,
	type Mode,
	type Right,
	type Spread,
} from './table';

export interface Cell {
	fault: Fault;
	lasts: Lasts;
	doing: Doing;
	spread: Spread;
	mode: Mode;
}

/** All combinations: those that there are, and for the others how many a reason rules out. */
export function cells(): { cells: Cell[]; impossible: Map<string, number>; unexplained: string[] } {
	const found: Cell[] = [];
	const impossible = new Map<string, number>();
	const unexplained: string[] = [];
	for (const fault of FAULTS)
		for (const lasts of fault.lasts)
			for (const answer of ANSWERS)
				for (const access of ACCESSES)
					for (const spread of SPREADS) {
						const why = IMPOSSIBLE.find(({ holds }) => holds({ fault, answer, access, spread }))?.why;
						const doings = DOINGS.filter((doing) => doing.answer === answer && doing.access === access);
						if (why !== undefined) impossible.set(why, (impossible.get(why) ?? 0) + Object.keys(MODES).length);
						else if (doings.length === 0) unexplained.push(`${answer}, ${access}`);
						else
							for (const doing of doings)
								for (const mode of Object.keys(MODES) as Mode[]) found.push({ fault, lasts, doing, spread, mode });
					}
	return { cells: found, impossible, unexplained };
}

export const rowOf = ({ fault, lasts, doing }: Cell) =>
	`${fault.name}${fault.lasts.length > 1 ? `, ${lasts}` : ''} | ${doing.answer}, ${doing.access}: ${doing.key}`;
export const cellOf = ({ spread, mode }: Cell) => `${spread}, ${mode}`;
/** Whether a cell takes its time, because the service is waited for in vain. */
export const stalls = ({ fault }: Cell) => fault.stalls === true;

/** How long the cell at hand has slept. */
const slept = new AsyncLocalStorage<{ ms: number } | undefined>();

/** Longer than any piece of the nodes' sleep, and shorter than the time-out of a request. */
const LONGEST_PIECE_MS = 60_000;

/** Lets what a cell sleeps take no time, and counts it. @returns undoes it */
export function sleepFast(): () => void {
	const real = setTimeout;
	const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0) => {
		const cell = ms < LONGEST_PIECE_MS ? slept.getStore() : undefined;
		if (cell) cell.ms += ms;
		return real(work, cell ? 0 : ms);
	});
	return () => spy.mockRestore();
}

/** Five tries at most, then a person is told. */
const MOST_TRIES = 5;

interface Expected {
	/** Whether the customer's result comes in spite of the fault. */
	works: boolean;
	/** How often the service sees the request that meets the fault. */
	asked: number;
	/** How often a write was carried out for that customer: never twice. */
	effects: number;
	/** Whether the person must look whether it was carried out. */
	inDoubt: boolean;
}

/** The rules. */
export function expected({ fault, lasts, doing }: Pick<Cell, 'fault' | 'lasts' | 'doing'>): Expected {
	const isWrite = doing.access === 'write';
	if (fault.ofToken) {
		// Once more with a new token.
		const works = lasts === 'once';
		return { works, asked: 2, effects: isWrite && works ? 1 : 0, inDoubt: false };
	}
	// A read does no harm twice; a write is repeated only when it certainly was not carried out.
	const again = fault.passes && (!isWrite || fault.known === 'turned away');
	const works = again && lasts === 'once';
	// An export whose input is refused is asked for once more, with the filter groups that some deployments want.
	const isPutOtherwise = fault.status === 400 && doing.answer === 'file';
	return {
		works,
		asked: works || isPutOtherwise ? 2 : again ? MOST_TRIES : 1,
		effects: isWrite && (works || fault.carriedOut) ? 1 : 0,
		inDoubt: isWrite && fault.known === 'perhaps carried out',
	};
}

const company = z.object({
	companyResourceId: z.string(),
	companyName: z.string().nullable(),
	children: z.array(z.unknown()),
});
/** Companies with those below them behind each (contract 2.4). */
const flat = (rows: unknown[]): Customer[] =>
	rows.flatMap((row) => {
		const { companyResourceId, companyName, children } = company.parse(row);
		return [{ id: companyResourceId, name: companyName ?? '' }, ...flat(children)];
	});

const COMPANIES = 'POST /api/companies/search';
/** Four companies, with names that are awkward. */
const NAMED = 'old';
const TIMEOUT_S = 1;

/** A service with its own world, in which one cell runs at a time. */
export class CellRunner {
	private readonly rights = new Map<string, Right>();
	private token: string | undefined;

	private constructor(
		private readonly service: StandIn,
		/** Those that the cells are about, in the order in which the service has their names. */
		private readonly customers: Customer[],
	) {}

	static async open(): Promise<CellRunner> {
		const service = await startService({ companies: 40 });
		const listed = await new ApiClient(service, service.clients.reseller).results(
			COMPANIES,
			page({ pageSize: 1000, orderBy: 'Name' }),
		);
		const customers = flat(listed).filter(({ name }) => name.toLowerCase().includes(NAMED));
		return new CellRunner(service, customers);
	}

	async close(): Promise<void> {
		await this.service.close();
	}

	/** Runs a cell. @returns what was not as it must be */
	async judge(cell: Cell): Promise<string[]> {
		const { service } = this;
		const { fault, lasts, doing, spread, mode } = cell;
		service.reset();
		const asker = new ApiClient(service, service.clients.reseller);
		const whom = spread === 'one item' ? this.customers.slice(0, 1) : this.customers;
		const victim = the(whom[Math.floor(whom.length / 2)]);
		if (doing.access === 'read') for (const customer of whom) await this.read(doing, asker, customer);
		const store = await this.withToken(asker);
		const items =
			spread === 'every company'
				? itemsOf({ n: 0 })
				: itemsOf(
						...whom.map(({ id }, n) => ({ n, id, ...(doing.thing ? { thing: doing.thing(service.state, id) } : {}) })),
					);
		service.clearLog();
		service.fault({
			...fault.rule,
			route: doing.key,
			company: victim.id,
			...(doing.page === undefined ? {} : { page: doing.page }),
			times: lasts === 'once' ? 1 : Infinity,
		});

		const scope: IDataObject =
			spread === 'every company'
				? { companyScope: 'every', companyFilter: { nameContains: NAMED } }
				: { companyScope: 'one', company: byId('={{ $json.id }}') };
		const { options, ...parameters } = doing.parameters;
		const timeout = fault.stalls ? { timeout: TIMEOUT_S } : {};
		const sleep = { ms: 0 };
		// Where the time-out is what matters, time goes as it does.
		const run = slept.run(
			stalls(cell) ? undefined : sleep,
			async () =>
				await runNode({
					node: new doing.node(),
					parameters: {
						operation: doing.operation,
						...scope,
						...parameters,
						options: { ...Object(options), ...timeout },
					},
					credential: store,
					items,
					onError: MODES[mode],
				}),
		);
		const ended = await run.then(
			(result) => ({ result }),
			(thrown: unknown) => ({ thrown }),
		);

		// It is void now, or was renewed.
		if (fault.ofToken) this.token = undefined;
		const judgement = new Judgement(cell, whom, victim, items);
		judgement.requests(service.log);
		judgement.slept(sleep.ms);
		judgement.world((customer) =>
			doing.effects
				? doing.effects(service.state, customer)
				: service.log.filter(({ landed, route }) => landed && route !== TOKEN).length,
		);
		const right = async (customer: string) =>
			doing.access === 'read'
				? the(this.rights.get(doing.key + customer))
				: await doing.right(asker, service.state, customer);
		if ('thrown' in ended) judgement.thrown(ended.thrown);
		else await judgement.output(ended.result, right);
		return judgement.complaints;
	}

	/** Asks directly, in an untouched world, for what must come out. */
	private async read(doing: Doing, asker: ApiClient, { id }: Customer): Promise<void> {
		const key = doing.key + id;
		if (!this.rights.has(key)) this.rights.set(key, await doing.right(asker.for(id), this.service.state, id));
	}

	/** A credential that has been in use. */
	private async withToken(asker: ApiClient): Promise<CredentialStore> {
		const { clientId, clientSecret } = this.service.clients.reseller;
		this.token ??= String((await asker.requestToken()).data.access_token);
		return new CredentialStore({
			...asData({ serverUrl: this.service.url, clientId, clientSecret }),
			oauthTokenData: { access_token: this.token, token_type: 'Bearer' },
		});
	}
}

const some = z.unknown();
const errorShape = z
	.object({
		message: some,
		description: z.string().optional(),
		httpCode: some,
		companyResourceId: some,
		companyName: some,
	})
	.partial()
	.catch({});

/** What a cell came to, held against what it must come to. */
class Judgement {
	readonly complaints: string[] = [];
	private readonly wanted: Expected;
	private readonly isEvery: boolean;
	/** Whether the run ends at the first failure. */
	private readonly ends: boolean;

	constructor(
		private readonly cell: Cell,
		private readonly whom: Customer[],
		private readonly victim: Customer,
		private readonly items: INodeExecutionData[],
	) {
		this.wanted = expected(cell);
		this.isEvery = cell.spread === 'every company';
		// Every company has its turn in any case.
		this.ends = cell.mode === 'stop' && !this.wanted.works && !this.isEvery;
	}

	private same(what: string, is: unknown, must: unknown): void {
		if (!isEqual(is, must)) this.complaints.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(must)}`);
	}

	private holds(what: string, is: boolean): void {
		if (!is) this.complaints.push(what);
	}

	/** What the service was asked. */
	requests(log: readonly LoggedRequest[]): void {
		const { fault, doing } = this.cell;
		const { works, asked } = this.wanted;
		const of = ({ id }: Customer) => log.filter(({ route, companyId }) => route === doing.key && companyId === id);
		const ofPage = (requests: LoggedRequest[]) =>
			requests.filter((request) => doing.page === undefined || pageOf(request) === doing.page);
		const met = ofPage(of(this.victim));
		this.same(
			'what the service did with the request, each time',
			met.map((request) => request.fault ?? 'answered'),
			[...Array<string>(works ? asked - 1 : asked).fill(fault.rule.kind), ...(works ? ['answered'] : [])],
		);
		for (const [index, customer] of this.whom.entries()) {
			const isVictim = customer === this.victim;
			const rest = isVictim ? of(customer).filter((request) => !met.includes(request)) : of(customer);
			const pages = rest
				.filter(({ status }) => status < 300)
				.map((request) => (doing.page === undefined ? 1 : pageOf(request)));
			this.same(
				`what was asked twice for '${customer.name}'`,
				pages.filter((page, at) => pages.indexOf(page) !== at),
				[],
			);
			// A token that is refused is refused to all who have it.
			if (!fault.ofToken) this.same(`what else was refused for '${customer.name}'`, rest.length - pages.length, 0);
			const mayLack = isVictim || this.ends;
			if (!isVictim && !mayLack) this.holds(`'${customer.name}' had no turn`, pages.length > 0);
			if (this.ends && doing.access === 'write' && !isVictim)
				this.same(
					`requests for item ${index}, where item ${this.whom.indexOf(this.victim)} ended the run`,
					rest.length,
					index < this.whom.indexOf(this.victim) ? 1 : 0,
				);
		}
		const tokens = log.filter(({ route }) => route === TOKEN).length;
		this.same('token requests', tokens, fault.ofToken ? 1 : 0);
		this.same(
			'readings of the list of companies',
			log.filter(({ route }) => route === COMPANIES).length,
			this.isEvery ? 1 : 0,
		);
		const known = [doing.key, TOKEN, COMPANIES];
		this.same(
			'other requests',
			log.filter(({ route }) => !known.includes(route)).map(({ route }) => route),
			[],
		);
	}

	/** How long was waited before the request was repeated: as long as the service asks, and else not at all, since chance says so here. */
	slept(ms: number): void {
		const { asked } = this.wanted;
		this.same('slept, in ms', ms, (asked - 1) * (this.cell.fault.waitMs ?? 0));
	}

	/** What the service holds afterwards. */
	world(effects: (customer: string) => number): void {
		for (const [index, customer] of this.whom.entries()) {
			const isAfter = this.ends && index > this.whom.indexOf(this.victim);
			const must =
				this.cell.doing.access === 'read' || isAfter ? 0 : customer === this.victim ? this.wanted.effects : 1;
			this.same(`carried out for '${customer.name}'`, effects(customer.id), must);
		}
	}

	/** A run that ended with an error. */
	thrown(error: unknown): void {
		const { mode } = this.cell;
		if (!(error instanceof NodeApiError) || mode !== 'stop' || this.wanted.works) {
			this.complaints.push(`ended with ${String(error)}`);
			return;
		}
		if (!this.isEvery) {
			this.told({
				message: error.message,
				description: error.description,
				httpCode: error.httpCode === null ? undefined : Number(error.httpCode),
			});
			return;
		}
		const { purpose } = this.cell.doing;
		const others = this.whom.filter((customer) => customer !== this.victim);
		this.same(
			'the message',
			error.message,
			`Could not ${purpose}: 1 of ${this.whom.length} companies did not work: ${this.victim.name}`,
		);
		const description = error.description ?? '';
		this.holds(`the description is not about the failure: ${description}`, description.includes(this.message()));
		this.holds(
			`the description does not say how to put it right: ${description}`,
			description.includes(this.cell.fault.remedy),
		);
		this.holds(
			`the description does not say for whom it worked: ${description}`,
			description.includes(`It worked for ${others.length}: ${others.map(({ name }) => name).join(', ')}.`),
		);
	}

	/** What came out of a run that did not end with an error. */
	async output({ items, errors }: RunResult, right: (customer: string) => Promise<Right>): Promise<void> {
		const { works } = this.wanted;
		const { mode } = this.cell;
		if (mode === 'stop' && !works) {
			this.complaints.push('it did not end with an error');
			return;
		}
		const left = [...items];
		for (const [index, customer] of this.whom.entries()) {
			const pairedItem = { item: this.isEvery ? 0 : index };
			const failed = customer === this.victim && !works;
			if (failed) {
				const item = mode === 'continue' ? left.shift() : errors?.[0];
				this.same('what the error belongs to', item?.pairedItem, pairedItem);
				this.same('the files of what failed', item?.binary, undefined);
				this.failedItem(item?.json ?? {}, customer);
				continue;
			}
			const { json, file } = await right(customer.id);
			const stamp = this.isEvery ? { companyResourceId: customer.id, companyName: customer.name } : {};
			const own = left.splice(0, json.length);
			this.same(
				`what came out for '${customer.name}'`,
				own.map((item) => this.plain(item)),
				json.map((each) => ({ ...stamp, ...each })),
			);
			this.same(
				`what it is paired with`,
				own.map((item) => item.pairedItem),
				json.map(() => pairedItem),
			);
			if (file)
				this.holds(
					`the file for '${customer.name}' is another one`,
					file.equals(await readBinary(own[0]).catch(() => Buffer.alloc(0))),
				);
		}
		this.same(
			'items besides',
			left.map(({ json }) => json),
			[],
		);
		this.same('items on the error output', (errors ?? []).length, mode === 'error output' && !works ? 1 : 0);
	}

	/** How a file is called is tested elsewhere. */
	private plain({ json }: INodeExecutionData): IDataObject {
		return this.cell.doing.answer === 'file' ? omit(json, 'fileName') : json;
	}

	private failedItem(json: IDataObject, { id, name }: Customer): void {
		const isSorted = this.cell.mode === 'error output';
		const error = errorShape.parse(json.error);
		this.told({ message: String(json.message), description: error.description, httpCode: error.httpCode });
		this.same("the error's own message", error.message, json.message);
		this.same('whom it names', [error.companyResourceId, error.companyName], [id, this.isEvery ? name : '']);
		const stamp = this.isEvery && !isSorted ? { companyResourceId: id, companyName: name } : {};
		// n8n's error output adds what came in.
		const came = isSorted ? this.items[this.isEvery ? 0 : this.whom.indexOf(this.victim)]?.json : {};
		this.same('the fields beside the error', omit(json, 'error', 'message'), { ...came, ...stamp });
	}

	private message(): string {
		const { fault, doing, spread } = this.cell;
		const whom = this.isEvery ? this.victim.name : this.victim.id;
		const at = spread === 'many items' ? ` [item ${this.whom.indexOf(this.victim)}]` : '';
		return `Could not ${doing.purpose} for '${whom}': ${fault.happened}${at}`;
	}

	/** What a person reads. */
	private told({
		message,
		description,
		httpCode,
	}: {
		message: string;
		description: string | null | undefined;
		httpCode: unknown;
	}): void {
		const { fault } = this.cell;
		const { asked, inDoubt } = this.wanted;
		const advice = description ?? '';
		this.same('the message', message, this.message());
		this.same('the status', httpCode, fault.status);
		this.holds(`the description does not say how to put it right: ${advice}`, advice.includes(fault.remedy));
		if (fault.said)
			this.holds(
				`the description keeps back what the service says: ${advice}`,
				advice.startsWith(`The service says: ${fault.said}`),
			);
		this.same(
			'whether it warns that it may have been carried out',
			advice.includes('check there before you run it again'),
			inDoubt,
		);
		this.same(
			'whether it says how often it was tried',
			advice.includes(`It was tried ${MOST_TRIES} times.`),
			asked === MOST_TRIES,
		);
	}
}

/** Runs cells side by side, each runner one cell after the other, those that take longest first. */
export async function judgeAll(all: readonly Cell[], runners: number): Promise<Map<Cell, string[]>> {
	const judgements = new Map<Cell, string[]>();
	const upcoming = [...all].sort((one, other) => duration(other) - duration(one)).values();
	const work = async () => {
		const runner = await CellRunner.open();
		for (const cell of upcoming) judgements.set(cell, await runner.judge(cell).catch(failed));
		await runner.close();
	};
	await Promise.all(Array.from({ length: runners }, work));
	return judgements;
}

const failed = (error: unknown) => [`the test failed: ${error instanceof Error ? error.stack : String(error)}`];
const duration = (cell: Cell): number => (stalls(cell) ? expected(cell).asked : 0);
