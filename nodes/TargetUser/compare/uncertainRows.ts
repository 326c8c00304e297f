/** Finds the rows of a list that may be about someone else. If there are such rows, it isn't certain who is missing in the list. */
import { groupBy, isEqual, pick } from 'lodash';

import type { ListedPerson } from './listedPeople';

/** Rows of the list that have the same email address. */
export interface RepeatedAddress {
	email: string;
	/** The positions of the rows in the list, counted from 1. */
	positions: number[];
	/** True if the rows differ in a value that is compared. */
	hasDifferentValues: boolean;
}

/**
 * Returns true for a row that may be about anyone, because its email address can't be used. Rows that are skipped or inactive don't
 * count, because they don't keep anyone active.
 */
export const isUnknownPerson = ({ email, isActive, skip }: ListedPerson): boolean =>
	email === '' && isActive && skip === '';

const COMPARED_PARTS = ['details', 'customFields', 'isActive', 'mistake'] as const satisfies Array<keyof ListedPerson>;

/**
 * Finds the email addresses that several rows have. One of these rows may have overwritten the row of someone else, who then seems to be
 * missing.
 *
 * If the rows differ, one of them probably is about someone else, such as Anna's row with Ben's address. So no missing person is
 * deactivated, as if that row had no address. If the rows are equal, nothing shows that a row was lost: a list that joins several tables
 * often has a person twice. Deactivations then stay possible, but the hint and each person's reason mention the copies, so that someone
 * can check them before the change.
 *
 * Columns that aren't compared don't count, because such a list has, for example, a row for each group of a person. Skipped rows don't
 * count, and neither do addresses whose rows are all inactive: they don't keep anyone active.
 */
export function findRepeatedAddresses(listedPeople: readonly ListedPerson[]): RepeatedAddress[] {
	const rowsByEmail = groupBy(
		listedPeople.filter(({ email, skip }) => email !== '' && skip === ''),
		'email',
	);
	return Object.entries(rowsByEmail)
		.filter(([, rows]) => rows.length > 1 && rows.some(({ isActive }) => isActive))
		.map(([email, rows]) => ({
			email,
			positions: rows.map(({ position }) => position),
			hasDifferentValues: rows.some((row) => !isEqual(pick(row, COMPARED_PARTS), pick(rows[0], COMPARED_PARTS))),
		}));
}
