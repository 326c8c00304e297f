import type { Company } from '../transport/request';
import type { Memory } from './memory';
import { readWindow, USUAL_PAGE, type Reading } from './reading';
import type { Run, Stage } from './run';
import { MAIN } from './state';
import type { Kind } from './trigger';

/** How many more records than are known a list is expected to have. */
const MARGIN = 50;

/**
 * Reads a list of a kind as far as its memory wants it.
 * @param list.key its name in the state; MAIN with a company for a list that only adds to the one of all
 * @throws ServiceError
 */
export async function readOf(
	run: Run,
	kind: Kind,
	memory: Memory,
	{ key, company, stage }: { key: string; company: Company | undefined; stage: Stage },
): Promise<Reading> {
	const { known, begun, open, totals } = memory.state;
	const isOfOne = company !== undefined && run.choices.scope.kind === 'every';
	const isSecond = isOfOne && key === MAIN;
	const reading = await readWindow({
		pages: run.pagesOf(kind, company, stage),
		identity: kind.identity,
		floor: memory.floorOf(key, isSecond),
		isKnown: (id) => known.has(id),
		timeless: memory.timelessOf(key),
		pageSize: run.choices.options.pageSize,
		expected: Math.ceil(isOfOne ? (2 * known.size) / (begun.size + 1) : known.size) + MARGIN,
		total: isSecond ? undefined : totals[key],
		resume: isSecond ? undefined : open.get(key),
		isOver: stage.isOver,
	});
	if (!isSecond && (reading.total ?? 0) > USUAL_PAGE) totals[key] = reading.total ?? 0;
	if (reading.nameless > 0) run.warn(`${reading.nameless} ${kind.things} have no ID and are left out.`);
	return reading;
}
