import { isEqual, isNil, isUndefined, mapValues, mergeWith, omit, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem } from '../response/responseHandler';
import { toMultipartFields } from '../fields/collection';
import { useKnownNames } from '../fields/jsonFields';
import { InvalidInputError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import { rejectEmptyUpdate } from './rejectEmptyUpdate';
import type { Operation, PerformHelpers } from './defineOperation';
import { pickNameAndEmail } from './identityFields';
import { verifyUpdate, formatFieldName } from './verifyUpdate';
import { isEmpty, isMasked, isRecord, isScalar, formatList, toItemJson } from '../values';

/** A stored list that an update replaces as a whole. An entry that can't be read would be lost. */
interface StoredList {
	/** The name of the record's field that contains the list. */
	fieldName: string;
	/** Converts the list to the format in which the update sends it. Returns undefined if an entry can't be read. */
	read: (value: unknown) => unknown;
}

/**
 * Maps each field of an update request to the source of its current value: the name of a field in the record, a stored list, or a
 * function that reads the value from the record. The value is undefined if the record doesn't contain it.
 */
export type CurrentValueSources = Readonly<Record<string, string | StoredList | ((record: IDataObject) => unknown)>>;

/** The labels of the form's inputs, by the names of the record's fields that they change. */
type FieldLabels = Readonly<Record<string, string>>;

/** How to update one kind of record. */
interface RecordUpdate {
	/** The sources for all fields of the update request, except those that only a user can enter, such as a file. */
	currentValueSources: CurrentValueSources;
	/** The fields of the update request that the platform requires, each with its label in the form. */
	requiredFields: FieldLabels;
	/** Checks that the values of the new record fit together. @throws InvalidInputError */
	check?: (newRecord: IDataObject) => void;
}

/** The functions that an update uses, and the request with the values that the user entered. */
export interface UpdateHelpers extends Pick<PerformHelpers, 'callOperation' | 'send' | 'context'> {
	request: Pick<ApiRequest, 'path' | 'body' | 'multipart' | 'secrets'>;
}

/**
 * Reads a stored list of texts. The platform sends such a list as an array, or as one text with commas (deployment activity 6). Empty
 * texts are left out.
 * @returns undefined if the value isn't a list, or an entry isn't a text
 */
export function readStoredTexts(value: unknown): string[] | undefined {
	const entries: unknown = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(entries) || !entries.every(isScalar)) return undefined;
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** Returns the label that a record's field has in the form. A field without a label gets one that is derived from its name. */
const getFieldLabel = (labels: FieldLabels, name: string) => labels[name] ?? formatFieldName(name);

/** Checks that every required field has a value: in the stored record or among the changes. @throws InvalidInputError */
function checkRequiredFields(requiredFields: FieldLabels, storedValues: IDataObject, changes: IDataObject): void {
	const missingNames = Object.keys(requiredFields).filter((name) => !(name in changes) && isEmpty(storedValues[name]));
	if (missingNames.length === 0) return;
	throw new InvalidInputError(
		`must have a value for ${formatList(missingNames.map((name) => requiredFields[name] ?? name))}`,
		['additionalFields'],
		'Nothing was changed, because the update replaces the whole record, and the platform shows no value here. Enter the value, even if it stays the same.',
	);
}

/**
 * Checks that every list that the update sends back can be read. A list may be missing or null, because any field of a record may be
 * missing or null (deployment shapes, "How to read this file"), and because the contract uses null for an empty list (contract 2.11,
 * 2.14).
 * @param changes the values that the user entered. A stored list that they replace need not be readable.
 * @throws InvalidInputError
 */
function checkListsAreReadable(
	currentValueSources: CurrentValueSources,
	record: IDataObject,
	changes: IDataObject,
	labels: FieldLabels,
): void {
	const isUnreadable = (name: string, source: CurrentValueSources[string] | undefined) =>
		!(name in changes) &&
		typeof source === 'object' &&
		!isNil(record[source.fieldName]) &&
		source.read(record[source.fieldName]) === undefined;
	const unreadableNames = Object.keys(currentValueSources).filter((name) =>
		isUnreadable(name, currentValueSources[name]),
	);
	if (unreadableNames.length === 0) return;
	const listLabels = formatList(unreadableNames.map((name) => getFieldLabel(labels, name)));
	throw new InvalidInputError(
		`can't be written, because the platform shows ${listLabels} in a form that can't be read, such as an entry without an ID`,
		['additionalFields'],
		`Nothing was changed, because the update replaces the whole list, and entries that can't be read would be lost. Enter all entries of ${listLabels}, or make the change in the platform.`,
	);
}

/**
 * Returns the part of a field's stored value that the update sends back unchanged: all of it, or the rest that the changes don't replace.
 */
function getUnchangedPart(name: string, storedValues: IDataObject, changes: IDataObject): unknown {
	const storedValue: unknown = storedValues[name];
	const change: unknown = changes[name];
	if (!(name in changes)) return storedValue;
	if (isRecord(storedValue) && isRecord(change)) return omit(storedValue, Object.keys(change));
	if (!Array.isArray(storedValue) || !Array.isArray(change)) return undefined;
	return change.filter((entry) => isRecord(entry) && storedValue.some((storedEntry) => isEqual(storedEntry, entry)));
}

/**
 * Rejects an update that would replace a real value with a masked one. The platform may show a value masked, and the update sends the
 * whole record back. A new value that the user enters isn't checked.
 * @param secrets the secrets that the user entered. They are not checked, because one of them may look like a masked value by chance.
 * @throws InvalidInputError
 */
function rejectMaskedValues(
	storedValues: IDataObject,
	changes: IDataObject,
	labels: FieldLabels,
	secrets: readonly string[],
): void {
	const hasMaskedValue = (name: string) => {
		const value = getUnchangedPart(name, storedValues, changes);
		return isMasked(value) && !secrets.some((secret) => secret === value);
	};
	const maskedNames = Object.keys(storedValues).filter(hasMaskedValue);
	if (maskedNames.length === 0) return;
	throw new InvalidInputError(
		`can't be written, because the platform masks ${formatList(maskedNames.map((name) => getFieldLabel(labels, name)))}`,
		['additionalFields'],
		'Nothing was changed, because the update would replace the real values with masked ones, such as a****m. Enter the real values of these fields, or make the change in the platform.',
	);
}

/** Reads the current value of each field of an update request from the record. */
const readCurrentValues = (currentValueSources: CurrentValueSources, record: IDataObject): Record<string, unknown> =>
	mapValues(currentValueSources, (source) => {
		if (typeof source === 'string') return record[source];
		return typeof source === 'function' ? source(record) : source.read(record[source.fieldName]);
	});

/** Merges the changes into the stored values. Objects are merged field by field, and lists are replaced as a whole. */
const mergeChanges = (storedValues: IDataObject, changes: IDataObject): IDataObject =>
	mergeWith({}, storedValues, changes, (_storedValue, change: unknown) => (Array.isArray(change) ? change : undefined));

/**
 * Updates a record. The platform replaces the whole record in each update (deployment behaviour 3). So this function reads the record,
 * merges the user's changes into it, sends the result, and reads the record again. Fields without a value are not sent. A hint names
 * the fields that the platform changed although the user didn't.
 * @param recordSource a function that reads the record, or the operation that reads it. The operation gets the path parameters of the
 * update.
 * @throws InvalidInputError before anything is changed, if a required field has no value, a stored list can't be read, a stored value
 * is masked, or `check` finds a mistake
 * @throws RequestError if a request fails, or if a field still has its old value after the update
 */
export async function updateRecord(
	recordSource: Operation | (() => Promise<IDataObject>),
	{ currentValueSources, requiredFields, check }: RecordUpdate,
	{ request, callOperation, send, context }: UpdateHelpers,
): Promise<ResultItem[]> {
	const { path = {}, secrets = [] } = request;
	const readRecord =
		typeof recordSource === 'function'
			? recordSource
			: async () => toItemJson((await callOperation(recordSource, { path, secrets })).data);

	const updateNames = Object.keys(currentValueSources);
	const body = useKnownNames(request.body ?? {}, updateNames);
	const multipart = request.multipart && useKnownNames(request.multipart, updateNames);
	const changes = toItemJson(omitBy({ ...body, ...multipart }, isUndefined));
	rejectEmptyUpdate(changes);

	const record = await readRecord();
	const storedValues = toItemJson(omitBy(readCurrentValues(currentValueSources, record), isNil));
	const newRecord = mergeChanges(storedValues, changes);
	checkRequiredFields(requiredFields, storedValues, changes);
	checkListsAreReadable(currentValueSources, record, changes, requiredFields);
	rejectMaskedValues(storedValues, changes, requiredFields, secrets);
	check?.(newRecord);

	// `send` adds to the fields of the request, so those that were renamed are removed from it.
	const renamedFields = mapValues(omit(request.body, Object.keys(body)), () => undefined);
	const results = multipart
		? await send({ multipart: { ...toMultipartFields(storedValues, ['additionalFields']), ...multipart } })
		: await send({ body: { ...renamedFields, ...newRecord } });

	// The update has already been carried out. A record that can't be read again must not make it fail.
	const valuesAfter = await readRecord().then(
		(updatedRecord) => readCurrentValues(currentValueSources, updatedRecord),
		() => undefined,
	);
	if (valuesAfter) {
		const changedNames = Object.keys(changes);
		verifyUpdate(
			{ valuesBefore: storedValues, valuesAfter, sentValues: newRecord, changedNames, secrets },
			requiredFields,
			context.addHint,
		);
	} else {
		context.addHint(
			'The update was sent, but the node could not read the record afterwards. Check in the platform whether the values were saved.',
		);
	}
	return results.map((result) => ({ ...result, json: { ...pickNameAndEmail(newRecord), ...result.json } }));
}
