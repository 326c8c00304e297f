/** Runs the random histories of the property test. A model predicts which records the trigger must emit. */
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

/** The placeholder for a last status that the model doesn't know, because a poll may or may not have read it. */
const UNKNOWN_STATUS = 'unsure';

/** A record, and what the polls did with it. */
interface HistoryRecord extends TreeRecord {
	/**
	 * True if the record must be emitted, and false if it must not be emitted. Null if the model can't predict which (see
	 * `shouldEmitRecord`).
	 */
	shouldBeEmitted: boolean | null;
	emittedCount: number;
	/** The time of the first poll that could have read the record. */
	firstListedAt: number | undefined;
	/** The status of the record in the last poll; undefined if no poll has read the record. */
	lastStatus: string | undefined;
	/**
	 * The status of the record in the last poll whose memory n8n has saved in its database; undefined if no such poll has
	 * read the record.
	 */
	savedStatus: string | undefined;
}

/** Creates the trigger node that watches the list with this name. */
function createTriggerNode(list: string) {
	if (list === 'enrollment') return createEnrollmentTrigger();
	if (list === 'reported') return createReportedEmailTrigger();
	return createCampaignTrigger();
}

/** Creates the parameters of the trigger node for a setup. */
function createParameters(setup: Setup, fixture: PollingFixture): IDataObject {
	const { lists, scope, triggerOn, pageSize, readEachCompanyEvery, readEachCompany, includedHours, selectedCompanies } =
		setup;
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
		// With 'Status Changed', every poll must read every list, so that the model knows which statuses the trigger has
		// read.
		readEachCompanyEvery: triggerOn === 'new' ? readEachCompanyEvery : 0,
		readEachCompany: readEachCompany ? true : undefined,
		includeExistingSince:
			includedHours === null ? undefined : new Date(fixture.now - includedHours * HOUR).toISOString(),
	});
	return parameters;
}

/** Runs one random history, and compares the items of each poll with the model. */
export class History {
	private records: HistoryRecord[] = [];
	private recordCount = 0;
	private readonly platform: TreePlatform;
	private readonly trigger: ActiveTrigger;
	/** The time of the first successful poll; undefined before it. */
	private firstPollAt: number | undefined;
	/** True if the last poll was the first successful one. n8n saves its memory even if it returned no items. */
	private wasFirstPoll = false;
	/**
	 * The companies whose lists could not be read in the first poll, nor since. The trigger can't know which of their
	 * records existed before the first poll.
	 */
	private readonly neverReadCompanies = new Set<number>();
	/**
	 * The hours since companies began to fail. The failure is repaired before 15 days have passed, because the trigger
	 * waits no longer for a company.
	 */
	private failureHours = 0;

