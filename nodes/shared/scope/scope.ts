import type { IDataObject } from 'n8n-workflow';

import { fold, safeName } from '../answer/fileName';
import { remarkOn } from '../answer/paging';
import { choice } from '../form/choice';
import { collection } from '../form/collection';
import { parseTexts, text, texts } from '../form/text';
import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';
import { showWhen, type FieldMap } from '../form/field';
import type { FormValues } from '../form/formValues';
import { companyOf, companyPicker, isExpired, listCompanies } from '../pickers/company';
import { InvalidInput } from '../transport/errors';
import type { Company } from '../transport/request';
import type { Service } from '../transport/service';

/**
 * Whom an operation can be for: never scoped, one company or the credential's own, or these and every company.
 * Every Company is for what may be asked of many and does no harm: searches and exports.
 */
export type ScopeKind = 'credential' | 'company' | 'companies';

/** A company to run for, and what tells it apart in file names. */
export interface Target {
	company?: Company;
	label?: string;
}

const ONE = {
	name: 'One Company',
	value: 'one',
	description: 'The customer that you choose below',
} as const;
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

const companyFilter = collection({
	displayName: 'Only Companies',
	button: 'Add Condition',
	fields: {
		licenceNotExpired: toggle({
			displayName: 'License Not Expired',
			default: true,
			description: 'Whether to leave out companies whose license has run out',
		}),
		nameContains: text({
			displayName: 'Name Contains',
			description: 'Only companies whose name contains this text; capital letters make no difference',
			placeholder: 'e.g. Bakery',
		}),
		tags: texts({
			displayName: 'Tags',
			description: 'Only companies with at least one of these tags, separated by commas',
			placeholder: 'e.g. gold, pilot',
		}),
	},
});

const DESCRIPTION = 'Which company to act for';
const noAll = choice({
	displayName: 'Company Scope',
	description: DESCRIPTION,
	default: 'one',
	options: [OWN, ONE],
});
const withAll = choice({
	displayName: 'Company Scope',
	description: DESCRIPTION,
	default: 'one',
	options: [OWN, EVERY, ONE],
});

/** n8n drops the value of a hidden field, unless an expression decides what is hidden: then it is named, not ignored. */
function refuseCompany(raw: unknown, { companyScope }: Readonly<Record<string, unknown>>): void {
	const value = isRecord(raw) && 'value' in raw ? raw.value : raw;
	if (parseTexts(value).length === 0) return;
	throw new InvalidInput(
		`is filled in, but 'Company Scope' is '${(companyScope === 'own' ? OWN : EVERY).name}', which takes no company`,
		[],
		"Choose 'One Company' in 'Company Scope', or empty the company.",
	);
}

const companyField = { ...showWhen({ companyScope: ['one'] }, companyPicker()), whenHidden: refuseCompany };
const ofOne = { companyScope: noAll, company: companyField };
const ofMany = {
	companyScope: withAll,
	company: companyField,
	companyFilter: showWhen({ companyScope: ['every'] }, companyFilter),
};

/** The fields that ask which company to act for. */
export function scopeFields(kind: ScopeKind): FieldMap {
	if (kind === 'credential') return {};
	return kind === 'companies' ? ofMany : ofOne;
}

/** What the fields of an item say, checked; the companies themselves are found out when it runs. */
export type ScopeChoice =
	{ kind: 'own' } | { kind: 'one'; company: Company } | { kind: 'every'; filter: CompanyFilter };

interface CompanyFilter {
	nameContains?: string;
	tags?: string[];
	licenceNotExpired?: boolean;
}

/** The company scope that an item's form says. @throws InvalidInput */
export function scopeOf(kind: ScopeKind, form: FormValues): ScopeChoice {
	if (kind === 'credential') return { kind: 'own' };
	const {
		companyScope,
		company,
		companyFilter: filter = {},
	} = kind === 'companies' ? form.of(ofMany) : { ...form.of(ofOne), companyFilter: undefined };
	if (companyScope === 'one') {
		// Hidden by n8n, or never filled in: a request without a company would go to the credential's own.
		if (!company)
			throw new InvalidInput('must not be empty', ['company'], "Choose a company, or another 'Company Scope'.");
		return { kind: 'one', company };
	}
	return companyScope === 'own' ? { kind: 'own' } : { kind: 'every', filter };
}

/** Finds the companies of a run; the list is read once, however many items ask for every company. */
export class Targets {
	private listed: ReturnType<typeof listCompanies> | undefined;

	constructor(
		private readonly service: Service,
		private readonly hint: (message: string) => void,
	) {}

	/** @throws ServiceError when the companies cannot be listed */
	async of(scope: ScopeChoice): Promise<Target[]> {
		if (scope.kind === 'own') return [{}];
		if (scope.kind === 'one') return [{ company: scope.company }];
		this.listed ??= listCompanies(this.service);
		const list = await this.listed;
		const remark = remarkOn(list, 'The list of companies');
		if (remark !== undefined) this.hint(`${remark} Nothing was done for companies that are not listed.`);
		const companies = list.records
			.filter((record) => matches(record, scope.filter))
			.map(companyOf)
			.filter(({ id }) => id !== '');
		if (companies.length === 0)
			this.hint(
				list.records.length === 0
					? 'The service lists no company, so nothing was done.'
					: "No company matches 'Only Companies', so nothing was done.",
			);
		return labelled(companies);
	}
}

function matches(record: IDataObject, filter: CompanyFilter): boolean {
	const { nameContains = '', tags = [], licenceNotExpired = false } = filter;
	const own = (Array.isArray(record.tags) ? record.tags : []).filter(isScalar).map((tag) => fold(String(tag)));
	return (
		fold(companyOf(record).name).includes(fold(nameContains.trim())) &&
		(tags.length === 0 || tags.some((tag) => own.includes(fold(tag)))) &&
		!(licenceNotExpired && isExpired(record, Date.now()))
	);
}

/** Gives each company a name for its files, with the ID where two are called alike. */
function labelled(companies: Company[]): Target[] {
	const plain = companies.map(({ id, name }) => safeName(name.replace(/\s+/g, ' ')) || id);
	const times = new Map<string, number>();
	for (const label of plain) times.set(fold(label), (times.get(fold(label)) ?? 0) + 1);
	return companies.map((company, index) => {
		const label = plain[index] ?? company.id;
		const isAlone = times.get(fold(label)) === 1;
		return { company, label: isAlone ? label : `${label}-${safeName(company.id)}` };
	});
}
