/** A history of a platform and a trigger, and what the trigger must give: the model of the property test. */
import type { IDataObject } from 'n8n-workflow';
import {
	ActiveTrigger,
	createCampaignTrigger,
	createEnrollmentTrigger,
	HOUR,
	createReportedEmailTrigger,
	type PollingFixture,
} from './pollingFixture';
import { COMPANIES, ROUTES, type Setup, type Step } from './steps';
import { TreePlatform, type TreeRecord } from './treePlatform';

/** The status of a record that a poll may have seen. */
const UNSURE = 'unsure';

/** A record, and what became of it. */
interface HistoryRecord extends TreeRecord {
	/** Whether it must be given; null where it may be, because it cannot be told from one that was there before. */
	isOwed: boolean | null;
	given: number;
	/** Whether it was there before the first poll. */
	wasThere: boolean;
	/** When a poll could have shown it first. */
	shown: number | undefined;
	/** The status at the last poll, and at the last that n8n has saved; undefined for none. */
	noted: string | undefined;
	saved: string | undefined;
}

/** The triggers of the lists that are of no simulator. */
const TRIGGERS = [
	['enrollment', createEnrollmentTrigger],
	['reported', createReportedEmailTrigger],
] as const;

/** Lives through a history. @throws at the first broken promise */
export class History {
	private records: HistoryRecord[] = [];
	private made = 0;
	private readonly world: TreePlatform;
	private readonly active: ActiveTrigger;
	private begun: number | undefined;
	/** Whether the last poll was the first, which n8n saves also without items. */
	private begins = false;
	/** The companies that were not read yet since the beginning: what they had then is not told from what came later. */
	private readonly unknown = new Set<number>();
	/** How long something has failed, in hours: a company is waited for 14 days. */
	private failedFor = 0;

	constructor(
		private readonly fixture: PollingFixture,
		private readonly setup: Setup,
	) {
		fixture.clear();
		const { lists, scope, triggerOn, pageSize, askEachEvery, askEachCompany, existing, chosen } = setup;
		const isOne = scope === 'one';
		const [first = '', second = first] = lists;
		const platform = {
			parents: setup.parents,
			flat: setup.flat,
			chosen: isOne ? undefined : (chosen ?? undefined),
			// One Company gives what its list shows.
			listsBelow: setup.listsBelow && !isOne,
			unscoped: { [second]: setup.unscoped[1], [first]: setup.unscoped[0] },
		};
		this.world = new TreePlatform(
			fixture,
			platform,
			Object.fromEntries(lists.map((list) => [list, ROUTES[list] ?? ''])),
		);
		this.world.unlistedCompany = COMPANIES - 1;
		const simulators = lists.map((list) => (list === 'jobs' ? 'phishing' : list));
		const [, make = createCampaignTrigger] = TRIGGERS.find(([list]) => list === first) ?? [];
		const own = make !== createCampaignTrigger ? {} : { simulators, watch: first === 'jobs' ? 'jobs' : 'campaigns' };
		const one = isOne ? { company: { __rl: true, mode: 'id', value: fixture.getCompany(0).id } } : {};
		const filter = platform.chosen ? { onlyCompanies: { nameContains: 'in' } } : {};
		const since = existing === null ? {} : { emitExistingSince: new Date(fixture.now - existing * HOUR).toISOString() };
		// A status is looked at in every poll, so that the model knows what the trigger has seen.
		const every = triggerOn === 'new' ? askEachEvery : 0;
		const options = { pageSize, askEachEvery: every, ...(askEachCompany ? { askEachCompany } : {}), ...since };
		const parameters = { ...own, companyScope: scope, ...one, ...filter, triggerOn, options };
		this.active = new ActiveTrigger(make(), parameters, fixture.standIn);
	}

