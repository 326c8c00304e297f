import type { IDataObject } from 'n8n-workflow';

import { resourcePicker } from '../pickers/resourcePickers';

/** The form field that selects a report's enrollment. Every training report is about one enrollment (contract 4.8). */
export const reportedEnrollmentFields = { enrollment: resourcePicker('enrollments') };

/** Adds the ID of the selected enrollment to a report item, because not all reports return it. */
export const addReportedEnrollmentId = (
	json: IDataObject,
	{ enrollment }: { enrollment: { id: string } },
): IDataObject => ({
	enrollmentId: enrollment.id,
	...json,
});
