import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import type { Memory } from './memory';
import { readWindow, type Reading } from './reading';
import type { Run, Stage } from './run';
import { MAIN, shortId } from './state';
import { companyIn, type Kind } from './trigger';

/** How many more records than are known a list is expected to have. */
const MARGIN = 50;

/** A record's identity as it is remembered. @param owner the company inside which IDs are unique; undefined where they always are */
function idOf({ identity }: Kind, record: Parameters<Kind['identity']>[0], owner: string | undefined) {
	const id = identity(record);
	return id === undefined ? undefined : shortId(owner === undefined ? id : `${owner} ${id}`);
}

/**
 * Reads a list of a kind as far as its memory wants it.
 * @param of.list MAIN, or a company's list as `listOf` has it; its company, where it has one
 * @param of.isWhole whether to read to its end
 * @throws ServiceError
 */
export async function readOf(
	run: Run,
	kind: Kind,
	memory: Memory,
	of: { list: string; company: Company | undefined; stage: Stage; isWhole: boolean },
): Promise<Reading> {
	const { list, company, stage, isWhole } = of;
	const { known, companies, open, main, byCompany } = memory.state;
	const isMain = list === MAIN;
	// Records that are still to be given may stand last, or after known ones.
	const hasWaiting = [...memory.state.waiting.values()].some(({ hour }) => hour === 0);
	const reading = await readWindow({
		pages: run.pagesOf(kind, company, stage),
		idOf: (record) => idOf(kind, record, byCompany ? (companyIn(record).id ?? company?.id ?? '') : undefined),
		floor: memory.floorOf(list),
		isKnown: (id) => known.has(id),
		remembered: memory.rememberedOf(list),
		timeless: memory.timelessOf(list),
		pageSize: run.choices.options.pageSize,
		expected: Math.ceil(isMain ? known.size : (2 * known.size) / (companies.size + 1)) + MARGIN,
		total: isMain ? main.total : null,
		isWhole: isWhole || hasWaiting,
		resume: open.get(list),
		isOver: stage.isOver,
	});
	if (reading.nameless > 0)
		run.warn(`Of the ${kind.things}, ${counted(reading.nameless, 'record')} without an ID cannot be given.`);
	return reading;
}
