import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { asTrainingOrSurvey, queryOf, summaryOptions } from '../surveys';
import { aboutEnrollment } from '../report';

export const getSummary = defineOperation({
	value: 'getSummary',
	name: 'Get Training Summary',
	action: 'Get training summary',
	description: 'Get the figures of an enrollment: how many were enrolled, started, passed',
	contract: 'GET /api/training-reports/{enrollmentId}/summary',
	scope: 'company',
	fields: { ...aboutEnrollment, reportOptions: summaryOptions },
	request: ({ enrollment, reportOptions }) => ({
		path: { enrollmentId: enrollment.id },
		query: queryOf(reportOptions),
	}),
	answer: record(),
	perform: async ({ reportOptions }, { send }) => await asTrainingOrSurvey(reportOptions.trainingType, send),
});
