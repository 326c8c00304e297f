import { groupBy, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { normalizeEmailAddress } from '../../core/fields/contact';
import { formatList, isEmpty, isScalar, readId } from '../../core/values';
import { isActivePerson } from '../../domain/people/personStatus';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';
import { COMPARED_FIELDS, MANAGER_FIELDS, type DetailName, type ListedPerson } from './listedPeople';
import { findRepeatedAddresses, isUnknownPerson } from './uncertainRows';

/** The possible results for a person: first those that need a change, then those that don't. */
export const ACTIONS = [
	'deactivate',
	'reactivate',
	'change',
	'add',
	'invalid',
	'skipped',
	'kept',
	'unchanged',
] as const;

type Action = (typeof ACTIONS)[number];

/** The result of the comparison for one person. */
export interface ComparedPerson {
	action: Action;
	/** The person's email address. If it can't be used, it is the text in the list. */
	email: string;
	name: string;
	reason: string;
	/** The position of the person's row in the list, counted from 1. It is undefined for people who aren't in the list. */
	position?: number | undefined;
	/** The person's ID on the platform. It is undefined for people to add. */
	resourceId?: string;
	/** The fields to send in an update or a creation. */
	changes: IDataObject;
	/** The present values of the fields in `changes`. */
	before: IDataObject;
}

/** How people are compared. */
export interface CompareSettings {
	/** True if people who are missing in the list stay unchanged. */
	ignoreMissing: boolean;
	/** True if a value that is empty in the list is cleared on the platform. */
	clearEmpty: boolean;
	/** The phone number for people to add who have none in the list. It may be empty. */
	newPhoneNumber: string;
	/** The IDs of the target groups for people to add. */
	targetGroupIds: readonly string[];
	/** The IDs of the custom fields by name. */
	customFieldIds: ReadonlyMap<string, string>;
	/** The records with the managers of people, by the ID of the person. It only has people whose managers are compared. */
	records: ReadonlyMap<string, IDataObject>;
}

const EMAIL_FIELDS: readonly string[] = ['email', 'managerEmail'];
const getText = (value: unknown) => (isScalar(value) ? String(value).trim().normalize('NFC') : '');

/** Returns true if two values of a field are equal. Spaces and brackets in phone numbers, and capitals in email addresses, are ignored. */
function hasSameValue(name: DetailName, listedValue: string, storedValue: string): boolean {
	if (name === 'phoneNumber') return listedValue.replace(/[^\d+]/g, '') === storedValue.replace(/[^\d+]/g, '');
	if (EMAIL_FIELDS.includes(name)) return normalizeEmailAddress(listedValue) === normalizeEmailAddress(storedValue);
	return listedValue.normalize('NFC') === storedValue;
}

const customFieldValuesSchema = z.array(z.object({ resourceId: z.string(), value: z.unknown() })).catch([]);

/** The differences between a person in the list and the person on the platform. */
interface Differences {
	changes: IDataObject;
	before: IDataObject;
	descriptions: string[];
}

const describeDifference = (name: string, before: string, after: string) =>
	`${name}: ${before || '(empty)'} → ${after || '(empty)'}`;

/** Adds the custom fields whose values differ. `before` has the old values by field name, in the form of a list entry, so that they can be compared again to undo the change. */
function addCustomFieldDifferences(
	differences: Differences,
	{ customFields }: ListedPerson,
	person: IDataObject,
	settings: CompareSettings,
): void {
	const storedFields = customFieldValuesSchema.parse(person.customFieldValues);
	const changes: IDataObject[] = [];
	const before: IDataObject = {};
	for (const [name, value] of Object.entries(customFields)) {
		const resourceId = settings.customFieldIds.get(name) ?? name;
		const storedValue = getText(storedFields.find((field) => field.resourceId === resourceId)?.value);
		if (value === storedValue || (value === '' && !settings.clearEmpty)) continue;
		changes.push({ resourceId, value });
		before[name] = storedValue;
		differences.descriptions.push(describeDifference(name, storedValue, value));
	}
	if (changes.length === 0) return;
	differences.changes.customFields = changes;
	differences.before.customFields = before;
}

/** Finds the differences between a person in the list and the person on the platform. */
function findDifferences(listedPerson: ListedPerson, person: IDataObject, settings: CompareSettings): Differences {
	const differences: Differences = { changes: {}, before: {}, descriptions: [] };
	const record = settings.records.get(readId(person, TARGET_USER_ID_FIELDS) ?? '');
	const compareDetail = (name: DetailName, storedRecord: IDataObject) => {
		const value = listedPerson.details[name];
		const storedValue = getText(storedRecord[name]);
		if (value === undefined || hasSameValue(name, value, storedValue)) return;
		if (value === '' && !settings.clearEmpty) return;
		differences.changes[name] = value;
		differences.before[name] = storedValue;
		differences.descriptions.push(describeDifference(name, storedValue, value));
	};
	for (const name of COMPARED_FIELDS) compareDetail(name, person);
	if (record) for (const name of MANAGER_FIELDS) compareDetail(name, record);
	addCustomFieldDifferences(differences, listedPerson, person, settings);
	return differences;
}

const formatName = (firstName: unknown, lastName: unknown) =>
	[getText(firstName), getText(lastName)].filter(Boolean).join(' ');

/** Describes the identity provider that manages a person (deployment onboarding 4). @returns undefined if there is none */
export function describeIdentityProvider({
	scimSettingName,
	ldapConfigName,
	isEditable,
}: IDataObject): string | undefined {
	if (!isEmpty(scimSettingName)) return `is managed by the SCIM integration '${getText(scimSettingName)}'`;
	if (!isEmpty(ldapConfigName)) return `is managed by the LDAP connection '${getText(ldapConfigName)}'`;
	return isEditable === false ? "can't be edited, because an identity provider manages this person" : undefined;
}

/** Builds the fields of a new person. Empty values are left out. */
function buildNewPerson({ details, customFields }: ListedPerson, settings: CompareSettings): IDataObject {
	const { newPhoneNumber, targetGroupIds, customFieldIds } = settings;
	const phoneNumber = details.phoneNumber ?? newPhoneNumber;
	const fields: IDataObject = { ...pickBy({ ...details, phoneNumber }, (value) => value !== ''), isActive: true };
	if (targetGroupIds.length > 0) fields.targetGroupResourceIds = [...targetGroupIds];
	const filledFields = Object.entries(customFields).filter(([, value]) => value !== '');
	if (filledFields.length > 0)
		fields.customFields = filledFields.map(([name, value]) => ({
			resourceId: customFieldIds.get(name) ?? name,
			value,
		}));
	return fields;
}

/** Decides what to do with a person who isn't on the platform. */
function compareNewPerson(listedPerson: ListedPerson, settings: CompareSettings): ComparedPerson {
	const { email, listedEmail, emailMistake, position, details, isActive, skip, mistake } = listedPerson;
	const common = {
		email: email || listedEmail,
		name: formatName(details.firstName, details.lastName),
		position,
		changes: {},
		before: {},
	};
	if (skip !== '') return { ...common, action: 'skipped', reason: skip };
	if (emailMistake !== '') {
		const reason = `has no valid email address (position ${position}: ${emailMistake})`;
		return { ...common, action: 'invalid', reason };
	}
	if (mistake !== '') return { ...common, action: 'invalid', reason: mistake };
	if (!isActive) return { ...common, action: 'skipped', reason: 'is inactive in the list' };
	const changes = buildNewPerson(listedPerson, settings);
	if (changes.phoneNumber === undefined)
		return { ...common, action: 'invalid', reason: 'has no valid phone number, which new people need' };
	return { ...common, action: 'add', reason: 'is not on the platform', changes, before: { isActive: false } };
}

/** The rows that make it uncertain who is missing in the list. */
interface ListDoubts {
	/** The number of rows whose email address can't be used. Each of them may be about anyone. */
	unknownPersonCount: number;
	/** True if rows with the same email address differ. */
	hasDifferentRows: boolean;
	/** True if rows with the same email address are equal. */
	hasCopies: boolean;
}

/** Finds the rows that make it uncertain who is missing in the list. */
function findDoubts(listedPeople: readonly ListedPerson[]): ListDoubts {
	const repeatedAddresses = findRepeatedAddresses(listedPeople);
	return {
		unknownPersonCount: listedPeople.filter(isUnknownPerson).length,
		hasDifferentRows: repeatedAddresses.some(({ hasDifferentValues }) => hasDifferentValues),
		hasCopies: repeatedAddresses.some(({ hasDifferentValues }) => !hasDifferentValues),
	};
}

const describeRepetition = (listedPeople: readonly ListedPerson[]): string =>
	`is in the list ${listedPeople.length} times (positions ${formatList(listedPeople.map(({ position }) => String(position)))})`;

/** Describes the row that may be about an active person who isn't in the list. @returns '' if the person is certainly missing */
function describeUncertainty({ unknownPersonCount, hasDifferentRows }: ListDoubts): string {
	if (unknownPersonCount > 0)
		return `may be one of the people there without a valid email address (${unknownPersonCount})`;
	return hasDifferentRows ? 'may be one of the people there with the email address of someone else' : '';
}

const COPY_NOTE = ", but a copied row may have overwritten this person's row";

const DEACTIVATION = { action: 'deactivate', changes: { isActive: false }, before: { isActive: true } } as const;

/**
 * Decides what to do with a person who is on the platform.
 * @param doubts the rows that make it uncertain whether the person is missing in the list
 */
function compareKnownPerson(
	listedPeople: readonly ListedPerson[],
	people: readonly IDataObject[],
	doubts: ListDoubts,
	settings: CompareSettings,
): ComparedPerson[] {
	return people.map((person) => {
		const [listedPerson] = listedPeople;
		const common = {
			email: getText(person.email),
			name: formatName(person.firstName, person.lastName),
			position: listedPerson?.position,
			resourceId: readId(person, TARGET_USER_ID_FIELDS),
			changes: {},
			before: {},
		};
		const managedReason = describeIdentityProvider(person);
		if (managedReason !== undefined) return { ...common, action: 'kept', reason: managedReason };
		if (listedPerson && listedPerson.skip !== '') return { ...common, action: 'skipped', reason: listedPerson.skip };
		if (listedPerson && listedPerson.mistake !== '')
			return { ...common, action: 'invalid', reason: listedPerson.mistake };
		if (listedPeople.length > 1) return { ...common, action: 'invalid', reason: describeRepetition(listedPeople) };
		if (people.length > 1) return { ...common, action: 'invalid', reason: `is on the platform ${people.length} times` };
		const isInactive = isActivePerson(person) === false;
		if (!listedPerson?.isActive && isInactive) return { ...common, action: 'unchanged', reason: 'is inactive already' };
		if (!listedPerson) {
			if (settings.ignoreMissing) return { ...common, action: 'unchanged', reason: 'is not in the list' };
			const uncertainty = describeUncertainty(doubts);
			if (uncertainty !== '') return { ...common, action: 'invalid', reason: `is not in the list, but ${uncertainty}` };
			return { ...common, ...DEACTIVATION, reason: `is not in the list${doubts.hasCopies ? COPY_NOTE : ''}` };
		}
		if (!listedPerson.isActive) return { ...common, ...DEACTIVATION, reason: 'is inactive in the list' };
		const { changes, before, descriptions } = findDifferences(listedPerson, person, settings);
		if (isInactive)
			return {
				...common,
				action: 'reactivate',
				reason: ['is active in the list, and inactive on the platform', ...descriptions].join('; '),
				changes: { ...changes, isActive: true },
				before: { ...before, isActive: false },
			};
		if (descriptions.length === 0) return { ...common, action: 'unchanged', reason: 'is as in the list' };
		return { ...common, action: 'change', reason: descriptions.join('; '), changes, before };
	});
}

/**
 * Compares the list with the people on the platform. People are matched by email address, ignoring case.
 * @param people the complete list of the platform's people
 * @returns one result for each person, in the order of `ACTIONS`
 */
export function comparePeople(
	listedPeople: readonly ListedPerson[],
	people: readonly IDataObject[],
	settings: CompareSettings,
): ComparedPerson[] {
	const peopleByEmail = groupBy(people, ({ email }) => normalizeEmailAddress(getText(email)));
	const listedPeopleByEmail = groupBy(listedPeople, ({ email }) => email);
	const doubts = findDoubts(listedPeople);
	const results = Object.entries(peopleByEmail).flatMap(([email, samePeople]) =>
		compareKnownPerson(email === '' ? [] : (listedPeopleByEmail[email] ?? []), samePeople, doubts, settings),
	);
	for (const [email, sameListedPeople] of Object.entries(listedPeopleByEmail)) {
		if (email !== '' && peopleByEmail[email]) continue;
		const newResults = sameListedPeople.map((person) => compareNewPerson(person, settings));
		const isRepeated = email !== '' && newResults.filter(({ action }) => action !== 'skipped').length > 1;
		for (const result of newResults)
			results.push(
				isRepeated
					? {
							...result,
							action: 'invalid',
							reason: describeRepetition(sameListedPeople),
							changes: {},
							before: {},
						}
					: result,
			);
	}
	return results.sort((first, second) => ACTIONS.indexOf(first.action) - ACTIONS.indexOf(second.action));
}
