import { uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import { parseText } from '../form/text';
import { isRecord } from '../form/value';
import { InvalidInput } from '../transport/errors';
import { joinFirst } from '../transport/joinFirst';
import type { Company } from '../transport/request';
import { detailsOf } from './apart';
import { companyOf } from './companies';

/** The mode of the company's field in which its name is entered. */
export const BY_NAME = 'name';

/** The name in a company's field, if it is in that mode. @throws InvalidInput for an empty one */
export const nameIn = (raw: unknown): string | undefined =>
	isRecord(raw) && raw.mode === BY_NAME ? parseText(raw.value, { min: 1 }).trim() : undefined;

const comparable = (name: string) => fold(name).replace(/\s+/g, ' ').trim();

/**
 * The company of a name. Capital letters, spaces around it and the way in which letters such as ü are encoded make no
 * difference.
 * @param records all companies that the credential manages
 * @throws InvalidInput for a name of no company or of several, with those that it may mean
 */
export function companyNamed(name: string, records: IDataObject[]): Company {
	const wanted = comparable(name);
	const found = uniqBy(
		records.filter((record) => companyOf(record).id !== '' && nameOf(record) === wanted),
		(record) => companyOf(record).id,
	);
	const [first, ...others] = found;
	if (first && others.length === 0) return companyOf(first);
	if (first)
		throw new InvalidInput(
			`is '${name}', the name of ${found.length} companies`,
			[],
			`Choose one of them 'From List', or enter its ID 'By ID': ${joinFirst(found.map(toldInFull), '; ')}.`,
		);
	const near = nearest(wanted, records).map(toldInFull);
	throw new InvalidInput(
		`is '${name}', which is the name of none of the ${records.length} companies that the credential manages`,
		[],
		near.length > 0
			? `Similar names: ${near.join('; ')}.`
			: "Enter the company's whole name as the platform shows it, or choose it 'From List'.",
	);
}

const nameOf = (record: IDataObject) => comparable(companyOf(record).name);

/** A company for an error, with what tells it from others and its whole ID. */
function toldInFull(record: IDataObject): string {
	const { id, name } = companyOf(record);
	return `${name} (${[...detailsOf(record), `ID ${id}`].join(', ')})`;
}

const MOST_NEAR = 5;
/** How alike two names are at least, from 0 to 1, to be named as similar. */
const ALIKE = 0.4;

/** The companies with the most similar names, the most similar first. */
function nearest(wanted: string, records: IDataObject[]): IDataObject[] {
	return records
		.map((record) => ({ record, alike: likeness(wanted, nameOf(record)) }))
		.filter(({ alike }) => alike >= ALIKE)
		.sort((one, other) => other.alike - one.alike)
		.slice(0, MOST_NEAR)
		.map(({ record }) => record);
}

/** How alike two names are, from 0 to 1: the share of their pairs of letters that both have; 1 if one contains the other. */
function likeness(one: string, other: string): number {
	if (one === '' || other === '') return 0;
	if (one.includes(other) || other.includes(one)) return 1;
	const [pairs, left] = [pairsOf(one), pairsOf(other)];
	const all = pairs.length + left.length;
	let shared = 0;
	for (const pair of pairs) {
		const at = left.indexOf(pair);
		if (at < 0) continue;
		left.splice(at, 1);
		shared++;
	}
	return (2 * shared) / all;
}

const pairsOf = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));
