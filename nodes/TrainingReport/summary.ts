import { record } from '../shared/answer/record';
import { defineOperation } from '../shared/operation/operation';
import { aboutEnrollment, ofEnrollment, queryOf, summaryOptions } from './fields';
import { TRAINING_FIGURES, withTrainingFigures } from './figures';

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
