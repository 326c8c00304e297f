import { isEqual, startCase } from 'lodash';

import { RequestError } from '../http/errors';
import { isMasked, isRecord, isScalar, formatList } from '../values';

type RecordValues = Readonly<Record<string, unknown>>;

/** The values of a record before and after an update, and the values that were sent. */
interface UpdateComparison {
	before: RecordValues;
	after: RecordValues;
	/** The whole record as it was sent. */
	sentRecord: RecordValues;
	/** The names of the fields that the user wants to change. */
	changedNames: readonly string[];
	/** The secrets among the sent values. They are never compared. */
	secrets: readonly string[];
}

/**
 * The result of comparing the value after an update with the value that was sent:
 * - saved: both are the same.
 * - reformatted: the platform saved the value in another form.
 * - unchanged: the field still has its old value.
 * - notShown: the record doesn't show the field.
 * - skipped: the values can't be compared, or the user didn't change the value.
 */
type Comparison = 'saved' | 'reformatted' | 'unchanged' | 'notShown' | 'skipped';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/;
const TIME_ZONE_SUFFIX = /(Z|[+-]\d{2}:?\d{2})$/i;
/** The largest offset of a time zone from UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/** Converts a value to texts: one for each entry of a list, and none for a missing value. */
function listTexts(value: unknown): string[] {
	if (value === undefined || value === null) return [];
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries.map((entry) => (isScalar(entry) ? String(entry) : JSON.stringify(entry)));
}

const isNotEmpty = (text: string) => text !== '';

/**
 * Returns true if two values mean exactly the same. The platform may return a number as text, an empty value as an empty text or
 * list, and a time in another notation.
 */
function isSame(left: unknown, right: unknown): boolean {
	const leftTexts = listTexts(left).filter(isNotEmpty);
	const rightTexts = listTexts(right).filter(isNotEmpty);
	if (isEqual(leftTexts, rightTexts)) return true;
	return isSameMoment(leftTexts.join(), rightTexts.join());
}

/** Returns true if two texts are the same moment in different notations. */
const isSameMoment = (left: string, right: string) =>
	[left, right].every((text) => ISO_DATE.test(text) && TIME_ZONE_SUFFIX.test(text)) &&
	Date.parse(left) === Date.parse(right);

/** Reduces a text to its letters and digits, for a rough comparison. Email addresses are also converted to lowercase. */
const simplifyText = (text: string) => (text.includes('@') ? text.toLowerCase() : text).replace(/[^\p{L}\p{N}@]/gu, '');

/** Returns the simplified texts of a value in alphabetical order. */
const listSimplifiedTexts = (value: unknown) => listTexts(value).map(simplifyText).filter(isNotEmpty).sort();

/** Returns true if two dates may be the same one, shown in different time zones or without the time of day. */
const isSameDateRoughly = (left: string, right: string) =>
	left.slice(0, 10) === right.slice(0, 10) || Math.abs(Date.parse(left) - Date.parse(right)) <= MAX_OFFSET_MS;

/** Returns true if two values may be the same in different forms: trimmed, in another order, or in another time zone. */
function isSameRoughly(left: unknown, right: unknown): boolean {
	if (isEqual(listSimplifiedTexts(left), listSimplifiedTexts(right))) return true;
	const leftText = listTexts(left).join();
	const rightText = listTexts(right).join();
	if (!ISO_DATE.test(leftText) && !ISO_DATE.test(rightText)) return false;
	if (ISO_DATE.test(leftText) && ISO_DATE.test(rightText)) return isSameDateRoughly(leftText, rightText);
	// Only one of them is an ISO date. The other one may be the same date in the customer's own format, which can't be compared.
	return leftText !== '' && rightText !== '';
}

function compareValues(before: unknown, sentValue: unknown, after: unknown, secrets: readonly string[]): Comparison {
	if (isSame(sentValue, before) && isSame(after, before)) return 'skipped';
	if (isMasked(after) || listTexts(sentValue).some((text) => secrets.includes(text))) return 'skipped';
	if (isSame(after, sentValue)) return 'saved';
	if (after === undefined) return 'notShown';
	if (isSame(after, before) && !isSameRoughly(after, sentValue)) return 'unchanged';
	return 'reformatted';
}

