import type { IDataObject } from 'n8n-workflow';

import { readOptionalList } from '../shared/operation/optionalList';
import type { Session } from '../shared/answer/answer';
import { COMPANY_ID, companyOf } from '../shared/pickers/company';
import type { Company } from '../shared/transport/request';

/** Beside the contract's operations: the companies of one group (deployment shapes). */
const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';

/** The companies of a group, as far as the deployment tells. @returns undefined where it has no such list */
export async function membersOf(session: Session, resourceId: string): Promise<Company[] | undefined> {
	const listed = await readOptionalList(session, { contract: MEMBERS, path: { resourceId } }, { identity: COMPANY_ID });
	return listed?.map(companyOf).filter(({ id }) => id !== '');
}

/** Companies as they stand in an item, by the names that the list of companies has. */
export const asParticipants = (companies: Company[]): IDataObject[] =>
	companies.map(({ id, name }) => ({ companyResourceId: id, companyName: name }));
