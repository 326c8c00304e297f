import { readLocatorValue } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { parseId } from '../core/http/resourceId';

/** The form field that selects an executive report. Its parsed value is the report's ID. */
export const executiveReportField = {
	...platformPicker('executiveReports', { displayName: 'Executive Report', required: true }),
	parse: (raw: unknown) => parseId(readLocatorValue(raw)),
};
