import type { IDataObject } from 'n8n-workflow';
import { DAY, HOUR, idsOf, type Active, type List } from '../pollingFixture';
import { count, figures } from './figures';
import { WINDOW, type Setup } from './setups';
import { mayHide, type Change, type Moments, type Step } from './steps';
import { UNKNOWN, type Owes, type Platform, type Told } from './told';

const WATCHED_DAYS = 30;
/** How late a record may be, in hours, so that it seems to be late, and not to have been there before. */
const LATE_AT_MOST = 11;

/** One history, with a plain list of what there is and what was given. @throws at the first broken promise */
export class History {
	readonly told: Told[] = [];
	private isBased = false;
	private changes = 0;
	/** Whether the last poll was out of time: the next one goes on where it stopped, and the one after that reads all again. */
	private wasCut = false;
	/** The same of the poll whose state n8n has saved. */
	private wasCutSaved = false;

	constructor(
		private readonly platform: Platform,
		private readonly setup: Setup,
		private readonly active: Active,
		private readonly watchesStatus: boolean,
	) {}

	apply(each: Change): void {
		const there = this.told.filter(({ putBack }) => !putBack);
		const gone = this.told.filter(({ putBack }) => putBack);
		const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
		this.changes++;
		switch (each.do) {
			case 'create':
				return this.create(each, each.late * HOUR, each.late > 0 ? 'created late' : 'created in time');
			case 'burst':
				for (const late of each.lates) this.create(each, late * HOUR, 'created in a burst');
				return;
			case 'too late': {
				const list = this.listOf(each.list);
				const isBegun = this.told.some((other) => other.list === list && (other.wasListed || other.given > 0));
				// Records that cannot be late show that a list that seemed to be empty was not: then others count as existing, too.
				const most = isBegun || !this.isBased ? Infinity : LATE_AT_MOST;
				return this.create(each, Math.min(each.late, most) * HOUR, 'created too late');
			}
			case 'future':
				return this.create(each, -each.ahead * HOUR, 'dated in the future');
			case 'same moment': {
				const other = pick(this.told, each.of);
				return this.create(
					each,
					other ? this.platform.fixture.now - other.createdAt : 0,
					'created with the time of another',
				);
			}
			case 'delete': {
				const record = pick(there, each.of);
				if (!record) return;
				record.putBack = this.platform.fixture.delete(record.list, record.company, record.id);
				record.movedAt = this.changes;
				return count(record.given > 0 || record.wasListed ? 'deleted' : 'deleted before it was given');
			}
			case 'restore': {
				const record = pick(gone, each.of);
				if (!record) return;
				record.putBack?.();
				record.putBack = undefined;
				record.movedAt = this.changes;
				// It becomes visible anew. A trigger that remembers a bounded time cannot tell one that no poll has seen from one
				// that was given long ago, so what counts is how late it is now.
				record.isOwed =
					this.isBased && !record.wasListed && this.platform.fixture.now - record.createdAt <= WINDOW * HOUR;
				return count('restored');
			}
			case 'status': {
				const record = pick(there, each.of);
				if (!record) return;
				if (record.status !== each.status) count('status changed');
				record.status = each.status;
				this.platform.fixture.setStatus(record.list, record.company, record.id, each.status);
			}
		}
	}

	private create(where: { company: number; list: number }, late: number, what: string): void {
		const list = this.listOf(where.list);
		const company = where.company % this.setup.companies;
		const id = this.platform.fixture.create(list, company, late);
		figures.created++;
		count(what);
		const isOwed = this.isBased && late <= WINDOW * HOUR;
		if (isOwed) figures.owed++;
		const movedAt = this.changes;
		this.told.push({
			id,
			list,
			company,
			createdAt: this.platform.fixture.now - late,
			isOwed,
			wasListed: false,
			given: 0,
			movedAt,
			status: 'Running',
			noted: UNKNOWN,
			notedSaved: UNKNOWN,
		});
	}

	private listOf(list: number): List {
		return this.setup.lists[list % this.setup.lists.length] ?? 'phishing';
	}

	async run(steps: Step[]): Promise<void> {
		await this.poll();
		this.isBased = true;
		for (const record of this.told) record.wasListed = !record.putBack;
		for (const each of [...steps, { do: 'poll' as const }, { do: 'poll' as const }]) await this.take(each);
	}

