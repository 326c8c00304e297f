import { uniqBy } from 'lodash';

import { InvalidInputError, toError } from '../../core/http/errors';
import { formatList, type Choice } from '../../core/values';
import { PEOPLE_EXAMPLE, type ListedPerson } from './listedPeople';

/** Counts the people in the list who should be active on the platform. A person who is in the list several times counts once. */
export const countActivePeople = (listedPeople: readonly ListedPerson[]): number =>
	uniqBy(
		listedPeople.filter(({ email, isActive, skip }) => email !== '' && isActive && skip === ''),
		'email',
	).length;

/**
 * Rejects a list with an item that n8n created for an error. The people that the previous node failed to return are missing in the list,
 * so they would be deactivated.
 * @throws InvalidInputError
 */
function rejectErrorItem(listedPeople: readonly ListedPerson[]): void {
	const previousNodeError = listedPeople.find((person) => person.previousNodeError !== '')?.previousNodeError;
	if (previousNodeError === undefined) return;
	throw new InvalidInputError(
		`has the error of another node instead of people: ${previousNodeError}`,
		['people'],
		'Nothing was compared. Fix this error, and run the workflow again.',
	);
}

/** Rejects a list in which no row has a usable email address. An empty list is not rejected. @throws InvalidInputError */
function rejectListWithoutAddress(listedPeople: readonly ListedPerson[]): void {
	if (listedPeople.length === 0 || listedPeople.some(({ email }) => email !== '')) return;
	if (!listedPeople.some(({ hasEmailColumn }) => hasEmailColumn))
		throw new InvalidInputError("must have people with a field called 'email'", ['people'], PEOPLE_EXAMPLE);
	const mistakes = listedPeople.map(({ position, emailMistake }) => `position ${position}: ${emailMistake}`);
	throw new InvalidInputError(
		'has no row with a valid email address',
		['people'],
		`Nothing was compared. Correct the addresses in the list: ${formatList(mistakes, ', ', 5)}.`,
	);
}

/** Rejects a list that can't be compared. @throws InvalidInputError */
export function rejectUnusableList(listedPeople: readonly ListedPerson[], ignoreMissing: boolean): void {
	rejectErrorItem(listedPeople);
	rejectListWithoutAddress(listedPeople);
	if (countActivePeople(listedPeople) > 0 || ignoreMissing) return;
	throw new InvalidInputError(
		'must have at least one active person, because an empty list would deactivate everyone',
		['people'],
		"Check why the list is empty. To keep people unchanged if they aren't in the list, turn on 'Keep People Not in List'.",
	);
}

/**
 * Runs a comparison, and adds the customer to its error. Each customer has another list, so the name shows whose list is wrong.
 * @param company undefined for the credential's own company
 * @throws the errors of the comparison
 */
export async function nameCustomerInErrors<T>(company: Choice | undefined, compare: () => Promise<T>): Promise<T> {
	try {
		return await compare();
	} catch (error) {
		throw addCustomer(error, company);
	}
}

/** Adds the customer to the error of a list. The errors of requests already name the customer. */
function addCustomer(error: unknown, company: Choice | undefined): Error {
	if (!(error instanceof InvalidInputError) || !company) return toError(error);
	return new InvalidInputError(`${error.complaint} (at '${company.name || company.id}')`, error.path, error.advice);
}
