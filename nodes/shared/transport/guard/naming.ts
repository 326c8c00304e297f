/** Finds what in a request may name a company, whatever its form is. */
import { isRecord } from '../record';

export type IsAllowed = (id: string) => boolean;

/** A name as services compare it: without regard to case and to signs between words. */
const plain = (name: string) =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** Words by which the API and services like it name a company. */
const COMPANY_WORD = /compan(y|ies)|customer|reseller|organi[sz]ation|parent|subsidiar/;

/** Whether a field, a parameter or a header of this name may name a company. */
export const mayNameCompany = (name: string) => COMPANY_WORD.test(plain(name));

const FIELD_NAMES = new Set(['fieldname', 'field', 'property', 'propertyname', 'column']);
const OPERATORS = new Set(['', 'eq', 'equal', 'equals', 'in', 'contains']);

/** Whether a value is empty, so that it names nothing. */
const isNothing = (value: unknown): boolean =>
	value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isNothing));

/** Whether everything in a value is the ID of an allowed company. */
function isAllAllowed(value: unknown, isAllowed: IsAllowed): boolean {
	if (isNothing(value)) return true;
	if (Array.isArray(value)) return value.every((each) => isAllAllowed(each, isAllowed));
	if (isRecord(value)) return Object.values(value).every((each) => isAllAllowed(each, isAllowed));
	return (typeof value === 'string' || typeof value === 'number') && isAllowed(String(value));
}

/** The text under the first key of an object whose plain name fits. */
function textUnder(value: Record<string, unknown>, fits: (name: string) => boolean): string | undefined {
	const [, found] = Object.entries(value).find(([name, each]) => fits(plain(name)) && typeof each === 'string') ?? [];
	return typeof found === 'string' ? found : undefined;
}

/**
 * How the request's answer shows companies: in a list of companies, `id` is the ID of one, and conditions on their names are
 * fine, because the list is filtered.
 */
export interface Looked {
	isAllowed: IsAllowed;
	isListOfCompanies?: boolean;
}

const OWN_ID = /^(resource)?ids?$/;

const isNaming = (name: string, { isListOfCompanies = false }: Looked) =>
	mayNameCompany(name) || (isListOfCompanies && OWN_ID.test(plain(name)));

/** The name of the company's field in a condition of a filter, if it is one on other companies than the allowed. */
function otherInCondition(value: Record<string, unknown>, looked: Looked): string | undefined {
	const field = textUnder(value, (name) => FIELD_NAMES.has(name));
	if (field === undefined || !isNaming(field, looked)) return undefined;
	if (looked.isListOfCompanies && !/ids?$/.test(plain(field))) return undefined;
	const operator = plain(textUnder(value, (name) => name.startsWith('operator')) ?? '');
	const wanted = Object.entries(value).filter(([name]) => plain(name).startsWith('value'));
	const isFine =
		OPERATORS.has(operator) &&
		wanted.some(([, each]) => !isNothing(each)) &&
		wanted.every(([, each]) => isAllAllowed(each, looked.isAllowed));
	return isFine ? undefined : field;
}

/**
 * Looks for a part of a request that names another company than the allowed ones, or names one in a way that cannot be
 * checked, such as by a number or a name.
 * @param value the query or the body, at any depth
 * @returns the name of that part; undefined if there is none
 */
export function otherCompanyIn(value: unknown, looked: Looked): string | undefined {
	if (Array.isArray(value)) return value.map((each) => otherCompanyIn(each, looked)).find((each) => each !== undefined);
	if (!isRecord(value)) return undefined;
	const condition = otherInCondition(value, looked);
	if (condition !== undefined) return condition;
	for (const [name, each] of Object.entries(value)) {
		if (isNaming(name, looked)) {
			if (!isAllAllowed(each, looked.isAllowed)) return name;
		} else {
			const inside = otherCompanyIn(each, looked);
			if (inside !== undefined) return inside;
		}
	}
	return undefined;
}

/** Whether a body names at least one company in its list of them (contract 2.14). */
export const hasMembers = (body: unknown): boolean =>
	isRecord(body) &&
	Array.isArray(body.companyResourceIdArray) &&
	body.companyResourceIdArray.some((id) => !isNothing(id));
