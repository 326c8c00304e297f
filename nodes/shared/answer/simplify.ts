import type { GenericValue, IDataObject } from 'n8n-workflow';

import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';

/** n8n's own wording, which its lint demands. */
export const simplifyField = toggle({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** How many fields n8n's guidelines leave to a simplified record. */
const MOST = 10;
/** How many it may be where fields that tell what it is are not among those. */
const MOST_WITH_VITAL = 12;
/** How many essentials make a record one of the kind that they were written for; fewer fields than these are never left. */
const FEWEST = 5;

const SECRET = /secret|password|token|private_?key|api_?key/i;

/** The fields that tell one thing of what a record is, by their names. `likely` counts only where nothing is certain. */
interface Vital {
	certain: RegExp;
	likely?: RegExp;
	/** What looks so and is about something else. */
	not?: RegExp;
}

const OTHERS = /(type|status|template|zone|language|role|industry|country|parent|duration|tenant|category|reseller)/i;

const TIMES: Vital = { certain: /(^t|T)ime$|(^d|D)ate$|(^t|T)imestamp$|[a-z](At|On)$/ };

/** In the order in which they are shown. */
const VITAL: readonly Vital[] = [
	{
		certain: /^(name|title|displayName|fullName|firstName|lastName|email|userEmail)$/,
		likely: /(Name|Title|Email)$/,
		not: OTHERS,
	},
	{ certain: /^(id|resourceId|key|guid|uuid|instanceGroup)$/, likely: /(Id|Guid|Key)$/, not: OTHERS },
	{
		certain:
			/(^s|S)tatus(Id|Name|Text|Code)?$|^state$|[eE]xpired$|^(is)?(a|A)ctive$|^(is)?(e|E)nabled$|^(is)?(d|D)(isabled|eleted)$/,
	},
	TIMES,
];

/**
 * A record in at most 10 fields, or 12 where it takes them to tell what it is. The one rule for all records:
 * the essentials of its kind that a deployment sends, and whatever tells its name, identity, status and times, if the
 * essentials do not. A deployment that has few of the essentials calls things otherwise: there, all fields that tell these
 * come first, and others follow in their order. So a record of up to 10 fields that is called otherwise stays whole,
 * and never fewer than 5 fields are left. Lists become text, secrets are left out, and no answer makes it throw.
 * @param essentials names of fields, the most telling first
 */
export function simplified(record: IDataObject, essentials: readonly string[]): IDataObject {
	const names = Object.keys(record).filter((name) => !SECRET.test(name));
	const flat = names.filter((name) => !isNested(record[name]));
	const listed = essentials.filter((name) => names.includes(name));
	const kept = listed.length < FEWEST ? withOthers(names, flat, listed, record) : withMissing(flat, listed);
	return Object.fromEntries(kept.map((name) => [name, shownOf(record[name])]));
}

/** The essentials, with what they lack: they may call a company's name and ID otherwise than a deployment that sends both. */
function withMissing(flat: string[], listed: string[]): string[] {
	const missing = VITAL.filter((vital) => fieldsOf(vital, listed).length === 0).flatMap((vital) =>
		fieldsOf(vital, flat),
	);
	const kept = [...new Set([...listed, ...missing])].slice(0, MOST_WITH_VITAL);
	return upTo(MOST, kept, fieldsOf(TIMES, flat));
}

function withOthers(names: string[], flat: string[], listed: string[], record: IDataObject): string[] {
	// What is empty says nothing, and takes no place from what does.
	const isTold = (name: string) => record[name] !== null && record[name] !== undefined && record[name] !== '';
	const vital = VITAL.flatMap((each) => fieldsOf(each, names.length <= MOST ? flat : flat.filter(isTold))).filter(
		(name) => !listed.includes(name),
	);
	const kept = [...new Set(vital)].slice(0, MOST_WITH_VITAL - listed.length).concat(listed);
	const plain = names.length <= MOST ? names : names.filter((name) => isPlain(record[name]));
	const others = [...plain.filter(isTold), ...plain.filter((name) => !isTold(name))];
	return upTo(FEWEST, upTo(MOST, kept, others), names);
}

/** These, and as many of the others as there is room for. */
const upTo = (most: number, kept: string[], others: string[]) => [
	...kept,
	...others.filter((name) => !kept.includes(name)).slice(0, Math.max(0, most - kept.length)),
];

function fieldsOf({ certain, likely, not }: Vital, names: readonly string[]): string[] {
	const found = names.filter((name) => certain.test(camel(name)));
	if (found.length > 0 || !likely) return found;
	return names.filter((name) => likely.test(camel(name)) && !not?.test(name)).slice(0, 1);
}

/** Some deployments write names with a capital. */
const camel = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isPlain = (value: unknown) => (Array.isArray(value) ? value.every((each) => !isNested(each)) : !isNested(value));

type Value = IDataObject[string];

/** A value as a table shows it: a list as text, if its entries are texts, numbers or things with a name. */
function shownOf(value: Value): Value {
	if (!Array.isArray(value)) return withoutSecrets(value);
	const parts = value.map((each: GenericValue) => textOf(each));
	return parts.includes(undefined) ? withoutSecrets(value) : parts.filter((part) => part !== '').join(', ');
}

/** How deep a value may be nested: no record is, and much deeper the reading would run out of stack. */
const DEEPEST = 100;

function withoutSecrets<T>(value: T, depth = 0): T {
	if (!isNested(value)) return value;
	const deeper = (each: unknown): unknown =>
		depth === DEEPEST && isNested(each) ? null : withoutSecrets(each, depth + 1);
	const clean = Array.isArray(value)
		? value.map(deeper)
		: Object.fromEntries(
				Object.entries(value).flatMap(([name, each]) => (SECRET.test(name) ? [] : [[name, deeper(each)]])),
			);
	// Only entries were taken out of it.
	return clean as T;
}

function textOf(entry: unknown): string | undefined {
	if (entry === null || entry === undefined) return '';
	if (isScalar(entry)) return String(entry);
	if (!isRecord(entry)) return undefined;
	const scalars = Object.keys(entry).filter((each) => isScalar(entry[each]) && !SECRET.test(each));
	const [name] = VITAL.flatMap((vital) => fieldsOf(vital, scalars));
	const value = name === undefined ? undefined : entry[name];
	return isScalar(value) ? String(value) : undefined;
}
