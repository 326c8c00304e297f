/**
 * What the triggers promise, record by record: which must be given, which may be, which must not be, and what the log
 * must say otherwise. Judged from what the model did, never from the trigger's own state.
 */
import { DAY, HOUR } from './deployment';
import { FEW, MOST_AT_FIRST, MOST_IN_ONE_POLL, MOST_TIMELESS, pollsToRead, QUIET, SLACK } from './limits';
import { markerOf, type PollNote, type Run } from './run';
import { isOpen, OWN, type ModelRecord, type Span } from './platform';

export type Kind =
	| 'missed'
	| 'repeated'
	| 'old'
	| 'foreign'
	| 'silent'
	| 'without details'
	| 'wrong company'
	| 'missed status'
	| 'repeated status'
	| 'wrong status'
	| 'state'
	| 'failed';

export interface Finding {
	kind: Kind;
	text: string;
}

export interface Given {
	poll: PollNote;
	item: PollNote['items'][number];
}

/** What a record's fate must be: 'named' = given, or named in the log. */
type Duty = 'must' | 'named' | 'free' | 'never';

export class Judge {
	readonly given = new Map<string, Given[]>();
	/** In how many cases something went wrong as docs/triggers.md says. */
	documented = 0;
	readonly byMarker = new Map<string, ModelRecord>();
	/** When the first poll that was to activate the trigger began, and when the first that worked ended. */
	readonly firstTry: number;
	readonly activated: number;
	/** When a poll said last that it starts over, because IDs are unique only inside a company: lists that it cannot read are new. */
	private readonly startedOver: number;

	constructor(readonly run: Run) {
		for (const record of run.platform.records) this.byMarker.set(record.marker, record);
		for (const poll of run.polls) {
			if (poll.crash === 'lost') continue;
			for (const item of poll.items) {
				const marker = markerOf(item);
				this.given.set(marker, [...(this.given.get(marker) ?? []), { poll, item }]);
			}
		}
		this.firstTry = run.polls[0]?.start ?? Infinity;
		this.activated = run.polls.find(({ error }) => !error)?.end ?? Infinity;
		this.startedOver = run.polls.findLast(({ warnings }) => /starts over/.test(warnings.join()))?.end ?? 0;
	}

	givenOf = (record: ModelRecord): Given[] => this.given.get(record.marker) ?? [];

	/** The service's lists may be asked less often, and their gaps are found in this time. */
	get sweep(): number {
		return this.run.setup.lateArrivals * HOUR * 1.1 + 2 * HOUR;
	}

	/** Whether the search without a company may leave out a company that is watched. */
	private get isHidden(): boolean {
		const { scope, deployment } = this.run.setup;
		return scope === 'every' && (deployment.unscoped === 'own' || deployment.unscoped === 'some');
	}

	/** Whether nothing was in the way of a poll's reading a company's lists, and n8n still knows what it read. */
	isHealthy(poll: PollNote, { owner, list }: ModelRecord): boolean {
		if (poll.error || poll.isShort || poll.crash || poll.isForgotten || poll.failingLists.has(list)) return false;
		// The one company that is asked, whose list may have those of other companies as well.
		return poll.failing !== 'all' && !poll.failing.has(this.run.setup.scope === 'one' ? OWN : owner);
	}

	/** Whether a record's list was read in the poll that activated the trigger, because nothing was in the way. */
	private isReadAtActivation(record: ModelRecord): boolean {
		// Which companies a search without a company leaves out is learnt by and by: their lists may be read later.
		if (this.isHidden || this.startedOver > 0) return false;
		// Activation waits for companies that are asked one by one for some seconds only.
		const { scope, nameContains, deployment, hasUniqueIds } = this.run.setup;
		const isOneByOne = nameContains !== '' || deployment.unscoped === 'refused' || !hasUniqueIds;
		if (scope === 'every' && isOneByOne) return false;
		// Nor does it wait for a list that takes longer than a poll may.
		if (pollsToRead(this.run, record.list) > 1) return false;
		const poll = this.run.polls.find(({ error }) => !error);
		const company = this.run.platform.companies.get(record.owner);
		const isWatched = company?.watched.some((span) => holds(span, this.firstTry)) ?? false;
		const listSince = this.run.listSince.get(record.list) ?? Infinity;
		return (
			poll !== undefined &&
			poll.start === this.firstTry &&
			isWatched &&
			listSince <= this.firstTry &&
			record.moves.length === 0 &&
			this.isHealthy(poll, record)
		);
	}

