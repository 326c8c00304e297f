import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { partition, pick, startCase } from 'lodash';

import { mustHaveValue, showWhen, type Field, type Values } from '../fields/field';
import { choice, parseTexts, toggle } from '../fields/fieldTypes';
import { InvalidInput } from '../http/errors';
import type { Answered } from './responseHandler';
import { hideSecrets, canHaveSecret } from './secretText';
import { isRecord } from '../values';

/** The fields of a record, by the names in the contract and the deployment shapes. */
export interface KnownFields {
	/** Those that 'Simplified' leaves, about ten, in the order in which a person reads them; IDs come last anyway. */
	simplified: readonly string[];
	/** The others, with a dot before a field inside another one. */
	others?: readonly string[];
	/** Those that may have the record's own ID, the usual one first. */
	id?: readonly string[];
}

/** With fewer of these fields a record has other names, and stays whole. */
const LEAST = 5;

/** The field 'Simplify', with the text that n8n's lint requires. */
export const simplifyField = toggle({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const outputField = choice({
	displayName: 'Output',
	description: 'Which fields of each record to return',
	default: 'simplified',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields' },
		{ name: 'Selected Fields', value: 'selected', description: 'Only the fields that you choose' },
		{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
	],
});

function selectedFields({ simplified, others = [], id = [] }: KnownFields): Field<string[]> {
	const options = [...new Set([...id, ...simplified, ...others])]
		.map((value) => ({ name: startCase(value).replace(/\bId(s?)\b/g, 'ID$1'), value }))
		.sort((one, other) => one.name.localeCompare(other.name));
	const property = {
		displayName: 'Fields',
		description: "Which fields to return; an expression may name others, such as 'name, coverImage.imageUrl'",
		type: 'multiOptions',
		options,
		// Not required for n8n, which would stop before an empty list in words of its own. The record's ID is chosen until a
		// person chooses, because other nodes find it by that (n8n's guideline).
		default: id.length === 0 ? [] : [...simplified.filter((name) => !id.includes(name)).slice(0, 3), ...id.slice(0, 1)],
	} satisfies Omit<INodeProperties, 'name'>;
	return {
		property,
		parse: (raw) => {
			const names = [...new Set(parseTexts(raw))];
			if (names.length > 0) return names;
			const advice = "Choose fields from the list, give their names in an expression, or choose another 'Output'.";
			throw new InvalidInput('must name at least one field', [], advice);
		},
	};
}

/**
 * The fields 'Output' and 'Fields', by n8n's guideline for tools of AI agents.
 * @returns the fields, and the function that makes of their values what turns a whole record into an answer
 */
export function recordOutput(known: KnownFields) {
	const fields = {
		output: outputField,
		outputFields: showWhen({ output: ['selected'] }, mustHaveValue(selectedFields(known))),
	};
	return {
		fields,
		of: ({ output, outputFields = [] }: Values<typeof fields>) => {
			const only = {
				raw: undefined,
				selected: { names: outputFields },
				simplified: { names: known.simplified, least: LEAST },
			};
			return (json: IDataObject): Answered => ({ json, only: only[output] });
		},
	};
}

/** The name of a field with an ID, or several: "resourceId", "entityID", "roleResourceIdList". */
const ID = /(^id|I[dD])(s|List|Array)?$/;

/** A record as a person reads it: whose it is, what it says, and all IDs last. */
export function inReadingOrder<T>(record: Record<string, T>): Record<string, T> {
	const [ids, words] = partition(Object.entries(record), ([name]) => ID.test(name));
	const whose = words.filter(([name]) => name === 'companyName');
	return Object.fromEntries([...whose, ...words, ...ids]);
}

/**
 * A record with the fields that are wanted of it; whole, if it has fewer of them than there must be. Those that a person selected
 * stay in that order.
 */
export function reduced(record: IDataObject, only: Answered['only']): IDataObject {
	const isWhole = !only || only.names.filter((name) => name in record).length < (only.least ?? 0);
	const fields = isWhole ? record : pick(record, only.names);
	return only && only.least === undefined ? fields : inReadingOrder(fields);
}

/** What the service calls secrets: password, clientSecret, token, scimToken (contract 2.11, 2.13; deployment shapes; activity, 5 and 9). */
const SECRET = /(password|secret|token)$/i;
/** Whose password it is. */
const USER = /^user_?name$/i;

/** Whether one of those has a secret, and not only whether there is one, or how many. */
const isSecret = (name: string, value: unknown) => SECRET.test(name) && !['boolean', 'number'].includes(typeof value);

/** Returns true if a value has a secret, in a field with such a name or inside a text. */
function hasSecret(value: unknown): boolean {
	if (typeof value === 'string') return canHaveSecret(value);
	if (Array.isArray(value)) return value.some(hasSecret);
	return isRecord(value) && Object.keys(value).some((name) => isSecret(name, value[name]) || hasSecret(value[name]));
}

type Value = IDataObject[string];

function cleaned(value: Value): Value {
	if (typeof value === 'string') return canHaveSecret(value) ? hideSecrets(value) : value;
	if (Array.isArray(value)) return value.map((each: Value) => cleaned(each));
	// What is in an item's json is valid there.
	return isRecord(value) ? withoutSecrets(value as IDataObject) : value;
}

/**
 * Removes secrets, and the user names that go with passwords, at any depth. Secrets inside texts are replaced by •••.
 * @returns the same record if it has no secret, because copying each record would take a tenth of a long list's time
 */
export function withoutSecrets(record: IDataObject): IDataObject {
	if (!hasSecret(record)) return record;
	const entries = Object.entries(record);
	const hasPassword = entries.some(([name, value]) => isSecret(name, value) && /password$/i.test(name));
	const kept = entries.filter(([name, value]) => !isSecret(name, value) && !(hasPassword && USER.test(name)));
	return Object.fromEntries(kept.map(([name, value]) => [name, cleaned(value)]));
}
