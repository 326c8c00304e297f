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
	description:
		'The type of the training, by its number; 0 is a survey. If it is empty and the service refuses the report, it is requested again as that of a survey.',
	default: 0,
	min: 0,
});

const summaryOptionFields = createOptionsBlock({ trainingType: trainingTypeField });

export const getTrainingSummaryOperation = defineOperation({
	value: 'getSummary',
	name: 'Get Summary',
	action: 'Get training progress summary',
	description: 'Get the figures of an enrollment: how many were enrolled, started, completed, passed and failed',
	outputNote: 'passed is completed without failed; started is in progress or completed.',
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