	/** When a record's list was read last before a moment: its window reaches back from there. */
	private lastReading(record: ModelRecord, moment: number): number {
		const last = this.run.polls.findLast((poll) => poll.end < moment && this.isHealthy(poll, record));
		return last?.start ?? this.firstTry;
	}

	/** Whether a record's list was surely read before a moment: asked for each company, or long ago. */
	isReadBefore(record: ModelRecord, moment: number): boolean {
		if (this.isReadAtActivation(record)) return true;
		if (record.moves.length > 0) return false;
		const company = this.run.platform.companies.get(record.owner);
		const watched = company?.watched[0]?.from ?? Infinity;
		const since = Math.max(watched, this.startedOver, this.run.listSince.get(record.list) ?? Infinity);
		const polls = this.run.polls.filter(
			(poll) => poll.start > since && poll.end < moment && this.isHealthy(poll, record),
		);
		const span = (polls.at(-1)?.start ?? 0) - (polls[0]?.start ?? 0);
		const needed = pollsToRead(this.run, record.list);
		if (needed > 1 && polls.length <= needed) return false;
		return this.run.setup.scope === 'every' ? polls.length > 5 && span > this.sweep : polls.length > 0;
	}

	/** @returns what went wrong with a record; nothing where docs/triggers.md says that it happens, which is counted */
	find(record: ModelRecord, kind: Kind, text: string): Finding[] {
		const isDocumented = kind === 'repeated' ? this.mayBeRepeated(record) : this.isDocumented(record);
		if (!isDocumented) return [{ kind, text }];
		this.documented++;
		return [];
	}

	/** Whether a record was there when the trigger started over, which begins by the earlier of two clocks. */
	private mayBeRepeated({ created }: ModelRecord): boolean {
		const { existingSince, hasUniqueIds, deployment } = this.run.setup;
		const { serviceOffset } = deployment;
		if (existingSince > 0 && !hasUniqueIds && created < this.activated) return true;
		return serviceOffset > 0 && Math.abs(this.startedOver - created) < serviceOffset + SLACK;
	}

	/** Whether docs/triggers.md says what happens to a record among those that no trigger can tell apart. */
	private isDocumented(record: ModelRecord): boolean {
		const { setup, answers, platform } = this.run;
		const time = answers.timeOf(record);
		const others = platform.records.filter((each) => each !== record && each.list === record.list);
		// Two records of one ID in two companies, with one create time or none.
		const isTwin = (each: ModelRecord) =>
			each.id === record.id && each.owner !== record.owner && answers.timeOf(each) === time;
		if (!setup.hasUniqueIds && others.some(isTwin)) return true;
		// More records of one create time than a small page takes, in an order that changes from page to page.
		const pages = [setup.pageSize, setup.deployment.pageCap].filter((each) => each > 0);
		const size = Math.min(...pages);
		const ties = time === undefined ? 0 : others.filter((each) => answers.timeOf(each) === time).length;
		// Or fewer, on several such pages that no poll reads at once.
		const isMany = ties >= size || (setup.budgetMs > 0 && ties > 0 && others.length >= size);
		return setup.deployment.sort === 'unstableTies' && (size <= FEW || setup.budgetMs > 0) && isMany;
	}

