import { invalid } from '../envelope';
import { isRow, written, type Call, type Route, type Row } from '../http';
import { exportOf, search, type ExportForm, type Listing } from '../paging';
import { guid, shortId } from '../random';
import type { TargetUser } from '../seed';

/** A list with the names that it can be sorted by; other names are refused. */
export interface StrictListing extends Listing {
	sorts: readonly string[];
	/** Whether a filter without one group for AND and one for OR is refused. */
	needsGroups?: boolean;
}

const hasTwoGroups = (filter: unknown): boolean =>
	isRow(filter) && Array.isArray(filter.filterGroups) && filter.filterGroups.length > 1;

/** The list with the strict rules of the deployment: each body is checked before anything else. */
function strict({ sorts, needsGroups, ...listing }: StrictListing): Listing {
	const known = new Set(sorts.map((name) => name.toLowerCase()));
	return {
		...listing,
		before(sent, call) {
			listing.before?.(sent, call);
			if (Object.keys(sent).length === 0) throw invalid('A non-empty request body is required.');
			if ('orderBy' in sent && !(typeof sent.orderBy === 'string' && known.has(sent.orderBy.toLowerCase()))) {
				throw invalid(`The OrderBy field is not valid: ${written(sent.orderBy)}.`);
			}
			if (needsGroups && isRow(sent.filter) && !hasTwoGroups(sent.filter))
				throw invalid('The Filter.FilterGroups field is required.');
		},
	};
}

/** The search of a list. */
export const strictSearch = (key: string, listing: StrictListing): Route => ({
	...search(key, strict(listing)),
	sorts: listing.sorts,
});

/** The export of a list: one page, unless all pages are requested. */
export const strictExport = (
	key: string,
	listing: StrictListing,
	fileName: string,
	needsType: boolean,
	form?: ExportForm,
): Route => exportOf(key, strict(listing), fileName, needsType, form);

/** Refuses json-patch. */
export function noPatch(call: Call): void {
	if (call.patch) throw invalid('The content type application/json-patch+json is not supported by this operation.');
}

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
