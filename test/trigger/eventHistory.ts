/** Runs the random histories of the property test of events. A model predicts which events the trigger must emit. */
import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, type PollingFixture } from './pollingFixture';
import {
	EventPlatform,
	PEOPLE_COUNT,
	type EventPlatformTraits,
	type GapKind,
	type PlatformEvent,
} from './eventPlatform';

/** The platform, the companies and the settings of a history. */
export interface EventSetup extends EventPlatformTraits {
	parents: Array<number | null>;
	shouldListDescendants: boolean;
	selectedCompanies: number[] | null;
	leadingChildCount: number | null;
	pageSize: number;
	windowDays: number;
	includeUnconfirmed: boolean;
}

interface EventFields {
	owner: number;
	person: number;
	campaign: number;
	actionType: string;
}

/** One step of a history. */
export type EventStep =
	| ({ type: 'create'; delayHours: number; count: number } & EventFields)
	| ({ type: 'poll while creating'; afterRequests: number } & EventFields)
	| { type: 'remove'; index: number }
	| { type: 'list again'; index: number }
	| ({ type: 'confirm' } & EventFields)
	| { type: 'advance time'; hours: number }
	| { type: 'fail'; company: number }
	| { type: 'refuse'; company: number }
	| { type: 'leave a gap'; company: number; gap: GapKind }
	| ({ type: 'poll with a gap'; gap: GapKind; hours: number } & EventFields)
	| { type: 'repair' }
	| { type: 'restart n8n' }
	| { type: 'poll' }
	| { type: 'poll twice at once' };

/** An event, and what the model knows about it. */
interface HistoryEvent extends PlatformEvent {
	/** True if the trigger must have emitted the event by now. */
	mustBeEmitted: boolean;
	/** True if the trigger may emit the event. */
	mayBeEmitted: boolean;
	/** True if the event was created after the first poll. The trigger need not emit earlier ones. */
	isNew: boolean;
}

/** The time in ms for which polls go back to the missed events of a company that could not be read. */
const MAX_CATCH_UP_MS = 14 * DAY;

export class EventHistory {
	private events: HistoryEvent[] = [];
	private readonly platform: EventPlatform;
	private readonly trigger: ActiveTrigger;
	private firstPollAt: number | undefined;
	/** The time of the last poll that decided on the events of each company. */
	private decidedAt = new Map<number, number>();
	/** The times in `decidedAt` that n8n has saved. The trigger continues with them after a restart. */
	private savedDecidedAt = new Map<number, number>();
	/** The companies on whose events the first poll could not decide. The trigger emits none of their earlier events. */
	private readonly lateCompanies = new Set<number>();
	private readonly emittedCounts = new Map<string, number>();
	/** The keys of the events that were removed. If such an event or an equal one is listed again, the trigger may remember it. */
	private readonly removedKeys = new Set<string>();

	constructor(
		private readonly fixture: PollingFixture,
		private readonly setup: EventSetup,
	) {
		fixture.clear();
		const { parents, shouldListDescendants, selectedCompanies, leadingChildCount } = setup;
		const traits = {
			parents,
			shouldListDescendants,
			leadingChildCount,
			selectedCompanies: selectedCompanies ?? undefined,
			globalLists: {},
		};
		this.platform = new EventPlatform(fixture, traits, setup);
		const parameters: IDataObject = {
			companyScope: 'every',
			options: {
				readEachCompanyEvery: 0,
				pageSize: setup.pageSize,
				windowDays: setup.windowDays,
				includeUnconfirmed: setup.includeUnconfirmed,
			},
		};
		if (selectedCompanies) parameters.onlyCompanies = { nameContains: 'in' };
		this.trigger = new ActiveTrigger(createPersonEventTrigger(), parameters, fixture.standIn);
	}

	/** The number of events that the trigger had to emit. */
	get requiredCount(): number {
		return this.events.filter(({ mustBeEmitted }) => mustBeEmitted).length;
	}

