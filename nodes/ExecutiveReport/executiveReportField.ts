import { readLocatorValue } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { parseIdOrName } from '../core/http/resourceId';

/** The form field that selects an executive report. Its parsed value is the report's ID. */
export const executiveReportField = {
	...platformPicker('executiveReports', {
		displayName: 'Executive Report',
		description: 'Select the executive report, or enter its name or ID',
		required: true,
	}),
	// A name is replaced by the ID before the operation runs.
	parse: (raw: unknown) => parseIdOrName(readLocatorValue(raw)),
};
