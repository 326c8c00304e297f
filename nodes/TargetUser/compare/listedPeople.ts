import { z } from 'zod';

import { cleanPhoneNumber, isEmailAddress, isPhoneNumber, normalizeEmailAddress } from '../../core/fields/contact';
import { InvalidInputError } from '../../core/http/errors';
import { isEmpty, isRecord, isScalar } from '../../core/values';
import { isUnusable, readBoolean, readSkipReason, toText } from './listValues';

/** The details of a person that are compared, in the order in which differences are described (deployment beyond, "People"). */
export const COMPARED_FIELDS = ['firstName', 'lastName', 'department', 'priority', 'phoneNumber'] as const;

/** The details of a person's manager. The platform's list of people doesn't have them (deployment onboarding 4). */
export const MANAGER_FIELDS = ['managerEmail', 'managerFirstName', 'managerLastName'] as const;

export type DetailName = (typeof COMPARED_FIELDS)[number] | (typeof MANAGER_FIELDS)[number];

/** A person in the list that the user entered. */
export interface ListedPerson {
	/** The email address as in the list. It is empty if it is missing or not valid. */
	email: string;
	/** The person's details, as trimmed text. A detail is absent if the list doesn't have it or its phone number isn't valid, and '' if the list has no value for it. */
	details: Partial<Record<DetailName, string>>;
	/** The values of the custom fields, by the name or the ID of the custom field. */
	customFields: Record<string, string>;
	/** False if the person must not get trainings and simulations. */
	isActive: boolean;
	/** Why the person is skipped. It is empty for everybody else. */
	skip: string;
	/** The reason why the entry can't be used, so that the person is left alone. It is empty for everybody else. */
	mistake: string;
	/** The values that can't be used, such as "phoneNumber '#N/A'". They are not compared. */
	unusableValues: string[];
	/** The columns that the comparison doesn't use. */
	unknownColumns: string[];
}

/** The columns of the list, apart from the details of a person. */
const OTHER_COLUMNS = ['email', 'customFields', 'isActive', 'skip'];

const PEOPLE_EXAMPLE =
	'For example: [{ "email": "ada@example.com", "firstName": "Ada", "phoneNumber": "+49 30 1234567" }].';

const errorSchema = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);

/**
 * Rejects an item that n8n created for an error. n8n does this if the previous node continues on errors. The people that the previous node
 * failed to return are missing from the list, so they would be deactivated.
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

/** Returns true for a value that the comparison can't use. */
function isUnusableDetail(name: DetailName, value: unknown): boolean {
	const isName = /(first|last)Name$/i.test(name);
	if (isEmpty(value) || isUnusable(value, isName) || name !== 'phoneNumber') return isUnusable(value, isName);
	return !isPhoneNumber(cleanPhoneNumber(toText(value)));
}

const describeUnusable = (name: string, value: unknown): string =>
	`${name} '${(isScalar(value) ? toText(value) : JSON.stringify(value)).slice(0, 40)}'`;

/** Reads the details of a person. A value that can't be used is left out, so that it changes nothing. */
function readDetails(entry: Record<string, unknown>): Pick<ListedPerson, 'details' | 'unusableValues'> {
	const details: ListedPerson['details'] = {};
	const unusableValues: string[] = [];
	for (const name of [...COMPARED_FIELDS, ...MANAGER_FIELDS]) {
		const value = entry[name];
		if (isUnusableDetail(name, value)) unusableValues.push(describeUnusable(name, value));
		else if (name === 'phoneNumber' && !isEmpty(value)) details[name] = cleanPhoneNumber(toText(value));
		else if (name in entry && name !== 'phoneNumber') details[name] = toText(value);
	}
	return { details, unusableValues };
}

/** Reads the custom fields of a person. A value that can't be used is left out, so that it changes nothing. */
function readCustomFields(value: unknown): Pick<ListedPerson, 'customFields' | 'unusableValues'> {
	const entries = isRecord(value) ? Object.entries(value) : [];
	const isOtherValue = !isRecord(value) && !isEmpty(value);
	const unusableEntries = entries.filter(([, fieldValue]) => isUnusable(fieldValue));
	return {
		customFields: Object.fromEntries(
			entries
				.filter(([, fieldValue]) => !isUnusable(fieldValue))
				.map(([name, fieldValue]) => [name, toText(fieldValue)]),
		),
		unusableValues: isOtherValue
			? [describeUnusable('customFields', value)]
			: unusableEntries.map(([name, fieldValue]) => describeUnusable(name, fieldValue)),
	};
}

/** Finds the reason why a person must be left alone. @returns '' if there is none */
function findMistake({ isActive, skip }: Record<string, unknown>): string {
	if (readBoolean(isActive) === null)
		return `must have true or false in the list, but has ${describeUnusable('isActive', isActive)}`;
	if (isUnusable(skip))
		return `must have a reason, true or false in the list, but has ${describeUnusable('skip', skip)}`;
	return '';
}

/** Reads one entry of the list. @throws InvalidInputError */
function readListedPerson(entry: unknown, index: number): ListedPerson {
	if (!isRecord(entry))
		throw new InvalidInputError(
			`must be a JSON list of people, but has none at position ${index + 1}`,
			[],
			PEOPLE_EXAMPLE,
		);
	rejectErrorItem(entry);
	const email = normalizeEmailAddress(toText(entry.email));
	const { details, unusableValues } = readDetails(entry);
	const customFields = readCustomFields(entry.customFields);
	const knownColumns: readonly string[] = [...OTHER_COLUMNS, ...COMPARED_FIELDS, ...MANAGER_FIELDS];
	return {
		email: isEmailAddress(email) && !isUnusable(email) ? email : '',
		details,
		customFields: customFields.customFields,
		isActive: readBoolean(entry.isActive) ?? true,
		skip: isUnusable(entry.skip) ? '' : readSkipReason(entry.skip),
		mistake: findMistake(entry),
		unusableValues: [...unusableValues, ...customFields.unusableValues],
		unknownColumns: Object.keys(entry).filter((name) => !knownColumns.includes(name)),
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