	private async take(each: Step): Promise<void> {
		switch (each.do) {
			case 'pass':
				return this.platform.fixture.pass(each.hours * HOUR);
			case 'poll':
				return await this.poll();
			case 'rename':
				count('renamed');
				this.active.name = `${this.active.name} again`;
				return;
			case 'restart':
				return this.restart('restarted');
			case 'activation':
				this.restart('activated again');
				return await this.poll('everything', true);
			case 'failing page': {
				const route = this.setup.search(this.listOf(each.list));
				this.platform.service.fault({
					kind: 'status-500',
					times: Infinity,
					route,
					...(each.page ? { page: each.page } : {}),
				});
				return await this.poll('nothing');
			}
			case 'failing company': {
				const { id } = this.platform.fixture.company(each.company);
				this.platform.service.fault({
					kind: 'status-500',
					times: Infinity,
					route: this.setup.search(this.listOf(0)),
					company: id,
				});
				return await this.poll('nothing');
			}
			case 'failing details':
				this.platform.service.fault({
					kind: 'status-500',
					times: Infinity,
					route: 'GET /api/enrollments/{resourceId}',
				});
				return await this.poll('nothing');
			case 'shifting poll':
				this.shift(each.moments);
				return await this.poll(
					each.moments.length === 1 && !each.moments.some(({ changes }) => mayHide(changes))
						? 'what stood still'
						: 'nothing',
				);
			case 'cut poll': {
				let passed = 0;
				this.whileRead(() => {
					if (passed++ === each.after) {
						count('polls out of time');
						this.platform.elapsed += 10 * 60_000;
					}
				});
				return await this.poll('nothing', undefined, true);
			}
			case 'overlapping polls': {
				let passed = 0;
				let other: Promise<IDataObject[] | null> | undefined;
				this.whileRead(() => {
					if (passed++ !== each.after) return;
					count('overlapping polls');
					figures.polls++;
					other = this.active.poll();
				});
				await this.poll();
				// The poll that was turned away has left n8n's memory as it was.
				if (await other) throw new Error('Two polls at once both gave something');
				return;
			}
			default:
				return this.apply(each);
		}
	}

	private whileRead(beforeAnswer: () => void): void {
		this.platform.service.setOptions({ beforeAnswer });
	}

	private shift(at: Moments): void {
		let passed = 0;
		this.whileRead(() => {
			const now = at.filter(({ after }) => after === passed);
			passed++;
			if (now.length === 0) return;
			const page = this.platform.service.log.at(-1)?.body;
			count(
				typeof page === 'object' && page && 'pageNumber' in page && Number(page.pageNumber) > 1
					? 'shifts between two pages'
					: 'shifts before a first page',
			);
			for (const { changes } of now) for (const inner of changes) this.apply(inner);
		});
	}

	private restart(what: string): void {
		count(what);
		this.active.restart();
		if (this.setup.isDurable) return;
		for (const record of this.told) record.noted = record.notedSaved;
		this.wasCut = this.wasCutSaved;
	}

	private async poll(owes: Owes = 'everything', isActivation?: boolean, isCut = false): Promise<void> {
		figures.polls++;
		const before = this.changes;
		let failed = false;
		this.platform.service.clearLog();
		const items = await this.active.poll('trigger', isActivation).catch((error: unknown) => {
			failed = true;
			if (owes === 'everything') throw error;
			return null;
		});
		if (failed) count('polls that failed');
		for (const fault of new Set(
			this.platform.service.log.flatMap(({ fault: kind, route }) =>
				kind ? [route.startsWith('GET') ? 'details' : 'a list'] : [],
			),
		))
			count(`polls in which ${fault} failed`);
		this.platform.service.clearFaults();
		this.platform.service.setOptions({ beforeAnswer: undefined });
		this.check(items, failed || this.wasCut ? 'nothing' : owes, before, isActivation === true && !failed);
		this.wasCut = isCut || (failed && this.wasCut);
		// A poll that gives nothing is not saved, but for the one at activation.
		if (items || (isActivation && !failed)) this.wasCutSaved = this.wasCut;
	}

	private check(items: IDataObject[] | null, owes: Owes, before: number, isActivation: boolean): void {
		if (items?.length === 0) throw new Error('An empty batch starts an execution');
		const ids = idsOf(items);
		for (const id of ids) {
			const record = this.told.find((each) => each.id === id);
			if (!record) throw new Error(`${id} was given, which there is not`);
			record.given++;
			if (this.watchesStatus) continue;
			figures.emitted++;
			if (record.given > 1) {
				figures.repeated++;
				throw new Error(`${id} was given twice`);
			}
			if (record.wasListed) throw new Error(`${id} was there before the baseline, but was given`);
		}
		if (this.watchesStatus) return this.checkStatuses(ids, items !== null || isActivation, owes);
		if (owes === 'nothing') return;
		for (const { id, isOwed, given, putBack, movedAt } of this.told)
			if (isOwed && !putBack && given === 0 && (owes === 'everything' || movedAt <= before)) {
				figures.missed++;
				throw new Error(`${id} was missed`);
			}
	}

	/** Status Changed: what a poll saw before, and sees otherwise now, is given once, and nothing else. */
	private checkStatuses(ids: string[], isSaved: boolean, owes: Owes): void {
		for (const record of this.told) {
			const { id, status, noted } = record;
			const times = ids.filter((each) => each === id).length;
			const others = [...noted].filter((each) => each !== undefined && each !== status);
			if (times > 1) throw new Error(`${id} was given ${times} times`);
			const isWatched = this.platform.fixture.now - record.createdAt <= WATCHED_DAYS * DAY;
			if (times === 1) {
				figures.statusChangesEmitted++;
				if (others.length === 0) throw new Error(`${id} was given without a change of its status`);
				record.noted = new Set([status]);
			} else if (owes !== 'nothing' && !record.putBack && isWatched) {
				if (others.length === noted.size) throw new Error(`The change of ${id} was missed`);
				record.noted = new Set([status]);
			} else if (noted.has(undefined) && !record.putBack) {
				// It may have been seen for the first time.
				record.noted = new Set([...noted, status]);
			}
		}
		if (isSaved || !this.isBased) for (const record of this.told) record.notedSaved = record.noted;
	}
}
