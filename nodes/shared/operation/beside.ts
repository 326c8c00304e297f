import type { IDataObject } from 'n8n-workflow';

import type { Session } from '../answer/answer';
import type { ListShape } from '../answer/paging';
import { readSearch } from '../answer/search';
import { ServiceProblem } from '../transport/problem';
import type { ServiceRequest } from '../transport/request';

/** A request beside the operation's own, for what only some deployments have. */
export type Beside = Pick<ServiceRequest, 'contract' | 'path' | 'body' | 'query'>;

const requestFor = ({ company }: Session, beside: Beside): ServiceRequest => ({
	...beside,
	repeatable: true,
	purpose: 'look it up',
	...(company ? { company } : {}),
});

async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ServiceProblem && error.facts.cause !== 'cancelled') return undefined;
		return await Promise.reject(error);
	}
}

/**
 * Asks for what only some deployments have: an operation is as good without it, so no failure of it is one of the
 * operation's. A run that was stopped is stopped here as well.
 * @returns the answer's data; undefined where there is none to be had
 */
export async function askBeside(session: Session, beside: Beside): Promise<unknown> {
	return await orNothing(async () => (await session.service.json(requestFor(session, beside))).data);
}

/** A whole list of the same kind. @returns undefined where there is no such list */
export async function listBeside(session: Session, beside: Beside, shape: ListShape, searchText = ''): Promise<IDataObject[] | undefined> {
	const filter = { Condition: 'AND', SearchInputTextValue: searchText, FilterGroups: [] };
	const request = { ...requestFor(session, beside), body: { orderBy: 'CreateTime', ascending: false, filter } };
	return await orNothing(async () => (await readSearch(session.service, request, { limit: Infinity }, shape, { isOwnOrder: true })).records);
}
