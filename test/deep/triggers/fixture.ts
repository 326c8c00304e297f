import type { IDataObject } from 'n8n-workflow';

import { Answers, type Answer, type Asked } from './answers';
import { TurnedClock } from './clock';
import { HOUR, MINUTE, PLAIN, type Deployment } from './deployment';
import { Platform, type ModelRecord, type NewRecord } from './platform';
import { Random } from './random';
import { ModelServer } from './server';
import { ActiveTrigger, type PollOutcome, type TriggerName } from './trigger';

/** The fate of records of which each was given once. */
export const all = (count: number) => ({ once: count, oftener: 0, never: 0 });
/** The fate of records of which none was given. */
export const none = (count: number) => ({ once: 0, oftener: 0, never: count });
export const markers = (records: readonly ModelRecord[]) => records.map(({ marker }) => marker);
/** Of what was asked, the pages of single companies' lists. */
export const ofCompanies = (asked: readonly string[]) => asked.filter((each) => each.startsWith('company-'));

/** How a test of one sequence begins. */
export interface Beginning {
	trigger?: TriggerName;
	deployment?: Partial<Deployment>;
	companies?: number;
	parameters?: IDataObject;
	budgetMs?: number;
	isDurable?: boolean;
	/** Answers requests without HTTP, which is faster. */
	isDirect?: boolean;
}

/** One platform and one trigger, steered by hand: for the tests of single sequences. */
export class TriggerFixture {
	readonly clock = new TurnedClock(Date.UTC(2026, 2, 1));
	readonly platform = new Platform(this.clock);
	readonly answers: Answers;
	/** All that was given, poll by poll. */
	readonly polls: PollOutcome[] = [];
	private active: ActiveTrigger | undefined;
	budgetMs: number | undefined;

	constructor(
		readonly server: ModelServer,
		private readonly beginning: Beginning,
	) {
		this.answers = new Answers(this.platform, { ...PLAIN, ...beginning.deployment }, new Random(1));
		server.answers = this.answers;
		server.requests = [];
		this.budgetMs = beginning.budgetMs;
		this.clock.install();
		for (let index = 0; index < (beginning.companies ?? 1); index++) this.platform.addCompany();
		this.clock.pass(HOUR);
	}

	create(count: number, made: Partial<NewRecord> = {}): ModelRecord[] {
		const list = this.beginning.trigger === 'Enrollment' ? 'enrollment' : 'phishing';
		return Array.from({ length: count }, () => this.platform.create({ list, owner: 'company-0', ...made }));
	}

	private async trigger(): Promise<ActiveTrigger> {
		const { trigger = 'Campaign', parameters = {} } = this.beginning;
		const usual = trigger === 'Campaign' ? { simulators: ['phishing'], watch: 'campaigns' } : { enrollmentType: 'all' };
		const all = { ...usual, triggerOn: 'new', companyScope: 'every', options: {}, ...parameters };
		this.active ??= await ActiveTrigger.of(trigger, this.server.url, all, this.beginning.isDurable);
		if (this.beginning.isDirect) this.active.direct ??= this.server.direct();
		return this.active;
	}

	/** Lets the trigger find in a round that the list of all companies has records of each. */
	async learn(): Promise<this> {
		for (const owner of this.platform.companies.keys()) {
			this.create(1, { owner, created: this.clock.now() - 5 * HOUR });
		}
		await this.poll(2);
		this.asked();
		return this;
	}

	/** Saves the workflow with other parameters. */
	async change(parameters: IDataObject): Promise<void> {
		(await this.trigger()).change({ triggerOn: 'new', companyScope: 'every', options: {}, ...parameters });
	}

	/** Answers some requests in another way. @param change undefined for what is answered as usual */
	instead(change: (asked: Asked) => Answer | undefined): void {
		const usual = this.answers.answer.bind(this.answers);
		this.answers.answer = (asked) => change(asked) ?? usual(asked);
	}

	/**
	 * What was asked since this was called last: "all" or the company for a page of a list, "companies", "details".
	 * @returns in the order of the requests
	 */
	asked(): string[] {
		const { requests } = this.server;
		this.server.requests = [];
		return requests.map(({ path, company = 'all' }) => {
			if (path.startsWith('/api/companies')) return 'companies';
			return path.endsWith('/search') ? company : 'details';
		});
	}

	/** Damages what n8n has saved of the state. */
	async damage(): Promise<void> {
		(await this.trigger()).damage();
	}

	/** Ends n8n and starts it again. */
	async restart(): Promise<void> {
		(await this.trigger()).restart();
	}

	/** Polls, each time after so many minutes. @returns the items of all these polls */
	async poll(times = 1, minutes = 5): Promise<PollOutcome['items']> {
		const trigger = await this.trigger();
		const items: PollOutcome['items'] = [];
		for (let time = 0; time < times; time++) {
			this.clock.pass(minutes * MINUTE);
			const outcome = await trigger.poll({ budgetMs: this.budgetMs });
			this.polls.push(outcome);
			items.push(...outcome.items);
		}
		return items;
	}

	async fetchTestEvent(): Promise<PollOutcome> {
		return await (await this.trigger()).fetchTestEvent();
	}

	/** What the last poll gave, by the records' markers, in order. */
	get last(): string[] {
		return (this.polls.at(-1)?.items ?? []).map(({ json }) => String(json.marker));
	}

	/** How often each record was given since the beginning, by its marker. */
	get given(): Map<string, number> {
		const given = new Map<string, number>();
		for (const { items } of this.polls) {
			for (const { json } of items) given.set(String(json.marker), (given.get(String(json.marker)) ?? 0) + 1);
		}
		return given;
	}

	/** What became of some records: how many were given once, how many more often, how many never. */
	fateOf(records: readonly ModelRecord[]): { once: number; oftener: number; never: number } {
		const times = records.map(({ marker }) => this.given.get(marker) ?? 0);
		return {
			once: times.filter((each) => each === 1).length,
			oftener: times.filter((each) => each > 1).length,
			never: times.filter((each) => each === 0).length,
		};
	}

	/** Everything that the trigger wrote to the log or failed with. */
	get log(): string {
		return this.polls.flatMap(({ warnings, error }) => [...warnings, ...(error ? [error.message] : [])]).join('\n');
	}
}

/** One server for a test file, and a fixture for each test that turns the clock and waits no time between two tries. */
export function triggerFixtures(usual: Beginning = {}): (beginning?: Beginning) => TriggerFixture {
	// On a busy machine, with the mutants in the sources, a test takes long.
	jest.setTimeout(120_000);
	const server = new ModelServer();
	let last: TriggerFixture | undefined;
	beforeAll(async () => await server.start());
	beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => {
		last?.clock.uninstall();
		jest.restoreAllMocks();
	});
	afterAll(async () => await server.close());
	return (beginning = {}) => (last = new TriggerFixture(server, { ...usual, ...beginning }));
}
