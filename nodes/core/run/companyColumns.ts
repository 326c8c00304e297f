import type { IDataObject } from 'n8n-workflow';

import { isEmpty, type Choice } from '../values';

/** Builds the output fields with a company's ID and, if it is known, the company's name. */
export const buildCompanyColumns = ({ id, name }: Choice): IDataObject =>
	name === '' ? { companyResourceId: id } : { companyName: name, companyResourceId: id };

/**
 * Adds the company's name and ID to an output item that lacks them: the name before the other fields, the ID after them. A name or ID
 * that the platform sent is kept unless it is empty.
 */
export function addCompanyColumns(json: IDataObject, columns: IDataObject): IDataObject {
	const { companyName } = columns;
	const missingColumns = Object.entries(columns).filter(([name]) => isEmpty(json[name]));
	const completeJson = { ...json, ...Object.fromEntries(missingColumns) };
	return companyName === undefined ? completeJson : { companyName, ...completeJson };
}
