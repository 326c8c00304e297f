import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../answer/answer';
import { readSearch, type ListShape } from '../answer/search';
import { searchFilter } from '../form/search';
import { rethrow, ServiceError } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';

/**
 * Reads a list that only some deployments have, newest first. The operation is already carried out when it reads this list,
 * so a failure here is not a failure of the operation.
 * @returns undefined if the deployment has no such list, or it could not be read
 * @throws ServiceError only when the run was stopped
 */
export async function readOptionalList(
	{ service, company }: Session,
	request: Pick<ServiceRequest, 'contract' | 'path'>,
	shape: ListShape,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const search: ServiceRequest = {
		...request,
		...{ repeatable: true, purpose: 'look it up' },
		...(company ? { company } : {}),
		body: { orderBy: 'CreateTime', ascending: false, filter: searchFilter({ searchText }) },
	};
	return await readSearch(service, search, { limit: Infinity }, shape, { isOwnOrder: true }).then(
		({ records }) => records,
		async (error: unknown) =>
			error instanceof ServiceError && error.details.cause !== 'cancelled' ? undefined : await rethrow(error),
	);
}
