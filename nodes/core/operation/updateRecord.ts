import { isEqual, isNil, isUndefined, mapValues, mergeWith, omit, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../response/responseHandler';
import { asFormFields } from '../fields/collection';
import { InvalidInput } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import { checkChanges } from './checkChanges';
import { namesOf, type Operation, type PerformTools } from './defineOperation';
import { checkReadBack, formatFieldName } from './checkReadBack';
import { isEmpty, isMasked, isRecord, isScalar, listOf, toJson } from '../values';

/** A list of the record that an update sends whole, so that what can't be read of it would be lost. */
interface StoredList {
	/** The record's field. */
	list: string;
	/** Returns the list as the update sends it; undefined if an entry can't be read. */
	read: (value: unknown) => unknown;
}

/**
 * Where each field of an update has its present value: in the record's field of that name, in what the function takes out of
 * the record, or in a list. undefined where the record does not have it.
 */
export type Sources = Readonly<Record<string, string | StoredList | ((record: IDataObject) => unknown)>>;

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
 * Returns the texts of a stored list, which is a list or one text with commas (deployment activity, 6); empty ones have nothing to lose.
 * @returns undefined if there is no list, or an entry is no text
 */
export function readStoredTexts(value: unknown): string[] | undefined {
	const entries: unknown = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(entries) || !entries.every(isScalar)) return undefined;
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/**
 * Checks that every list that would be replaced can be read. One that is missing or null is no list, because any field of a record may
 * be that (deployment shapes, introduction), and null stands for a list without entries elsewhere (contract 2.11, 2.14).
 * @param given the fields that were given, whose stored lists are not sent
 * @param names the names of fields in the form, where they are not simply those of the record
 * @throws InvalidInput
 */
function checkLists(
	sources: Sources,
	record: IDataObject,
	given: IDataObject,
	names: Readonly<Record<string, string>>,
): void {
	const isLost = (name: string, source: Sources[string] | undefined) =>
		!(name in given) &&
		typeof source === 'object' &&
		!isNil(record[source.list]) &&
		source.read(record[source.list]) === undefined;
	const lost = Object.keys(sources).filter((name) => isLost(name, sources[name]));
	if (lost.length === 0) return;
	const labels = listOf(lost.map((name) => names[name] ?? formatFieldName(name)));
	throw new InvalidInput(
		`can't be written, because the platform shows ${labels} in a form that can't be read, such as an entry without an ID`,
		['additionalFields'],
		`Nothing was changed: the update replaces the whole list, so what can't be read would have been lost. Add ${labels} with everything that is to be in it, or make the change in the platform.`,
	);
}

/** Returns the part of a field that the update takes from the record: of a field that was given, what was merged into it. */
function readStoredPart(name: string, before: IDataObject, given: IDataObject): unknown {
	const stored: unknown = before[name];
	const value: unknown = given[name];
	if (!(name in given)) return stored;
	if (isRecord(stored) && isRecord(value)) return omit(stored, Object.keys(value));
	if (!Array.isArray(stored) || !Array.isArray(value)) return undefined;
	return value.filter((entry) => isRecord(entry) && stored.some((other) => isEqual(other, entry)));
}

/**
 * Refuses an update that would write a masked value over the real one: the platform shows the record masked, and an update
 * replaces the whole record. A value that the user enters is written unchanged.
 * @param names the fields' names in the form, where they differ from those in the record
 * @param secrets values that may look masked by chance
 * @throws InvalidInput
 */
function checkMasked(
	before: IDataObject,
	given: IDataObject,
	names: Readonly<Record<string, string>>,
	secrets: readonly string[],
): void {
	const isHidden = (value: unknown) => isMasked(value) && !secrets.some((secret) => secret === value);
	const masked = Object.keys(before).filter((name) => isHidden(readStoredPart(name, before, given)));
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
 * @throws InvalidInput if a required field was not given and has no value in the record, a list can't be read, a stored value is
 * masked, or `check` finds a mistake, before anything is changed
 * @throws ServiceError, also if a given field still has its old value afterwards
 */
export async function updateWhole(
	get: Operation | (() => Promise<IDataObject>),
	{ sources, required, check }: Whole,
	{ request, ask, send, context }: UpdateTools,
): Promise<Answered[]> {
	const { path = {}, secrets = [] } = request;
	const record = typeof get === 'function' ? get : async () => toJson((await ask(get, { path, secrets })).data);
	const given = toJson(omitBy({ ...request.body, ...request.form, ...request.additionalFields }, isUndefined));
	checkChanges(given);
	const stored = await record();
	const before = toJson(omitBy(presentValues(sources, stored), isNil));
	const whole = mergeWith({}, before, given, (_old, next: unknown) => (Array.isArray(next) ? next : undefined));
	const missing = Object.keys(required).filter((name) => !(name in given) && isEmpty(before[name]));
	if (missing.length > 0)
		throw new InvalidInput(
			`must have a value for ${listOf(missing.map((name) => required[name] ?? name))}`,
			['additionalFields'],
			'The platform replaces the whole record and shows no value for it, so nothing was changed. Add it, with the value that it has now if it is to stay.',
		);
	checkLists(sources, stored, given, required);
	checkMasked(before, given, required, secrets);
	check?.(whole);
	const asForm = () => ({ ...asFormFields(before, ['additionalFields']), ...request.form });
	const answered = await send(request.form ? { form: asForm() } : { body: whole });
	// The update has landed: that it cannot be read back must not make it fail.
	const after = await record().then(
		(changed) => presentValues(sources, changed),
		() => undefined,
	);
	if (after) checkReadBack({ before, after, whole, changedNames: Object.keys(given), secrets }, required, context.hint);
	else
		context.hint(
			'The update was sent, but the record could not be read afterwards, so nothing shows whether it was saved.',
		);
	return answered.map((each) => ({ ...each, json: { ...namesOf(whole), ...each.json } }));
}

const presentValues = (sources: Sources, record: IDataObject): Record<string, unknown> =>
	mapValues(sources, (source) => {
		if (typeof source === 'string') return record[source];
		return typeof source === 'function' ? source(record) : source.read(record[source.list]);
	});
