import type { IDataObject } from 'n8n-workflow';

import { normalizeEmailAddress } from '../core/fields/contact';
import { toError, isNotFoundOrForbidden } from '../core/http/errors';
import type { ApiRequest } from '../core/http/request';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { buildMissingRecordsHint, isCompleteList } from '../core/pagination/listResult';
import { LARGE_PAGE_SIZE, readList } from '../core/pagination/readList';
import { isMasked, readId } from '../core/values';
import { isActivePerson } from '../domain/people/personStatus';
import { REPORT_USER_ID_FIELDS, TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';

const UNREADABLE_LIST_HINT =
	"The field 'isActive' is empty, because the platform has no list of people or the credential may not read it.";

/**
 * Reads a value that identifies a person.
 * @returns undefined if the value is empty or masked, because several people may share such a value
 */
function readIdentifyingValue(record: IDataObject, fieldNames: readonly string[]): string | undefined {
	const value = readId(record, fieldNames);
	return value === undefined || value.trim() === '' || isMasked(value) ? undefined : value;
}

/** Reads a person's email address and normalizes it. @returns undefined if it is empty or masked */
function readIdentifyingEmail(record: IDataObject): string | undefined {
	return readIdentifyingValue({ email: normalizeEmailAddress(readId(record, ['email']) ?? '') }, ['email']);
}

/** Indexes people by the value that `getKey` returns. People without such a value are left out. */
function indexPeople(
	people: readonly IDataObject[],
	getKey: (person: IDataObject) => string | undefined,
): ReadonlyMap<string | undefined, IDataObject> {
	const peopleByKey = new Map<string | undefined, IDataObject>();
	for (const person of people) {
		const key = getKey(person);
		if (key !== undefined) peopleByKey.set(key, person);
	}
	return peopleByKey;
}

/** Returns true if the person in a row of a report is active, false if not, and null if the platform doesn't show it. */
type ActiveStatusReader = (reportRow: IDataObject) => boolean | null;

/**
 * Creates a function that finds out if the person in a row of a report is active. The rows don't show it (deployment shapes, "Training
 * reports"), so the list of the company's people is read. This takes one request for every 500 people.
 * @returns a function that looks up the person by ID or email address. It returns false for a person who isn't in the list, because such a
 * person was deleted, and null if the status is unknown, for example because the platform masks email addresses.
 * @throws RequestError, except if the platform has no list of people or the credential may not read it
 */
export async function createActiveStatusReader({ context }: OperationHelpers): Promise<ActiveStatusReader> {
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
	const peopleById = indexPeople(list.records, (person) => readIdentifyingValue(person, TARGET_USER_ID_FIELDS));
	const peopleByEmail = indexPeople(list.records, readIdentifyingEmail);
	const hasEveryPerson = isCompleteList(list) && !list.records.some(({ email }) => isMasked(email));
	return (reportRow) => {
		const personId = readIdentifyingValue(reportRow, REPORT_USER_ID_FIELDS);
		const email = readIdentifyingEmail(reportRow);
		const person = peopleById.get(personId) ?? peopleByEmail.get(email);
		if (person) return isActivePerson(person) ?? null;
		// `resourceId` isn't enough to identify the person, because it may be the ID of the row instead.
		const isIdentified = email !== undefined || readIdentifyingValue(reportRow, ['targetUserResourceId']) !== undefined;
		return hasEveryPerson && isIdentified ? false : null;
	};
}
