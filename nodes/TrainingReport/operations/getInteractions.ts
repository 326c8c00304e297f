import { record } from '../../shared/answer/record';
import { searchFilter } from '../../shared/form/search';
import { defineOperation } from '../../shared/operation/define';
import { ALSO_TARGET_USER, TARGET_USER_ID, targetUserPicker } from '../../shared/pickers/enrollment';
import { idByAnother } from '../../shared/pickers/otherId';
import { rethrow } from '../../shared/transport/errors';
import { isRefusal } from '../../shared/transport/firstAccepted';
import { asTrainingOrSurvey, interactionOptions, queryOf } from '../surveys';
import { aboutEnrollment, BY_EMAIL } from '../report';
import { getUsers } from './getUsers';

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
	perform: async ({ enrollment, targetUser, reportOptions: { trainingType } }, { send, list }) =>
		await asTrainingOrSurvey(trainingType, send).catch(async (error: unknown) => {
			if (!isRefusal(error)) return await rethrow(error);
			// Other fields of a person's row are not accepted as the ID (deployment behaviour, "Training reports").
			const body = { ...BY_EMAIL, filter: searchFilter() };
			const rows = await list(getUsers, { path: { enrollmentId: enrollment.id }, body }, { identity: [] }).catch(
				(other: unknown) => (isRefusal(other) ? [] : rethrow(other)),
			);
			const id = idByAnother(rows, targetUser.id, { ids: TARGET_USER_ID, others: ALSO_TARGET_USER });
			if (id === undefined) return await rethrow(error);
			const path = { enrollmentId: enrollment.id, targetUserResourceId: id };
			return await asTrainingOrSurvey(trainingType, async (more) => await send({ ...more, path }));
		}),
});
