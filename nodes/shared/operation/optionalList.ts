import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../answer/answer';
import type { ListShape } from '../answer/paging';
import { readSearch } from '../answer/search';
import { searchFilter } from '../form/search';
import { asError, ServiceError } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';

/** A request beside the operation's own, for what only some deployments have. */
type OptionalRequest = Pick<ServiceRequest, 'contract' | 'path'>;

const requestFor = ({ company }: Session, beside: OptionalRequest): ServiceRequest => ({
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
export async function readOptionalList(
	session: Session,
	beside: OptionalRequest,
	shape: ListShape,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const filter = searchFilter({ searchText });
	const request = { ...requestFor(session, beside), body: { orderBy: 'CreateTime', ascending: false, filter } };
	return await readSearch(session.service, request, { limit: Infinity }, shape, { isOwnOrder: true }).then(
		({ records }) => records,
		(error: unknown) =>
			error instanceof ServiceError && error.details.cause !== 'cancelled' ? undefined : Promise.reject(asError(error)),
	);
}
