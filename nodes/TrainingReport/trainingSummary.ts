import { record } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';
import { aboutEnrollment, ofEnrollment, queryOf, summaryOptions } from './trainingReportFields';
import { TRAINING_FIGURES, withTrainingFigures } from './trainingFigures';

export const getSummary = defineOperation({
	value: 'getSummary',
	name: 'Get Training Summary',
	description: 'Get the figures of an enrollment: how many were enrolled, started, completed, passed and failed',
	outputNote: 'passed is completed without failed; started is in progress or completed.',
	endpoint: 'GET /api/training-reports/{enrollmentId}/summary',
	scope: 'company',
	fields: { ...aboutEnrollment, ...summaryOptions },
	request: ({ enrollment, options }) => ({
		path: { enrollmentId: enrollment.id },
		query: queryOf(options),
	}),
	answer: record({ known: TRAINING_FIGURES }),
	output: (json, values) => ofEnrollment(withTrainingFigures(json), values),
});
