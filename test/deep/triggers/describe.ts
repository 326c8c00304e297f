import { HOUR } from './deployment';
import type { ModelRecord, Span } from './platform';
import type { Judge } from './promise';

const at = (moment: number | undefined, judge: Judge): string =>
	moment === undefined ? 'now' : `${((moment - judge.firstTry) / HOUR).toFixed(2)} h`;

/** A record in a line: all that decides what must become of it, in hours since the activation. */
export function describe(record: ModelRecord, judge: Judge): string {
	const spans = (all: Span[]) =>
		all.map(({ from, to }) => `${at(from, judge)} to ${at(to, judge)}`).join(', ') || 'never';
	const moved = record.moves.length > 0 ? `, moved ${record.moves.map((each) => at(each, judge)).join(', ')}` : '';
	const { triggerOn, alsoFirstSeen } = judge.run.setup;
	const duty = triggerOn === 'new' || alsoFirstSeen ? ` ${judge.duty(record)}` : '';
	return `${record.marker} (${record.list} ${record.id}/${record.group} of ${record.owner}, time ${record.time}):${duty}, created ${at(record.created, judge)}, in watched lists ${spans(record.shown)}${moved}`;
}
