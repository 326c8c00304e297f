import { uniq } from 'lodash';

import type { OperationContext } from '../../core/response/responseHandler';
import { formatList } from '../../core/values';
import type { ListedPerson } from './listedPeople';
import { findRepeatedAddresses, isUnknownPerson, type RepeatedAddress } from './uncertainRows';

const UNUSABLE_VALUES_HINT =
	"Some values in the list can't be used: they are masked, they stand for a missing value, such as #N/A, or they aren't a valid phone number or email address. They were not compared. Correct them in the list.";

const UNKNOWN_PEOPLE_HINT =
	"Some people in the list have no valid email address. So people who are missing in the list were not deactivated. Correct the addresses in the list, or enter a reason in the column 'skip'.";

const INVALID_ADDRESSES_HINT =
	"Some people in the list have no valid email address. They were not compared. Correct the addresses in the list, or enter a reason in the column 'skip'.";

const DIFFERENT_ROWS_HINT =
	"Some people are in the list several times with different values. One of these rows may be about someone else, so people who are missing in the list were not deactivated. Correct or remove the wrong rows, or enter a reason in their column 'skip'.";

const COPIES_HINT =
	'Some people are in the list several times. A copy may have overwritten the row of someone else, who is then missing in the list. Check the people to deactivate before you deactivate them, and remove the copies from the list.';

const REPEATED_PEOPLE_HINT =
	'Some people are in the list several times. They were not compared. Remove the copies from the list.';

/** Chooses the hint for a row without a usable email address. */
const getAddressHint = (person: ListedPerson, ignoreMissing: boolean): string =>
	isUnknownPerson(person) && !ignoreMissing ? UNKNOWN_PEOPLE_HINT : INVALID_ADDRESSES_HINT;

/** Chooses the hint for rows with the same email address. */
function getRepetitionHint({ hasDifferentValues }: RepeatedAddress, ignoreMissing: boolean): string {
	if (ignoreMissing) return REPEATED_PEOPLE_HINT;
	return hasDifferentValues ? DIFFERENT_ROWS_HINT : COPIES_HINT;
}

/**
 * Adds hints about rows without a usable email address, people who are in the list several times, values such as #N/A that are not
 * compared, and unknown columns.
 */
export function addListHints(
	listedPeople: readonly ListedPerson[],
	ignoreMissing: boolean,
	{ addHint }: Pick<OperationContext, 'addHint'>,
): void {
	for (const person of listedPeople) {
		const { email, emailMistake, position, skip, unusableValues } = person;
		if (emailMistake !== '' && skip === '')
			addHint(getAddressHint(person, ignoreMissing), `position ${position}: ${emailMistake}`);
		if (unusableValues.length > 0)
			addHint(UNUSABLE_VALUES_HINT, `${email || `position ${position}`}: ${formatList(unusableValues)}`);
	}
	for (const address of findRepeatedAddresses(listedPeople))
		addHint(
			getRepetitionHint(address, ignoreMissing),
			`${address.email}: positions ${formatList(address.positions.map(String))}`,
		);
	const unknownColumns = uniq(listedPeople.flatMap(({ unknownColumns: names }) => names));
	if (unknownColumns.length === 0) return;
	addHint(
		`The list has columns that are not compared: ${formatList(unknownColumns, ', ', 10)}. To compare a column, give it the name of a field, such as firstName. Use the same capital letters.`,
	);
}
