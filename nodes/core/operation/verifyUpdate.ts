import { isEqual, startCase } from 'lodash';

import { RequestError } from '../http/errors';
import { isMasked, isRecord, isScalar, formatList } from '../values';

type RecordValues = Readonly<Record<string, unknown>>;

/** The values of a record before and after an update, and the values that the update sent. */
interface UpdateValues {
	valuesBefore: RecordValues;
	valuesAfter: RecordValues;
	/** The whole record as the update sent it. */
	sentValues: RecordValues;
	/** The names of the fields that the user wants to change. */
	changedNames: readonly string[];
	/** The secrets among the sent values. Their fields are skipped in the comparison. */
	secrets: readonly string[];
}

/**
 * The result of comparing a field's value after an update with the value that was sent:
 * - saved: both are the same.
 * - reformatted: the platform saved the value in another format.
 * - unchanged: the field still has its old value.
 * - notShown: the record doesn't show the field.
 * - skipped: the values can't be compared, or the user didn't change the value.
 */
type ComparisonResult = 'saved' | 'reformatted' | 'unchanged' | 'notShown' | 'skipped';

const ISO_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/;
const TIME_ZONE_PATTERN = /(Z|[+-]\d{2}:?\d{2})$/i;
/** The largest offset of a time zone from UTC. */
const MAX_TIME_ZONE_OFFSET_MS = 14 * 3_600_000;

/** Converts a value to texts: one for each entry of a list, one for a single value, and none for a missing value. */
function toTexts(value: unknown): string[] {
	if (value === undefined || value === null) return [];
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries.map((entry) => (isScalar(entry) ? String(entry) : JSON.stringify(entry)));
}

const isNotEmpty = (text: string) => text !== '';

/**
 * Returns true if two values have exactly the same meaning. The platform may return a number as text, an empty value as an empty text or
 * list, and a time in another notation.
 */
function isSameValue(left: unknown, right: unknown): boolean {
	const leftTexts = toTexts(left).filter(isNotEmpty);
	const rightTexts = toTexts(right).filter(isNotEmpty);
	if (isEqual(leftTexts, rightTexts)) return true;
	return isSameMoment(leftTexts.join(), rightTexts.join());
}

/** Returns true if two texts are dates with a time zone, and mean the same moment. */
const isSameMoment = (left: string, right: string) =>
	[left, right].every((text) => ISO_DATE_PATTERN.test(text) && TIME_ZONE_PATTERN.test(text)) &&
	Date.parse(left) === Date.parse(right);

/** Reduces a text to its letters and digits, for a rough comparison. An email address also keeps its @ and is converted to lowercase. */
const simplifyText = (text: string) => (text.includes('@') ? text.toLowerCase() : text).replace(/[^\p{L}\p{N}@]/gu, '');

/** Converts a value to simplified texts in alphabetical order, so that the order of a list doesn't matter. */
const toSimplifiedTexts = (value: unknown) => toTexts(value).map(simplifyText).filter(isNotEmpty).sort();

/** Returns true if two dates may be the same date, shown in different time zones or without the time of day. */
const isRoughlySameDate = (left: string, right: string) =>
	left.slice(0, 10) === right.slice(0, 10) || Math.abs(Date.parse(left) - Date.parse(right)) <= MAX_TIME_ZONE_OFFSET_MS;

/** Returns true if two values may be the same value in different formats: trimmed, in another order, or in another time zone. */
function isRoughlySameValue(left: unknown, right: unknown): boolean {
	if (isEqual(toSimplifiedTexts(left), toSimplifiedTexts(right))) return true;
	const leftText = toTexts(left).join();
	const rightText = toTexts(right).join();
	if (!ISO_DATE_PATTERN.test(leftText) && !ISO_DATE_PATTERN.test(rightText)) return false;
	if (ISO_DATE_PATTERN.test(leftText) && ISO_DATE_PATTERN.test(rightText))
		return isRoughlySameDate(leftText, rightText);
	// Only one text is an ISO date. The other one may be the same date in the customer's own format, so any two texts pass.
	return leftText !== '' && rightText !== '';
}

function compareValues(
	oldValue: unknown,
	sentValue: unknown,
	newValue: unknown,
	secrets: readonly string[],
): ComparisonResult {
	if (isSameValue(sentValue, oldValue) && isSameValue(newValue, oldValue)) return 'skipped';
	if (isMasked(newValue) || toTexts(sentValue).some((text) => secrets.includes(text))) return 'skipped';
	if (isSameValue(newValue, sentValue)) return 'saved';
	if (newValue === undefined) return 'notShown';
	if (isSameValue(newValue, oldValue) && !isRoughlySameValue(newValue, sentValue)) return 'unchanged';
	return 'reformatted';
}

