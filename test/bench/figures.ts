import type { Case, Run, Target } from './case';

/** The middle of some values, and the smallest and largest. */
export interface Figure {
	median: number;
	low: number;
	high: number;
}

export type Rounds = Array<Record<string, Run>>;

export function figureOf(values: number[]): Figure | undefined {
	const sorted = values.filter((value) => !Number.isNaN(value)).sort((one, other) => one - other);
	const [low] = sorted;
	const high = sorted.at(-1);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (low === undefined || high === undefined || upper === undefined || lower === undefined) return undefined;
	return { median: (lower + upper) / 2, low, high };
}

/** The result of a target over all rounds. */
export interface Verdict {
	target: Target;
	figure: Figure | undefined;
	/** undefined where nothing was to be reached, or nothing was measured. */
	reached: boolean | undefined;
}

export function verdictsOf({ targets }: Case, rounds: Rounds): Verdict[] {
	return targets.flatMap((target): Verdict[] => {
		const values = rounds.flatMap((round) => {
			let isComplete = true;
			const value = target.of((series) => {
				const run = round[series];
				isComplete &&= run !== undefined;
				return run ?? { seconds: Number.NaN };
			});
			return isComplete ? [value] : [];
		});
		if (values.length === 0) return [];
		const figure = figureOf(values);
		const counts = target.worst ? figure?.high : figure?.median;
		const { least = -Infinity, most = Infinity, below = Infinity } = target;
		const isJudged =
			counts !== undefined && [target.least, target.most, target.below].some((limit) => limit !== undefined);
		return [{ target, figure, reached: isJudged ? counts >= least && counts <= most && counts < below : undefined }];
	});
}

/** The limits of a target in words. */
export function limitOf({ least, most, below, unit }: Target): string {
	if (below !== undefined) return `< ${withUnit(below, unit)}`;
	if (least !== undefined && most !== undefined) return `${withUnit(least, unit)} to ${withUnit(most, unit)}`;
	if (least !== undefined) return `≥ ${withUnit(least, unit)}`;
	return most === undefined ? '–' : `≤ ${withUnit(most, unit)}`;
}

/** A number, rounded to the decimals that matter. */
export const shown = (value: number, digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0): string =>
	value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const withUnit = (value: number, unit: string, digits?: number): string => {
	const number = digits === undefined && Number.isInteger(value) ? String(value) : shown(value, digits);
	return `${number}${unit === '' || unit === '×' ? unit : ` ${unit}`}`;
};

/** "1.20 s (1.10 to 1.31)". */
export function spread(figure: Figure | undefined, unit: string, digits?: number): string {
	if (!figure) return '–';
	const { median, low, high } = figure;
	const range = low === high ? '' : ` (${shown(low, digits)} to ${shown(high, digits)})`;
	return `${shown(median, digits)}${unit === '' || unit === '×' ? unit : ` ${unit}`}${range}`;
}
