import type { IDataObject } from 'n8n-workflow';

import type { Owner } from './answer';
import { identityOf } from './page';

/** The company that a record itself names, as a part of its item; empty if it names none. */
export function ownerOf(record: IDataObject): { owner?: Owner } {
	const id = identityOf(record, ['companyResourceId']);
	const name = identityOf(record, ['companyName']);
	if (id === undefined && name === undefined) return {};
	return { owner: { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) } };
}
