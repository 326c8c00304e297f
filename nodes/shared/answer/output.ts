import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { pick } from 'lodash';

import { choice } from '../form/choice';
import { showWhen, since, until, type Field, type Values } from '../form/field';
import { labelOfName } from '../form/label';
import { parseTexts } from '../form/text';
import { isRecord } from '../form/value';
import { InvalidInput } from '../transport/errors';
import type { Answered } from './answer';
import { simplified, simplifyField } from './simplify';

/** The fields of a record, by the names in the contract. */
export interface KnownFields {
	/** Those that 'Simplified' keeps, the most important first. */
	essentials: readonly string[];
	/** What 'Simplified' keeps besides in newer nodes. */
	also?: readonly string[];
	/** The others, with a dot before a field inside another one. */
	others?: readonly string[];
	/** Those that may have the record's own ID, the usual one first. */
	id?: readonly string[];
}

const outputField = choice({
	displayName: 'Output',
	description: 'Which fields of each record to return',
	builderHint: '',
	default: 'simplified',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{ name: 'Selected Fields', value: 'selected', description: 'Only the fields that you choose' },
		{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
	],
});

/** How many fields are chosen in 'Selected Fields' until a person chooses, besides the record's ID. */
const MOST_PRESET = 3;

/**
 * The fields that are chosen until a person chooses: what the table shows first, and the record's ID, by which other nodes
 * find it (n8n's guideline). None for a record without an ID.
 */
function presetOf({ essentials, id: [id, ...otherIds] = [] }: KnownFields): string[] {
	if (id === undefined) return [];
	return [...essentials.filter((name) => name !== id && !otherIds.includes(name)).slice(0, MOST_PRESET), id];
}

function selectedFields(known: KnownFields): Field<string[]> {
	const { essentials, others = [], id = [] } = known;
	const options = [...new Set([...id, ...essentials, ...others])]
		.map((value) => ({ name: labelOfName(value), value }))
		.sort((one, other) => one.name.localeCompare(other.name));
	const property = {
		displayName: 'Fields',
		description: "Which fields to return; an expression may name others, such as 'name, coverImage.imageUrl'",
		type: 'multiOptions',
		options,
		// Not required for n8n, which would stop before an empty list in words of its own.
		default: presetOf(known),
	} satisfies Omit<INodeProperties, 'name'>;
	return {
		property,
		parse: (raw) => {
			const names = [...new Set(parseTexts(raw))];
			if (names.length > 0) return names;
			throw new InvalidInput(
				'must name at least one field',
				[],
				"Choose fields from the list, give their names in an expression, or choose another 'Output'.",
			);
		},
	};
}

/**
 * The fields 'Output' and 'Fields', by n8n's guideline for tools of AI agents; nodes of version 1 have 'Simplify' instead.
 * @returns the fields, and the function that makes of their values what turns a whole record into an item
 */
export function recordOutput(known: KnownFields) {
	const fields = {
		simplify: until(1.1, simplifyField),
		output: since(1.1, outputField),
		outputFields: since(1.1, showWhen({ output: ['selected'] }, selectedFields(known))),
	};
	return {
		fields,
		of: ({ simplify, output, outputFields = [] }: Values<typeof fields>) => {
			if (output === 'selected') return (json: IDataObject): Answered => ({ json, only: outputFields });
			if (output !== 'simplified' && simplify !== true) return (json: IDataObject): Answered => ({ json });
			const { essentials, also = [] } = known;
			const besides = output === 'simplified' ? also : [];
			return (record: IDataObject): Answered => ({
				json: { ...simplified(record, essentials), ...pick(record, besides) },
			});
		},
	};
}

/** Whether a record has a field. @param name with a dot before a field inside another one, as for `pickFields` */
export const hasField = (record: IDataObject, name: string): boolean =>
	Object.hasOwn(record, name) || reaches(record, name.split('.'));

const reaches = (value: unknown, [name, ...path]: string[]): boolean =>
	name === undefined ||
	(Array.isArray(value)
		? value.some((each) => isRecord(each) && reaches(each, [name, ...path]))
		: isRecord(value) && Object.hasOwn(value, name) && reaches(value[name], path));

/** What is wanted of a value: all of it, or the fields inside it. */
type Wanted = true | Map<string, Wanted>;

/**
 * Reduces a record to some of its fields, in the order in which they are named. A field inside another one stays there; of a
 * list of objects, each is reduced. A name that the record does not have is left out.
 * @param names with a dot before a field inside another one: "coverImage.imageUrl"
 */
export function pickFields(record: IDataObject, names: readonly string[]): IDataObject {
	const wanted = new Map<string, Wanted>();
	for (const name of names) want(wanted, Object.hasOwn(record, name) ? [name] : name.split('.'));
	return picked(record, wanted);
}

function want(wanted: Map<string, Wanted>, [name = '', ...path]: string[]): void {
	const before = wanted.get(name);
	if (before === true) return;
	if (path.length === 0) return void wanted.set(name, true);
	const inner = before ?? new Map<string, Wanted>();
	wanted.set(name, inner);
	want(inner, path);
}

function picked(record: Record<string, unknown>, wanted: Map<string, Wanted>): IDataObject {
	const fields = [...wanted].flatMap(([name, inside]) => {
		const value = Object.hasOwn(record, name) ? part(record[name], inside) : undefined;
		return value === undefined ? [] : [[name, value]];
	});
	// The values are those of the record, whose type they keep.
	return Object.fromEntries(fields) as IDataObject;
}

function part(value: unknown, wanted: Wanted): unknown {
	if (wanted === true) return value;
	if (Array.isArray(value)) return value.filter(isRecord).map((each) => picked(each, wanted));
	if (!isRecord(value)) return undefined;
	const inside = picked(value, wanted);
	return Object.keys(inside).length > 0 ? inside : undefined;
}