	private create(asked: number | null, late: number, of: number): void {
		const { lists, scope, existing } = this.setup;
		const everyOwner = asked === this.world.unlistedCompany ? 0 : asked;
		const owner = scope === 'one' ? 0 : everyOwner;
		const created = this.fixture.now - late * HOUR;
		const isBefore = this.begun === undefined;
		// As the issue has it: the reseller's own are never owed, and what is in no list of a company is not given at the first poll.
		const isExisting = existing === null ? false : created >= this.fixture.now - existing * HOUR ? null : false;
		const isUnknown = owner !== null && this.unknown.has(owner) && created < (this.begun ?? 0);
		const told: HistoryRecord = {
			id: `record-${++this.made}`,
			list: lists[of % lists.length] ?? '',
			owner,
			createdAt: created,
			status: 'Running',
			isOwed: isBefore ? isExisting : isUnknown || owner === null ? null : this.world.isSelected(owner),
			given: 0,
			wasThere: isBefore,
			shown: undefined,
			noted: undefined,
			saved: undefined,
		};
		this.records.push(told);
		this.world.records = this.records;
	}

	async run(before: Step[], steps: Step[]): Promise<void> {
		for (const each of before) if (each.do === 'create') this.create(each.owner, each.late, each.of);
		await this.poll();
		for (const each of steps) await this.take(each);
		this.world.failing.clear();
		this.world.refusing.clear();
		if (this.begun === undefined) return;
		for (const hours of [1, 1, 1, 12, 0.5]) {
			this.fixture.advanceTime(hours * HOUR);
			await this.poll();
		}
		const missed = this.records.filter(({ isOwed, given }) => isOwed && given === 0);
		if (this.setup.triggerOn === 'new' && missed.length > 0)
			throw new Error(`missed: ${missed.map(({ id, owner }) => `${id} of ${owner}`).join(' ')}`);
	}

	/** Deletes a record that was given, or never will be. */
	private delete(of: number): void {
		const done = this.records.filter(({ isOwed, given }) => !isOwed || given > 0);
		const told = done[of % Math.max(1, done.length)];
		this.records = this.records.filter((each) => each !== told);
		this.world.records = this.records;
	}

	private async take(each: Step): Promise<void> {
		const { world } = this;
		switch (each.do) {
			case 'create':
				return this.create(each.owner, each.late, each.of);
			case 'burst':
				for (let times = 0; times < each.count; times++) this.create(each.owner, 0, each.of);
				return;
			case 'status': {
				const told = this.records[each.of % Math.max(1, this.records.length)];
				if (told) told.status = each.to;
				return;
			}
			case 'pass':
				this.failedFor += world.failing.size + world.refusing.size > 0 ? each.hours : 0;
				if (this.failedFor > 13 * 24) this.mend();
				return this.fixture.advanceTime(each.hours * HOUR);
			case 'fail':
				if (each.what === 'all') for (const [index] of this.setup.parents.entries()) world.failing.add(index);
				else world.failing.add(each.what);
				return;
			case 'refuse':
				return void world.refusing.add(each.what);
			case 'mend':
				return this.mend();
			case 'restart':
				this.active.restart();
				for (const told of this.records) told.noted = told.saved;
				return;
			case 'company comes':
				world.unlistedCompany = null;
				return;
			case 'two polls': {
				const [one, other] = await Promise.all([this.polled(), this.polled()]);
				if (one && other) throw new Error('Two polls at once both gave something');
				return this.check(one ?? other);
			}
			case 'busy poll':
			case 'shifting poll': {
				let answered = 0;
				const happens = () => {
					if (answered++ !== each.after) return;
					this.create(each.owner, each.late, each.of);
					if (each.do === 'shifting poll') this.delete(each.of);
				};
				this.fixture.standIn.setOptions({ beforeResponse: happens });
				const items = await this.polled();
				this.fixture.standIn.setOptions({ beforeResponse: undefined });
				return this.check(items, answered > each.after);
			}
			case 'poll':
				return await this.poll();
		}
	}

