import { z } from 'zod';

import { cleanPhoneNumber, isEmailAddress, isPhoneNumber, normalizeEmailAddress } from '../../core/fields/contact';
import { InvalidInputError } from '../../core/http/errors';
import { isEmpty, isRecord, isScalar } from '../../core/values';

/** The details of a person that are compared, in the order in which differences are described (deployment beyond, "People"). */
export const COMPARED_FIELDS = ['firstName', 'lastName', 'department', 'priority', 'phoneNumber'] as const;

/** The details of a person's manager. The platform's list of people doesn't have them (deployment onboarding 4). */
export const MANAGER_FIELDS = ['managerEmail', 'managerFirstName', 'managerLastName'] as const;

export type DetailName = (typeof COMPARED_FIELDS)[number] | (typeof MANAGER_FIELDS)[number];

/** A person in the list that the user entered. */
export interface ListedPerson {
	/** The email address as in the list. It is empty if it is missing or not valid. */
	email: string;
	/** The details that the list has, as trimmed text. An empty text stands for an empty value. */
	details: Partial<Record<DetailName, string>>;
	/** The values of the custom fields, by the name or the ID of the custom field. */
	customFields: Record<string, string>;
	/** False if the person must not get trainings and simulations. */
	isActive: boolean;
	/** Why the person is skipped. It is empty for everybody else. */
	skip: string;
}

const PEOPLE_EXAMPLE =
	'For example: [{ "email": "ada@example.com", "firstName": "Ada", "phoneNumber": "+49 30 1234567" }].';

const toText = (value: unknown) => (isScalar(value) ? String(value).trim() : '');

const errorSchema = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);

/**
 * Rejects an item that n8n created for an error, because the node before continues on errors. The people that this node would have
 * returned are missing in the list, so they would be deactivated.
 * @throws InvalidInputError
 */
function rejectErrorItem(entry: Record<string, unknown>): void {
	if (!isEmpty(entry.email)) return;
	const error = errorSchema.safeParse(entry.error);
	if (!error.success) return;
	throw new InvalidInputError(
		`has the error of another node instead of people: ${error.data.slice(0, 200)}`,
		[],
		'Nothing was compared. Correct what this error says, and run the workflow again.',
	);
}

/** Reads a detail. @returns undefined if the list doesn't have it, or has a phone number that the platform would not accept */
function readDetail(entry: Record<string, unknown>, name: DetailName): string | undefined {
	if (!(name in entry)) return undefined;
	const text = toText(entry[name]);
	if (name !== 'phoneNumber') return text;
	const phone = cleanPhoneNumber(text);
	return isPhoneNumber(phone) ? phone : undefined;
}

function readDetails(entry: Record<string, unknown>): ListedPerson['details'] {
	const details: ListedPerson['details'] = {};
	for (const name of [...COMPARED_FIELDS, ...MANAGER_FIELDS]) {
		const value = readDetail(entry, name);
		if (value !== undefined) details[name] = value;
	}
	return details;
}

/** Reads whether a person is active. Without a value, the person is active. @throws InvalidInputError for a value that isn't a boolean */
function readIsActive(value: unknown): boolean {
	const text = toText(value).toLowerCase();
	if (isEmpty(value) || text === 'true') return true;
	if (text === 'false') return false;
	throw new InvalidInputError(
		`must have true or false as isActive, but has '${text.slice(0, 40)}'`,
		[],
		PEOPLE_EXAMPLE,
	);
}

function readCustomFields(value: unknown): Record<string, string> {
	if (!isRecord(value)) return {};
	return Object.fromEntries(Object.entries(value).map(([name, fieldValue]) => [name, toText(fieldValue)]));
}

/** Reads one entry of the list. @throws InvalidInputError */
function readListedPerson(entry: unknown): ListedPerson {
	if (!isRecord(entry)) throw new InvalidInputError('must be a JSON list of people', [], PEOPLE_EXAMPLE);
	rejectErrorItem(entry);
	const email = normalizeEmailAddress(toText(entry.email));
	return {
		email: isEmailAddress(email) ? email : '',
		details: readDetails(entry),
		customFields: readCustomFields(entry.customFields),
		isActive: readIsActive(entry.isActive),
		skip: toText(entry.skip),
	};
}

/**
 * Reads the list that the user entered.
 * @throws InvalidInputError if it isn't a list of people, has the error of another node, or has no email address at all
 */
export function readListedPeople(value: unknown): ListedPerson[] {
	if (!Array.isArray(value)) throw new InvalidInputError('must be a JSON list of people', [], PEOPLE_EXAMPLE);
	const people = value.map(readListedPerson);
	if (people.length === 0 || people.some(({ email }) => email !== '')) return people;
	throw new InvalidInputError("must have people with a field called 'email'", [], PEOPLE_EXAMPLE);
}
