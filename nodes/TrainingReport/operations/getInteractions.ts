import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { targetUserPicker } from '../../shared/pickers/enrollment';
import { asTrainingOrSurvey, interactionOptions, queryOf } from '../surveys';
import { aboutEnrollment } from '../report';

export const getInteractions = defineOperation({
	value: 'getInteractions',
	name: 'Get User Interactions',
	action: 'Get user interactions',
	description: 'Get what one person did in an enrollment, step by step',
	contract: 'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}',
	scope: 'company',
	fields: { ...aboutEnrollment, targetUser: targetUserPicker(), reportOptions: interactionOptions },
	request: ({ enrollment, targetUser, reportOptions }) => ({
		path: { enrollmentId: enrollment.id, targetUserResourceId: targetUser.id },
		query: queryOf(reportOptions),
	}),
	answer: record(),
	perform: async ({ reportOptions }, { send }) => await asTrainingOrSurvey(reportOptions.trainingType, send),
});
