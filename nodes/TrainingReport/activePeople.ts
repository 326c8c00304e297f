import type { IDataObject } from 'n8n-workflow';

import { isCompleteList, LARGE_PAGE_SIZE, missingHint, readList } from '../core/pagination/readList';
import { normalizeAddress } from '../core/fields/contact';
import type { Tools } from '../core/operation/defineOperation';
import { PERSON_ID, TARGET_USER_ID } from '../domain/pickers/resourcePickers';
import { isUnreadable, rethrow } from '../core/http/errors';
import type { ServiceRequest } from '../core/http/request';
import { identityOf, isMasked } from '../core/values';
import { readIsActive } from '../domain/people/personStatus';

const UNREADABLE =
	"The field 'isActive' is empty, because the platform has no list of people or the credential may not read it.";

/** Returns the value by which a person is found; undefined if it is empty or masked, because that would be somebody else's as well. */
function readKey(row: IDataObject, names: readonly string[]): string | undefined {
	const value = identityOf(row, names);
	return value === undefined || value.trim() === '' || isMasked(value) ? undefined : value;
}

function readAddress(row: IDataObject): string | undefined {
	return readKey({ email: normalizeAddress(identityOf(row, ['email']) ?? '') }, ['email']);
}

/** Sorts people by a key; those without one can't be found by it. */
function indexPeople(
	people: readonly IDataObject[],
	readKeyOf: (person: IDataObject) => string | undefined,
): ReadonlyMap<string | undefined, IDataObject> {
	const index = new Map<string | undefined, IDataObject>();
	for (const person of people) {
		const key = readKeyOf(person);
		if (key !== undefined) index.set(key, person);
	}
	return index;
}

/**
 * Reads which people of a company are active, because the rows of a report don't show it (deployment shapes). The whole list of people is
 * read, with one request for every 500 people. The person of a row is found by ID, or else by email address.
 * @returns a function that returns for a report's row whether the person is active: false also for people who were deleted, so that they
 * aren't in the list; null if it isn't known, for example because the platform masks addresses
 * @throws ServiceError
 */
export async function readActivePeople({ context }: Tools): Promise<(row: IDataObject) => boolean | null> {
	const { service, company, signal, hint } = context;
	const request: ServiceRequest = {
		endpoint: 'POST /api/target-users/search',
		purpose: 'see who is active',
		company,
		signal,
	};
	const list = await readList(service, request, { identity: PERSON_ID, pageSize: LARGE_PAGE_SIZE }).catch(
		async (error: unknown) => (isUnreadable(error) ? undefined : await rethrow(error)),
	);
	if (!list) {
		hint(UNREADABLE);
		return () => null;
	}
	const missing = missingHint(list, 'The list of people');
	if (missing) hint(...missing);
	const byId = indexPeople(list.records, (person) => readKey(person, PERSON_ID));
	const byAddress = indexPeople(list.records, readAddress);
	const isWhole = isCompleteList(list) && !list.records.some(({ email }) => isMasked(email));
	return (row) => {
		const id = readKey(row, TARGET_USER_ID);
		const address = readAddress(row);
		const person = byId.get(id) ?? byAddress.get(address);
		if (person) return readIsActive(person) ?? null;
		// The `resourceId` of a row may be its own.
		const isIdentified = address !== undefined || readKey(row, ['targetUserResourceId']) !== undefined;
		return isWhole && isIdentified ? false : null;
	};
}
