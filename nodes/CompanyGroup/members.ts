import type { IDataObject } from 'n8n-workflow';

import { readOptionalList } from '../shared/operation/optionalList';
import type { Session } from '../shared/answer/answer';
import { companyOf } from '../shared/pickers/companies';
import { COMPANY_ID } from '../shared/transport/guard/companies';
import type { Company } from '../shared/transport/request';

/** The companies of one group, by an operation outside the contract (deployment shapes). */
const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';

/** Reads the companies of a group. @returns undefined if the deployment has no such list */
export async function membersOf(session: Session, resourceId: string): Promise<Company[] | undefined> {
	const listed = await readOptionalList(session, { contract: MEMBERS, path: { resourceId } }, { identity: COMPANY_ID });
	return listed?.map(companyOf).filter(({ id }) => id !== '');
}

/** Companies for an output item, with the same field names as in the list of companies. */
export const asParticipants = (companies: Company[]): IDataObject[] =>
	companies.map(({ id, name }) => ({ companyResourceId: id, companyName: name }));
