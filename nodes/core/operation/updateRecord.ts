import { isEqual, isNil, isUndefined, mapValues, mergeWith, omit, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem } from '../response/responseHandler';
import { toMultipartFields } from '../fields/collection';
import { InvalidInputError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import { rejectEmptyUpdate } from './rejectEmptyUpdate';
import { pickSentNames, type Operation, type PerformTools } from './defineOperation';
import { verifyUpdate, formatFieldName } from './verifyUpdate';
import { isEmpty, isMasked, isRecord, isScalar, formatList, toItemJson } from '../values';

/** A stored list that an update replaces as a whole. An entry that can't be read would be lost. */
interface StoredList {
	/** The name of the record's field with the list. */
	fieldName: string;
	/** Converts the list to the form in which the update sends it. Returns undefined if an entry can't be read. */
	read: (value: unknown) => unknown;
}

/**
 * Maps each field of an update to the source of its current value: the name of a field of the record, a stored list, or a function
 * that reads the value from the record. The value is undefined if the record doesn't have it.
 */
export type FieldSources = Readonly<Record<string, string | StoredList | ((record: IDataObject) => unknown)>>;

/** The labels of fields in the form, by the names of the fields in the record. */
type FieldLabels = Readonly<Record<string, string>>;

/** How to update one kind of record. */
interface RecordUpdate {
	/** The sources of all fields of the update, except those that only a user can enter, such as a file. */
	valueSources: FieldSources;
	/** The fields that the platform requires, each with its label in the form. */
	requiredFields: FieldLabels;
	/** Checks the values of the new record in combination. @throws InvalidInputError */
	check?: (newRecord: IDataObject) => void;
}

/** The tools of an update, and the request with the values that the user entered. */
export interface UpdateTools extends Pick<PerformTools, 'callOperation' | 'send' | 'context'> {
	request: Pick<ApiRequest, 'path' | 'body' | 'multipart' | 'additionalFields' | 'secrets'>;
}

/**
 * Reads a stored list of texts. The platform sends it as a list, or as one text with commas (deployment activity 6). Empty texts are
 * left out.
 * @returns undefined if the value isn't a list, or an entry isn't a text
 */
export function readStoredTexts(value: unknown): string[] | undefined {
	const entries: unknown = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(entries) || !entries.every(isScalar)) return undefined;
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** Returns the label of a field in the form. A field without one gets a label that is derived from its name. */
const getFieldLabel = (labels: FieldLabels, name: string) => labels[name] ?? formatFieldName(name);

/** Checks that every required field has a value: in the stored record or among the changes. @throws InvalidInputError */
function checkRequiredFields(requiredFields: FieldLabels, before: IDataObject, changes: IDataObject): void {
	const missingNames = Object.keys(requiredFields).filter((name) => !(name in changes) && isEmpty(before[name]));
	if (missingNames.length === 0) return;
	throw new InvalidInputError(
		`must have a value for ${formatList(missingNames.map((name) => requiredFields[name] ?? name))}`,
		['additionalFields'],
		'The platform replaces the whole record and shows no value for it, so nothing was changed. Add it, with the value that it has now if it is to stay.',
	);
}

/**
 * Checks that every list that the update sends back can be read. A missing list and null are allowed, because any field of a record
 * may be missing or null (deployment shapes, "How to read this file"), and null means an empty list elsewhere (contract 2.11, 2.14).
 * @param changes the fields that the user entered. They replace the stored lists, which then need not be readable.
 * @throws InvalidInputError
 */
function checkListsAreReadable(
	valueSources: FieldSources,
	record: IDataObject,
	changes: IDataObject,
	labels: FieldLabels,
): void {
	const isUnreadable = (name: string, source: FieldSources[string] | undefined) =>
		!(name in changes) &&
		typeof source === 'object' &&
		!isNil(record[source.fieldName]) &&
		source.read(record[source.fieldName]) === undefined;
	const unreadableNames = Object.keys(valueSources).filter((name) => isUnreadable(name, valueSources[name]));
	if (unreadableNames.length === 0) return;
	const lists = formatList(unreadableNames.map((name) => getFieldLabel(labels, name)));
	throw new InvalidInputError(
		`can't be written, because the platform shows ${lists} in a form that can't be read, such as an entry without an ID`,
		['additionalFields'],
		`Nothing was changed: the update replaces the whole list, so what can't be read would have been lost. Add ${lists} with everything that is to be in it, or make the change in the platform.`,
	);
}

/** Returns the part of a field's stored value that the update sends back: all of it, or the part that the changes don't replace. */
function readStoredPart(name: string, before: IDataObject, changes: IDataObject): unknown {
	const stored: unknown = before[name];
	const change: unknown = changes[name];
	if (!(name in changes)) return stored;
	if (isRecord(stored) && isRecord(change)) return omit(stored, Object.keys(change));
	if (!Array.isArray(stored) || !Array.isArray(change)) return undefined;
	return change.filter((entry) => isRecord(entry) && stored.some((storedEntry) => isEqual(storedEntry, entry)));
}

/**
 * Rejects an update that would write a masked value over the real one: the platform shows the record masked, and an update
 * replaces the whole record. A value that the user enters is written unchanged.
 * @param secrets secrets that the user entered. One of them may look like a masked value by chance.
 * @throws InvalidInputError
 */
function rejectMaskedValues(
	before: IDataObject,
	changes: IDataObject,
	labels: FieldLabels,
	secrets: readonly string[],
): void {
	const hasMaskedValue = (name: string) => {
		const value = readStoredPart(name, before, changes);
		return isMasked(value) && !secrets.some((secret) => secret === value);
	};
	const maskedNames = Object.keys(before).filter(hasMaskedValue);
	if (maskedNames.length === 0) return;
	throw new InvalidInputError(
		`can't be written, because the platform masks ${formatList(maskedNames.map((name) => getFieldLabel(labels, name)))}`,
		['additionalFields'],
		'Nothing was changed: the update would replace the real values with masked ones such as a****m. Add these fields with their real values, or make the change in the platform.',
	);
}

/** Reads the current value of each field of an update from the record. */
const readCurrentValues = (valueSources: FieldSources, record: IDataObject): Record<string, unknown> =>
	mapValues(valueSources, (source) => {
		if (typeof source === 'string') return record[source];
		return typeof source === 'function' ? source(record) : source.read(record[source.fieldName]);
	});

/** Puts the changes into the stored record. Objects are merged field by field, and lists are replaced. */
const mergeChanges = (before: IDataObject, changes: IDataObject): IDataObject =>
	mergeWith({}, before, changes, (_before, change: unknown) => (Array.isArray(change) ? change : undefined));

/**
 * Sends an update that replaces the whole record (deployment behaviour 3). It reads the record, puts the user's changes into it, sends
 * the result, and reads the record again. Fields without a value are left out. A hint names the fields that changed although the user
 * didn't change them.
 * @param getOperation the operation that reads the record, with the same path as the update, or a function that finds the record
 * @throws InvalidInputError before anything is changed, if a required field has no value, a stored list can't be read, a stored value
 * is masked, or `check` finds a mistake
 * @throws RequestError, also if a field still has its old value after the update
 */
export async function updateRecord(
	getOperation: Operation | (() => Promise<IDataObject>),
	{ valueSources, requiredFields, check }: RecordUpdate,
	{ request, callOperation, send, context }: UpdateTools,
): Promise<ResultItem[]> {
	const { path = {}, secrets = [] } = request;
	const readRecord =
		typeof getOperation === 'function'
			? getOperation
			: async () => toItemJson((await callOperation(getOperation, { path, secrets })).data);

	const changes = toItemJson(
		omitBy({ ...request.body, ...request.multipart, ...request.additionalFields }, isUndefined),
	);
	rejectEmptyUpdate(changes);

	const record = await readRecord();
	const before = toItemJson(omitBy(readCurrentValues(valueSources, record), isNil));
	const newRecord = mergeChanges(before, changes);
	checkRequiredFields(requiredFields, before, changes);
	checkListsAreReadable(valueSources, record, changes, requiredFields);
	rejectMaskedValues(before, changes, requiredFields, secrets);
	check?.(newRecord);

	const results = request.multipart
		? await send({ multipart: { ...toMultipartFields(before, ['additionalFields']), ...request.multipart } })
		: await send({ body: newRecord });

	// The update has been carried out, so it must not fail because the record can't be read again.
	const after = await readRecord().then(
		(updatedRecord) => readCurrentValues(valueSources, updatedRecord),
		() => undefined,
	);
	if (after) {
		const changedNames = Object.keys(changes);
		verifyUpdate({ before, after, sentRecord: newRecord, changedNames, secrets }, requiredFields, context.addHint);
	} else {
		context.addHint(
			'The update was sent, but the record could not be read afterwards, so nothing shows whether it was saved.',
		);
	}
	return results.map((result) => ({ ...result, json: { ...pickSentNames(newRecord), ...result.json } }));
}
