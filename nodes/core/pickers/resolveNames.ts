import { lowerFirst, uniq } from 'lodash';

import { cleanIfEmailAddress, isEmailAddress, normalizeEmailAddress } from '../fields/contact';
import type { PickerContext } from '../fields/field';
import { readLocatorValue } from '../fields/fieldTypes';
import { InvalidInputError, toError } from '../http/errors';
import { isGuid, isLikelyId, parseId, parseIdOrName } from '../http/resourceId';
import { parseEntry } from './entryText';
import { readChosenName, unescapeLabel } from './labels';
import { BY_NAME_MODE, readFormText } from './listSource';
import {
	findCustomerOfEntry,
	getPlatformName,
	getRootFieldName,
	readCachedList,
	type CachedList,
	type LookupList,
} from './lookupList';
import { formatCount, formatList, isEmpty, isMasked, isRecord, normalizeText, toPlural, type Choice } from '../values';

/**
 * Returns true if an entry can come from the list of another customer than the one that the operation runs for. This is possible if one of
 * the form fields that decide which list is read has an expression.
 */
const canBeFromOtherList = ({ source }: LookupList, { hasExpression }: PickerContext): boolean =>
	(source.dependsOn ?? []).some((path) => hasExpression?.(getRootFieldName(path)) === true);

/**
 * Converts names, IDs and entries of a list to record IDs of the company that the operation runs for:
 * - A GUID is always used as an ID.
 * - An entry contains the ID. If it can come from another customer's list, it is looked up: first by its ID, then by its name.
 * - Any other text is looked up: first as a name (see `indexByName`), then as an ID.
 * @throws InvalidInputError if a name has no match or several matches; RequestError
 */
export async function resolveIds(
	texts: readonly string[],
	lookupList: LookupList,
	context: PickerContext,
): Promise<string[]> {
	const shouldCheckEntries = canBeFromOtherList(lookupList, context);
	const ids: string[] = [];
	for (const text of texts) {
		const entry = parseEntry(text);
		if (entry) {
			const checkedEntry = shouldCheckEntries ? await lookUpEntry(entry, lookupList, context, 'has') : entry;
			ids.push(checkedEntry.id);
		} else {
			const match = await findEnteredRecord(text, 'nameOrId', lookupList, context, 'has');
			ids.push(match?.id ?? text);
		}
	}
	return [...new Set(ids)];
}

/** How the user entered a record: by its name, by its ID, or by a text that may be one or the other. */
type EntryKind = 'name' | 'id' | 'nameOrId';

/**
 * Finds the record that is entered in a resource locator, at the company that the operation runs for. *By ID* also accepts a name, because
 * an AI model that fills in the field always saves this mode (n8n 16).
 * @returns a resource locator with the ID and the name of the record, or `raw` itself if it already has the ID
 * @throws InvalidInputError if no record or more than one record has the name; RequestError
 */
export async function resolveLocator(raw: unknown, lookupList: LookupList, context: PickerContext): Promise<unknown> {
	if (isChosenFromList(raw)) return await resolveChosenEntry(raw, lookupList, context);
	const value = readLocatorValue(raw);
	if (isEmpty(value)) return raw;
	const text = cleanIfEmailAddress(parseIdOrName(value));
	const record = await findEnteredRecord(text, readEntryKind(raw), lookupList, context, 'is');
	return record === undefined ? raw : createChosenLocator(record);
}

/** Creates the value that n8n saves if the user selects an entry from the list. */
export const createChosenLocator = ({ id, name }: Choice) => ({
	__rl: true,
	mode: 'list',
	value: id,
	cachedResultName: name,
});

/**
 * Reads the ID of the record that is entered in another form field, on which a list depends. While the operation runs, names have already
 * been replaced by IDs. In the editor, they are looked up here.
 * @param label the label of that field, for the error
 * @throws InvalidInputError if that field is empty, or if its name can't be found; RequestError
 */
export async function readFormRecordId(
	context: PickerContext,
	fieldName: string,
	label: string,
	lookupList: LookupList,
): Promise<string> {
	readFormText(context, fieldName, label, 'a name or an ID');
	const raw = context.parameters[fieldName];
	try {
		const resolvedValue = isChosenFromList(raw) ? raw : await resolveLocator(raw, lookupList, context);
		return parseId(readLocatorValue(resolvedValue));
	} catch (error) {
		throw toError(error instanceof InvalidInputError ? error.prependPath(label) : error);
	}
}

