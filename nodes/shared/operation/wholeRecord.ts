import { isEqual, isNil, mapValues, mergeWith, omitBy, startCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../answer/answer';
import { asFormFields } from '../form/collection';
import { toJson } from '../transport/envelope';
import { InvalidInput } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { listOf } from '../transport/text';
import type { Operation, PerformTools } from './operation';

/**
 * Where each field of an update has its present value: in the record's field of that name, or in what the function takes out of
 * the record. undefined where the record does not have it.
 */
export type Sources = Readonly<Record<string, string | ((record: IDataObject) => unknown)>>;

/** What an update is sent with: the tools of its operation, or those of a composite, and what was given. */
export interface UpdateTools extends Pick<PerformTools, 'ask' | 'send' | 'context'> {
	request: Pick<ServiceRequest, 'path' | 'body' | 'form' | 'more'>;
}

/**
 * Sends an update that replaces the whole record (deployment behaviour, 3): reads the record, puts the given values in, sends
 * all, and reads it back. What changed without being asked for is said in a hint.
 * @param get the operation that reads the record, with the same path, or what finds it where there is none
 * @param sources all fields of the update but those that only a person can give, such as a file
 * @throws InvalidInput if a field was not given and the record does not have it, before anything is changed
 * @throws ServiceError
 */
export async function updateWhole(
	get: Operation | (() => Promise<IDataObject>),
	sources: Sources,
	{ request, ask, send, context }: UpdateTools,
): Promise<Answered[]> {
	const record =
		typeof get === 'function' ? get : async () => toJson((await ask(get, { path: request.path ?? {} })).data);
	const read = async () => presentValues(sources, await record());
	const given = { ...request.body, ...request.form, ...request.more };
	const before = await read();
	const whole = mergeWith({}, before, given, (_old, next: unknown) => (Array.isArray(next) ? next : undefined));
	const unknown = Object.keys(sources).filter((name) => whole[name] === undefined);
	if (unknown.length > 0)
		throw new InvalidInput(
			`must have a value for ${listOf(unknown.map(startCase))}`,
			['additionalFields'],
			'The platform replaces the whole record and does not show what is there now, so nothing was changed. Add it, with the value that it has now if it is to stay.',
		);
	// A form cannot hold null, and a field that is left out is empty in a whole record.
	const asForm = () => ({ ...asFormFields(omitBy(before, isNil), ['additionalFields']), ...request.form });
	const answered = await send(request.form ? { form: asForm() } : { body: whole });
	// The update has landed: that it cannot be read back must not make it fail.
	const after = await read().catch(() => undefined);
	const changed = Object.keys(sources).filter(
		(name) => after && given[name] === undefined && !isEqual(after[name], before[name]),
	);
	if (changed.length > 0)
		context.hint(
			`The platform changed more than was asked for: ${listOf(changed.map(startCase))}. Look at the record.`,
		);
	return answered;
}

const presentValues = (sources: Sources, record: IDataObject): Record<string, unknown> =>
	mapValues(sources, (source) => (typeof source === 'string' ? record[source] : source(record)));
