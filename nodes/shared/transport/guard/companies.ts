/** Leaves only the allowed companies in an answer that lists companies. */
import { identityOf, isRecord } from '../record';
import { mayNameCompany, type IsAllowed } from './naming';

/** The fields that may have the ID of a company, in a company's own record. */
export const COMPANY_ID = ['companyResourceId', 'resourceId', 'id'] as const;

type Fields = Record<string, unknown>;

/** What a page had before it was filtered, so that reading can go on to the next; it is no part of any output. */
export interface Unfiltered {
	/** The companies that the page listed; children inside others are not among them. */
	listed: string[];
	/** All companies that were left out, children too. */
	withheld: string[];
	/** The service's counts, as it sent them. */
	counts: Fields;
}

const unfiltered = new WeakMap<object, Unfiltered>();

/** What a page had before it was filtered. @returns undefined for data that was not filtered */
export const unfilteredOf = (data: unknown): Unfiltered | undefined =>
	typeof data === 'object' && data !== null ? unfiltered.get(data) : undefined;

/** Fields that tell how a company is related to others: their IDs, names and numbers. */
const RELATION = /^(parent|child|sub(compan|sidiar))/i;

/**
 * The allowed companies in a record: the record itself, or those of its children that are allowed although it is not. What
 * it says about others is left out.
 */
function allowedIn(record: Fields, isAllowed: IsAllowed, withheld: string[]): Fields[] {
	const { children } = record;
	const below = (Array.isArray(children) ? children.filter(isRecord) : []).flatMap((child) =>
		allowedIn(child, isAllowed, withheld),
	);
	const id = identityOf(record, COMPANY_ID);
	if (id === undefined || !isAllowed(id)) {
		if (id !== undefined) withheld.push(id);
		return below;
	}
	return [withoutOthers(record, isAllowed, below)];
}

/** A company's record without what it says about others. @param below its allowed children */
function withoutOthers({ children, ...own }: Fields, isAllowed: IsAllowed, below: Fields[]): Fields {
	const isTold = ([name, value]: [string, unknown]) =>
		!RELATION.test(name) || (typeof value === 'string' && mayNameCompany(name) && isAllowed(value));
	return {
		...Object.fromEntries(Object.entries(own).filter(isTold)),
		...(children === undefined ? {} : { children: below }),
	};
}

/** The fields of a page with which it counts companies (contract 2.3). */
const COUNTS = /^(total|limitexceeded)/i;

/**
 * Filters the data of an answer with companies: a list, a page of a search, or one record. A list has no counts of all
 * companies any more, and a company whose ID cannot be found is left out.
 * @param isAsked whether one record is of a company that was asked for by its ID, and needs no ID of its own
 * @returns undefined for one record that is not allowed
 */
export function filterCompanies(data: unknown, isAllowed: IsAllowed, isAsked = false): unknown {
	if (Array.isArray(data)) return filterList(data, isAllowed, {}, (results) => results);
	if (!isRecord(data)) return data === null ? null : undefined;
	const name = Object.keys(data).find((each) => each.toLowerCase() === 'results');
	if (name !== undefined) {
		const { [name]: results, ...others } = data;
		const isCount = ([each]: [string, unknown]) => COUNTS.test(each);
		const entries = Object.entries(others);
		const rest = Object.fromEntries(entries.filter((entry) => !isCount(entry)));
		return filterList(
			Array.isArray(results) ? results : [],
			isAllowed,
			Object.fromEntries(entries.filter(isCount)),
			(kept) => ({ ...rest, [name]: kept }),
		);
	}
	if (isAsked && data.companyResourceId === undefined && data.resourceId === undefined)
		return withoutOthers(data, isAllowed, []);
	const [only, ...others] = allowedIn(data, isAllowed, []);
	return others.length > 0 ? [only, ...others] : only;
}

function filterList(
	results: unknown[],
	isAllowed: IsAllowed,
	counts: Fields,
	asData: (kept: Fields[]) => Fields | Fields[],
): unknown {
	const records = results.filter(isRecord);
	const withheld: string[] = [];
	const data = asData(records.flatMap((record) => allowedIn(record, isAllowed, withheld)));
	unfiltered.set(data, {
		listed: records.map((record, index) => identityOf(record, COMPANY_ID) ?? `no ID ${index}`),
		withheld,
		counts,
	});
	return data;
}
