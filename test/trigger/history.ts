/**
 * Runs the random histories of the property test. A model of the platform and the trigger knows which records the trigger
 * must emit.
 */
import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../../nodes/core/values';
import {
	ActiveTrigger,
	createCampaignTrigger,
	createEnrollmentTrigger,
	HOUR,
	createReportedEmailTrigger,
	type PollingFixture,
} from './pollingFixture';
import { COMPANY_COUNT, ROUTES, type Setup, type Step } from './steps';
import { TreePlatform, type TreePlatformTraits, type TreeRecord } from './treePlatform';

/** The placeholder for a status if the model doesn't know whether a poll has read it. */
const UNSURE = 'unsure';

/** A record, and what the polls did with it. */
interface HistoryRecord extends TreeRecord {
	/**
	 * True if it must be emitted, and false if it must not be emitted. Null if both are right, because the trigger can't
	 * distinguish it from an older record.
	 */
	mustBeEmitted: boolean | null;
	emittedCount: number;
	/** The time of the first poll that could have read it. */
	firstListedAt: number | undefined;
	/** The status in the last poll; undefined if no poll has read it. */
	lastStatus: string | undefined;
	/** The status in the last poll whose memory n8n has saved; undefined if no such poll has read it. */
	savedStatus: string | undefined;
}

/** Creates the trigger that watches a list. */
function createTriggerNode(list: string) {
	if (list === 'enrollment') return createEnrollmentTrigger();
	if (list === 'reported') return createReportedEmailTrigger();
	return createCampaignTrigger();
}

/** Creates the parameters of the trigger that watches some lists. */
function createParameters(setup: Setup, fixture: PollingFixture): IDataObject {
	const { lists, scope, triggerOn, pageSize, askEachEvery, askEachCompany, existingHours, selectedCompanies } = setup;
	const [firstList = ''] = lists;
	const parameters: IDataObject = { companyScope: scope, triggerOn };
	if (firstList !== 'enrollment' && firstList !== 'reported') {
		parameters.simulators = lists.map((list) => (list === 'jobs' ? 'phishing' : list));
		parameters.watch = firstList === 'jobs' ? 'jobs' : 'campaigns';
	}
	if (scope === 'one') parameters.company = { __rl: true, mode: 'id', value: fixture.getCompany(0).id };
	else if (selectedCompanies) parameters.onlyCompanies = { nameContains: 'in' };
	parameters.options = omitUndefined({
		pageSize,
		// With 'Status Changed', every poll reads every list, so that the model knows which statuses the trigger has read.
		askEachEvery: triggerOn === 'new' ? askEachEvery : 0,
		askEachCompany: askEachCompany ? true : undefined,
		emitExistingSince: existingHours === null ? undefined : new Date(fixture.now - existingHours * HOUR).toISOString(),
	});
	return parameters;
}

/** Runs one random history, and checks the items of each poll against a model. */
export class History {
	private records: HistoryRecord[] = [];
	private recordCount = 0;
	private readonly platform: TreePlatform;
	private readonly trigger: ActiveTrigger;
	/** The time of the first successful poll. */
	private firstPollAt: number | undefined;
	/** True if the last poll was the first one. n8n saves the memory of the first poll even if it has no items. */
	private wasFirstPoll = false;
	/**
	 * The companies that could not be read since the first poll. The model doesn't know whether their records are older
	 * than that.
	 */
	private readonly neverReadCompanies = new Set<number>();
	/** The hours since a failure started. It ends before 15 days have passed, because the trigger waits no longer. */
	private failureHours = 0;

	constructor(
		private readonly fixture: PollingFixture,
		private readonly setup: Setup,
	) {
		fixture.clear();
		const { lists, scope, parents, childrenListedFirst, selectedCompanies, globalLists } = setup;
		const [firstList = '', secondList = firstList] = lists;
		const isOneCompany = scope === 'one';
		const traits: TreePlatformTraits = {
			parents,
			childrenListedFirst,
			selectedCompanies: isOneCompany ? undefined : (selectedCompanies ?? undefined),
			// With One Company, the trigger emits the records of the company's list, whatever company they belong to.
			listsIncludeDescendants: setup.listsIncludeDescendants && !isOneCompany,
			globalLists: { [secondList]: globalLists[1], [firstList]: globalLists[0] },
		};
		const routes = Object.fromEntries(lists.map((list) => [list, ROUTES[list] ?? '']));
		this.platform = new TreePlatform(fixture, traits, routes);
		this.platform.unlistedCompany = COMPANY_COUNT - 1;
		const parameters = createParameters(setup, fixture);
		this.trigger = new ActiveTrigger(createTriggerNode(firstList), parameters, fixture.standIn);
	}

