import type { IDataObject } from 'n8n-workflow';

import { fold, MAX_ID_BYTES, safeName } from '../answer/fileName';
import { remarkOn } from '../answer/paging';
import { choice } from '../form/choice';
import { collection } from '../form/collection';
import { parseTexts, text, texts } from '../form/text';
import { toggle } from '../form/toggle';
import { isRecord, isScalar } from '../form/value';
import { showWhen, type FieldMap, type Lookups } from '../form/field';
import type { FormValues } from '../form/formValues';
import { companyOf, isExpired, listCompanies, remarkOnUnlisted, unlistedOf } from '../pickers/companies';
import { companyPicker } from '../pickers/company';
import { counted } from '../transport/counted';
import { InvalidInput } from '../transport/errors';
import { joinFirst } from '../transport/joinFirst';
import type { Company } from '../transport/request';
import type { Service } from '../transport/service';

/**
 * Which companies an operation can run for: without a company scope; for one company or the credential's own; or for
 * these and every company. Every Company is only for operations that change nothing: searches and exports.
 */
export type ScopeKind = 'credential' | 'company' | 'companies';

/** A company to run for, and its unique name for file names. */
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
	},
});

const DESCRIPTION = 'Which company to act for';
const OWN_MEANING = "'own': the credential's own";
const withoutEvery = choice({
	displayName: 'Company Scope',
	description: DESCRIPTION,
	builderHint: OWN_MEANING,
	default: 'one',
	options: [OWN, ONE],
});
const withEvery = choice({
	displayName: 'Company Scope',
	description: DESCRIPTION,
	builderHint: `'every': all customers; ${OWN_MEANING}`,
	default: 'one',
	options: [OWN, EVERY, ONE],
});

/**
 * Refuses a company that is filled in although the scope uses none. That happens only if an expression decides the scope:
 * otherwise n8n itself removes the value of a hidden field.
 * @param raw the value of the company's field
 * @throws InvalidInput, because ignoring the company could run the operation for other companies than expected
 */
function refuseCompany(raw: unknown, { companyScope }: Readonly<Record<string, unknown>>): void {
	const value = isRecord(raw) && 'value' in raw ? raw.value : raw;
	if (parseTexts(value).length === 0) return;
	throw new InvalidInput(
		`is filled in, but 'Company Scope' is '${(companyScope === 'own' ? OWN : EVERY).name}', which uses no company`,
		[],
		"Choose 'One Company' in 'Company Scope', or clear the company.",
	);
}

const companyField = { ...showWhen({ companyScope: ['one'] }, companyPicker()), whenHidden: refuseCompany };
const fieldsWithoutEvery = { companyScope: withoutEvery, company: companyField };
const fieldsWithEvery = {
	companyScope: withEvery,
	company: companyField,
	companyFilter: showWhen({ companyScope: ['every'] }, companyFilter),
};

/** The fields that ask which company to act for. */
export function scopeFields(kind: ScopeKind): FieldMap {
	if (kind === 'credential') return {};
	return kind === 'companies' ? fieldsWithEvery : fieldsWithoutEvery;
}

/** The company scope of an item, parsed; the companies themselves are read when the operation runs. */
export type ScopeChoice =
	{ kind: 'own' } | { kind: 'one'; company: Company } | { kind: 'every'; filter: CompanyFilter };

interface CompanyFilter {
	nameContains?: string;
	tags?: string[];
	licenceNotExpired?: boolean;
}

/** Reads the company scope from an item's form. @throws InvalidInput without a company for One Company */
export function scopeOf(kind: ScopeKind, form: FormValues): ScopeChoice {
	if (kind === 'credential') return { kind: 'own' };
	const {
		companyScope,
		company,
		companyFilter: filter = {},
	} = kind === 'companies' ? form.of(fieldsWithEvery) : { ...form.of(fieldsWithoutEvery), companyFilter: undefined };
	if (companyScope === 'one') {
		// A request without a company would be for the credential's own company.
		if (!company)
			throw new InvalidInput('must not be empty', ['company'], "Choose a company, or another 'Company Scope'.");
		return { kind: 'one', company };
	}
	return companyScope === 'own' ? { kind: 'own' } : { kind: 'every', filter };
}

