import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { normalizeEmailAddress } from '../core/fields/contact';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { buildMissingRecordsHint } from '../core/pagination/listResult';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import { formatCount, readId } from '../core/values';
import { isActivePerson } from '../domain/people/personStatus';
import { getTargetUsersOperation } from '../domain/people/targetUsersOperation';
import { TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';

/** The fields that are kept of each entry in the list of people, because the lists of several customers are in memory at once. */
const KEPT_PERSON_FIELDS = [
	'email',
	'firstName',
	'lastName',
	'department',
	'isActive',
	'status',
	...TARGET_USER_ID_FIELDS,
];

/** A person of the customer. */
export interface Person {
	/** The entry in the list of people, with only the kept fields. */
	record: IDataObject;
	/** The email address by which rows of reports are found; undefined if there is none, or if the platform masks it. */
	emailKey: string | undefined;
	isMasked: boolean;
}

/** Returns true if the platform masks a record's email address, as in a****m (deployment activity 5). */
export const hasMaskedEmail = (record: IDataObject): boolean => (readId(record, ['email']) ?? '').includes('*');

/** Reads the email address of a record for comparison. @returns undefined if there is none, or if the platform masks it */
export function readEmailKey(record: IDataObject): string | undefined {
	const email = normalizeEmailAddress(readId(record, ['email']) ?? '');
	return email === '' || hasMaskedEmail(record) ? undefined : email;
}

const UNKNOWN_STATUS_HINT = "The platform doesn't show if some people are active. They count as active.";
const NO_EMAIL_HINT =
	"Some people have no email address, so their results can't be found. Their own figures are empty. Of a customer's figures, only 'people' and 'withoutEmail' count them.";
const MASKED_HINT =
	"The figures are empty for people whose email address the platform masks, because their results can't be found. The figures of their customer are empty, too.";

/**
 * Reads the active people of the company. It adds a hint about people whose results can't be found.
 * @throws RequestError
 */
export async function readActivePeople({ readListResult, context }: OperationHelpers): Promise<Person[]> {
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	const list = await readListResult(getTargetUsersOperation, {}, options);
	const missingRecordsHint = buildMissingRecordsHint(list, 'The list of people');
	if (missingRecordsHint) context.addHint(...missingRecordsHint);
	const people = list.records
		.filter((record) => isActivePerson(record) !== false)
		.map((record): Person => ({
			record: pick(record, KEPT_PERSON_FIELDS),
			emailKey: readEmailKey(record),
			isMasked: hasMaskedEmail(record),
		}));
	const addHint = (message: string, affectedPeople: Person[]) => {
		if (affectedPeople.length > 0) context.addHint(message, formatCount(affectedPeople.length, 'person'));
	};
	addHint(
		UNKNOWN_STATUS_HINT,
		people.filter(({ record }) => isActivePerson(record) === undefined),
	);
	addHint(
		NO_EMAIL_HINT,
		people.filter((person) => !hasEmail(person)),
	);
	addHint(
		MASKED_HINT,
		people.filter(({ isMasked }) => isMasked),
	);
	return people;
}

/** Returns true if a person has an email address, even if the platform masks it. */
export const hasEmail = ({ emailKey, isMasked }: Person): boolean => emailKey !== undefined || isMasked;

export const NO_PEOPLE_HINT =
	'Percentages and times are empty, because the customer has no active people with an email address.';

/** The output fields that describe a person. */
export const getPersonFields = ({ record }: Person): IDataObject => ({
	email: readId(record, ['email']) ?? null,
	firstName: readId(record, ['firstName']) ?? null,
	lastName: readId(record, ['lastName']) ?? null,
	department: readId(record, ['department']) ?? null,
});

/** The output field with the ID of a person, by which other operations find the person. */
export const getPersonIdField = ({ record }: Person): IDataObject => ({
	targetUserResourceId: readId(record, TARGET_USER_ID_FIELDS) ?? null,
});
