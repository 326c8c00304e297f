import { findCompanyByName } from '../companies/companies';
import type { Field } from '../fields/field';
import { parseText } from '../fields/fieldTypes';
import { BY_NAME_MODE, createListSource } from '../pickers/listSource';
import { listPicker } from '../pickers/picker';
import { toError, RequestError } from '../http/errors';
import { isRecord, type Choice } from '../values';
import { COMPANY_LIST } from './companyList';

const FORBIDDEN_ADVICE =
	"Only a Reseller's credential can list companies. With a Company Admin's, choose 'Credential's Own' in 'Company Scope', or enter the company's ID.";

/** The company that a user chose. A company that was entered by name has an empty ID until it is found in the list of companies. */
interface ChosenCompany extends Choice {
	/** True if only the name was entered. */
	hasOnlyName?: boolean;
}

/** Returns true for a company that must still be found by its name. */
const isCompanyToFind = (value: unknown): value is ChosenCompany =>
	isRecord(value) && value.hasOnlyName === true && typeof value.name === 'string';

/** Throws the error of a list of companies, with its own advice if the credential may not read the list. */
function throwListError(error: unknown): never {
	if (error instanceof RequestError && error.details.status === 403)
		throw new RequestError({ ...error.details, advice: FORBIDDEN_ADVICE });
	throw toError(error);
}

/**
 * Creates the field that chooses a customer company from the list, by ID or by name. A name is looked up before the operation runs.
 * @param description the field's description
 */
export function companyPicker(description = 'The customer'): Field<ChosenCompany> {
	const field = listPicker({
		displayName: 'Company',
		description,
		listMethod: 'searchCompanies',
		noun: 'company',
		forbiddenAdvice: FORBIDDEN_ADVICE,
		source: createListSource(COMPANY_LIST),
		nameExample: 'Golden Crust Bakery',
	});
	return {
		...field,
		parse: async (raw, item) => {
			if (!isRecord(raw) || raw.mode !== BY_NAME_MODE) return await field.parse(raw, item);
			return { id: '', name: parseText(raw.value, { min: 1 }).trim(), hasOnlyName: true };
		},
		resolveCompanies: async (choice, readCompanies) => {
			if (!isCompanyToFind(choice)) return choice;
			const companies = await readCompanies().catch(throwListError);
			return findCompanyByName(choice.name, companies);
		},
	};
}
