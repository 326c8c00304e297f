import type { IDataObject } from 'n8n-workflow';

import { isEmpty, type Choice } from '../values';

/** The columns that name the company of an item. */
export const companyColumns = ({ id, name }: Choice): IDataObject => ({
	...(name === '' ? {} : { companyName: name }),
	companyResourceId: id,
});

/**
 * Names the company of an item that does not: its name in front of the fields, its ID after them. What the service sent for it is
 * kept, unless it is empty.
 */
export function withColumns(json: IDataObject, columns: IDataObject): IDataObject {
	const { companyName } = columns;
	const lacking = Object.entries(columns).filter(([name]) => isEmpty(json[name]));
	return { ...(companyName === undefined ? {} : { companyName }), ...json, ...Object.fromEntries(lacking) };
}
