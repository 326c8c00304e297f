/** The published jobs about people, target groups and trainings. */
import assert from 'node:assert/strict';

import { uniqBy } from 'lodash';

import { expectRecords, requireValue, expectSentFields, type JsonObject } from '../../cases/case';
import {
	ALL_OF_CUSTOMER,
	buildSearchParameters,
	buildFindCustomerStep,
	readFromNode,
	LISTED_GROUP,
	FOR_CUSTOMER,
	runOnce,
	ROWS_NODE,
	buildRowsNode,
	assertSameValues,
	type Jobs,
} from './job';

/** Parameters that select the enrollment that an earlier node has listed. */
const ENROLLMENT = { ...ALL_OF_CUSTOMER, enrollment: readFromNode('Enrollment getMany', 'enrollmentId') };

/** The jobs about people, target groups and trainings. */
export const people: Jobs = {
	'Add target user': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const person = { email: 'new@harbour.example', phoneNumber: '+49 30 1234567' };
		await runNodes([buildFindCustomerStep(context), buildStep('TargetUser', 'create', { ...FOR_CUSTOMER, ...person })]);
		assert.equal(customer.companyData.users.filter(({ email }) => email === person.email).length, 1);
	},
	'List/export target users': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetUser', 'getCountSummary', FOR_CUSTOMER),
			buildStep('TargetUser', 'getMany', ALL_OF_CUSTOMER),
			runOnce(buildStep('TargetUser', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
		]);
		assertSameValues(getItems('TargetUser getCountSummary'), [{ count: customer.companyData.users.length }], 'count');
		expectRecords(getItems('TargetUser getMany'), await customer.fetchList('POST /api/target-users/search'));
		assertSameValues(getItems(ROWS_NODE), customer.companyData.users, 'email');
	},
	'Import target users': async (context) => {
		const { customer, buildStep, runNodes, buildReadFileNode } = context;
		const group = requireValue(customer.companyData.targetGroups[1]);
		const content = Buffer.from('Email,Phone Number\r\nada@new.example,+49 30 1\r\nnobody,+49 30 2\r\n');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			await buildReadFileNode({ fileName: 'people.csv', mimeType: 'text/csv', content }),
			buildStep('TargetUser', 'importFile', { ...FOR_CUSTOMER, ...LISTED_GROUP, file: 'data' }),
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
		const membership = {
			people: '={{ $json.resourceId }}',
			targetGroup: readFromNode('TargetGroup create', 'resourceId'),
		};
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('TargetGroup', 'create', { ...FOR_CUSTOMER, name: 'Ovens', priority: 'High' }),
			buildStep('TargetUser', 'getMany', { ...FOR_CUSTOMER, limit: 2 }),
			buildStep('TargetGroup', 'addMembers', { ...FOR_CUSTOMER, ...membership }),
			runOnce(buildStep('TargetGroup', 'getMany', ALL_OF_CUSTOMER)),
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
		const teams = "$json.enumNameValuePairs.DeliveryType.find(({ name }) => name === 'MicrosoftTeams').id";
		const additionalFields = { additionalFieldsJson: `={{ { "deliveryTypeId": ${teams} } }}` };
		const selection = { ...LISTED_GROUP, training: readFromNode('Training getMany', 'trainingId'), additionalFields };
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('Training', 'getMany', buildSearchParameters(training.trainingName)),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			buildStep('Enrollment', 'getFormDetails', FOR_CUSTOMER),
			buildStep('Enrollment', 'createAndSend', { ...FOR_CUSTOMER, ...selection, name: 'Spring' }),
		]);
		const createdRecords = customer.companyData.enrollments.filter(({ name }) => name === 'Spring');
		const summaries = createdRecords.map((enrollment) => [
			enrollment.trainingId,
			enrollment.targetGroupResourceIds,
			enrollment.sendCount,
		]);
		assert.deepEqual(summaries, [[training.trainingId, [group.resourceId], 1]]);
		expectSentFields(customer, 'POST /api/enrollments', { deliveryTypeId: 2 });
	},
	'Enrollment list and report': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { enrollments } = customer.companyData;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', ALL_OF_CUSTOMER),
			buildStep('Enrollment', 'get', ENROLLMENT),
			buildStep('TrainingReport', 'getSummary', ENROLLMENT),
			buildStep('TrainingReport', 'getUsers', ENROLLMENT),
			runOnce(buildStep('Enrollment', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
		]);
		for (const name of ['Enrollment getMany', 'Enrollment get', ROWS_NODE])
			assertSameValues(getItems(name), enrollments, 'name');
		assertSameValues(getItems('TrainingReport getSummary'), enrollments, 'enrollmentName', 'name');
		const recipients = enrollments.flatMap(({ targetGroupResourceIds }) =>
			customer.companyData.getGroupMembers(targetGroupResourceIds),
		);
		assertSameValues(getItems('TrainingReport getUsers'), recipients, 'email');
	},
	'Sending, certificates, notifications': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const [finishedEnrollment, runningEnrollment] = customer.companyData.enrollments.map(
			({ name, resourceId: id }) => ({ name, id }),
		);
		const lists = {
			getSendingReport: `training-reports/${requireValue(finishedEnrollment).id}/sending-report`,
			getCertificates: `enrollments/${requireValue(finishedEnrollment).id}/certificates`,
			getNotifications: `notifications/${requireValue(finishedEnrollment).id}`,
			getReminderMails: `training-reports/${requireValue(runningEnrollment).id}/reminder-mails`,
		};
		const runningNode = { id: 'Under Way', name: 'Under Way' };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', buildSearchParameters(requireValue(finishedEnrollment).name)),
			buildStep('TrainingReport', 'getSendingReport', ENROLLMENT),
			runOnce(buildStep('TrainingReport', 'exportSendingReport', ENROLLMENT)),
			buildRowsNode(),
			runOnce(buildStep('TrainingReport', 'getCertificates', ENROLLMENT)),
			runOnce(buildStep('TrainingReport', 'getNotifications', ENROLLMENT)),
			{
				...runOnce(buildStep('Enrollment', 'getMany', buildSearchParameters(requireValue(runningEnrollment).name))),
				...runningNode,
			},
			buildStep('TrainingReport', 'getReminderMails', {
				...ALL_OF_CUSTOMER,
				enrollment: readFromNode('Under Way', 'enrollmentId'),
			}),
		]);
		for (const [operation, list] of Object.entries(lists))
			expectRecords(getItems(`TrainingReport ${operation}`), await customer.fetchList(`POST /api/${list}/search`));
		assertSameValues(
			getItems(ROWS_NODE),
			await customer.fetchList(`POST /api/${lists.getSendingReport}/search`),
			'email',
		);
	},
	'Survey results': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const survey = requireValue(customer.companyData.enrollments.find(({ type }) => type === 'Survey'));
		const person = { targetUser: readFromNode('TrainingReport getUsers', 'targetUserResourceId') };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Enrollment', 'getMany', { ...ALL_OF_CUSTOMER, enrollmentType: 'Survey' }),
			buildStep('Enrollment', 'get', ENROLLMENT),
			buildStep('TrainingReport', 'getSummary', ENROLLMENT),
			buildStep('TrainingReport', 'getUsers', ENROLLMENT),
			buildStep('TrainingReport', 'getInteractions', { ...ENROLLMENT, ...person }),
		]);
		assertSameValues(getItems('TrainingReport getSummary'), [survey], 'enrollmentName', 'name');
		const listAnswers = async ({ resourceId: id }: { resourceId: string }) =>
			customer.fetchList(`GET /api/training-reports/${survey.resourceId}/interactions/${id}?trainingType=0`);
		const recipients = customer.companyData.getGroupMembers(survey.targetGroupResourceIds);
		const answersOfPeople: JsonObject[][] = await Promise.all(recipients.map(listAnswers));
		const answers = answersOfPeople.flat();
		expectRecords(getItems('TrainingReport getInteractions'), answers);
		const onePerPerson = uniqBy(getItems('TrainingReport getInteractions'), 'json.targetUserResourceId');
		assertSameValues(
			onePerPerson,
			recipients.filter((_, index) => answersOfPeople[index]?.length),
			'targetUserResourceId',
			'resourceId',
		);
		assert.ok(answers.every(({ questionText, answerText }) => questionText && answerText));
	},
};
