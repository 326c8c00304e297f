import type { IDataObject } from 'n8n-workflow';

import { isCompleteList, missingHint, readList } from '../shared/answer/list';
import { normalizeAddress } from '../shared/form/contact';
import type { Tools } from '../shared/operation/operation';
import { PERSON_ID, TARGET_USER_ID } from '../shared/pickers/resources';
import { isUnreadable, rethrow } from '../shared/transport/errors';
import type { ServiceRequest } from '../shared/transport/request';
import { identityOf, isMasked } from '../shared/values';
import { readIsActive } from '../TargetUser/personStatus';

/** Large, because the whole list is read (deployment activity, 10: up to 500). */
const PAGE_SIZE = 500;

const UNREADABLE =
	"The field 'isActive' is empty, because the platform has no list of people or the credential may not read it.";

const readAddress = (row: IDataObject): string => normalizeAddress(identityOf(row, ['email']) ?? '');

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
	const list = await readList(service, request, { identity: PERSON_ID, pageSize: PAGE_SIZE }).catch(
		async (error: unknown) => (isUnreadable(error) ? undefined : await rethrow(error)),
	);
	if (!list) {
		hint(UNREADABLE);
		return () => null;
	}
	const missing = missingHint(list, 'The list of people');
	if (missing) hint(...missing);
	const byId = new Map(list.records.map((person) => [identityOf(person, PERSON_ID), person]));
	const byAddress = new Map(list.records.map((person) => [readAddress(person), person]));
	const isWhole = isCompleteList(list) && !list.records.some(({ email }) => isMasked(email));
	return (row) => {
		const person = byId.get(identityOf(row, TARGET_USER_ID)) ?? byAddress.get(readAddress(row));
		if (person) return readIsActive(person) ?? null;
		return isWhole ? false : null;
	};
}
