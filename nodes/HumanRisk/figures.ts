import type { IDataObject } from 'n8n-workflow';

import type { Simulator } from '../core/api/endpoints';

/** Builds a record with a value for each kind of simulation. */
export function mapSimulators<T>(getValue: (simulator: Simulator) => T): Record<Simulator, T> {
	return { phishing: getValue('phishing'), quishing: getValue('quishing'), smishing: getValue('smishing') };
}

/** Rounds a figure to one decimal. */
const roundFigure = (figure: number): number => Math.round(figure * 10) / 10;

/** Calculates a share in percent, with one decimal. @returns null if a number is unknown, or if the whole is 0 */
export function toPercent(part: number | null, whole: number | null): number | null {
	return part === null || whole === null || whole === 0 ? null : roundFigure((100 * part) / whole);
}

/**
 * Builds two columns for each percentage: for `riskPercent`, these are `riskPercentBefore`, with the value of the previous period, and
 * `riskPercentChange`, with the change in percentage points. A column is null if a percentage that it needs is unknown.
 */
export function buildComparison(
	columnNames: readonly string[],
	current: IDataObject,
	previous: IDataObject,
): IDataObject {
	const columns: IDataObject = {};
	for (const name of columnNames) {
		const percent = current[name];
		const percentBefore = previous[name];
		columns[`${name}Before`] = percentBefore ?? null;
		columns[`${name}Change`] =
			typeof percent === 'number' && typeof percentBefore === 'number' ? roundFigure(percent - percentBefore) : null;
	}
	return columns;
}

/** The columns that need certain data, and whether this data is unknown. */
interface DataColumns {
	/** The columns that need the data of the period. */
	columnNames: readonly string[];
	/** The columns among them that `buildComparison` compares with the previous period. */
	comparedColumnNames: readonly string[];
	/** True if some data of the period can't be read. */
	isUnknown: boolean;
	/** True if some data of the previous period can't be read. */
	isPreviousUnknown: boolean;
}

/** Lists the names of the columns that are unknown, because some data can't be read. */
export function listUnknownColumns(columns: DataColumns): string[] {
	const { columnNames, comparedColumnNames, isUnknown, isPreviousUnknown } = columns;
	const unknownNames = isUnknown ? [...columnNames] : [];
	for (const name of comparedColumnNames) {
		if (isPreviousUnknown) unknownNames.push(`${name}Before`);
		if (isUnknown || isPreviousUnknown) unknownNames.push(`${name}Change`);
	}
	return unknownNames;
}

/** Finds the median of numbers. @returns null if there are none */
export function findMedian(numbers: readonly number[]): number | null {
	const sorted = [...numbers].sort((first, second) => first - second);
	const middle = sorted.length / 2;
	const lower = sorted[Math.ceil(middle) - 1];
	const upper = sorted[Math.floor(middle)];
	return lower === undefined || upper === undefined ? null : roundFigure((lower + upper) / 2);
}

/** Adds up numbers. @returns null if one of them is unknown */
export function sumKnown(numbers: ReadonlyArray<number | null>): number | null {
	return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}

/** Counts the values that are true. @returns null if one of them is unknown */
export const countTrue = (values: ReadonlyArray<boolean | null>): number | null =>
	sumKnown(values.map((value) => (value === null ? null : Number(value))));

/** Rounds a risk to one decimal. A negative risk becomes 0. */
export const roundRisk = (risk: number): number => Math.max(0, roundFigure(risk));
