/** The published jobs about people, target groups and trainings. */
import assert from 'node:assert/strict';

import { uniqBy } from 'lodash';

import { expectRecords, requireValue, expectSentFields, type JsonObject } from '../../cases/case';
import {
	ALL_RECORDS_PARAMETERS,
	buildSearchParameters,
	buildFindCustomerStep,
	buildLocatorFromNode,
	LISTED_GROUP_PARAMETERS,
	CUSTOMER_PARAMETERS,
	turnOnExecuteOnce,
	ROWS_NODE_NAME,
	buildRowsNode,
	assertSameValues,
	type Jobs,
} from './job';

/** Parameters that select the enrollment that the node `Enrollment getMany` has output. */
const ENROLLMENT_PARAMETERS = {
	...ALL_RECORDS_PARAMETERS,
	enrollment: buildLocatorFromNode('Enrollment getMany', 'enrollmentId'),
};

export const people: Jobs = {
	'Add target user': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const person = { email: 'new@harbour.example', phoneNumber: '+49 30 1234567' };
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetUser', 'create', { ...CUSTOMER_PARAMETERS, ...person }),
		]);
		assert.equal(customer.companyData.users.filter(({ email }) => email === person.email).length, 1);
	},
	'List/export target users': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetUser', 'getCountSummary', CUSTOMER_PARAMETERS),
			buildStep('TargetUser', 'getMany', ALL_RECORDS_PARAMETERS),
			turnOnExecuteOnce(buildStep('TargetUser', 'export', CUSTOMER_PARAMETERS)),
			buildRowsNode(),
		]);
		assertSameValues(getItems('TargetUser getCountSummary'), [{ count: customer.companyData.users.length }], 'count');
		expectRecords(getItems('TargetUser getMany'), await customer.fetchList('POST /api/target-users/search'));
		assertSameValues(getItems(ROWS_NODE_NAME), customer.companyData.users, 'email');
	},
	'Import target users': async (context) => {
		const { customer, buildStep, runNodes, buildReadFileNode } = context;
		const group = requireValue(customer.companyData.targetGroups[1]);
		const content = Buffer.from('Email,Phone Number\r\nada@new.example,+49 30 1\r\nnobody,+49 30 2\r\n');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			await buildReadFileNode({ fileName: 'people.csv', mimeType: 'text/csv', content }),
			buildStep('TargetUser', 'importFile', { ...CUSTOMER_PARAMETERS, ...LISTED_GROUP_PARAMETERS, file: 'data' }),
		]);
		assertSameValues(getItems('TargetUser importFile').slice(1), [{ email: 'nobody' }], 'email');
		const createdRecords = customer.companyData.users.filter(({ email }) => email === 'ada@new.example');
		assert.deepEqual(
			createdRecords.map(({ resourceId }) => group.userResourceIds.includes(resourceId)),
			[true],
		);
	},
	'Target groups': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const membershipParameters = {
			people: '={{ $json.resourceId }}',
			targetGroup: buildLocatorFromNode('TargetGroup create', 'resourceId'),
		};
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetGroup', 'create', { ...CUSTOMER_PARAMETERS, name: 'Ovens', priority: 'High' }),
			buildStep('TargetUser', 'getMany', { ...CUSTOMER_PARAMETERS, limit: 2 }),
			buildStep('TargetGroup', 'member.add', { ...CUSTOMER_PARAMETERS, ...membershipParameters }),
			turnOnExecuteOnce(buildStep('TargetGroup', 'getMany', ALL_RECORDS_PARAMETERS)),
		]);
		expectRecords(
			getItems('TargetGroup getMany'),
			await customer.fetchList('POST /api/target-groups/search/current-company'),
		);
		const { userResourceIds } = requireValue(customer.companyData.targetGroups.find(({ name }) => name === 'Ovens'));
		assert.deepEqual(
			userResourceIds,
			getItems('TargetUser getMany').map(({ json }) => json.resourceId),
		);
	},
	'Start enrollment': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const training = requireValue(customer.companyData.trainings[0]);
		const group = requireValue(customer.companyData.targetGroups[1]);
		const teamsIdExpression = "$json.enumNameValuePairs.DeliveryType.find(({ name }) => name === 'MicrosoftTeams').id";
		const additionalFields = { additionalFieldsJson: `={{ { "deliveryTypeId": ${teamsIdExpression} } }}` };
		const enrollmentParameters = {
			...LISTED_GROUP_PARAMETERS,
			training: buildLocatorFromNode('Training getMany', 'trainingId'),
			additionalFields,
		};
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('Training', 'getMany', buildSearchParameters(training.trainingName)),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			buildStep('Enrollment', 'getFormOptions', CUSTOMER_PARAMETERS),
			buildStep('Enrollment', 'createAndSend', { ...CUSTOMER_PARAMETERS, ...enrollmentParameters, name: 'Spring' }),
		]);
		const createdRecords = customer.companyData.enrollments.filter(({ name }) => name === 'Spring');
		const enrollmentSummaries = createdRecords.map((enrollment) => [
			enrollment.trainingId,
			enrollment.targetGroupResourceIds,
			enrollment.sendCount,
		]);
		assert.deepEqual(enrollmentSummaries, [[training.trainingId, [group.resourceId], 1]]);
		expectSentFields(customer, 'POST /api/enrollments', { deliveryTypeId: 2 });
	},
	'Enrollment list and report': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { enrollments } = customer.companyData;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', ALL_RECORDS_PARAMETERS),
			buildStep('Enrollment', 'get', ENROLLMENT_PARAMETERS),
			buildStep('TrainingReport', 'getSummary', ENROLLMENT_PARAMETERS),
			buildStep('TrainingReport', 'enrolledUser.getMany', ENROLLMENT_PARAMETERS),
			turnOnExecuteOnce(buildStep('Enrollment', 'export', CUSTOMER_PARAMETERS)),
			buildRowsNode(),
		]);
		for (const name of ['Enrollment getMany', 'Enrollment get', ROWS_NODE_NAME])
			assertSameValues(getItems(name), enrollments, 'name');
		assertSameValues(getItems('TrainingReport getSummary'), enrollments, 'enrollmentName', 'name');
		const recipients = enrollments.flatMap(({ targetGroupResourceIds }) =>
			customer.companyData.getGroupMembers(targetGroupResourceIds),
		);
		assertSameValues(getItems('TrainingReport enrolledUser.getMany'), recipients, 'email');
	},
	'Sending, certificates, notifications': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const [finishedEnrollment, runningEnrollment] = customer.companyData.enrollments.map(
			({ name, resourceId: id }) => ({ name, id }),
		);
		const listPaths = {
			'email.getSendingReport': `training-reports/${requireValue(finishedEnrollment).id}/sending-report`,
			'certificate.getMany': `enrollments/${requireValue(finishedEnrollment).id}/certificates`,
			'email.getNotifications': `notifications/${requireValue(finishedEnrollment).id}`,
			'email.getReminders': `training-reports/${requireValue(runningEnrollment).id}/reminder-mails`,
		};
		const runningEnrollmentNode = { id: 'Under Way', name: 'Under Way' };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', buildSearchParameters(requireValue(finishedEnrollment).name)),
			buildStep('TrainingReport', 'email.getSendingReport', ENROLLMENT_PARAMETERS),
			turnOnExecuteOnce(buildStep('TrainingReport', 'email.export', ENROLLMENT_PARAMETERS)),
			buildRowsNode(),
			turnOnExecuteOnce(buildStep('TrainingReport', 'certificate.getMany', ENROLLMENT_PARAMETERS)),
			turnOnExecuteOnce(buildStep('TrainingReport', 'email.getNotifications', ENROLLMENT_PARAMETERS)),
			{
				...turnOnExecuteOnce(
					buildStep('Enrollment', 'getMany', buildSearchParameters(requireValue(runningEnrollment).name)),
				),
				...runningEnrollmentNode,
			},
			buildStep('TrainingReport', 'email.getReminders', {
				...ALL_RECORDS_PARAMETERS,
				enrollment: buildLocatorFromNode('Under Way', 'enrollmentId'),
			}),
		]);
		for (const [operation, listPath] of Object.entries(listPaths))
			expectRecords(getItems(`TrainingReport ${operation}`), await customer.fetchList(`POST /api/${listPath}/search`));
		assertSameValues(
			getItems(ROWS_NODE_NAME),
			await customer.fetchList(`POST /api/${listPaths['email.getSendingReport']}/search`),
			'email',
		);
	},
	'Survey results': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const survey = requireValue(customer.companyData.enrollments.find(({ type }) => type === 'Survey'));
		const personParameters = {
			targetUser: buildLocatorFromNode('TrainingReport enrolledUser.getMany', 'targetUserResourceId'),
		};
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', { ...ALL_RECORDS_PARAMETERS, enrollmentType: 'Survey' }),
			buildStep('Enrollment', 'get', ENROLLMENT_PARAMETERS),
			buildStep('TrainingReport', 'getSummary', ENROLLMENT_PARAMETERS),
			buildStep('TrainingReport', 'enrolledUser.getMany', ENROLLMENT_PARAMETERS),
			buildStep('TrainingReport', 'enrolledUser.getInteractions', { ...ENROLLMENT_PARAMETERS, ...personParameters }),
		]);
		assertSameValues(getItems('TrainingReport getSummary'), [survey], 'enrollmentName', 'name');
		const listAnswers = async ({ resourceId: id }: { resourceId: string }) =>
			customer.fetchList(`GET /api/training-reports/${survey.resourceId}/interactions/${id}?trainingType=0`);
		const recipients = customer.companyData.getGroupMembers(survey.targetGroupResourceIds);
		const answersOfPeople: JsonObject[][] = await Promise.all(recipients.map(listAnswers));
		const answers = answersOfPeople.flat();
		expectRecords(getItems('TrainingReport enrolledUser.getInteractions'), answers);
		const oneAnswerPerPerson = uniqBy(
			getItems('TrainingReport enrolledUser.getInteractions'),
			'json.targetUserResourceId',
		);
		assertSameValues(
			oneAnswerPerPerson,
			recipients.filter((_, index) => answersOfPeople[index]?.length),
			'targetUserResourceId',
			'resourceId',
		);
		assert.ok(answers.every(({ questionText, answerText }) => questionText && answerText));
	},
};