	/** Runs the steps and checks every poll. @throws Error if the trigger emits a wrong event, or misses one */
	async run(steps: EventStep[]): Promise<void> {
		for (const step of steps) await this.runStep(step);
		this.repair();
		for (const hours of [1, 1, 12]) {
			this.fixture.advanceTime(hours * HOUR);
			await this.pollAndCheck();
		}
	}

	private async runStep(step: EventStep): Promise<void> {
		const { platform, fixture } = this;
		switch (step.type) {
			case 'create':
				for (let count = 0; count < step.count; count++) this.createEvent(step, step.delayHours);
				return;
			case 'remove': {
				const event = this.events[step.index % Math.max(1, this.events.length)];
				// Only an event that the trigger need not emit any more is removed, so that the model stays exact.
				if (!event) return;
				event.isListed = false;
				this.removedKeys.add(platform.getEventKey(event));
				return;
			}
			case 'list again': {
				const event = this.events[step.index % Math.max(1, this.events.length)];
				if (event) event.isListed = true;
				return;
			}
			case 'confirm':
				platform.humanKeys.add(platform.getHumanKey({ ...step, time: 0, isListed: true }));
				return;
			case 'advance time':
				fixture.advanceTime(step.hours * HOUR);
				return;
			case 'fail':
				platform.failingCompanies.add(step.company);
				return;
			case 'refuse':
				platform.refusingCompanies.add(step.company);
				return;
			case 'leave a gap':
				platform.gaps.set(step.company, step.gap);
				return;
			case 'poll with a gap':
				// Two people have two events each, so that every kind of gap hides one.
				for (const person of [step.person, (step.person + 1) % PEOPLE_COUNT]) {
					this.createEvent({ ...step, person }, 1);
					this.createEvent({ ...step, person }, 0);
				}
				fixture.advanceTime(step.hours * HOUR);
				platform.gaps.set(step.owner, step.gap);
				await this.pollAndCheck();
				platform.gaps.delete(step.owner);
				return;
			case 'repair':
				this.repair();
				return;
			case 'restart n8n':
				this.trigger.restart();
				this.decidedAt = new Map(this.savedDecidedAt);
				return;
			case 'poll twice at once': {
				const [firstItems, secondItems] = await Promise.all([this.poll(), this.poll()]);
				if (firstItems && secondItems) throw new Error('Two polls at once both emitted items');
				this.checkPoll(firstItems ?? secondItems);
				return;
			}
			case 'poll while creating': {
				let requestCount = 0;
				let hasCreated = false;
				const createOnce = () => {
					if (requestCount++ !== step.afterRequests) return;
					hasCreated = true;
					this.createEvent(step, 0);
				};
				fixture.standIn.setOptions({ beforeResponse: createOnce });
				const items = await this.poll();
				fixture.standIn.setOptions({ beforeResponse: undefined });
				this.checkPoll(items, hasCreated);
				return;
			}
			case 'poll':
				await this.pollAndCheck();
		}
	}

	private createEvent({ owner, person, campaign, actionType }: EventFields, delayHours: number): void {
		this.events.push({
			owner,
			person,
			campaign,
			actionType,
			time: this.fixture.now - delayHours * HOUR,
			isListed: true,
			mustBeEmitted: false,
			mayBeEmitted: this.firstPollAt !== undefined && this.platform.isSelected(owner),
			isNew: this.firstPollAt !== undefined,
		});
		this.platform.events = this.events;
	}

	private repair(): void {
		this.platform.failingCompanies.clear();
		this.platform.refusingCompanies.clear();
		this.platform.gaps.clear();
	}

	private isReadable(index: number): boolean {
		return !this.platform.failingCompanies.has(index) && !this.platform.refusingCompanies.has(index);
	}

	/**
	 * Returns true if the last poll could decide on all events of a company: it could read the company and all companies below
	 * it, and the platform left nothing out of their lists.
	 */
	private isDecidable(index: number): boolean {
		const indexes = [...this.setup.parents.keys()];
		return indexes
			.filter((company) => this.platform.getAncestry(company).includes(index))
			.every((company) => this.isReadable(company) && !this.platform.companiesWithMissingEvents.has(company));
	}

