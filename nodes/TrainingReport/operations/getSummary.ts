import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { aboutEnrollment } from './report';

export const getSummary = defineOperation({
	value: 'getSummary',
	name: 'Get Training Summary',
	action: 'Get training summary',
	description: 'Get the figures of an enrollment: how many were enrolled, started, passed',
	contract: 'GET /api/training-reports/{enrollmentId}/summary',
	scope: 'company',
	fields: aboutEnrollment,
	request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
	answer: record(),
});
