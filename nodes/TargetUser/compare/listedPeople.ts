import { z } from 'zod';

import {
	cleanEmailAddress,
	cleanPhoneNumber,
	isEmailAddress,
	isPhoneNumber,
	normalizeEmailAddress,
} from '../../core/fields/contact';
import { InvalidInputError } from '../../core/http/errors';
import { isEmpty, isMasked, isRecord, isScalar } from '../../core/values';
import { isUnusable, readBoolean, readSkipReason, toText } from './listValues';

/** The details of a person that are compared, in the order in which differences are described (deployment beyond, "People"). */
export const COMPARED_FIELDS = ['firstName', 'lastName', 'department', 'priority', 'phoneNumber'] as const;

/** The details of a person's manager. The platform's list of people doesn't have them (deployment onboarding 4). */
export const MANAGER_FIELDS = ['managerEmail', 'managerFirstName', 'managerLastName'] as const;

export type DetailName = (typeof COMPARED_FIELDS)[number] | (typeof MANAGER_FIELDS)[number];

/** A person in the list that the user entered. */
export interface ListedPerson {
	/** The position of the row in the list, counted from 1. */
	position: number;
	/** The normalized email address. It is empty if it is missing, masked or not valid. */
	email: string;
	/** The email address as in the list. */
	listedEmail: string;
	/** Why the email address can't be used: "'a***@example.com' is masked". It is empty if the address can be used. */
	emailMistake: string;
	/** The person's details, as trimmed text. A detail is absent if the list doesn't have it or it can't be used, and '' if the list has no value for it. */
	details: Partial<Record<DetailName, string>>;
	/** The values of the custom fields, by the name or the ID of the custom field. */
	customFields: Record<string, string>;
	/** False if the person must not get trainings and simulations. */
	isActive: boolean;
	/** Why the person is skipped. It is empty for people who aren't skipped. */
	skip: string;
	/** Why the entry can't be used. The person then stays unchanged. It is empty if the entry can be used. */
	mistake: string;
	/** The values that can't be used, such as "phoneNumber '#N/A'". They are not compared. */
	unusableValues: string[];
	/** The columns that the comparison doesn't use. */
	unknownColumns: string[];
	/** True if the list has the column for the email address. */
	hasEmailColumn: boolean;
	/** The message of the item that n8n created for an error of the previous node. It is empty for people. */
	previousNodeError: string;
}

/** The columns of the list, apart from the details of a person. */
const OTHER_COLUMNS = ['email', 'customFields', 'isActive', 'skip'];

export const PEOPLE_EXAMPLE =
	'For example: [{ "email": "ada@example.com", "firstName": "Ada", "phoneNumber": "+49 30 1234567" }].';

const errorSchema = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);

/** Reads the message of an item that n8n created for an error. n8n does this if the previous node continues on errors. */
function readPreviousNodeError(entry: Record<string, unknown>): string {
	const error = isEmpty(entry.email) ? errorSchema.safeParse(entry.error) : undefined;
	return error?.success ? error.data.slice(0, 200) : '';
}

/** Returns true for a value that the comparison can't use. */
function isUnusableDetail(name: DetailName, value: unknown): boolean {
	const isName = /(first|last)Name$/i.test(name);
	if (isEmpty(value) || isUnusable(value, isName)) return isUnusable(value, isName);
	if (name === 'phoneNumber') return !isPhoneNumber(cleanPhoneNumber(toText(value)));
	return name === 'managerEmail' && !isEmailAddress(cleanEmailAddress(toText(value)));
}

/** Formats a value of the list as text. An object or a list becomes JSON. */
const formatValue = (value: unknown): string =>
	isScalar(value) || isEmpty(value) ? toText(value) : JSON.stringify(value);

const quoteValue = (value: unknown): string => `'${formatValue(value).slice(0, 60)}'`;

const describeUnusable = (name: string, value: unknown): string => `${name} ${quoteValue(value)}`;

/** Reads the email address of a person. An address that can't be used is kept as in the list, so that the user can find the row. */
function readEmail(value: unknown): Pick<ListedPerson, 'email' | 'listedEmail' | 'emailMistake'> {
	const email = normalizeEmailAddress(toText(value));
	const listedEmail = formatValue(value);
	if (isEmailAddress(email) && !isUnusable(email)) return { email, listedEmail, emailMistake: '' };
	const mistake = isMasked(email) ? 'is masked' : 'is not an email address';
	return { email: '', listedEmail, emailMistake: listedEmail === '' ? 'empty' : `${quoteValue(value)} ${mistake}` };
}

/**
 * Reads the details of a person. A value that can't be used is left out, so that it changes nothing. So is an empty phone number, because the
 * platform requires one.
 */
function readDetails(entry: Record<string, unknown>): Pick<ListedPerson, 'details' | 'unusableValues'> {
	const details: ListedPerson['details'] = {};
	const unusableValues: string[] = [];
	for (const name of [...COMPARED_FIELDS, ...MANAGER_FIELDS]) {
		const value = entry[name];
		if (isUnusableDetail(name, value)) unusableValues.push(describeUnusable(name, value));
		else if (name === 'phoneNumber' && !isEmpty(value)) details[name] = cleanPhoneNumber(toText(value));
		else if (name === 'managerEmail' && name in entry) details[name] = cleanEmailAddress(toText(value));
		else if (name in entry && name !== 'phoneNumber') details[name] = toText(value);
	}
	return { details, unusableValues };
}

/** Reads the custom fields of a person. A value that can't be used is left out, so that it changes nothing. */
function readCustomFields(value: unknown): Pick<ListedPerson, 'customFields' | 'unusableValues'> {
	const entries = isRecord(value) ? Object.entries(value) : [];
	const isUnusableValue = !isRecord(value) && !isEmpty(value);
	const unusableEntries = entries.filter(([, fieldValue]) => isUnusable(fieldValue));
	return {
		customFields: Object.fromEntries(
			entries
				.filter(([, fieldValue]) => !isUnusable(fieldValue))
				.map(([name, fieldValue]) => [name, toText(fieldValue)]),
		),
		unusableValues: isUnusableValue
			? [describeUnusable('customFields', value)]
			: unusableEntries.map(([name, fieldValue]) => describeUnusable(name, fieldValue)),
	};
}

/** Finds out why an entry can't be used. @returns '' if it can be used */
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
	const { details, unusableValues } = readDetails(entry);
	const customFields = readCustomFields(entry.customFields);
	const knownColumns: readonly string[] = [...OTHER_COLUMNS, ...COMPARED_FIELDS, ...MANAGER_FIELDS];
	return {
		position: index + 1,
		...readEmail(entry.email),
		details,
		customFields: customFields.customFields,
		isActive: readBoolean(entry.isActive) ?? true,
		skip: isUnusable(entry.skip) ? '' : readSkipReason(entry.skip),
		mistake: findMistake(entry),
		unusableValues: [...unusableValues, ...customFields.unusableValues],
		unknownColumns: Object.keys(entry).filter((name) => !knownColumns.includes(name)),
		hasEmailColumn: 'email' in entry,
		previousNodeError: readPreviousNodeError(entry),
	};
}

/** Reads the list that the user entered. @throws InvalidInputError if it isn't a list of objects */
export function readListedPeople(value: unknown): ListedPerson[] {
	if (!Array.isArray(value)) throw new InvalidInputError('must be a JSON list of people', [], PEOPLE_EXAMPLE);
	return value.map(readListedPerson);
}