	private mend(): void {
		this.world.failing.clear();
		this.world.refusing.clear();
		this.failedFor = 0;
	}

	/** Whether a poll may fail: no company that answers is left. */
	private get mayFail(): boolean {
		const { failing, refusing } = this.world;
		const silent = this.setup.parents.filter((_, index) => failing.has(index) || refusing.has(index));
		// One list that all is read from may fail as a whole.
		return silent.length > 0 || failing.has(null);
	}

	private async polled(): Promise<IDataObject[] | null> {
		this.world.setFaults();
		this.active.log.length = 0;
		const items = await this.active.poll().catch((error: unknown) => {
			if (!this.mayFail) throw error;
			return undefined;
		});
		if (items === undefined) return null;
		const { failing, refusing } = this.world;
		this.begins = this.begun === undefined;
		if (this.begun === undefined) {
			this.begun = this.fixture.now;
			for (const index of [...failing, ...refusing]) if (index !== null) this.unknown.add(index);
		}
		for (const index of this.unknown) if (!failing.has(index) && !refusing.has(index)) this.unknown.delete(index);
		return items;
	}

	private async poll(): Promise<void> {
		this.check(await this.polled());
	}

	/** @param isShifting whether the lists changed while they were read, so that not all was to be seen */
	private check(items: IDataObject[] | null, isShifting = false): void {
		const { failing, refusing } = this.world;
		const isWhole = failing.size + refusing.size === 0 && !isShifting;
		for (const told of this.records) {
			const own = (items ?? []).filter(({ resourceId }) => resourceId === told.id);
			told.given += own.length;
			if (own.length > 1) throw new Error(`${told.id} was given twice in one poll`);
			for (const item of own) this.checkCompany(told, item);
			told.shown ??= this.begun === undefined ? undefined : this.fixture.now;
			if (this.setup.triggerOn === 'new') {
				if (told.given > 1) throw new Error(`${told.id} was given again`);
				if (own.length > 0 && told.isOwed === false) throw new Error(`${told.id} of ${told.owner} was given`);
			} else this.checkStatus(told, own.length, isWhole);
			if (this.begun === undefined) continue;
			told.noted = isWhole && this.isSeen(told) ? told.status : UNSURE;
			if (items || this.begins) told.saved = told.noted;
		}
		const lost = (items ?? []).filter(({ companyResourceId }) => companyResourceId === null).length;
		const isSaid = this.active.log.some((line) => line.includes('without a company'));
		if (this.setup.scope === 'every' && lost > 0 !== isSaid)
			throw new Error(`${lost} without a company, said: ${isSaid}`);
	}

	/** Whether each poll sees the status of a record. */
	private isSeen({ owner, list }: HistoryRecord): boolean {
		return (
			owner !== null && this.world.isSelected(owner) && this.world.traits.globalLists[list] !== 'without grandchildren'
		);
	}

	private checkStatus(told: HistoryRecord, times: number, isWhole: boolean): void {
		if (!isWhole || !this.isSeen(told) || told.noted === UNSURE) return;
		const isChanged = told.noted !== undefined && told.noted !== told.status;
		if (isChanged !== (times === 1)) throw new Error(`${told.id}: ${told.noted} → ${told.status}, given ${times}`);
	}

	/** Finds the company of a record: the deepest company that lists it; none if a list fails or is refused for an hour. */
	private checkCompany(told: HistoryRecord, { companyResourceId: given }: IDataObject): void {
		const { world } = this;
		const isSilent = world.failing.size + world.refusing.size > 0;
		const hasWaited = told.shown !== undefined && isSilent && this.fixture.now - told.shown >= HOUR;
		const allowed: unknown[] = [told.owner === null ? null : world.getCompanyId(told.owner)];
		if (hasWaited) allowed.push(null);
		if (!allowed.includes(given))
			throw new Error(
				`wrong company: ${told.id} is ${told.owner}'s (${String(allowed[0])}), given as ${String(given)}'s`,
			);
	}
}