	/**
	 * Runs the steps and checks every poll.
	 * @throws Error if the trigger emits a wrong record, or misses one
	 */
	async run(initialSteps: Step[], steps: Step[]): Promise<void> {
		for (const step of initialSteps) if (step.type === 'create') this.createRecord(step);
		await this.pollAndCheck();
		for (const step of steps) await this.runStep(step);
		this.platform.failing.clear();
		this.platform.refusing.clear();
		if (this.firstPollAt === undefined) return;
		for (const hours of [1, 1, 1, 12, 0.5]) {
			this.fixture.advanceTime(hours * HOUR);
			await this.pollAndCheck();
		}
		const missedRecords = this.records.filter(({ mustBeEmitted, emittedCount }) => mustBeEmitted && emittedCount === 0);
		if (this.setup.triggerOn === 'new' && missedRecords.length > 0)
			throw new Error(`missed: ${missedRecords.map(({ id, owner }) => `${id} of ${owner}`).join(' ')}`);
	}

	private createRecord(settings: { owner: number | null; delayHours?: number; listIndex: number }): void {
		const { lists, scope } = this.setup;
		const { delayHours = 0, listIndex } = settings;
		const listedOwner = settings.owner === this.platform.unlistedCompany ? 0 : settings.owner;
		const owner = scope === 'one' ? 0 : listedOwner;
		const createdAt = this.fixture.now - delayHours * HOUR;
		this.records.push({
			id: `record-${++this.recordCount}`,
			list: lists[listIndex % lists.length] ?? '',
			owner,
			createdAt,
			status: 'Running',
			mustBeEmitted: this.mustEmit(owner, createdAt),
			emittedCount: 0,
			firstListedAt: undefined,
			lastStatus: undefined,
			savedStatus: undefined,
		});
		this.platform.records = this.records;
	}

	/** Returns the value of `mustBeEmitted` for a record that is created now. */
	private mustEmit(owner: number | null, createdAt: number): boolean | null {
		const { existingHours } = this.setup;
		if (this.firstPollAt === undefined) {
			// 'Emit Existing Since' may emit the record. But a record that is in no company's list isn't emitted then.
			const isRequested = existingHours !== null && createdAt >= this.fixture.now - existingHours * HOUR;
			return isRequested ? null : false;
		}
		// A record of the reseller never has to be emitted.
		if (owner === null) return null;
		if (this.neverReadCompanies.has(owner) && createdAt < this.firstPollAt) return null;
		return this.platform.isSelected(owner);
	}

	/** Deletes a record that was emitted or doesn't have to be emitted. */
	private deleteRecord(recordIndex: number): void {
		const deletable = this.records.filter(({ mustBeEmitted, emittedCount }) => !mustBeEmitted || emittedCount > 0);
		const deletedRecord = deletable[recordIndex % Math.max(1, deletable.length)];
		this.records = this.records.filter((record) => record !== deletedRecord);
		this.platform.records = this.records;
	}

	private async runStep(step: Step): Promise<void> {
		const { platform } = this;
		switch (step.type) {
			case 'create':
				this.createRecord(step);
				return;
			case 'create several':
				for (let times = 0; times < step.count; times++) this.createRecord(step);
				return;
			case 'set status': {
				const record = this.records[step.recordIndex % Math.max(1, this.records.length)];
				if (record) record.status = step.status;
				return;
			}
			case 'advance time':
				this.failureHours += platform.failing.size + platform.refusing.size > 0 ? step.hours : 0;
				if (this.failureHours > 13 * 24) this.repair();
				this.fixture.advanceTime(step.hours * HOUR);
				return;
			case 'fail':
				if (step.target === 'all') for (const index of this.setup.parents.keys()) platform.failing.add(index);
				else platform.failing.add(step.target);
				return;
			case 'refuse':
				platform.refusing.add(step.company);
				return;
			case 'repair':
				this.repair();
				return;
			case 'restart n8n':
				this.trigger.restart();
				for (const record of this.records) record.lastStatus = record.savedStatus;
				return;
			case 'list last company':
				platform.unlistedCompany = null;
				return;
			case 'poll twice at once': {
				const [firstItems, secondItems] = await Promise.all([this.poll(), this.poll()]);
				if (firstItems && secondItems) throw new Error('Two polls at once both gave something');
				this.checkItems(firstItems ?? secondItems);
				return;
			}
			case 'poll while creating':
			case 'poll while shifting': {
				let requestCount = 0;
				const changeList = () => {
					const isDue = requestCount === step.afterRequests;
					requestCount++;
					if (!isDue) return;
					this.createRecord(step);
					if (step.type === 'poll while shifting') this.deleteRecord(step.listIndex);
				};
				this.fixture.standIn.setOptions({ beforeResponse: changeList });
				const items = await this.poll();
				this.fixture.standIn.setOptions({ beforeResponse: undefined });
				this.checkItems(items, requestCount > step.afterRequests);
				return;
			}
			case 'poll':
				await this.pollAndCheck();
		}
	}

