import type { INodeExecutionData } from 'n8n-workflow';

import { Answers } from './answers';
import { TurnedClock } from './clock';
import { HOUR, MINUTE, PLAIN } from './deployment';
import { settling, SIMULATORS, type History, type Setup, type Step } from './history';
import { parametersOf } from './parameters';
import { Platform, type ListFault, type ListName } from './platform';
import { Random } from './random';
import type { ModelServer } from './server';
import { ActiveTrigger, type PollOutcome } from './trigger';
import { World } from './world';

/** What is known of one poll. */
export interface PollNote extends PollOutcome {
	start: number;
	end: number;
	/** A crash after which n8n has executed the workflow, or not, and has forgotten the poll. */
	crash?: 'given' | 'lost';
	/** Whether n8n has ended since and forgotten what the poll had learnt, because it had not saved it. */
	isForgotten?: boolean;
	/** Companies that could not be read, or all. */
	failing: Set<string> | 'all';
	/** Lists that could not be read, or not of every company. */
	failingLists: ReadonlyMap<ListName, ListFault>;
	/** Whether n8n granted so little time that a poll need not get through. */
	isShort: boolean;
	isSettling: boolean;
	requests: number;
}

/** One history, as it went. */
export interface Run {
	setup: Setup;
	platform: Platform;
	answers: Answers;
	polls: PollNote[];
	/** When a list was watched: by its name, from the workflow's parameters. */
	listSince: Map<ListName, number>;
	/** States that changed although nothing but test records was asked for. */
	changedByTest: number;
}

const START = Date.UTC(2026, 2, 1);

/** Runs one history after the other against one server. */
export class HistoryRunner {
	/** @param isDirect whether requests are answered without HTTP, which is faster */
	constructor(
		private readonly server: ModelServer,
		private readonly isDirect = false,
	) {}

	async run({ setup, steps }: History): Promise<Run> {
		const clock = new TurnedClock(START);
		const { random } = Math;
		clock.install();
		// The pauses between two tries are random and take real time: here they take none.
		Math.random = () => 0;
		try {
			return await new Course(this.server, setup, clock, this.isDirect).run(steps);
		} finally {
			Math.random = random;
			clock.uninstall();
		}
	}
}

class Course {
	private readonly world: World;
	private readonly result: Run;
	private budgetMs: number;
	private trigger: ActiveTrigger | undefined;
	private isSettling = false;
	/** Lists that the workflow names, and no poll has read yet. */
	private added: ListName[] = [];
	private readonly activatedAt: number;

	constructor(
		private readonly server: ModelServer,
		private readonly setup: Setup,
		private readonly clock: TurnedClock,
		private readonly isDirect: boolean,
	) {
		const platform = new Platform(clock, setup.hasUniqueIds);
		this.world = new World(setup, platform);
		this.budgetMs = setup.budgetMs;
		const answers = new Answers(platform, { ...setup.deployment }, new Random(setup.seed + 2));
		server.answers = answers;
		server.requests = [];
		this.result = { setup, platform, answers, polls: [], listSince: this.world.listSince, changedByTest: 0 };
		clock.pass(HOUR);
		this.activatedAt = clock.now();
	}

	async run(steps: readonly Step[]): Promise<Run> {
		this.world.refresh();
		for (const step of steps) {
			await this.take(step);
			this.world.refresh();
		}
		await this.settle();
		return this.result;
	}

	/** Everything works again, and time goes on until all that may come late has come. */
	private async settle(): Promise<void> {
		this.isSettling = true;
		this.world.healAll();
		this.result.answers.during = undefined;
		for (const [index, pause] of settling(this.setup).entries()) {
			// A short budget is kept for the first half: the trigger must get on with it as well.
			if (index === 10) {
				this.budgetMs = 0;
				this.result.answers.deployment.latencyMs = Math.min(this.setup.deployment.latencyMs, PLAIN.latencyMs);
			}
			this.clock.pass(pause);
			await this.poll();
		}
	}

	private async take(step: Step): Promise<void> {
		const { clock } = this;
		switch (step.do) {
			case 'poll':
				for (let time = 0; time < step.times; time++) {
					clock.pass(step.minutes * MINUTE);
					await this.poll();
				}
				return;
			case 'during':
				this.result.answers.during = { after: step.after, happens: () => this.world.happensDuring(step) };
				return;
			case 'addSimulator': {
				const added = SIMULATORS.find((simulator) => !this.world.simulators.includes(simulator));
				if (!added) return;
				this.world.simulators = [...this.world.simulators, added];
				this.added.push(added);
				this.trigger?.change(parametersOf(this.setup, this.world.simulators, this.activatedAt));
				return this.forget();
			}
			case 'crash':
				clock.pass(step.minutes * MINUTE);
				await this.poll(step.isGiven ? 'given' : 'lost');
				return;
			case 'overlap':
				clock.pass(step.minutes * MINUTE);
				return await this.overlap();
			case 'restart':
				this.trigger?.restart();
				return this.forget();
			case 'test':
				return await this.test();
			default:
				this.world.take(step);
		}
	}

	private async polling(): Promise<ActiveTrigger> {
		const name = this.setup.watch === 'enrollments' ? 'Enrollment' : 'Campaign';
		const parameters = parametersOf(this.setup, this.world.simulators, this.activatedAt);
		this.trigger ??= await ActiveTrigger.of(name, this.server.url, parameters, this.setup.isDurable);
		if (this.isDirect) this.trigger.direct ??= this.server.direct();
		return this.trigger;
	}

	private noted(outcome: PollOutcome, start: number, requests: number, crash?: 'given' | 'lost'): void {
		const isShort = this.budgetMs > 0;
		this.result.polls.push({
			...outcome,
			...(crash ? { crash } : {}),
			...{
				start,
				end: this.clock.now(),
				requests,
				failing: this.world.failing(),
				failingLists: new Map(this.result.platform.listFaults),
				isShort,
				isSettling: this.isSettling,
			},
		});
	}

	private get isActive(): boolean {
		return this.result.polls.some(({ error }) => !error);
	}

	private async poll(crash?: 'given' | 'lost'): Promise<void> {
		const trigger = await this.polling();
		const start = this.clock.now();
		const before = this.server.requests.length;
		// n8n saves the state of the first poll before the workflow is active.
		const isCrash = crash !== undefined && this.isActive;
		const outcome = await trigger.poll({ budgetMs: this.budgetMs || undefined, isCrash });
		if (!isCrash && !outcome.error) {
			for (const list of this.added) this.result.listSince.set(list, this.clock.now());
			this.added = [];
		}
		this.noted(outcome, start, this.server.requests.length - before, isCrash ? crash : undefined);
		if (isCrash) this.forget();
		this.world.refresh();
	}

	/** n8n has ended: what it had not saved is gone. */
	private forget(): void {
		const { polls } = this.result;
		for (const poll of polls.slice(polls.findLastIndex(({ isSaved }) => isSaved) + 1)) poll.isForgotten = true;
	}

	private async overlap(): Promise<void> {
		const trigger = await this.polling();
		if (!this.isActive) return await this.poll();
		const start = this.clock.now();
		for (const outcome of await trigger.overlap(this.budgetMs || undefined)) this.noted(outcome, start, 0);
		this.world.refresh();
	}

	private async test(): Promise<void> {
		if (!this.trigger) return;
		const before = this.trigger.state;
		await this.trigger.fetchTestEvent();
		if (this.trigger.state !== before) this.result.changedByTest++;
	}
}

/** The name that the model gave a record, which every item must still have. */
export const markerOf = ({ json }: INodeExecutionData): string => String(json.marker);