	private isConfirmed(event: PlatformEvent): boolean {
		if (this.setup.includeUnconfirmed || event.actionType !== 'LinkClicked') return true;
		return this.platform.humanKeys.has(this.platform.getHumanKey(event));
	}

	private async poll(): Promise<IDataObject[] | null> {
		this.platform.setFaults();
		this.platform.companiesWithMissingEvents.clear();
		const canFail =
			this.platform.gaps.size > 0 || ![...this.setup.parents.keys()].every((index) => this.isReadable(index));
		const items = await this.trigger.poll().catch((error: unknown) => {
			if (!canFail) throw error;
			return undefined;
		});
		if (items === undefined) return null;
		this.firstPollAt ??= this.fixture.now;
		return items;
	}

	private async pollAndCheck(): Promise<void> {
		this.checkPoll(await this.poll());
	}

	/** @param hasCreatedEvent true if an event was created while the poll read the events */
	private checkPoll(items: IDataObject[] | null, hasCreatedEvent = false): void {
		const { platform, fixture } = this;
		const { now } = fixture;
		for (const item of items ?? []) {
			const key = [item.targetUserResourceId, item.resourceId, item.ActionType, item.ActionTime].map(String).join(' ');
			this.emittedCounts.set(key, (this.emittedCounts.get(key) ?? 0) + 1);
			const event = this.events.find((candidate) => platform.getEventKey(candidate) === key);
			if (!event) throw new Error(`unknown: ${key}`);
			if (item.companyResourceId !== platform.getCompanyId(event.owner)) throw new Error(`wrong company: ${key}`);
			if (!this.isConfirmed(event)) throw new Error(`not confirmed: ${key}`);
		}
		if (this.firstPollAt !== undefined) this.updateRequirements(now, hasCreatedEvent);
		if (items || now === this.firstPollAt) this.savedDecidedAt = new Map(this.decidedAt);
		const eventsByKey = groupBy(this.events, (event) => platform.getEventKey(event));
		for (const [key, events] of Object.entries(eventsByKey)) {
			const emittedCount = this.emittedCounts.get(key) ?? 0;
			const maxCount = events.filter(({ mayBeEmitted }) => mayBeEmitted).length;
			const minCount = events.filter(({ mustBeEmitted }) => mustBeEmitted).length;
			if (emittedCount > maxCount) throw new Error(`${key} was given ${emittedCount} times of ${maxCount}`);
			if (emittedCount < minCount && !this.removedKeys.has(key))
				throw new Error(`${key} was given ${emittedCount} times, must be ${minCount}`);
		}
	}

	/**
	 * Marks the events that this poll must have emitted, or an earlier one.
	 * @param mayHaveMissedEvents true if the poll may have missed events of its window. Those come with the next poll.
	 */
	private updateRequirements(now: number, mayHaveMissedEvents: boolean): void {
		const windowMs = this.setup.windowDays * DAY;
		for (const index of this.setup.parents.keys()) {
			if (!this.isDecidable(index)) {
				if (this.firstPollAt === now && !this.decidedAt.has(index)) this.addLateCompany(index, now);
				continue;
			}
			const windowStart = (this.decidedAt.get(index) ?? -Infinity) - windowMs;
			const start = this.lateCompanies.has(index) ? Math.max(this.firstPollAt ?? now, windowStart) : windowStart;
			for (const event of this.events)
				if (
					!mayHaveMissedEvents &&
					event.owner === index &&
					event.mayBeEmitted &&
					event.isNew &&
					event.isListed &&
					event.time >= Math.max(start, now - MAX_CATCH_UP_MS) &&
					this.isConfirmed(event)
				)
					event.mustBeEmitted = true;
			this.decidedAt.set(index, now);
		}
	}

	/** Adds a company on whose events the first poll could not decide. Its events from the time of that poll on may be emitted. */
	private addLateCompany(index: number, firstPollAt: number): void {
		this.lateCompanies.add(index);
		const start = this.setup.roundsToDays ? Math.floor(firstPollAt / DAY) * DAY : firstPollAt;
		for (const event of this.events)
			if (event.owner === index && event.time >= start) event.mayBeEmitted = this.platform.isSelected(index);
	}
}
