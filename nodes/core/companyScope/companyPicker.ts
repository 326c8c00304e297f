import { findCompanyByName } from '../companies/companies';
import type { Field } from '../fields/field';
import { parseText } from '../fields/fieldTypes';
import { BY_NAME_MODE, createListSource } from '../pickers/listSource';
import { listPicker } from '../pickers/picker';
import { toError, RequestError } from '../http/errors';
import { isRecord, type Choice } from '../values';
import { COMPANY_LIST } from './companyList';

const FORBIDDEN_ADVICE =
	"Only a Reseller's credential can list companies. With a Company Admin's credential, select 'Credential's Own' in 'Company Scope', or enter the company's ID.";

/** The company that a user chose. If the user entered its name, the ID is empty until the company is found in the list of companies. */
interface ChosenCompany extends Choice {
	/** True if the user entered the name, so that the ID is not known yet. */
	hasOnlyName?: boolean;
}

/** Returns true for a company whose ID must still be found by its name. */
const isCompanyToFind = (value: unknown): value is ChosenCompany =>
	isRecord(value) && value.hasOnlyName === true && typeof value.name === 'string';

/** Rethrows an error that occurred while the list of companies was read. If the credential may not read the list, the error gets advice for that case. */
function throwListError(error: unknown): never {
	if (error instanceof RequestError && error.details.status === 403)
		throw new RequestError({ ...error.details, advice: FORBIDDEN_ADVICE });
	throw toError(error);
}

/**
 * Creates the field in which a user chooses a customer company from the list, by ID or by name. A name is looked up before the operation
 * runs.
 * @param description the description that n8n shows for the field
 */
export function companyPicker(description = 'Select the customer, or enter its name or ID'): Field<ChosenCompany> {
	const field = listPicker({
		displayName: 'Company',
		description,
		listMethod: 'searchCompanies',
		noun: 'company',
		forbiddenAdvice: FORBIDDEN_ADVICE,
		source: createListSource(COMPANY_LIST),
		nameExample: 'Golden Crust Bakery',
		isNameFoundByCaller: true,
	});
	return {
		...field,
		parse: async (rawValue, item) => {
			if (!isRecord(rawValue) || rawValue.mode !== BY_NAME_MODE) return await field.parse(rawValue, item);
			return { id: '', name: parseText(rawValue.value, { min: 1 }).trim(), hasOnlyName: true };
		},
		resolveCompanies: async (chosenCompany, readCompanies) => {
			if (!isCompanyToFind(chosenCompany)) return chosenCompany;
			const companyRecords = await readCompanies().catch(throwListError);
			return findCompanyByName(chosenCompany.name, companyRecords);
		},
	};
}
