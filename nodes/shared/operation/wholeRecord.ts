import { isNil, isUndefined, mapValues, mergeWith, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../answer/answer';
import { asFormFields } from '../form/collection';
import { InvalidInput } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { checkChanges } from './checkChanges';
import { namesOf, type Operation, type PerformTools } from './operation';
import { checkReadBack, formatFieldName } from './readBack';
import { isEmpty, isMasked, listOf, toJson } from '../values';

/**
 * Where each field of an update has its present value: in the record's field of that name, or in what the function takes out of
 * the record. undefined where the record does not have it.
 */
export type Sources = Readonly<Record<string, string | ((record: IDataObject) => unknown)>>;

interface Whole {
	/** All its fields but those that only a person can give, such as a file. */
	sources: Sources;
	/** Those without which the service refuses it, each with its name in the form. */
	required: Readonly<Record<string, string>>;
	/** Checks the values of the whole record against each other. @throws InvalidInput */
	check?: (whole: IDataObject) => void;
}

/** What an update is sent with: the tools of its operation, or those of a composite, and what was given. */
export interface UpdateTools extends Pick<PerformTools, 'ask' | 'send' | 'context'> {
	request: Pick<ServiceRequest, 'path' | 'body' | 'form' | 'additionalFields' | 'secrets'>;
}

/**
 * Refuses an update that would write a masked value over the real one: the platform shows the record masked, and an update
 * replaces the whole record.
 * @param names the fields' names in the form, where they differ from those in the record
 * @param secrets values that may look masked by chance
 * @throws InvalidInput
 */
function checkMasked(whole: IDataObject, names: Readonly<Record<string, string>>, secrets: readonly string[]): void {
	const isHidden = (value: unknown) => isMasked(value) && !secrets.some((secret) => secret === value);
	const masked = Object.keys(whole).filter((name) => isHidden(whole[name]));
	if (masked.length === 0) return;
	throw new InvalidInput(
		`can't be written, because the platform masks ${listOf(masked.map((name) => names[name] ?? formatFieldName(name)))}`,
		['additionalFields'],
		'Nothing was changed: the update would replace the real values with masked ones such as a****m. Add these fields with their real values, or make the change in the platform.',
	);
}

/**
 * Sends an update that replaces the whole record (deployment behaviour, 3): reads the record, puts the given values in, sends
 * all, and reads it back. Fields without a value are left out. A hint names every field that changed without being asked for.
 * @param get the operation that reads the record, with the same path, or what finds it where there is none
 * @throws InvalidInput if a required field was not given and has no value in the record, a value is masked, or `check` finds a
 * mistake, before anything is changed
 * @throws ServiceError, also if a given field still has its old value afterwards
 */
export async function updateWhole(
	get: Operation | (() => Promise<IDataObject>),
	{ sources, required, check }: Whole,
	{ request, ask, send, context }: UpdateTools,
): Promise<Answered[]> {
	const { path = {}, secrets = [] } = request;
	const record = typeof get === 'function' ? get : async () => toJson((await ask(get, { path, secrets })).data);
	const read = async () => presentValues(sources, await record());
	const given = toJson(omitBy({ ...request.body, ...request.form, ...request.additionalFields }, isUndefined));
	checkChanges(given);
	const before = toJson(omitBy(await read(), isNil));
	const whole = mergeWith({}, before, given, (_old, next: unknown) => (Array.isArray(next) ? next : undefined));
	const missing = Object.keys(required).filter((name) => !(name in given) && isEmpty(before[name]));
	if (missing.length > 0)
		throw new InvalidInput(
			`must have a value for ${listOf(missing.map((name) => required[name] ?? name))}`,
			['additionalFields'],
			'The platform replaces the whole record and shows no value for it, so nothing was changed. Add it, with the value that it has now if it is to stay.',
		);
	checkMasked(whole, required, secrets);
	check?.(whole);
	const asForm = () => ({ ...asFormFields(before, ['additionalFields']), ...request.form });
	const answered = await send(request.form ? { form: asForm() } : { body: whole });
	// The update has landed: that it cannot be read back must not make it fail.
	const after = await read().catch(() => undefined);
	if (after) checkReadBack({ before, after, whole, changedNames: Object.keys(given), secrets }, required, context.hint);
	else
		context.hint(
			'The update was sent, but the record could not be read afterwards, so nothing shows whether it was saved.',
		);
	return answered.map((each) => ({ ...each, json: { ...namesOf(whole), ...each.json } }));
}

const presentValues = (sources: Sources, record: IDataObject): Record<string, unknown> =>
	mapValues(sources, (source) => (typeof source === 'string' ? record[source] : source(record)));
