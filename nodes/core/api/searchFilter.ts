import type { IDataObject } from 'n8n-workflow';

/** The values of a search filter. Each of them may be left out. */
interface SearchFilterValues {
	searchText?: string | undefined;
	condition?: 'AND' | 'OR' | undefined;
	filterGroups?: IDataObject[] | undefined;
}

/**
 * Builds the filter in the body of a search. The platform requires all of its fields (contract 2.2), so values that were left out
 * get a default. Without `values`, the filter matches every record.
 */
export function buildSearchFilter(values: SearchFilterValues = {}): IDataObject {
	const { searchText = '', condition = 'AND', filterGroups = [] } = values;
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
