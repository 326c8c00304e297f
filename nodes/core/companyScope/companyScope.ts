import { countBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { safeName } from '../response/fileName';
import { collection } from '../fields/collection';
import { mustHaveValue, mustHaveValues, showWhen, type FieldMap, type ReadCompanies } from '../fields/field';
import { choice, text, texts, toggle } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { companyOf, isExpired } from '../companies/companies';
import { InvalidInput } from '../http/errors';
import { isScalar, normalized, type Choice } from '../values';
import { companyPicker } from './companyPicker';

/**
 * Which companies an operation can run for: without a company scope; for one company or the credential's own; or for
 * these and every company. Every Company is only for operations that change nothing: searches and exports.
 */
export type ScopeKind = 'credential' | 'company' | 'companies';

const ONE = { name: 'One Company', value: 'one', description: 'The customer that you choose below' } as const;
const OWN = {
	name: "Credential's Own",
	value: 'own',
	description: "The company that the credential itself belongs to; the choice for a Company Admin's credential",
} as const;
const EVERY = {
	name: 'Every Company',
	value: 'every',
	description: 'All your customers, or those you filter for below; several at once',
} as const;

const label = { displayName: 'Company Scope', description: 'Which company to act for' };
const company = showWhen({ companyScope: ['one'] }, companyPicker());
const fieldsOfOne = { companyScope: choice({ ...label, default: 'one', options: [OWN, ONE] }), company };
const fieldsOfEvery = {
	companyScope: choice({ ...label, default: 'one', options: [OWN, EVERY, ONE] }),
	company,
	onlyCompanies: showWhen(
		{ companyScope: ['every'] },
		mustHaveValue(
			collection({
				displayName: 'Only Companies',
				button: 'Add Condition',
				fields: mustHaveValues({
					licenceNotExpired: toggle({
						displayName: 'License Not Expired',
						default: true,
						description: 'Whether to leave out expired licenses',
					}),
					nameContains: text({
						displayName: 'Name Contains',
						description: 'Only companies with this text in their name',
						placeholder: 'e.g. Bakery',
					}),
					tags: texts({
						displayName: 'Tags',
						description: 'Only companies with one of these tags, separated by commas',
						placeholder: 'e.g. gold, pilot',
					}),
				}),
			}),
		),
	),
};

/** The fields that ask which company to act for. */
export function scopeFields(kind: ScopeKind): FieldMap {
	if (kind === 'credential') return {};
	return kind === 'companies' ? fieldsOfEvery : fieldsOfOne;
}

/** The company scope of an item, parsed; the companies themselves are read when the operation runs. */
export type ScopeChoice = { kind: 'own' } | { kind: 'one'; company: Choice } | { kind: 'every'; only: OnlyCompanies };

interface OnlyCompanies {
	nameContains?: string;
	tags?: string[];
	licenceNotExpired?: boolean;
}

/** Reads the company scope from an item's form. @throws InvalidInput without a company for One Company */
export function scopeOf(kind: ScopeKind, form: FormValues): ScopeChoice {
	if (kind === 'credential') return { kind: 'own' };
	const { companyScope, company: one } = form.of(fieldsOfOne);
	if (companyScope === 'own') return { kind: 'own' };
	if (companyScope === 'one' && one) return { kind: 'one', company: one };
	// A request without a company would be for the credential's own company.
	if (companyScope === 'one')
		throw new InvalidInput('must not be empty', ['company'], "Choose a company, or another 'Company Scope'.");
	return { kind: 'every', only: form.of(fieldsOfEvery).onlyCompanies ?? {} };
}

/** The company that an operation without a company scope is about, such as one that it changes; undefined if it is about none. */
export const subjectOf = (kind: ScopeKind, fields: FieldMap, form: FormValues): Choice | undefined =>
	kind === 'credential' && 'company' in fields ? form.of({ company: fieldsOfOne.company }).company : undefined;

/** A company that an operation runs for; without one, the credential's own. */
export interface ScopedCompany {
	company?: Choice;
	/** Its name for file names, where a run lists several companies; no other one has the same. */
	fileLabel?: string;
}

/**
 * The companies of a scope.
 * @param hint tells a person why there is nothing to do
 * @param timezone the workflow's time zone, which decides when a license has expired
 * @throws ServiceError when they cannot be listed
 */
export async function companiesOf(
	scope: ScopeChoice,
	read: ReadCompanies,
	hint: (message: string) => void,
	timezone: string,
): Promise<ScopedCompany[]> {
	if (scope.kind === 'own') return [{}];
	if (scope.kind === 'one') return [{ company: scope.company }];
	const records = await read();
	const companies = records
		.filter((record) => matches(record, scope.only, timezone))
		.map(companyOf)
		.filter(({ id }) => id !== '');
	if (companies.length === 0)
		hint(
			records.length === 0
				? 'The service lists no company, so nothing was done.'
				: "No company matches 'Only Companies', so nothing was done.",
		);
	const nameOf = ({ id, name }: Choice) => safeName(name) || safeName(id);
	const counts = countBy(companies, (each) => normalized(nameOf(each)));
	return companies.map((company) => {
		const name = nameOf(company);
		return { company, fileLabel: counts[normalized(name)] === 1 ? name : `${name}-${safeName(company.id)}` };
	});
}

function matches(record: IDataObject, only: OnlyCompanies, timezone: string) {
	const { nameContains = '', tags = [], licenceNotExpired = false } = only;
	const own = (Array.isArray(record.tags) ? record.tags : []).filter(isScalar).map((tag) => normalized(String(tag)));
	return (
		normalized(companyOf(record).name).includes(normalized(nameContains)) &&
		(tags.length === 0 || tags.some((tag) => own.includes(normalized(tag)))) &&
		!(licenceNotExpired && isExpired(record, Date.now(), timezone))
	);
}