/** A part of a field that is compared separately. */
interface FieldPart {
	/** The names that lead to the part: "settings.language". */
	path: string;
	label: string;
	value: unknown;
}

/** Splits a value into the parts that are compared one by one: the fields of an object, or the entries of a list that have an ID. */
function splitValue(value: unknown, label: string, path: string): FieldPart[] {
	if (isRecord(value))
		return Object.entries(value).flatMap(([name, part]) => splitValue(part, formatFieldName(name), `${path}.${name}`));
	const entries: unknown[] = Array.isArray(value) ? value : [];
	const entriesWithId = entries.filter(isRecord).filter((entry) => typeof entry.resourceId === 'string');
	if (entries.length === 0 || entriesWithId.length < entries.length) return [{ path, label, value }];
	return entriesWithId.map((entry) => ({
		path: `${path}.${String(entry.resourceId)}`,
		label,
		value: entry.value,
	}));
}

/** Turns the name of a field into words: "CompanyGroupResourceIdArray" becomes "Company Group". */
export const formatFieldName = (name: string) => startCase(name.replace(/(ResourceId(s|Array|List)?|Id)$/, ''));

/** Groups the labels of the changed fields by the result of their comparison. Each label occurs once in a group. */
function groupLabels(
	{ before, after, sentRecord, changedNames, secrets }: UpdateComparison,
	fieldLabels: Readonly<Record<string, string>>,
): Record<Comparison, string[]> {
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
		const fieldLabel = fieldLabels[name] ?? formatFieldName(name);
		const partsBefore = splitValue(before[name], fieldLabel, name);
		const partsAfter = splitValue(after[name], fieldLabel, name);
		const isShown = after[name] !== undefined;
		for (const { path, label, value } of splitValue(sentRecord[name], fieldLabel, name)) {
			const valueBefore = partsBefore.find((part) => part.path === path)?.value ?? null;
			const valueAfter = isShown ? (partsAfter.find((part) => part.path === path)?.value ?? null) : undefined;
			const comparison = compareValues(valueBefore, value, valueAfter, secrets);
			if (!labels[comparison].includes(label)) labels[comparison].push(label);
		}
	}
	return labels;
}

/**
 * Compares the record after an update with the values that were sent, and adds a hint for each difference.
 * @param fieldLabels the labels of fields in the form, where they differ from the fields' names in the record
 * @throws RequestError if a field that the user wants to change still has its old value
 */
export function verifyUpdate(
	update: UpdateComparison,
	fieldLabels: Readonly<Record<string, string>>,
	addHint: (text: string) => void,
): void {
	const { before, after, changedNames } = update;
	const labels = groupLabels(update, fieldLabels);
	const addDifferenceHint = (difference: string, differentLabels: string[]) => {
		if (differentLabels.length > 0)
			addHint(`${difference}: ${formatList(differentLabels, ', ', 3)}. Look at the record.`);
	};
	const otherChanges = Object.keys(after).filter(
		(name) => !changedNames.includes(name) && !isEqual(after[name] ?? undefined, before[name]),
	);
	addDifferenceHint('The platform changed more than was asked for', otherChanges.map(formatFieldName));
	addDifferenceHint('The platform has saved something in another form', labels.reformatted);
	addDifferenceHint("The platform doesn't show whether it has saved", labels.notShown);
	if (labels.unchanged.length > 0)
		throw createNotSavedError(labels.unchanged, [...labels.saved, ...labels.reformatted]);
}

/** Creates the error for fields that still have their old values. @param savedLabels the labels of the fields that have changed */
function createNotSavedError(unchangedLabels: string[], savedLabels: string[]): RequestError {
	const otherLabels = savedLabels.filter((label) => !unchangedLabels.includes(label));
	const otherFields =
		otherLabels.length > 0 ? `The rest was saved: ${formatList(otherLabels)}.` : 'No other field was seen to change.';
	const unchangedFields = formatList(unchangedLabels);
	return new RequestError({
		reason: `the platform accepted the update, but these fields still have their old values: ${unchangedFields}`,
		advice: `${otherFields} Change ${unchangedFields} in the platform, or ask the platform's support whether the API client may change it.`,
		mayHaveBeenApplied: true,
	});
}
