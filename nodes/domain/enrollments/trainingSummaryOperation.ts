import { wholeNumberField } from '../../core/fields/fieldTypes';
import { defineOperation } from '../../core/operation/defineOperation';
import { createOptionsBlock } from '../../core/operation/operationFields';
import { recordResponse } from '../../core/response/recordResponse';
import { addReportedEnrollmentId, reportedEnrollmentFields } from './reportedEnrollment';
import { addTrainingFigures, TRAINING_FIGURE_FIELDS } from './trainingFigures';

/**
 * The form field for the type of training. Some platforms require it for a report (deployment shapes, "Training reports"). A survey is
 * type 0.
 */
export const trainingTypeField = wholeNumberField({
	displayName: 'Training Type',
	description: 'The number of the training type, such as 0 for a survey',
	hint: 'Usually not needed. If the platform rejects the request, the node tries again with 0 (survey).',
	default: 0,
	min: 0,
});

const summaryOptionFields = createOptionsBlock({ trainingType: trainingTypeField });

export const getTrainingSummaryOperation = defineOperation({
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get training progress summary',
	description: 'Get the number of people in an enrollment who started, who completed, who passed and who failed',
	outputNote:
		"'started' is the number of people who are in progress or have completed the training. 'passed' is the number of people who completed the training without failing.",
	endpoint: 'GET /api/training-reports/{enrollmentId}/summary',
	scope: 'company',
	fields: { ...reportedEnrollmentFields, ...summaryOptionFields },
	request: ({ enrollment, options }) => ({
		path: { enrollmentId: enrollment.id },
		query: options,
	}),
	response: recordResponse({ outputFields: TRAINING_FIGURE_FIELDS }),
	transformOutput: (json, values) => addReportedEnrollmentId(addTrainingFigures(json), values),
});
