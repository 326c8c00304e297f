import { groupBy } from 'lodash';
import { sample } from '../setup/depth';
import { judgeAll } from './cellRunner';
import { cellOf, cells, rowOf, type Cell } from './cells';

/** How many cells of a row a sample has: another one each day. */
const CELLS_OF_A_ROW = 1;

/**
 * The tests of some of the matrix's cells, a row each; at the end one line with the figures.
 * @param runners how many cells run at once
 * @param turnTime what makes waiting take no time; its result undoes it
 */
export function suite(
	name: string,
	isMeant: (cell: Cell) => boolean,
	runners: number,
	turnTime: () => () => void,
): void {
	const { cells: all, impossible, unexplained } = cells();
	const everyRow = Object.entries(groupBy(all.filter(isMeant), rowOf));
	const rows = sample(everyRow, Math.ceil(everyRow.length / 4));
	const tried = rows.map(([row, cellsOfRow], index): [string, Cell[]] => [
		row,
		sample(cellsOfRow, CELLS_OF_A_ROW, index),
	]);
	const meant = tried.flatMap(([, cellsOfRow]) => cellsOfRow);
	let judgements = new Map<Cell, string[]>();
	let seconds = 0;

	beforeAll(async () => {
		// Pauses between tries are random: here there are none but those that the service asks for.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const undo = turnTime();
		const start = process.hrtime.bigint();
		judgements = await judgeAll(meant, runners);
		seconds = Number(process.hrtime.bigint() - start) / 1e9;
		undo();
		jest.restoreAllMocks();
	}, 900_000);

	test('every combination is there, or there is a reason why not', () => {
		expect(unexplained).toEqual([]);
	});

	test.each(tried)('%s', (_row, cellsOfRow) => {
		const wrong = cellsOfRow.flatMap((cell) =>
			(judgements.get(cell) ?? ['it did not run']).map((complaint) => `${cellOf(cell)}: ${complaint}`),
		);
		expect(wrong.join('\n')).toBe('');
	});

	afterAll(() => {
		const passed = [...judgements.values()].filter((complaints) => complaints.length === 0).length;
		const without = [...impossible].map(([why, count]) => `${count} because ${why}`).join('; ');
		process.stdout.write(
			`Fault matrix, ${name}: ${meant.length} cells, ${passed} pass, ${seconds.toFixed(1)} s. Of the whole matrix there are ${all.length} cells; not there: ${without}.\n`,
		);
	});
}
