import type { IDataObject } from 'n8n-workflow';

import { isEmpty, type Choice } from '../values';

/** The columns that name the company of an item. */
export const companyColumns = ({ id, name }: Choice): IDataObject =>
	name === '' ? { companyResourceId: id } : { companyName: name, companyResourceId: id };

/**
 * Adds the company's columns to an item that lacks them: the name before the other fields, the ID after them. A value that the
 * service sent is kept unless it is empty.
 */
export function withColumns(json: IDataObject, columns: IDataObject): IDataObject {
	const { companyName } = columns;
	const lacking = Object.entries(columns).filter(([name]) => isEmpty(json[name]));
	const withId = { ...json, ...Object.fromEntries(lacking) };
	return companyName === undefined ? withId : { companyName, ...withId };
}
