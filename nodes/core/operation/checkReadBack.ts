import { isEqual, startCase } from 'lodash';

import { ServiceError } from '../http/errors';
import { isMasked, isRecord, isScalar, listOf } from '../values';

type Values = Readonly<Record<string, unknown>>;

/** The values of a record before and after an update, and what was sent. */
interface ReadBack {
	before: Values;
	after: Values;
	/** The whole record, as it was sent. */
	whole: Values;
	/** The names of the fields that the user wants to change. */
	changedNames: readonly string[];
	/** Values that are never compared. */
	secrets: readonly string[];
}

/**
 * How a value that was read back compares with the one that was sent. saved: it is the same. reformatted: the platform wrote it in
 * another form. unchanged: it is still the old value. notShown: the record doesn't show it. skipped: it can't be compared, or wasn't
 * changed.
 */
type Comparison = 'saved' | 'reformatted' | 'unchanged' | 'notShown' | 'skipped';

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/;
const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;
/** The largest offset of a time zone from UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/** Returns a value as a list of texts: one for each entry of a list, none for an empty value. */
const listTexts = (value: unknown): string[] =>
	[value ?? []].flat().map((entry: unknown) => (isScalar(entry) ? String(entry) : JSON.stringify(entry)));

/**
 * True if two values mean exactly the same. A number may come back as text, an empty value as an empty text or list, and a time in
 * another notation.
 */
function isSame(one: unknown, other: unknown): boolean {
	const [left, right] = [listTexts(one), listTexts(other)].map((texts) => texts.filter((text) => text !== ''));
	if (isEqual(left, right)) return true;
	const [first = '', second = ''] = [left?.join(), right?.join()];
	return (
		[first, second].every((text) => ISO.test(text) && HAS_ZONE.test(text)) && Date.parse(first) === Date.parse(second)
	);
}

/** Reduces a text to its letters and digits, for a rough comparison. Email addresses are also put in small letters. */
const simplifyText = (text: string) => (text.includes('@') ? text.toLowerCase() : text).replace(/[^\p{L}\p{N}@]/gu, '');

/** True if two dates may be the same one, shown in different time zones or without the time of day. */
const isSameDateRoughly = (one: string, other: string) =>
	one.slice(0, 10) === other.slice(0, 10) || Math.abs(Date.parse(one) - Date.parse(other)) <= MAX_OFFSET_MS;

/** True if one value may be the other in the platform's own form: trimmed, in another order, or in another time zone. */
function isSameRoughly(one: unknown, other: unknown): boolean {
	const [left = [], right = []] = [one, other].map((value) =>
		listTexts(value).map(simplifyText).filter(Boolean).sort(),
	);
	if (isEqual(left, right)) return true;
	const [first = '', second = ''] = [listTexts(one).join(), listTexts(other).join()];
	if (!ISO.test(first) && !ISO.test(second)) return false;
	// A date in the customer's own format can't be compared.
	return ISO.test(first) && ISO.test(second) ? isSameDateRoughly(first, second) : first !== '' && second !== '';
}

function compareValues(old: unknown, sent: unknown, now: unknown, secrets: readonly string[]): Comparison {
	if (isMasked(now) || listTexts(sent).some((text) => secrets.includes(text))) return 'skipped';
	if (isSame(now, sent)) return 'saved';
	if (now === undefined) return 'notShown';
	if (isSame(now, old) && !isSameRoughly(now, sent)) return 'unchanged';
	return 'reformatted';
}

/** Splits a value into the parts that are compared one by one: the fields of an object, or the entries of a list that have an ID. */
function splitValue(
	value: unknown,
	label: string,
	path = label,
): Array<{ path: string; label: string; value: unknown }> {
	if (isRecord(value))
		return Object.entries(value).flatMap(([name, part]) => splitValue(part, formatFieldName(name), `${path}.${name}`));
	const entries: unknown[] = Array.isArray(value) ? value : [];
	const identified = entries.filter((entry) => isRecord(entry) && typeof entry.resourceId === 'string');
	if (entries.length === 0 || identified.length < entries.length) return [{ path, label, value }];
	return identified.filter(isRecord).map((entry) => ({
		path: `${path}.${String(entry.resourceId)}`,
		label,
		value: entry.value,
	}));
}

/** Turns the name of a field into words: "CompanyGroupResourceIdArray" becomes "Company Group". */
export const formatFieldName = (name: string) => startCase(name.replace(/(ResourceId(s|Array|List)?|Id)$/, ''));

const createHints = (what: string, labels: string[]) =>
	labels.length > 0 ? [`${what}: ${listOf(labels, ', ', 3)}. Look at the record.`] : [];

/**
 * Compares the record after an update with what was sent, and gives a hint on each difference.
 * @param names the fields' names in the form, where they differ from those in the record
 * @throws ServiceError if a field that the user wants to change still has its old value
 */
export function checkReadBack(
	{ before, after, whole, changedNames, secrets }: ReadBack,
	names: Readonly<Record<string, string>>,
	hint: (text: string) => void,
): void {
	const labels: Record<Comparison, string[]> = {
		saved: [],
		reformatted: [],
		unchanged: [],
		notShown: [],
		skipped: [],
	};
	for (const name of changedNames) {
		// A file has no field in the record.
		if (!(name in after)) continue;
		const label = names[name] ?? formatFieldName(name);
		const partsBefore = splitValue(before[name], label, name);
		const partsAfter = splitValue(after[name], label, name);
		const isShown = after[name] !== undefined;
		for (const { path, label: partLabel, value } of splitValue(whole[name], label, name)) {
			const old = partsBefore.find((part) => part.path === path)?.value ?? null;
			const now = isShown ? (partsAfter.find((part) => part.path === path)?.value ?? null) : undefined;
			const isUntouched = isSame(value, old) && isSame(now, old);
			const comparison = isUntouched ? 'skipped' : compareValues(old, value, now, secrets);
			if (!labels[comparison].includes(partLabel)) labels[comparison].push(partLabel);
		}
	}
	const otherChanges = Object.keys(after).filter(
		(name) => !changedNames.includes(name) && !isEqual(after[name] ?? undefined, before[name]),
	);
	const hints = [
		...createHints('The platform changed more than was asked for', otherChanges.map(formatFieldName)),
		...createHints('The platform has saved something in another form', labels.reformatted),
		...createHints("The platform doesn't show whether it has saved", labels.notShown),
	];
	for (const text of hints) hint(text);
	if (labels.unchanged.length > 0)
		throw createNotSavedError(labels.unchanged, [...labels.saved, ...labels.reformatted]);
}

/** @param unchanged the labels of the fields that still have their old values @param saved those of the fields that have changed */
function createNotSavedError(unchanged: string[], saved: string[]): ServiceError {
	const others = saved.filter((label) => !unchanged.includes(label));
	const rest = others.length > 0 ? `The rest was saved: ${listOf(others)}.` : 'No other field was seen to change.';
	return new ServiceError({
		reason: `the platform accepted the update, but these fields still have their old values: ${listOf(unchanged)}`,
		advice: `${rest} Change ${listOf(unchanged)} in the platform, or ask the platform's support whether the API client may change it.`,
		mayHaveBeenApplied: true,
	});
}
