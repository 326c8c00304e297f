import { readLocatorValue } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { parseId } from '../core/http/resourceId';

/** The field that chooses an executive report. */
export const executiveReportField = {
	...platformPicker('executiveReports', { displayName: 'Executive Report', required: true }),
	parse: (raw: unknown) => parseId(readLocatorValue(raw)),
};
