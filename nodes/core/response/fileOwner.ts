import type { IDataObject } from 'n8n-workflow';

import { isStop, rethrow } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import { toJson } from '../values';
import type { OperationContext } from './responseHandler';

/** One thing of a company that something is of, such as a job or an enrollment. */
export interface Subject {
	id: string;
	/** As it was chosen; empty where only the ID is known. */
	name: string;
	/** Which of several things of that name: "job 2". */
	part?: string;
	/** What an item calls its name: "enrollmentName". */
	as: string;
	/** Whether an input item is about it. */
	isOf: (input: IDataObject) => boolean;
	/** Its name in such an item, and in its own record. */
	nameIn: (record: IDataObject) => string | undefined;
	/** What reads its record. */
	request: Pick<ServiceRequest, 'endpoint' | 'path'>;
}

/**
 * Tells what a thing is called: as a person chose it; as the input item of the same thing says; or else by one request.
 * @returns empty where the service does not tell it, which is not worth a failure
 * @throws ServiceError when the run was stopped
 */
export async function nameOfSubject(
	{ name, isOf, nameIn, request }: Subject,
	{ input, service, company, signal }: OperationContext,
): Promise<string> {
	const known = name || (isOf(input) ? nameIn(input) : undefined);
	if (known) return known;
	return await service.json({ ...request, purpose: 'read the name', company, signal }).then(
		({ data }) => nameIn(toJson(data)) ?? '',
		async (error: unknown) => (isStop(error) ? await rethrow(error) : ''),
	);
}