	/** What must become of a record with Trigger On set to New. */
	duty(record: ModelRecord): Duty {
		const { setup } = this.run;
		const { timesShift, serviceOffset, roundTo } = setup.deployment;
		const [first, last] = [record.shown[0], record.shown.at(-1)];
		if (!first || !last) return 'never';
		const lasts = isOpen(record.shown);
		const shownTime = this.run.answers.timeOf(record);
		const born = record.visible[0]?.from ?? Infinity;
		const isNamedNumber = record.time === 'seconds';
		const margin = Math.abs(timesShift) + Math.abs(serviceOffset) + roundTo + SLACK;

		if (born <= this.firstTry && record.created <= this.firstTry) {
			const since = this.firstTry - setup.existingSince * HOUR;
			// A list that is read for the first time in several polls, while records vanish from it, is not seen whole.
			const isPiecewise =
				(setup.budgetMs > 0 || setup.deployment.latencyMs > 100) &&
				[setup.pageSize, setup.deployment.pageCap].some((each) => each > 0 && each <= FEW);
			if (setup.existingSince > 0 && setup.triggerOn === 'new') {
				if (isPiecewise || shownTime === undefined || isNamedNumber || record.moves.length > 0) return 'free';
				const distance = shownTime - serviceOffset - since;
				if (Math.abs(distance) < margin || record.time === 'future') return 'free';
				if (distance > 0) return lasts && first.from <= this.firstTry && record.shown.length === 1 ? 'must' : 'free';
			}
			if (record.moves.length > 0) return 'free';
			// One whose create time seems to be in the seconds of the activation may have come meanwhile.
			const distance = (shownTime ?? 0) - serviceOffset - this.firstTry;
			const isMeanwhile = distance >= -1000 && distance <= this.activated - this.firstTry + 60_000;
			if (this.isReadAtActivation(record) && first.from <= this.firstTry) return isMeanwhile ? 'free' : 'never';
			// A company that is listed later: its records are as late as they are old, by the newest record if there is no Date header.
			const isLate = ({ from }: Span) =>
				setup.deployment.dateHeader === 'absent' ||
				shownTime === undefined ||
				this.lastReading(record, from) - record.created < setup.lateArrivals * HOUR + QUIET + margin;
			const isThere = record.shown.some((span) => holds(span, this.firstTry));
			if (!isThere && isLate(first)) return 'free';
			// The same for one that is gone before its list was read, and listed again.
			const again = record.shown[1];
			if (again && isLate(again) && !this.isReadBefore(record, first.to ?? Infinity)) return 'free';
			// Of many records with one time in an order that changes from page to page, not all may be seen at once.
			if (setup.deployment.sort === 'unstableTies' && (record.time !== 'usual' || roundTo >= HOUR)) return 'free';
			if (isPiecewise && (shownTime === undefined || record.created > this.firstTry - this.sweep - QUIET))
				return 'free';
			// A date in the future or close to the activation cannot be told from that of a new record.
			if (record.time === 'future' || isNamedNumber) return 'free';
			if (shownTime !== undefined && record.created > this.firstTry - margin) return 'free';
			return 'never';
		}
		// It came while the activation was under way, or is gone again.
		if (born <= this.activated || !lasts) return 'free';
		return this.dutyOfNew(record, last.from, margin);
	}

