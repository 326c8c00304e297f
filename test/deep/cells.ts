/**
 * The fault matrix: every fault × kind of answer × read or write × scope × On Error. The expected result of a cell
 * follows from the few rules in `expected`; each cell runs in n8n's engine with its own service. The tests in
 * test/transport and test/engine notice a small change of the sources sooner. The matrix is for combinations: that none
 * ends with half an answer, a second write, or no message.
 */
import { FAULTS, type Fault, type Lasts } from './faults';
import { ACCESSES, ANSWERS, DOINGS, IMPOSSIBLE, MODES, SPREADS, type Doing, type Mode, type Spread } from './doings';
/** What lists the companies. */
export const COMPANIES = 'POST /api/companies/search';

export interface Cell {
	fault: Fault;
	lasts: Lasts;
	doing: Doing;
	spread: Spread;
	mode: Mode;
}

/** All combinations: those that there are, and for the others how many a reason rules out. */
export function cells(): { cells: Cell[]; impossible: Map<string, number>; unexplained: string[] } {
	const found: Cell[] = [];
	const impossible = new Map<string, number>();
	const unexplained: string[] = [];
	for (const fault of FAULTS)
		for (const lasts of fault.lasts)
			for (const answer of ANSWERS)
				for (const access of ACCESSES)
					for (const spread of SPREADS) {
						const why = IMPOSSIBLE.find(({ holds }) => holds({ fault, answer, access, spread }))?.why;
						const doings = DOINGS.filter((doing) => doing.answer === answer && doing.access === access);
						if (why !== undefined) impossible.set(why, (impossible.get(why) ?? 0) + Object.keys(MODES).length);
						else if (doings.length === 0) unexplained.push(`${answer}, ${access}`);
						else
							for (const doing of doings)
								for (const mode of Object.keys(MODES) as Mode[]) found.push({ fault, lasts, doing, spread, mode });
					}
	return { cells: found, impossible, unexplained };
}

export const rowOf = ({ fault, lasts, doing }: Cell) =>
	`${fault.name}${fault.lasts.length > 1 ? `, ${lasts}` : ''} | ${doing.answer}, ${doing.access}: ${doing.key}`;
export const cellOf = ({ spread, mode }: Cell) => `${spread}, ${mode}`;
/** Whether a cell takes long, because the service does not answer. */
export const stalls = ({ fault }: Cell) => fault.stalls === true;

/** A request is sent five times at most, unless its fault says otherwise; then the error is shown. */
export const MOST_TRIES = 5;

export interface Expected {
	/** Whether the customer's result comes in spite of the fault. */
	works: boolean;
	/** How often the service sees the request that meets the fault. */
	asked: number;
	/** How often a write was carried out for that customer: never twice. */
	effects: number;
	/** Whether the person must look whether it was carried out. */
	inDoubt: boolean;
}

/** The rules. */
export function expected({ fault, lasts, doing }: Pick<Cell, 'fault' | 'lasts' | 'doing'>): Expected {
	const isWrite = doing.access === 'write';
	if (fault.ofToken) {
		// Once more with a new token.
		const works = lasts === 'once';
		return { works, asked: 2, effects: isWrite && works ? 1 : 0, inDoubt: false };
	}
	// A read can be repeated without harm; a write only when it was certainly not carried out.
	const again = fault.passes && (!isWrite || fault.known === 'turned away');
	const works = again && lasts === 'once';
	// An export whose input is refused is sent once more, with the filter groups that some deployments require.
	const isPutOtherwise = fault.status === 400 && doing.answer === 'file';
	return {
		works,
		asked: works || isPutOtherwise ? 2 : again ? (fault.tries ?? MOST_TRIES) : 1,
		effects: isWrite && (works || fault.carriedOut) ? 1 : 0,
		inDoubt: isWrite && fault.known === 'perhaps carried out',
	};
}
