import { identityOf } from '../answer/paging';
import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { isRecord } from '../form/value';
import { CHILD_MARK, COMPANY_LISTING, listCompanies } from './companies';
import { companyNamed, nameIn } from './companyName';
import { pluralOf } from '../transport/counted';
import { rethrow, ServiceError } from '../transport/errors';
import { firstAvailable, wholeList, type Source } from './sources';
import { picker, searchPicker, searchMultiPicker, type Picked } from './picker';

const WHEN_REFUSED =
	"Only a Reseller's credential can list companies. With a Company Admin's, choose 'Credential's Own' in 'Company Scope', or enter the company's ID.";

/** A company as it was chosen. One that was entered by name has no ID until it is found in the list of companies. */
export interface ChosenCompany extends Picked {
	isNamed?: boolean;
}

const isNamed = (value: unknown): value is ChosenCompany =>
	isRecord(value) && value.isNamed === true && typeof value.name === 'string';

/**
 * The field that chooses a customer company: from the list, where child companies follow their parents, by name or by ID.
 * A name is looked up before the operation runs (`complete`).
 */
export function companyPicker(): Field<ChosenCompany> {
	const field = searchPicker({
		displayName: 'Company',
		description: 'The customer',
		method: 'searchCompanies',
		thing: 'company',
		whenRefused: WHEN_REFUSED,
		listing: COMPANY_LISTING,
		nameExample: 'Golden Crust Bakery',
	});
	return {
		...field,
		parse: async (raw, item) => {
			const name = nameIn(raw);
			return name === undefined ? withoutMark(await field.parse(raw, item)) : { id: '', name, isNamed: true };
		},
		complete: async (chosen, { companies }) =>
			isNamed(chosen) ? await companies().then((all) => companyNamed(chosen.name, all), explainRefusal) : chosen,
	};
}

/** n8n stores the name as it was listed, with the mark. */
const withoutMark = ({ id, name }: Picked): Picked => ({
	id,
	name: name.startsWith(CHILD_MARK) ? name.slice(CHILD_MARK.length) : name,
});

const explainRefusal = async (error: unknown): Promise<never> =>
	await rethrow(
		error instanceof ServiceError && error.details.status === 403
			? new ServiceError({ ...error.details, advice: WHEN_REFUSED })
			: error,
	);

/** The field that chooses several of the companies that the credential manages. */
export const companiesPicker = (label: Label) =>
	searchMultiPicker({ ...label, method: 'loadCompanies', thing: 'company', listing: COMPANY_LISTING });

/**
 * The field that chooses one of the platform's values, such as an industry: from the platform's list or, because the
 * contract has no such list, from the values of existing companies.
 * @param names the fields of a company's record with the value's ID and name (contract 2.4)
 * @param platformSource the platform's own list, if a deployment has it
 */
export function companyValuePicker(
	label: Label & { method: string; thing: string },
	names: { id: string; name: string },
	platformSource: Source,
): Field<Picked> {
	const valuesOfCompanies = wholeList(async (filled) => {
		const { records } = await listCompanies(await filled.open());
		const values = new Map<string, string>();
		for (const record of records) {
			const id = identityOf(record, [names.id]);
			const name = identityOf(record, [names.name]);
			if (id !== undefined && name !== undefined) values.set(id, name);
		}
		return [...values].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name));
	});
	return picker({
		...label,
		whenRefused: "Only a Reseller's credential can list these. Enter the ID instead.",
		search: firstAvailable(
			[platformSource, valuesOfCompanies],
			`This platform does not list its ${pluralOf(label.thing)}, and no company has one yet: choose 'By ID' and enter it`,
		),
	});
}
