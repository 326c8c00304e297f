import { HOUR } from './deployment';
import type { Finding, Given, Judge } from './promise';
import { describe } from './describe';
import { isOpen, type ModelRecord } from './platform';

/** A status that a record has kept, until the next one came. */
interface Held {
	status: string;
	from: number;
	to: number;
}

const DAY = 24 * HOUR;
const WATCHED_DAYS = 30;

const heldOf = ({ statuses }: ModelRecord): Held[] =>
	statuses.map(({ at, status }, index) => ({ status, from: at, to: statuses[index + 1]?.at ?? Infinity }));

/** What a run did not keep of the promise of Status Changed. */
export const statusFindings = (judge: Judge): Finding[] =>
	judge.run.platform.records.flatMap((record) =>
		[...wrong(record, judge), ...missed(record, judge)].flatMap(({ kind, text }) => judge.find(record, kind, text)),
	);

function isWanted(status: string, judge: Judge): boolean {
	const wanted = judge.run.setup.onlyStatuses
		.split(',')
		.map((each) => each.trim().toLowerCase())
		.filter((each) => each !== '');
	return wanted.length === 0 || wanted.includes(status.toLowerCase());
}

/** Items that tell what is not so, or what was told before. */
function wrong(record: ModelRecord, judge: Judge): Finding[] {
	const findings: Finding[] = [];
	const held = heldOf(record);
	let before: Given | undefined;
	for (const given of judge.givenOf(record)) {
		const { poll, item } = given;
		const status = String(item.json.status);
		const text = `${describe(record, judge)}: ${status} at poll ${judge.run.polls.indexOf(poll)}, held ${JSON.stringify(record.statuses)}`;
		if (!held.some((each) => each.status === status && each.from <= poll.end && each.to >= poll.start)) {
			findings.push({ kind: 'wrong status', text });
		}
		if (!isWanted(status, judge)) findings.push({ kind: 'wrong status', text: `not wanted: ${text}` });
		const { previousStatus } = item.json;
		if (
			typeof previousStatus === 'string' &&
			(previousStatus === status || !held.some((each) => each.status === previousStatus && each.from <= poll.end))
		) {
			findings.push({ kind: 'wrong status', text: `previousStatus ${previousStatus}: ${text}` });
		}
		const since = before?.poll.start ?? record.shown[0]?.from ?? 0;
		const isChanged = record.statuses.some(({ at }, index) => index > 0 && at >= since && at <= poll.end);
		const isFirst = before === undefined && judge.run.setup.alsoFirstSeen;
		const isForgotten = before?.poll.crash === 'given';
		if (!isChanged && !isFirst && !isForgotten) findings.push({ kind: 'repeated status', text });
		before = given;
	}
	return findings;
}

/** Changes that were there to be seen for long enough and were not given. */
function missed(record: ModelRecord, judge: Judge): Finding[] {
	const { run } = judge;
	const [shown] = record.shown;
	const lastPoll = run.polls.at(-1);
	const time = run.answers.timeOf(record);
	// Only records that were in the watched lists all the time, with a time to go by, and no older than what is watched.
	if (!shown || !lastPoll || record.shown.length > 1 || !isOpen(record.shown) || time === undefined) return [];
	if (
		record.time !== 'usual' ||
		record.moves.length > 0 ||
		lastPoll.end - record.created > WATCHED_DAYS * DAY - 12 * HOUR
	)
		return [];
	const findings: Finding[] = [];
	const given = judge.givenOf(record);
	const held = heldOf(record);
	for (const [index, { status, from, to }] of held.entries()) {
		const before = held[index - 1];
		const isLong =
			to - from > judge.sweep && before !== undefined && before.to - Math.max(before.from, shown.from) > judge.sweep;
		if (!before || !isLong || !isWanted(status, judge) || !judge.isReadBefore(record, before.to)) continue;
		const between = (since: number, until: number) =>
			run.polls.filter((poll) => poll.start > since && poll.end < until && judge.isHealthy(poll, record));
		// What was not seen with the status before has no other one now; one company that hangs may take a poll's time for all.
		const seen = between(Math.max(before.from, shown.from), before.to);
		if (seen.every(({ failing, failingLists }) => failing === 'all' || failing.size + failingLists.size > 0)) continue;
		const healthy = between(from, to);
		if (healthy.length < 6 || (healthy.at(-1)?.start ?? 0) - (healthy[0]?.start ?? 0) < judge.sweep) continue;
		const isGiven = given.some(({ poll, item }) => item.json.status === status && poll.end >= from && poll.start <= to);
		if (!isGiven)
			findings.push({ kind: 'missed status', text: `${describe(record, judge)}: ${before.status} → ${status}` });
	}
	return findings;
}
