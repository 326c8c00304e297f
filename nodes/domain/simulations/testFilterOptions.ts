import { filtersBlock } from '../../core/filters/filterFields';
import { createTestFilter, excludeTestsField } from '../testRecords';
import { getSimulatorTitle, type Simulator } from './simulator';

/**
 * Creates the options for `listResponse` that add the filter 'Exclude Tests' to a list of campaigns or campaign jobs.
 */
export function createTestFilterOptions(simulator: Simulator) {
	const summaryOperation = `Get ${getSimulatorTitle(simulator)} Campaign Job Summary`;
	return {
		fields: { filters: filtersBlock({ excludeTests: excludeTestsField(summaryOperation) }) },
		toQuery: ({ filters }: { filters: { excludeTests?: boolean } }) => createTestFilter(filters.excludeTests ?? false),
	};
}
