import type { GenericValue, IDataObject } from 'n8n-workflow';

import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';

/** The field 'Simplify', with the text that n8n's lint requires. */
export const simplifyField = toggle({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** The most fields of a simplified record by n8n's guidelines. */
const MAX_FIELDS = 10;
/** The most fields if those with name, ID, status and times are not among the first 10. */
const MAX_FIELDS_WITH_KEYS = 12;
/** With fewer of the essentials than this, a record counts as differently named; also the fewest fields that are kept. */
const MIN_FIELDS = 5;

const SECRET = /secret|password|token|private_?key|api_?key/i;

/**
 * The names of the fields for one property of a record, such as its status. `likely` is used only where no field is
 * `certain`.
 */
interface KeyFields {
	certain: RegExp;
	likely?: RegExp;
	/** Names that match `likely` but are about something else. */
	not?: RegExp;
}

const RELATED_THINGS =
	/(type|status|template|zone|language|role|industry|country|parent|duration|tenant|category|reseller)/i;

const TIMES: KeyFields = { certain: /(^t|T)ime$|(^d|D)ate$|(^t|T)imestamp$|[a-z](At|On)$/ };

/** Name, ID, status and times, in the order in which they are shown. */
const KEY_FIELDS: readonly KeyFields[] = [
	{
		certain: /^(name|title|displayName|fullName|firstName|lastName|email|userEmail)$/,
		likely: /(Name|Title|Email)$/,
		not: RELATED_THINGS,
	},
	{ certain: /^(id|resourceId|key|guid|uuid|instanceGroup)$/, likely: /(Id|Guid|Key)$/, not: RELATED_THINGS },
	{
		certain:
			/(^s|S)tatus(Id|Name|Text|Code)?$|^state$|[eE]xpired$|^(is)?(a|A)ctive$|^(is)?(e|E)nabled$|^(is)?(d|D)(isabled|eleted)$/,
	},
	TIMES,
];

/**
 * Reduces a record to at most 10 fields, or 12 if needed for its name, ID, status and times. The rule for all records:
 * keep the essentials that the deployment sends; add fields for name, ID, status and times where the essentials lack them.
 * A deployment that sends fewer than 5 of the essentials uses other names: then all fields for name, ID, status and times
 * come first, and other fields follow in their order. So a record of up to 10 fields with other names stays complete, and
 * at least 5 fields are kept. Lists become text, secrets are left out, and no record makes this function throw.
 * @param essentials names of fields, the most important first
 */
export function simplified(record: IDataObject, essentials: readonly string[]): IDataObject {
	const names = Object.keys(record).filter((name) => !SECRET.test(name));
	const flat = names.filter((name) => !isNested(record[name]));
	const present = essentials.filter((name) => names.includes(name));
	const kept = present.length < MIN_FIELDS ? chooseFields(names, flat, present, record) : addMissingKeys(flat, present);
	return Object.fromEntries(kept.map((name) => [name, shownOf(record[name])]));
}

/** Adds fields for name, ID, status and times that the essentials lack: a deployment may use other names for them. */
function addMissingKeys(flat: string[], listed: string[]): string[] {
	const missing = KEY_FIELDS.filter((vital) => matchingFields(vital, listed).length === 0).flatMap((vital) =>
		matchingFields(vital, flat),
	);
	const kept = [...new Set([...listed, ...missing])].slice(0, MAX_FIELDS_WITH_KEYS);
	return fillUpTo(MAX_FIELDS, kept, matchingFields(TIMES, flat));
}

function chooseFields(names: string[], flat: string[], listed: string[], record: IDataObject): string[] {
	// Empty fields must not take the place of fields with a value.
	const hasValue = (name: string) => record[name] !== null && record[name] !== undefined && record[name] !== '';
	const keys = KEY_FIELDS.flatMap((each) =>
		matchingFields(each, names.length <= MAX_FIELDS ? flat : flat.filter(hasValue)),
	).filter((name) => !listed.includes(name));
	const kept = [...new Set(keys)].slice(0, MAX_FIELDS_WITH_KEYS - listed.length).concat(listed);
	const plain = names.length <= MAX_FIELDS ? names : names.filter((name) => isPlain(record[name]));
	const others = [...plain.filter(hasValue), ...plain.filter((name) => !hasValue(name))];
	return fillUpTo(MIN_FIELDS, fillUpTo(MAX_FIELDS, kept, others), names);
}

/** Adds others to the kept fields until there are `most`. */
const fillUpTo = (most: number, kept: string[], others: string[]) => [
	...kept,
	...others.filter((name) => !kept.includes(name)).slice(0, Math.max(0, most - kept.length)),
];

function matchingFields({ certain, likely, not }: KeyFields, names: readonly string[]): string[] {
	const found = names.filter((name) => certain.test(lowerFirst(name)));
	if (found.length > 0 || !likely) return found;
	return names.filter((name) => likely.test(lowerFirst(name)) && !not?.test(name)).slice(0, 1);
}

/** Some deployments write the names of fields with a capital first letter. */
const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isPlain = (value: unknown) => (Array.isArray(value) ? value.every((each) => !isNested(each)) : !isNested(value));

type Value = IDataObject[string];

/** A value for a table: a list becomes text if its entries are texts, numbers or objects with a name. */
function shownOf(value: Value): Value {
	if (!Array.isArray(value)) return withoutSecrets(value);
	const parts = value.map((each: GenericValue) => textOf(each));
	return parts.includes(undefined) ? withoutSecrets(value) : parts.filter((part) => part !== '').join(', ');
}

/** How many levels deep a value may be nested: real records have far fewer, and much more would exceed the call stack. */
const MAX_DEPTH = 100;

function withoutSecrets<T>(value: T, depth = 0): T {
	if (!isNested(value)) return value;
	const deeper = (each: unknown): unknown =>
		depth === MAX_DEPTH && isNested(each) ? null : withoutSecrets(each, depth + 1);
	const clean = Array.isArray(value)
		? value.map(deeper)
		: Object.fromEntries(
				Object.entries(value).flatMap(([name, each]) => (SECRET.test(name) ? [] : [[name, deeper(each)]])),
			);
	// Entries were removed, but the type stays the same.
	return clean as T;
}

function textOf(entry: unknown): string | undefined {
	if (entry === null || entry === undefined) return '';
	if (isScalar(entry)) return String(entry);
	if (!isRecord(entry)) return undefined;
	const scalars = Object.keys(entry).filter((each) => isScalar(entry[each]) && !SECRET.test(each));
	const [name] = KEY_FIELDS.flatMap((vital) => matchingFields(vital, scalars));
	const value = name === undefined ? undefined : entry[name];
	return isScalar(value) ? String(value) : undefined;
}
