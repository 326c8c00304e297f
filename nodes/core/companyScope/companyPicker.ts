import { companyNamed } from '../companies/companies';
import type { Field } from '../fields/field';
import { parseText } from '../fields/fieldTypes';
import { BY_NAME, sourceOf } from '../pickers/listSource';
import { picker } from '../pickers/picker';
import { COMPANIES } from '../../domain/pickers/resourcePickers';
import { rethrow, ServiceError } from '../http/errors';
import { isRecord, type Choice } from '../values';

const COMPANY_REFUSED =
	"Only a Reseller's credential can list companies. With a Company Admin's, choose 'Credential's Own' in 'Company Scope', or enter the company's ID.";

/** A company as it was chosen. One that was entered by name has no ID until it is found in the list of companies. */
interface ChosenCompany extends Choice {
	isNamed?: boolean;
}

const isNamed = (value: unknown): value is ChosenCompany =>
	isRecord(value) && value.isNamed === true && typeof value.name === 'string';

const explainRefusal = async (error: unknown): Promise<never> =>
	rethrow(
		error instanceof ServiceError && error.details.status === 403
			? new ServiceError({ ...error.details, advice: COMPANY_REFUSED })
			: error,
	);

/** The field that chooses a customer company: from the list, by ID, or by a name, which is looked up before the operation runs. */
export function companyPicker(description = 'The customer'): Field<ChosenCompany> {
	const field = picker({
		displayName: 'Company',
		description,
		method: 'searchCompanies',
		thing: 'company',
		whenRefused: COMPANY_REFUSED,
		source: sourceOf(COMPANIES),
		nameExample: 'Golden Crust Bakery',
	});
	return {
		...field,
		parse: async (raw, item) =>
			isRecord(raw) && raw.mode === BY_NAME
				? { id: '', name: parseText(raw.value, { min: 1 }).trim(), isNamed: true }
				: await field.parse(raw, item),
		resolve: async (chosen, companies) =>
			isNamed(chosen) ? await companies().then((all) => companyNamed(chosen.name, all), explainRefusal) : chosen,
	};
}