	/** What must become of a record that came after the activation, and has stayed from `appeared` on. */
	private dutyOfNew(record: ModelRecord, appeared: number, margin: number): Duty {
		const { setup, listSince, platform } = this.run;
		const { timesShift, serviceOffset, roundTo } = setup.deployment;
		const shownTime = record.time === 'seconds' ? undefined : this.run.answers.timeOf(record);
		const sinceParameter = listSince.get(record.list) ?? Infinity;
		const listedAt = Math.max(sinceParameter, platform.companies.get(record.owner)?.watched[0]?.from ?? Infinity);
		const isInFirstReading = appeared <= listedAt && record.moves.length === 0;
		const knownBefore = !isInFirstReading && this.isReadBefore(record, appeared);
		// A create time that is rounded down may seem to be before the list was added.
		const isAfter = sinceParameter <= this.activated || record.created > sinceParameter + roundTo;
		const isClear = timesShift >= 0 && serviceOffset >= 0 && record.created > this.activated + margin && isAfter;
		// A list that was empty until records came that cannot be late: with them it begins.
		const isOlder = (other: ModelRecord) =>
			other.list === record.list &&
			(this.run.answers.timeOf(other) ?? Infinity) - serviceOffset < this.firstTry - (setup.lateArrivals + 15) * HOUR;
		const wasThere = ({ list, shown }: ModelRecord) =>
			list === record.list && shown.some((span) => holds(span, this.firstTry));
		const mayBeBare = !platform.records.some(wasThere) && platform.records.some(isOlder);
		// What is dated in the future may have been there before, where its list is read for the first time only later.
		const isLeft = this.run.polls.some(({ failingLists }) => failingLists.has(record.list));
		const mayBegin = isInFirstReading || !knownBefore || mayBeBare || isLeft || setup.deployment.parentsIncludeChildren;
		if (record.time === 'future') return mayBegin || this.isHidden ? 'named' : 'must';
		// One that moves before its company could be read shows up late in the other one's list.
		const [moved = Infinity] = record.moves;
		const wasRead = ({ start, end, failing, failingLists, error }: PollNote) =>
			start >= appeared && end < moved && !error && failing !== 'all' && failing.size + failingLists.size === 0;
		const isMovedLate = moved < Infinity && moved - record.created > setup.lateArrivals * HOUR - SLACK;
		if (isMovedLate && !this.run.polls.some(wasRead)) return 'free';
		// What starts over gives what is created from then on, and says so.
		if (record.created < this.startedOver) return 'named';
		// What cannot be read for longer than 14 days catches up with those.
		const readAt = this.run.polls.find((poll) => poll.start >= appeared && this.isHealthy(poll, record))?.start;
		if ((readAt ?? 0) - record.created > 14 * DAY) return 'named';
		const isTooLate = appeared - record.created > setup.lateArrivals * HOUR - SLACK;
		// What was there before its list was added is old; whether seconds count as a time is not promised.
		if (record.time === 'seconds' && (isTooLate || (isInFirstReading && record.created < sinceParameter)))
			return 'free';
		// More than can be remembered, in an order that does not last, cannot be told from older ones.
		const timeless = platform.records.filter((each) => this.run.answers.timeOf(each) === undefined).length;
		if (shownTime === undefined && timeless > MOST_TIMELESS) return 'named';
		// Not known here: when each company's own list was read first, or a list of so many records to its end, nor whether n8n
		// still knew what companies' lists had when the list of all was refused.
		const isKnown = knownBefore && !this.isHidden && !isLeft && !mayBeBare && platform.records.length < MOST_AT_FIRST;
		if (shownTime === undefined) return isKnown && record.shown.length === 1 ? 'must' : 'named';
		const leftOut = this.run.polls.filter(
			({ end, failingLists }) => end >= appeared && failingLists.get(record.list)?.fault === 'some',
		);
		// Left out by the list of all, while its company's own list could not be read either.
		if (leftOut.some(({ failing }) => failing === 'all' || failing.has(record.owner))) return 'free';
		if (isInFirstReading) {
			// A list that is watched from now on gives what was created since the activation, or since it was asked for.
			if (record.created < sinceParameter) return 'free';
			if (listedAt > sinceParameter && appeared - record.created > setup.lateArrivals * HOUR - SLACK) return 'free';
			return isClear ? 'must' : 'named';
		}
		const lateness = appeared + serviceOffset - shownTime;
		if (lateness > setup.lateArrivals * HOUR - SLACK) return 'free';
		// A sweep finds a record that is hidden within the window, if it is not late as well.
		if ((this.isHidden || leftOut.length > 0) && lateness > SLACK) return 'free';
		// Older than the activation, and its list may not have been read before it came: as if it had been there.
		const isUnsteady = setup.deployment.sort === 'unstableTies' && platform.records.length > MOST_IN_ONE_POLL;
		if ((!knownBefore || isLeft || isUnsteady) && record.created < this.firstTry) return 'free';
		if (mayBeBare && record.created < this.firstTry + margin) return 'named';
		const isBehind = timesShift < 0 || (serviceOffset < 0 && setup.deployment.dateHeader !== 'right');
		const isDistinct = knownBefore && !(isBehind && isLeft);
		return isDistinct || (isClear && record.created > sinceParameter) ? 'must' : 'named';
	}

	/** Whether the log, or an error, said something that covers a record, since it was there. */
	isNamed(record: ModelRecord): boolean {
		const { companies } = this.run.platform;
		const since = Math.min(record.visible[0]?.from ?? 0, record.created);
		const owner = companies.get(record.owner);
		const others = [...companies.values()].filter(({ id }) => id !== record.owner);
		return this.run.polls
			.filter(({ end }) => end >= since || end <= this.activated)
			.flatMap(({ warnings, error }) => [...warnings, ...(error ? [error.message] : [])])
			.some((text) => {
				const isOwn = [record.id, record.owner, owner?.name ?? record.id].some((each) => text.includes(each));
				return isOwn || !others.some(({ id, name }) => text.includes(id) || text.includes(name));
			});
	}
}

const holds = ({ from, to = Infinity }: Span, at: number): boolean => from <= at && at < to;
