/** What the lists of live deployments have in common. */
import type { Route, Row } from '../http';
import { exportOf, search, type ExportForm, type Listing } from '../paging';
import { guid, shortId } from '../random';
import type { TargetUser } from '../seed';

/** A list of an operation that the contract does not have; what it requires is in the description. */
export type StrictListing = Listing;

/** The search of such a list. */
export const strictSearch = (key: string, listing: StrictListing): Route => search(key, relaxed(listing));

/** The export of such a list. */
export const strictExport = (
	key: string,
	listing: StrictListing,
	fileName: string,
	needsType: boolean,
	form?: ExportForm,
): Route => exportOf(key, relaxed(listing), fileName, needsType, form);

const relaxed = (listing: Listing): Listing => ({ ...listing, required: 'none', filter: 'optional' });

/** The fields that a company has of its own for its people. */
export const CUSTOM_FIELDS = ['Cost Center', 'Site'] as const;

/** The identifier of such a field. */
export const customFieldId = (name: string): string => shortId(`custom field ${name}`);

/** The values of such fields for a person. */
export function customFieldValues({ resourceId }: TargetUser): Row[] {
	return CUSTOM_FIELDS.map((name) => ({
		resourceId: customFieldId(name),
		name,
		dataType: 'Text',
		value: `${name} ${resourceId.slice(0, 2).toUpperCase()}`,
		timestampValue: null,
	}));
}

/** A person as reports show one. */
export function person({ firstName, lastName, email, department }: TargetUser): Row {
	return { firstName, lastName, email, department };
}

/** A phone number that is always the same for the same person. */
export function phoneNumber({ resourceId }: TargetUser): string {
	const digits = Number.parseInt(guid(`phone ${resourceId}`).slice(0, 6), 16) % 10_000_000;
	return `+1555${String(digits).padStart(7, '0')}`;
}
