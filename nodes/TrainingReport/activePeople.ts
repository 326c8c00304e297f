import type { IDataObject } from 'n8n-workflow';

import { normalizeEmailAddress } from '../core/fields/contact';
import { toError, isNotFoundOrForbidden } from '../core/http/errors';
import type { ApiRequest } from '../core/http/request';
import type { OperationTools } from '../core/operation/defineOperation';
import { buildMissingRecordsHint, isCompleteList } from '../core/pagination/listResult';
import { LARGE_PAGE_SIZE, readList } from '../core/pagination/readList';
import { isMasked, readId } from '../core/values';
import { readIsActive } from '../domain/people/personStatus';
import { REPORT_USER_ID_FIELDS, TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';

const UNREADABLE_LIST_HINT =
	"The field 'isActive' is empty, because the platform has no list of people or the credential may not read it.";

/**
 * Reads a value that identifies a person.
 * @returns undefined if it is empty or masked, because several people may share such a value
 */
function readKey(record: IDataObject, fieldNames: readonly string[]): string | undefined {
	const value = readId(record, fieldNames);
	return value === undefined || value.trim() === '' || isMasked(value) ? undefined : value;
}

/** Reads a person's normalized email address, which identifies the person. @returns undefined if it is empty or masked */
function readEmailKey(record: IDataObject): string | undefined {
	return readKey({ email: normalizeEmailAddress(readId(record, ['email']) ?? '') }, ['email']);
}

/** Indexes people by the value that `getKey` returns. People without such a value are left out. */
function indexPeople(
	people: readonly IDataObject[],
	getKey: (person: IDataObject) => string | undefined,
): ReadonlyMap<string | undefined, IDataObject> {
	const index = new Map<string | undefined, IDataObject>();
	for (const person of people) {
		const key = getKey(person);
		if (key !== undefined) index.set(key, person);
	}
	return index;
}

/** Returns true if the person of a report's row is active, false if not, and null if that is unknown. */
type ActiveStatusReader = (reportRow: IDataObject) => boolean | null;

/**
 * Reads the list of a company's people, because the rows of a report don't show whether a person is active (deployment shapes,
 * "Training reports"). This takes one request for every 500 people.
 * @returns a function that finds the person of a report's row by ID or email address. For a person who isn't in the list, it returns false,
 * because such a person was deleted. It returns null if the status is unknown, for example because the platform masks addresses.
 * @throws RequestError, except if the platform has no list of people or the credential may not read it
 */
export async function createActiveStatusReader({ context }: OperationTools): Promise<ActiveStatusReader> {
	const { client, company, signal, addHint } = context;
	const request: ApiRequest = {
		endpoint: 'POST /api/target-users/search',
		purpose: 'see who is active',
		company,
		signal,
	};
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	const list = await readList(client, request, options).catch((error: unknown) => {
		if (isNotFoundOrForbidden(error)) return undefined;
		throw toError(error);
	});
	if (!list) {
		addHint(UNREADABLE_LIST_HINT);
		return () => null;
	}
	const missingRecordsHint = buildMissingRecordsHint(list, 'The list of people');
	if (missingRecordsHint) addHint(...missingRecordsHint);
	const peopleById = indexPeople(list.records, (person) => readKey(person, TARGET_USER_ID_FIELDS));
	const peopleByEmail = indexPeople(list.records, readEmailKey);
	const hasEveryPerson = isCompleteList(list) && !list.records.some(({ email }) => isMasked(email));
	return (reportRow) => {
		const personId = readKey(reportRow, REPORT_USER_ID_FIELDS);
		const email = readEmailKey(reportRow);
		const person = peopleById.get(personId) ?? peopleByEmail.get(email);
		if (person) return readIsActive(person) ?? null;
		// `resourceId` may be the ID of the row instead of the person, so it doesn't identify the person.
		const isIdentified = email !== undefined || readKey(reportRow, ['targetUserResourceId']) !== undefined;
		return hasEveryPerson && isIdentified ? false : null;
	};
}
