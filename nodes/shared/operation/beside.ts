import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../answer/answer';
import type { ListShape } from '../answer/paging';
import { readSearch } from '../answer/search';
import { asError, ServiceProblem } from '../transport/problem';
import type { ServiceRequest } from '../transport/request';

/** A request beside the operation's own, for what only some deployments have. */
type Beside = Pick<ServiceRequest, 'contract' | 'path'>;

const requestFor = ({ company }: Session, beside: Beside): ServiceRequest => ({
	...beside,
	repeatable: true,
	purpose: 'look it up',
	...(company ? { company } : {}),
});

/**
 * Reads a list that only some deployments have: an operation is as good without it, and what it has done already is not
 * undone by a look at the outcome that fails. So no failure of it is one of the operation's; a run that was stopped is
 * stopped here as well.
 * @returns undefined where there is no such list, or it could not be read
 */
export async function listBeside(
	session: Session,
	beside: Beside,
	shape: ListShape,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const filter = { Condition: 'AND', SearchInputTextValue: searchText, FilterGroups: [] };
	const request = { ...requestFor(session, beside), body: { orderBy: 'CreateTime', ascending: false, filter } };
	return await readSearch(session.service, request, { limit: Infinity }, shape, { isOwnOrder: true }).then(
		({ records }) => records,
		(error: unknown) =>
			error instanceof ServiceProblem && error.facts.cause !== 'cancelled' ? undefined : Promise.reject(asError(error)),
	);
}