/** Finds the companies of a run. The list of companies is read once, no matter how many items run for every company. */
export class Targets {
	private listed: ReturnType<typeof listCompanies> | undefined;
	/** All companies, if their list was read. */
	known: readonly IDataObject[] | undefined;

	constructor(
		private readonly service: Service,
		private readonly hint: (message: string) => void,
	) {}

	/**
	 * All companies, for fields that one is entered in by name. A list that is not complete may lack another company of the
	 * same name.
	 * @param reads whether the operation changes nothing; one that does is refused then
	 * @returns `companies`, which throws InvalidInput or ServiceError
	 */
	lookups(reads: boolean): Lookups {
		return {
			companies: async () => {
				const list = await this.list();
				const remark = remarkOn(list, 'The list of companies');
				if (remark === undefined) return list.records;
				if (reads) this.hint(`${remark} So there may be another company of the name in 'Company'.`);
				else
					throw new InvalidInput(
						'cannot be found by its name: the list of companies is not complete, so there may be another of that name',
						[],
						`Choose the company 'From List', or enter its ID 'By ID'. ${remark}`,
					);
				return list.records;
			},
		};
	}

	private async list(signal?: AbortSignal) {
		this.listed ??= listCompanies(this.service, signal);
		const list = await this.listed;
		this.known = list.records;
		return list;
	}

	/** @param signal ends the reading of their list @throws ServiceError when the companies cannot be listed */
	async of(scope: ScopeChoice, signal?: AbortSignal): Promise<Target[]> {
		if (scope.kind === 'own') return [{}];
		if (scope.kind === 'one') return [{ company: scope.company }];
		const list = await this.list(signal);
		const remark = remarkOn(list, 'The list of companies');
		if (remark !== undefined) this.hint(`${remark} Nothing was done for companies that are not listed.`);
		const unlisted = remarkOnUnlisted(unlistedOf(this.service.allowance.limits, list));
		if (unlisted !== undefined) this.hint(`${unlisted} Nothing was done for them.`);
		const wanted = list.records.filter((record) => matches(record, scope.filter)).map(companyOf);
		const companies = wanted.filter(({ id }) => id !== '');
		const nameless = wanted.length - companies.length;
		if (nameless > 0)
			this.hint(
				`${counted(nameless, 'company')} in the list of companies ${nameless === 1 ? 'has' : 'have'} no ID, so nothing was done for ${nameless === 1 ? 'it' : 'them'}: ${joinFirst(wanted.filter(({ id }) => id === '').map(({ name }) => name || 'No name'))}.`,
			);
		if (wanted.length === 0)
			this.hint(
				list.records.length === 0
					? 'The service lists no company, so nothing was done.'
					: "No company matches 'Only Companies', so nothing was done.",
			);
		return withLabels(companies);
	}
}

function matches(record: IDataObject, filter: CompanyFilter): boolean {
	const { nameContains = '', tags = [], licenceNotExpired = false } = filter;
	const companyTags = (Array.isArray(record.tags) ? record.tags : []).filter(isScalar).map((tag) => fold(String(tag)));
	return (
		fold(companyOf(record).name).includes(fold(nameContains.trim())) &&
		(tags.length === 0 || tags.some((tag) => companyTags.includes(fold(tag)))) &&
		!(licenceNotExpired && isExpired(record, Date.now()))
	);
}

/** Gives each company a name for its files, with the ID where two companies have the same name. */
function withLabels(companies: Company[]): Target[] {
	const labels = companies.map(({ id, name }) => safeName(name.replace(/\s+/g, ' ')) || safeName(id, MAX_ID_BYTES));
	const counts = new Map<string, number>();
	for (const label of labels) counts.set(fold(label), (counts.get(fold(label)) ?? 0) + 1);
	return companies.map((company, index) => {
		const label = labels[index] ?? company.id;
		const isUnique = counts.get(fold(label)) === 1;
		return { company, label: isUnique ? label : `${label}-${safeName(company.id, MAX_ID_BYTES)}` };
	});
}