	private repair(): void {
		this.platform.failing.clear();
		this.platform.refusing.clear();
		this.failureHours = 0;
	}

	/** Returns true if a poll may fail, because a company's list or the global list can't be read. */
	private get mayFail(): boolean {
		const { failing, refusing } = this.platform;
		const unreadable = this.setup.parents.filter((_, index) => failing.has(index) || refusing.has(index));
		return unreadable.length > 0 || failing.has(null);
	}

	/**
	 * Polls, and updates what the model knows about the companies. Returns null if there are no items, or if the poll
	 * failed.
	 */
	private async poll(): Promise<IDataObject[] | null> {
		const { failing, refusing } = this.platform;
		this.platform.setFaults();
		this.trigger.log.length = 0;
		const items = await this.trigger.poll().catch((error: unknown) => {
			if (!this.mayFail) throw error;
			return undefined;
		});
		if (items === undefined) return null;
		this.wasFirstPoll = this.firstPollAt === undefined;
		if (this.firstPollAt === undefined) {
			this.firstPollAt = this.fixture.now;
			for (const index of [...failing, ...refusing]) if (index !== null) this.neverReadCompanies.add(index);
		}
		for (const index of this.neverReadCompanies)
			if (!failing.has(index) && !refusing.has(index)) this.neverReadCompanies.delete(index);
		return items;
	}

	private async pollAndCheck(): Promise<void> {
		this.checkItems(await this.poll());
	}

	/**
	 * Checks the items of a poll, and updates the model.
	 * @param hasShifted true if the lists changed while they were read, so that the poll may have missed records
	 */
	private checkItems(items: IDataObject[] | null, hasShifted = false): void {
		const { failing, refusing } = this.platform;
		const isComplete = failing.size + refusing.size === 0 && !hasShifted;
		for (const record of this.records) {
			const ownItems = (items ?? []).filter(({ resourceId }) => resourceId === record.id);
			record.emittedCount += ownItems.length;
			if (ownItems.length > 1) throw new Error(`${record.id} was given twice in one poll`);
			for (const item of ownItems) this.checkCompany(record, item);
			record.firstListedAt ??= this.firstPollAt === undefined ? undefined : this.fixture.now;
			if (this.setup.triggerOn === 'new') {
				if (record.emittedCount > 1) throw new Error(`${record.id} was given again`);
				if (ownItems.length > 0 && record.mustBeEmitted === false)
					throw new Error(`${record.id} of ${record.owner} was given`);
			} else this.checkStatus(record, ownItems.length, isComplete);
			if (this.firstPollAt === undefined) continue;
			record.lastStatus = isComplete && this.isReadInEveryPoll(record) ? record.status : UNSURE;
			if (items || this.wasFirstPoll) record.savedStatus = record.lastStatus;
		}
		const ownerlessCount = (items ?? []).filter(({ companyResourceId }) => companyResourceId === null).length;
		const isLogged = this.trigger.log.some((line) => line.includes('without a company'));
		if (this.setup.scope === 'every' && ownerlessCount > 0 !== isLogged)
			throw new Error(`${ownerlessCount} without a company, said: ${isLogged}`);
	}

	/** Returns true if every complete poll reads the status of a record. */
	private isReadInEveryPoll({ owner, list }: HistoryRecord): boolean {
		if (owner === null || !this.platform.isSelected(owner)) return false;
		return this.platform.traits.globalLists[list] !== 'without grandchildren';
	}

	private checkStatus(record: HistoryRecord, itemCount: number, isComplete: boolean): void {
		if (!isComplete || !this.isReadInEveryPoll(record) || record.lastStatus === UNSURE) return;
		const hasChanged = record.lastStatus !== undefined && record.lastStatus !== record.status;
		if (hasChanged !== (itemCount === 1))
			throw new Error(`${record.id}: ${record.lastStatus} → ${record.status}, given ${itemCount}`);
	}

	/** Checks the company of an item: the owner of the record, or none if a list couldn't be read for an hour. */
	private checkCompany(record: HistoryRecord, { companyResourceId }: IDataObject): void {
		const { platform } = this;
		const isAnyUnreadable = platform.failing.size + platform.refusing.size > 0;
		const hasWaited =
			record.firstListedAt !== undefined && isAnyUnreadable && this.fixture.now - record.firstListedAt >= HOUR;
		const expectedId = record.owner === null ? null : platform.getCompanyId(record.owner);
		if (companyResourceId === expectedId || (hasWaited && companyResourceId === null)) return;
		throw new Error(
			`wrong company: ${record.id} is ${record.owner}'s (${String(expectedId)}), given as ${String(companyResourceId)}'s`,
		);
	}
}
