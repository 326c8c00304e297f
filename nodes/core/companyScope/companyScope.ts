import { countBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toSafeName } from '../response/fileName';
import { collectionField } from '../fields/collection';
import {
	rejectEmptyExpression,
	rejectEmptyExpressions,
	showWhen,
	type FieldMap,
	type ReadCompanies,
} from '../fields/field';
import { choiceField, textField, textListField, toggleField } from '../fields/fieldTypes';
import type { FormValues } from '../fields/formValues';
import { toCompany, isLicenseExpired } from '../companies/companies';
import { InvalidInputError } from '../http/errors';
import { isScalar, normalizeText, type Choice } from '../values';
import { companyPicker } from './companyPicker';

/**
 * The companies that an operation can run for:
 * - 'credential': the user can't choose, because the form has no 'Company Scope';
 * - 'company': one company, or the company that the credential belongs to;
 * - 'companies': one company, the company that the credential belongs to, or every company. Only searches and exports have this scope,
 *   because they change nothing.
 */
export type ScopeKind = 'credential' | 'company' | 'companies';

const ONE_COMPANY_OPTION = {
	name: 'One Company',
	value: 'one',
	description: "The customer that you select in 'Company'",
} as const;
const OWN_COMPANY_OPTION = {
	name: "Credential's Own",
	value: 'own',
	description: "The company that the credential belongs to. Select this if the credential's role is Company Admin.",
} as const;
const EVERY_COMPANY_OPTION = {
	name: 'Every Company',
	value: 'every',
	description: "All your customers. To leave some of them out, add a condition in 'Only Companies'.",
} as const;

const conditionalCompanyField = showWhen({ companyScope: ['one'] }, companyPicker());
// The editor marks an empty company at once. An expression that may select 'One Company' needs a company or an expression in this field, too.
const companyField = { ...conditionalCompanyField, variants: [conditionalCompanyField.property] };
const oneCompanyFields = {
	companyScope: choiceField({
		displayName: 'Company Scope',
		description: 'The company to use: one of your customers or your own company',
		default: 'one',
		options: [OWN_COMPANY_OPTION, ONE_COMPANY_OPTION],
	}),
	company: companyField,
};
const everyCompanyFields = {
	companyScope: choiceField({
		displayName: 'Company Scope',
		description: 'The companies to use: one customer, every customer or your own company',
		default: 'one',
		options: [OWN_COMPANY_OPTION, EVERY_COMPANY_OPTION, ONE_COMPANY_OPTION],
	}),
	company: companyField,
	onlyCompanies: showWhen(
		{ companyScope: ['every'] },
		rejectEmptyExpression(
			collectionField({
				displayName: 'Only Companies',
				buttonText: 'Add Condition',
				fields: rejectEmptyExpressions({
					licenceNotExpired: toggleField({
						displayName: 'License Not Expired',
						default: true,
						description: 'Whether to leave out companies whose license has expired',
					}),
					nameContains: textField({
						displayName: 'Name Contains',
						description: "A text that the company's name must contain, such as Bakery",
						placeholder: 'e.g. Bakery',
					}),
					tags: textListField({
						displayName: 'Tags',
						description:
							'One or more tags, separated by commas. Only companies with at least one of these tags are used.',
						placeholder: 'e.g. gold, pilot',
					}),
				}),
			}),
		),
	),
};

/** Returns the form fields in which a user chooses the companies to run for. */
export function scopeFields(kind: ScopeKind): FieldMap {
	if (kind === 'credential') return {};
	return kind === 'companies' ? everyCompanyFields : oneCompanyFields;
}

/** The company scope that is selected in an item's form. For 'every', `listScopeCompanies` reads the companies later. */
export type ScopeChoice = { kind: 'own' } | { kind: 'one'; company: Choice } | { kind: 'every'; filter: CompanyFilter };

/** The values of the form's 'Only Companies'. A company must meet all of these conditions. */
interface CompanyFilter {
	nameContains?: string;
	tags?: string[];
	licenceNotExpired?: boolean;
}

/** Reads the company scope from an item's form. @throws InvalidInputError if 'One Company' is selected, but no company */
export function readScope(kind: ScopeKind, form: FormValues): ScopeChoice {
	if (kind === 'credential') return { kind: 'own' };
	const { companyScope, company } = form.get(oneCompanyFields);
	if (companyScope === 'own') return { kind: 'own' };
	if (companyScope === 'one') {
		if (company) return { kind: 'one', company };
		// Without a company, the request would run for the credential's own company.
		throw new InvalidInputError('must not be empty', ['company'], "Select a company, or another 'Company Scope'.");
	}
	return { kind: 'every', filter: form.get(everyCompanyFields).onlyCompanies ?? {} };
}

/**
 * Reads the company that an operation without a company scope is about, such as the company that it changes.
 * @returns undefined for any other operation
 */
export function readAffectedCompany(kind: ScopeKind, fields: FieldMap, form: FormValues): Choice | undefined {
	if (kind !== 'credential' || !('company' in fields)) return undefined;
	return form.get({ company: oneCompanyFields.company }).company;
}

/** A company that an operation runs for. */
export interface ScopedCompany {
	/** Undefined for the company that the credential belongs to. */
	company?: Choice;
	/** The text that stands for the company in file names, unique among the companies. It is only set for the scope 'every'. */
	fileLabel?: string;
}

/**
 * Lists the companies of a scope.
 * @param addHint called with the reason if no company is listed
 * @param timezone the IANA name of the workflow's time zone, which decides when a license has expired
 * @throws RequestError if the companies can't be listed
 */
export async function listScopeCompanies(
	scope: ScopeChoice,
	readCompanies: ReadCompanies,
	addHint: (message: string) => void,
	timezone: string,
): Promise<ScopedCompany[]> {
	if (scope.kind === 'own') return [{}];
	if (scope.kind === 'one') return [{ company: scope.company }];
	const records = await readCompanies();
	const companies = records
		.filter((record) => isSelectedByFilter(record, scope.filter, timezone))
		.map(toCompany)
		.filter(({ id }) => id !== '');
	if (records.length === 0) addHint('The platform lists no companies, so the node did nothing.');
	else if (companies.length === 0) addHint("No company matches 'Only Companies', so the node did nothing.");
	return addFileLabels(companies);
}

/** Adds the label for file names to each company. If several companies have the same name, their labels also contain the ID. */
function addFileLabels(companies: Choice[]): ScopedCompany[] {
	const toFileLabel = ({ id, name }: Choice) => toSafeName(name) || toSafeName(id);
	const labelCounts = countBy(companies, (company) => normalizeText(toFileLabel(company)));
	return companies.map((company) => {
		const label = toFileLabel(company);
		const isUnique = labelCounts[normalizeText(label)] === 1;
		return { company, fileLabel: isUnique ? label : `${label}-${toSafeName(company.id)}` };
	});
}

/** Returns true if a company meets every condition of the filter. */
function isSelectedByFilter(record: IDataObject, filter: CompanyFilter, timezone: string): boolean {
	const { nameContains = '', tags = [], licenceNotExpired = false } = filter;
	if (!normalizeText(toCompany(record).name).includes(normalizeText(nameContains))) return false;
	const companyTags = (Array.isArray(record.tags) ? record.tags : [])
		.filter(isScalar)
		.map((tag) => normalizeText(String(tag)));
	if (tags.length > 0 && !tags.some((tag) => companyTags.includes(normalizeText(tag)))) return false;
	return !licenceNotExpired || !isLicenseExpired(record, Date.now(), timezone);
}
