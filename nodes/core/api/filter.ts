import type { IDataObject } from 'n8n-workflow';

/** The parts of a filter that a user chooses. */
interface SearchFilterParts {
	searchText?: string | undefined;
	condition?: 'AND' | 'OR' | undefined;
	filterGroups?: IDataObject[] | undefined;
}

/**
 * Builds the filter in the body of a search. All of its fields are required (contract 2.2). Without `parts`, the filter matches
 * every record.
 */
export function buildSearchFilter(parts: SearchFilterParts = {}): IDataObject {
	const { searchText = '', condition = 'AND', filterGroups = [] } = parts;
	return {
		Condition: condition,
		SearchInputTextValue: searchText,
		FilterGroups: filterGroups,
	};
}

/** Builds one group of a filter, in the platform's notation (deployment facts, "Requests"). */
export function buildFilterGroup(
	condition: 'AND' | 'OR',
	filterItems: IDataObject[] = [],
	filterGroups: IDataObject[] = [],
): IDataObject {
	return { Condition: condition, FilterItems: filterItems, FilterGroups: filterGroups };
}
