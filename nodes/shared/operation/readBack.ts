import { isEqual, startCase } from 'lodash';

import { ServiceError } from '../transport/errors';
import { isMasked, isRecord, isScalar, listOf } from '../values';

type Values = Readonly<Record<string, unknown>>;

/** The values of a record before and after an update, and what was sent. */
interface ReadBack {
	before: Values;
	after: Values;
	whole: Values;
	/** The names of the fields that were given. */
	given: readonly string[];
	/** Values that are never compared. */
	secrets: readonly string[];
}

/** How a value that was read back compares with the one that was sent. */
type Comparison = 'saved' | 'otherwise' | 'left' | 'unknown' | 'skipped';

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/;
const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;
/** The largest difference between a time and UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/** The texts of a value, or of each entry of a list; nothing for none. */
const textsOf = (value: unknown): string[] =>
	[value ?? []].flat().map((entry: unknown) => (isScalar(entry) ? String(entry) : JSON.stringify(entry)));

/** True if two values mean exactly the same: a number may come as text, nothing as an empty text or list, and a moment in another form. */
function isSame(one: unknown, other: unknown): boolean {
	const [left, right] = [textsOf(one), textsOf(other)].map((texts) => texts.filter((text) => text !== ''));
	if (isEqual(left, right)) return true;
	const [first = '', second = ''] = [left?.join(), right?.join()];
	return (
		[first, second].every((text) => ISO.test(text) && HAS_ZONE.test(text)) && Date.parse(first) === Date.parse(second)
	);
}

/** What counts of a text when it is only compared roughly: its letters and digits; email addresses in small letters. */
const essenceOf = (text: string) => (text.includes('@') ? text.toLowerCase() : text).replace(/[^\p{L}\p{N}@]/gu, '');

/** True if a platform may show one date as the other: of another zone, or the day alone. */
const isNearby = (one: string, other: string) =>
	one.slice(0, 10) === other.slice(0, 10) || Math.abs(Date.parse(one) - Date.parse(other)) <= MAX_OFFSET_MS;

/** True if a platform may have made one value of the other: trimmed it, shown it in another zone, or in another order. */
function isAlike(one: unknown, other: unknown): boolean {
	const [left = [], right = []] = [one, other].map((value) => textsOf(value).map(essenceOf).filter(Boolean).sort());
	if (isEqual(left, right)) return true;
	const [first = '', second = ''] = [textsOf(one).join(), textsOf(other).join()];
	if (!ISO.test(first) && !ISO.test(second)) return false;
	// A date in the customer's own format can't be compared.
	return ISO.test(first) && ISO.test(second) ? isNearby(first, second) : first !== '' && second !== '';
}

function outcomeOf(old: unknown, sent: unknown, now: unknown, secrets: readonly string[]): Comparison {
	if (isMasked(now) || textsOf(sent).some((text) => secrets.includes(text))) return 'skipped';
	if (isSame(now, sent)) return 'saved';
	// The record doesn't show the field.
	if (now === undefined) return 'unknown';
	if (isSame(now, old) && !isAlike(now, sent)) return 'left';
	return 'otherwise';
}

/** The parts of a value that are compared one by one, by their labels: the fields of an object, the entries that have an ID. */
function partsOf(value: unknown, label: string, path = label): Array<{ path: string; label: string; value: unknown }> {
	if (isRecord(value))
		return Object.entries(value).flatMap(([name, part]) => partsOf(part, labelOf(name), `${path}.${name}`));
	const entries: unknown[] = Array.isArray(value) ? value : [];
	const identified = entries.filter((entry) => isRecord(entry) && typeof entry.resourceId === 'string');
	if (entries.length === 0 || identified.length < entries.length) return [{ path, label, value }];
	return identified.filter(isRecord).map((entry) => ({
		path: `${path}.${String(entry.resourceId)}`,
		label,
		value: entry.value,
	}));
}

/** The name of a field as people read it: "CompanyGroupResourceIdArray" is the Company Group. */
export const labelOf = (name: string) => startCase(name.replace(/(ResourceId(s|Array|List)?|Id)$/, ''));

const hintOn = (what: string, labels: string[]) =>
	labels.length > 0 ? [`${what}: ${listOf(labels, ', ', 3)}. Look at the record.`] : [];

/**
 * Compares a record with what an update has sent, after it was read back, and gives a hint on each surprise.
 * @param names the names of fields in the form, where they are not simply those of the record
 * @throws ServiceError if a given field still has its old value
 */
export function checkReadBack(
	{ before, after, whole, given, secrets }: ReadBack,
	names: Readonly<Record<string, string>>,
	hint: (text: string) => void,
): void {
	const labels: Record<Comparison, string[]> = { saved: [], otherwise: [], left: [], unknown: [], skipped: [] };
	for (const name of given) {
		// The record has no such field, as for a file.
		if (!(name in after)) continue;
		const label = names[name] ?? labelOf(name);
		const partsBefore = partsOf(before[name], label, name);
		const partsAfter = partsOf(after[name], label, name);
		const isShown = after[name] !== undefined;
		for (const { path, label: ofPart, value } of partsOf(whole[name], label, name)) {
			const old = partsBefore.find((part) => part.path === path)?.value ?? null;
			const now = isShown ? (partsAfter.find((part) => part.path === path)?.value ?? null) : undefined;
			const isUntouched = isSame(value, old) && isSame(now, old);
			const outcome = isUntouched ? 'skipped' : outcomeOf(old, value, now, secrets);
			if (!labels[outcome].includes(ofPart)) labels[outcome].push(ofPart);
		}
	}
	const unasked = Object.keys(after).filter(
		(name) => !given.includes(name) && !isEqual(after[name] ?? undefined, before[name]),
	);
	const hints = [
		...hintOn('The platform changed more than was asked for', unasked.map(labelOf)),
		...hintOn('The platform has saved something in another form', labels.otherwise),
		...hintOn("The platform doesn't show whether it has saved", labels.unknown),
	];
	for (const text of hints) hint(text);
	if (labels.left.length > 0) throw notSaved(labels.left, [...labels.saved, ...labels.otherwise]);
}

/** The error for fields that still have their old values. @param saved the fields that have changed */
function notSaved(left: string[], saved: string[]): ServiceError {
	const others = saved.filter((label) => !left.includes(label));
	const rest = others.length > 0 ? `The rest was saved: ${listOf(others)}.` : 'No other field was seen to change.';
	return new ServiceError({
		reason: `the platform accepted the update, but these fields still have their old values: ${listOf(left)}`,
		advice: `${rest} Change ${listOf(left)} in the platform itself, or ask its support whether this client may change it.`,
		mayHaveBeenApplied: true,
	});
}
