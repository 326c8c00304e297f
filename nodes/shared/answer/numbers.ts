import type { IDataObject } from 'n8n-workflow';

/**
 * The fields that hold a number, although services send it as text (contract 2.4 and 2.5; deployment shapes): how many users
 * a license allows, how many scenarios, runs and people a campaign has, how many minutes a training takes, and where in it a
 * person is. IDs are not among them, because they are not compared by size.
 */
const NUMBERS: ReadonlySet<string> = new Set([
	'numberOfUsers',
	'scenarioCount',
	'instanceCount',
	'targetUsers',
	'duration',
	'currentStep',
	'lastInteractedStep',
]);

/**
 * Text such as "Unlimited" or "30 min" stays as it is, and so does a number that would lose digits, or "1.000", which may be a
 * thousand.
 */
const NUMBER = /^-?\d{1,15}(\.\d{1,2}|\.\d{4,6})?$/;

/** How many levels deep a record is searched: child companies are inside their parents. */
const MAX_DEPTH = 20;

/** A record with numbers as numbers where the service sends them as text; the same object if there are none. */
export const withNumbers = (record: IDataObject): IDataObject => converted(record, 0);

function converted<T>(value: T, depth: number): T {
	if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
	const before = Object.entries(value);
	const after = before.map(([name, each]: [string, unknown]): [string, unknown] => [
		name,
		typeof each === 'string'
			? NUMBERS.has(name) && NUMBER.test(each.trim())
				? Number(each)
				: each
			: converted(each, depth + 1),
	]);
	if (after.every(([, each], index) => each === before[index]?.[1])) return value;
	// A value became a number; everything else is as it was.
	return (Array.isArray(value) ? after.map(([, each]) => each) : Object.fromEntries(after)) as T;
}