	constructor(
		private readonly fixture: PollingFixture,
		private readonly setup: Setup,
	) {
		fixture.clear();
		const { lists, scope, parents, leadingChildCount, selectedCompanies, globalLists } = setup;
		const [firstList = '', secondList = firstList] = lists;
		const isOneCompany = scope === 'one';
		const traits: TreePlatformTraits = {
			parents,
			leadingChildCount,
			selectedCompanies: isOneCompany ? undefined : (selectedCompanies ?? undefined),
			// With One Company, the trigger emits every record in the company's list, even if the record belongs to a company
			// below it. The model doesn't predict that.
			shouldListDescendants: setup.shouldListDescendants && !isOneCompany,
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
		this.platform.failingCompanies.clear();
		this.platform.refusingCompanies.clear();
		if (this.firstPollAt === undefined) return;
		for (const hours of [1, 1, 1, 12, 0.5]) {
			this.fixture.advanceTime(hours * HOUR);
			await this.pollAndCheck();
		}
		const missedRecords = this.records.filter(
			({ shouldBeEmitted, emittedCount }) => shouldBeEmitted && emittedCount === 0,
		);
		if (this.setup.triggerOn === 'new' && missedRecords.length > 0)
			throw new Error(`missed: ${missedRecords.map(({ id, owner }) => `${id} of ${owner}`).join(' ')}`);
	}

	private createRecord(creation: { owner: number | null; delayHours?: number; listIndex: number }): void {
		const { lists, scope } = this.setup;
		const { delayHours = 0, listIndex } = creation;
		const listedOwner = creation.owner === this.platform.unlistedCompany ? 0 : creation.owner;
		const owner = scope === 'one' ? 0 : listedOwner;
		const createdAt = this.fixture.now - delayHours * HOUR;
		this.records.push({
			id: `record-${++this.recordCount}`,
			list: lists[listIndex % lists.length] ?? '',
			owner,
			createdAt,
			status: 'Running',
			shouldBeEmitted: this.shouldEmitRecord(owner, createdAt),
			emittedCount: 0,
			firstListedAt: undefined,
			lastStatus: undefined,
			savedStatus: undefined,
		});
		this.platform.records = this.records;
	}

	/** Returns the value of `shouldBeEmitted` for a record that appears now. */
	private shouldEmitRecord(owner: number | null, createdAt: number): boolean | null {
		const { includedHours } = this.setup;
		if (this.firstPollAt === undefined) {
			// Because of 'Include Existing Since', the trigger may emit the record. It need not, because it doesn't emit a
			// record that is in no company's list.
			const isInEmitExistingPeriod = includedHours !== null && createdAt >= this.fixture.now - includedHours * HOUR;
			return isInEmitExistingPeriod ? null : false;
		}
		// A record of the reseller is in no company's list, so it may be missed.
		if (owner === null) return null;
		if (this.neverReadCompanies.has(owner) && createdAt < this.firstPollAt) return null;
		return this.platform.isSelected(owner);
	}

	/** Deletes one of the records that were emitted or don't have to be emitted. */
	private deleteRecord(recordIndex: number): void {
		const deletableRecords = this.records.filter(
			({ shouldBeEmitted, emittedCount }) => !shouldBeEmitted || emittedCount > 0,
		);
		const deletedRecord = deletableRecords[recordIndex % Math.max(1, deletableRecords.length)];
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
				this.failureHours += platform.failingCompanies.size + platform.refusingCompanies.size > 0 ? step.hours : 0;
				if (this.failureHours > 13 * 24) this.repairCompanies();
				this.fixture.advanceTime(step.hours * HOUR);
				return;
			case 'fail':
				if (step.target === 'all') for (const index of this.setup.parents.keys()) platform.failingCompanies.add(index);
				else platform.failingCompanies.add(step.target);
				return;
			case 'refuse':
				platform.refusingCompanies.add(step.company);
				return;
			case 'repair':
				this.repairCompanies();
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
				if (firstItems && secondItems) throw new Error('Two polls at once both emitted items');
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

	private repairCompanies(): void {
		this.platform.failingCompanies.clear();
		this.platform.refusingCompanies.clear();
		this.failureHours = 0;
	}

	/** True if a poll can fail, because a company's list or the global list can't be read. */
	private get canFail(): boolean {
		const { failingCompanies, refusingCompanies } = this.platform;
		const unreadableCompanies = this.setup.parents.filter(
			(_, index) => failingCompanies.has(index) || refusingCompanies.has(index),
		);
		return unreadableCompanies.length > 0 || failingCompanies.has(null);
	}

	/**
	 * Polls, and updates `firstPollAt` and `neverReadCompanies`. Returns null if there are no items, or if the poll
	 * failed.
	 */
	private async poll(): Promise<IDataObject[] | null> {
		const { failingCompanies, refusingCompanies } = this.platform;
		this.platform.setFaults();
		this.trigger.log.length = 0;
		const items = await this.trigger.poll().catch((error: unknown) => {
			if (!this.canFail) throw error;
			return undefined;
		});
		if (items === undefined) return null;
		this.wasFirstPoll = this.firstPollAt === undefined;
		if (this.firstPollAt === undefined) {
			this.firstPollAt = this.fixture.now;
			for (const index of [...failingCompanies, ...refusingCompanies])
				if (index !== null) this.neverReadCompanies.add(index);
		}
		for (const index of this.neverReadCompanies)
			if (!failingCompanies.has(index) && !refusingCompanies.has(index)) this.neverReadCompanies.delete(index);
		return items;
	}

	private async pollAndCheck(): Promise<void> {
		this.checkItems(await this.poll());
	}

	/**
	 * Compares the items of a poll with the model, and updates the model.
	 * @param haveListsShifted true if a list changed while the poll read it, so that the poll may have missed records
	 */
	private checkItems(items: IDataObject[] | null, haveListsShifted = false): void {
		const { failingCompanies, refusingCompanies } = this.platform;
		const isComplete = failingCompanies.size + refusingCompanies.size === 0 && !haveListsShifted;
		for (const record of this.records) {
			const ownItems = (items ?? []).filter(({ resourceId }) => resourceId === record.id);
			record.emittedCount += ownItems.length;
			if (ownItems.length > 1) throw new Error(`${record.id} was given twice in one poll`);
			for (const item of ownItems) this.checkCompany(record, item);
			record.firstListedAt ??= this.firstPollAt === undefined ? undefined : this.fixture.now;
			if (this.setup.triggerOn === 'new') {
				if (record.emittedCount > 1) throw new Error(`${record.id} was given again`);
				if (ownItems.length > 0 && record.shouldBeEmitted === false)
					throw new Error(`${record.id} of ${record.owner} was given`);
			} else this.checkStatus(record, ownItems.length, isComplete);
			if (this.firstPollAt === undefined) continue;
			record.lastStatus = isComplete && this.isReadInEveryPoll(record) ? record.status : UNKNOWN_STATUS;
			if (items || this.wasFirstPoll) record.savedStatus = record.lastStatus;
		}
		const ownerlessCount = (items ?? []).filter(({ companyResourceId }) => companyResourceId === null).length;
		const isMissingCompanyLogged = this.trigger.log.some((line) => line.includes('without a company'));
		if (this.setup.scope === 'every' && ownerlessCount > 0 !== isMissingCompanyLogged)
			throw new Error(`${ownerlessCount} without a company, said: ${isMissingCompanyLogged}`);
	}

	/** Returns true if every poll that reads all lists also reads the status of this record. */
	private isReadInEveryPoll({ owner, list }: HistoryRecord): boolean {
		if (owner === null || !this.platform.isSelected(owner)) return false;
		return this.platform.traits.globalLists[list] !== 'without grandchildren';
	}

	private checkStatus(record: HistoryRecord, itemCount: number, isComplete: boolean): void {
		if (!isComplete || !this.isReadInEveryPoll(record) || record.lastStatus === UNKNOWN_STATUS) return;
		const hasChanged = record.lastStatus !== undefined && record.lastStatus !== record.status;
		if (hasChanged !== (itemCount === 1))
			throw new Error(`${record.id}: ${record.lastStatus} → ${record.status}, given ${itemCount}`);
	}

	/**
	 * Checks that an item has the right company: the owner of the record, or none if a list could not be read and the
	 * record has waited for an hour.
	 */
	private checkCompany(record: HistoryRecord, { companyResourceId }: IDataObject): void {
		const { platform } = this;
		const isAnyCompanyUnreadable = platform.failingCompanies.size + platform.refusingCompanies.size > 0;
		const hasWaitedForAnHour =
			record.firstListedAt !== undefined && isAnyCompanyUnreadable && this.fixture.now - record.firstListedAt >= HOUR;
		const expectedId = record.owner === null ? null : platform.getCompanyId(record.owner);
		if (companyResourceId === expectedId || (hasWaitedForAnHour && companyResourceId === null)) return;
		throw new Error(
			`wrong company: ${record.id} is ${record.owner}'s (${String(expectedId)}), given as ${String(companyResourceId)}'s`,
		);
	}
}
