import { filtersBlock } from '../../core/filters/filterFields';
import { createTestFilter, excludeTestsField } from '../testRecords';
import type { Simulator } from './simulator';

/**
 * Creates the options for `listResponse` that add the filter 'Exclude Tests' to a list of campaigns or campaign jobs.
 */
export function createTestFilterOptions(simulator: Simulator) {
	const summaryAction = `Get ${simulator} campaign job summary`;
	return {
		fields: { filters: filtersBlock({ excludeTests: excludeTestsField(summaryAction) }) },
		toQuery: ({ filters }: { filters: { excludeTests?: boolean } }) => createTestFilter(filters.excludeTests ?? false),
	};
}