/** Returns true for a resource locator whose entry was selected from the list. */
export const isChosenFromList = (raw: unknown): raw is Record<string, unknown> => isRecord(raw) && raw.mode === 'list';

function readEntryKind(raw: unknown): EntryKind {
	if (!isRecord(raw)) return 'nameOrId';
	if (raw.mode === BY_NAME_MODE) return 'name';
	return raw.mode === 'id' ? 'id' : 'nameOrId';
}

/** Replaces the ID of an entry that the user selected from the list, if it is the list of another company (see `lookUpEntry`). */
async function resolveChosenEntry(
	raw: Record<string, unknown>,
	lookupList: LookupList,
	context: PickerContext,
): Promise<unknown> {
	const name = readChosenName(raw);
	if (typeof raw.value !== 'string' || name === '' || !canBeFromOtherList(lookupList, context)) return raw;
	const chosenId = unescapeLabel(raw.value);
	const { id } = await lookUpEntry({ id: chosenId, name }, lookupList, context, 'is');
	return id === chosenId ? raw : { ...raw, value: id };
}

/**
 * Finds the record that a text names: first by the name (see `indexByName`), then by the ID. An ID that the user entered as such is only
 * looked up if it doesn't have the usual format, and a name that is equal to it doesn't count.
 * @returns undefined if the text is used as an ID
 * @throws InvalidInputError if the text can't be an ID, and no record or more than one record has the name; RequestError
 */
