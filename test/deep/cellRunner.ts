import { AsyncLocalStorage } from 'node:async_hooks';
import { type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, runNode } from '../n8n-core';
import { asData, itemsOf, the, TOKEN } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import { startService, type StandIn } from '../stand-in';
import { page, ApiClient } from '../stand-in/apiClient';
import { MODES, nodeOf, type Customer, type Doing, type Right } from './doings';
import { COMPANIES, expected, stalls, type Cell } from './cells';
import { Judgement } from './judgement';
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
					node: nodeOf(doing.node),
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
