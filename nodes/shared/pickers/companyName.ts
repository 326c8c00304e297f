import { uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import { parseText } from '../form/text';
import { isRecord } from '../form/value';
import { InvalidInput } from '../transport/errors';
import { similarTo } from '../transport/alike';
import { counted } from '../transport/counted';
import { joinFirst } from '../transport/joinFirst';
import type { Company } from '../transport/request';
import { detailsOf } from './apart';
import { companyOf } from './companies';

/** The mode of the company's field in which its name is entered. */
export const BY_NAME = 'name';

/** Whether a company's field is in that mode. */
export const isInNameMode = (raw: unknown): raw is Record<string, unknown> => isRecord(raw) && raw.mode === BY_NAME;

/** The name in a company's field, if it is in that mode. @throws InvalidInput for an empty one */
export const nameIn = (raw: unknown): string | undefined =>
	isInNameMode(raw) ? parseText(raw.value, { min: 1 }).trim() : undefined;

/** How many similar names an error has. */
const MOST_NEAR = 5;

/** A company's name for comparisons: without its capital letters and double spaces. */
export const comparable = (name: string) => fold(name).replace(/\s+/g, ' ').trim();

/**
 * The company of a name. Capital letters, spaces around it and the way in which letters such as ü are encoded make no
 * difference.
 * @param records all companies that the credential manages
 * @throws InvalidInput for a name of no company or of several, with those that it may mean
 */
export function companyNamed(name: string, records: IDataObject[]): Company {
	const wanted = comparable(name);
	const named = records.filter((record) => nameOf(record) === wanted);
	const withoutId = named.filter((record) => companyOf(record).id === '');
	const withId = uniqBy(
		named.filter((record) => companyOf(record).id !== ''),
		(record) => companyOf(record).id,
	);
	const found = [...withId, ...withoutId];
	const [first, ...others] = found;
	if (first && others.length === 0 && withoutId.length === 0) return companyOf(first);
	if (first && withId.length === 0)
		throw new InvalidInput(
			`is '${name}', but the list of companies has no ID for ${found.length === 1 ? 'it' : 'any company of that name'}`,
			[],
			"Without its ID, nothing can be done for a company. If you know the ID, enter it 'By ID'; otherwise ask the platform.",
		);
	if (first)
		throw new InvalidInput(
			`is '${name}', the name of ${counted(found.length, 'company')}`,
			[],
			`Choose one of them 'From List', or enter its ID 'By ID': ${joinFirst(found.map(toldInFull), '; ')}.`,
		);
	const near = similarTo(wanted, records, nameOf).map(toldInFull);
	throw new InvalidInput(
		`is '${name}', but the credential manages no company of that name (${counted(records.length, 'company')} in all)`,
		[],
		near.length > 0
			? `Similar names: ${joinFirst(near, '; ', MOST_NEAR)}.`
			: "Enter the company's whole name as the platform shows it, or choose it 'From List'.",
	);
}

const nameOf = (record: IDataObject) => comparable(companyOf(record).name);

/** A company for an error, with what tells it from others and its whole ID. */
function toldInFull(record: IDataObject): string {
	const { id, name } = companyOf(record);
	return `${name} (${[...detailsOf(record), id === '' ? 'no ID' : `ID ${id}`].join(', ')})`;
}