async function findEnteredRecord(
	text: string,
	kind: EntryKind,
	lookupList: LookupList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<Choice | undefined> {
	if (isGuid(text) || (kind === 'id' && isLikelyId(text))) return undefined;
	const { acceptsOtherValues = false, additionalWords = [], isId } = lookupList;
	if (isId?.(text) === true) return undefined;
	const list = await readListWithText(text, lookupList, context, verb);
	// Without a list, names can't be looked up. A text that looks like an ID is therefore used as an ID.
	if (list.isMissingOnPlatform && kind === 'nameOrId' && /^[\w.-]+$/.test(text)) return undefined;
	const entryWithId = list.entriesById.get(text);
	if (kind === 'id' && entryWithId) return entryWithId;
	const match = (await findEntryByName(text, list, lookupList, context, verb)) ?? entryWithId;
	if (match) return match;
	if (kind !== 'name' && acceptsOtherValues) return undefined;
	if (additionalWords.some((word) => normalizeText(word) === normalizeText(text))) return undefined;
	if (kind === 'id' && canBeId(text)) return undefined;
	throw await createNoMatchError(`${verb} '${text}'`, list, lookupList, context);
}

/** Returns true if a text has no character that an ID can't have (see `parseId`). */
const canBeId = (text: string) => !/[\s@/\\?#]/.test(text);

/**
 * Reads the list in which a text is looked up. For the email address of one person, it first reads only what the platform finds for the
 * address, because a list of people can be long. If that isn't the person, it reads the whole list.
 */
async function readListWithText(
	text: string,
	lookupList: LookupList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<CachedList> {
	if (verb === 'is' && isEmailAddress(text)) {
		const matches = await readCachedList(lookupList, context, text);
		if (matches.isComplete && matches.findByName(text).length > 0) return matches;
	}
	return await readCachedList(lookupList, context);
}

/** Finds an entry that can come from another customer's list: first by the entry's ID, then by its name. */
async function lookUpEntry(
	entry: Choice,
	lookupList: LookupList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<Choice> {
	const { id, name } = entry;
	const list = await readCachedList(lookupList, context);
	if (list.isMissingOnPlatform || list.entriesById.has(id)) return entry;
	const match = await findEntryByName(name, list, lookupList, context, verb);
	if (match !== undefined) return match;
	const customer = await findCustomerOfEntry(id, lookupList, context);
	const origin = customer === undefined ? "another customer's list" : `the list of '${customer}'`;
	throw await createNoMatchError(`${verb} '${name}', which was selected from ${origin}`, list, lookupList, context);
}

/** The first word of an error message after the field's label: a multi-select field "has" an entry, a resource locator "is" an entry. */
type ErrorVerb = 'has' | 'is';

/** Describes for an error where a name was looked up: " at 'Golden Crust'". @returns '' for the credential's own company */
export async function describePlace(context: PickerContext): Promise<string> {
	const company = await context.getCompany();
	return company ? ` at '${company.name || company.id}'` : '';
}

/** Creates the advice in the error for a name that can't be looked up, because there is no list. */
const createMissingListAdvice = ({ additionalWords = [] }: LookupList, idAdvice = 'Enter the ID instead.'): string =>
	additionalWords.length > 0 ? `Enter ${formatList(additionalWords)}, or an ID.` : idAdvice;

/** Creates the error for a name that no entry of a list has. @param subject the beginning of the message: "is 'Sales'" */
export async function createNoMatchError(
	subject: string,
	list: CachedList,
	lookupList: LookupList,
	context: PickerContext,
): Promise<InvalidInputError> {
	const place = await describePlace(context);
	if (list.accessError) {
		const { reason, advice } = list.accessError.details;
		const message = `${subject}, but the platform's list of ${toPlural(lookupList.noun)}${place} can't be read: ${reason}`;
		return new InvalidInputError(
			message,
			[],
			`${advice} Or ${lowerFirst(createMissingListAdvice(lookupList, 'Enter the ID instead of the name.'))}`,
		);
	}
	if (list.isMissingOnPlatform) {
		const message = `${subject}, but the platform has no list of ${toPlural(lookupList.noun)}${place} to look up names in`;
		return new InvalidInputError(message, [], createMissingListAdvice(lookupList));
	}
	const message = `${subject}, but no ${lookupList.noun}${place} has that name`;
	return new InvalidInputError(message, [], createNameAdvice(list, lookupList));
}

/**
 * Finds the entry with a name. The name must be unique in the list.
 * @returns undefined if no entry has the name
 * @throws InvalidInputError if several entries have the name, or if the name is masked. Before a write, it is also thrown if the list is
 * incomplete, because an entry that is missing from the list may have the same name.
 */
async function findEntryByName(
	name: string,
	list: CachedList,
	{ noun }: LookupList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<Choice | undefined> {
	// Different names may look the same when they are masked.
	if (isMasked(name))
		throw new InvalidInputError(
			`${verb} '${name}', which the platform has masked, so it can't be found by name`,
			[],
			'Select it from the list of this customer, or enter its ID.',
		);
	const matches = listEntriesWithName(name, list);
	const [match] = matches;
	if (match === undefined) return undefined;
	if (matches.length > 1)
		throw new InvalidInputError(
			`${verb} '${name}', but ${formatCount(matches.length, noun)}${await describePlace(context)} have that name`,
			[],
			`Select one of them from the list, or enter its ID: ${formatCandidates(matches)}.`,
		);
	if (!list.isComplete && context.isWrite === true)
		throw new InvalidInputError(
			`${verb} '${name}', but the platform did not list all ${toPlural(noun)}${await describePlace(context)}, so another one may have that name`,
			[],
			"Nothing was changed. Enter the ID instead. If the credential's role may see only a part of the list, names can't be used here.",
		);
	return match;
}

/** Lists the entries with a name. An email address without its accents may belong to another person, so only case is ignored in it. */
function listEntriesWithName(name: string, list: CachedList): Choice[] {
	const entries = list.findByName(name);
	if (!isEmailAddress(name)) return entries;
	return entries.filter((entry) => normalizeEmailAddress(getPlatformName(entry)) === normalizeEmailAddress(name));
}

/** Formats entries with the same name for an error, each with its ID. */
export const formatCandidates = (entries: readonly Choice[]): string =>
	formatList(entries.map((entry) => `${getPlatformName(entry)} (${entry.id})`));

/** Creates the advice in the error for a name that was not found in a list. */
function createNameAdvice({ choices, isComplete }: CachedList, { getName = getPlatformName }: LookupList): string {
	if (!isComplete)
		return 'The platform did not list all of them. If you entered a name, enter the ID. If you entered the ID, run the node again, or use a credential whose role may see the whole list.';
	if (choices.length === 0) return 'Enter the name as the platform shows it, or the ID. The list is empty.';
	if (choices.some(({ name }) => isMasked(name)))
		return "The platform masks the names in this list, so they can't be looked up. Enter the ID instead.";
	return `Enter the name as the platform shows it, or the ID. The list contains: ${formatList(uniq(choices.map(getName)), ', ', 5)}.`;
}