/** A part of a field's value that is compared separately, such as one entry of a list. */
interface FieldPart {
	/** The names that lead to this part, from the field inward: "settings.language". */
	path: string;
	/** The text that stands for this part in a hint or an error. */
	label: string;
	value: unknown;
}

/**
 * Splits a field's value into the parts that are compared one by one: the fields of an object, or the entries of a list in which every
 * entry has an ID. Any other value is a single part.
 */
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

/** Turns the name of a record's field into words: "CompanyGroupResourceIdArray" becomes "Company Group". */
export const formatFieldName = (name: string) => startCase(name.replace(/(ResourceId(s|Array|List)?|Id)$/, ''));

/** Groups the labels of the fields that the user wants to change by the result of the comparison. Each group has a label only once. */
function groupLabelsByResult(
	{ valuesBefore, valuesAfter, sentValues, changedNames, secrets }: UpdateValues,
	fieldLabels: Readonly<Record<string, string>>,
): Record<ComparisonResult, string[]> {
	const labels: Record<ComparisonResult, string[]> = {
		saved: [],
		reformatted: [],
		unchanged: [],
		notShown: [],
		skipped: [],
	};
	for (const name of changedNames) {
		// A file is sent, but isn't a field of the record, so it can't be compared.
		if (!(name in valuesAfter)) continue;
		const fieldLabel = fieldLabels[name] ?? formatFieldName(name);
		const partsBefore = splitValue(valuesBefore[name], fieldLabel, name);
		const partsAfter = splitValue(valuesAfter[name], fieldLabel, name);
		const isFieldShown = valuesAfter[name] !== undefined;
		for (const { path, label, value } of splitValue(sentValues[name], fieldLabel, name)) {
			const oldValue = partsBefore.find((part) => part.path === path)?.value ?? null;
			const newValue = isFieldShown ? (partsAfter.find((part) => part.path === path)?.value ?? null) : undefined;
			const result = compareValues(oldValue, value, newValue, secrets);
			if (!labels[result].includes(label)) labels[result].push(label);
		}
	}
	return labels;
}

/**
 * Compares the record after an update with the values that were sent, and adds a hint for each kind of difference.
 * @param fieldLabels the form's labels by the names of the record's fields. Other labels are derived from the field's name.
 * @throws RequestError if a field that the user wants to change still has its old value
 */
export function verifyUpdate(
	updateValues: UpdateValues,
	fieldLabels: Readonly<Record<string, string>>,
	addHint: (text: string) => void,
): void {
	const { valuesBefore, valuesAfter, changedNames } = updateValues;
	const labels = groupLabelsByResult(updateValues, fieldLabels);
	const addDifferenceHint = (difference: string, differentLabels: string[]) => {
		if (differentLabels.length > 0)
			addHint(`${difference}: ${formatList(differentLabels, ', ', 3)}. Check the record.`);
	};
	const unrequestedNames = Object.keys(valuesAfter).filter(
		(name) => !changedNames.includes(name) && !isEqual(valuesAfter[name] ?? undefined, valuesBefore[name]),
	);
	addDifferenceHint('The platform also changed fields that you did not enter', unrequestedNames.map(formatFieldName));
	addDifferenceHint('The platform saved these values in another format', labels.reformatted);
	addDifferenceHint("The platform doesn't show whether it saved these values", labels.notShown);
	if (labels.unchanged.length > 0)
		throw createNotSavedError(labels.unchanged, [...labels.saved, ...labels.reformatted]);
}

/** Creates the error for fields that still have their old values. @param savedLabels the labels of the fields that were saved */
function createNotSavedError(unchangedLabels: string[], savedLabels: string[]): RequestError {
	const otherLabels = savedLabels.filter((label) => !unchangedLabels.includes(label));
	const otherFieldsNote =
		otherLabels.length > 0
			? `The platform saved the other fields: ${formatList(otherLabels)}.`
			: 'No other field seems to have changed.';
	const unchangedList = formatList(unchangedLabels);
	return new RequestError({
		reason: `the platform accepted the update, but these fields still have their old values: ${unchangedList}`,
		advice: `${otherFieldsNote} Change ${unchangedList} in the platform, or ask the platform's support whether the API client may change it.`,
		mayHaveBeenApplied: true,
	});
}
