/** People, their groups, and trainings. */
import assert from 'node:assert/strict';

import { uniqBy } from 'lodash';

import { expectRecords, requireValue, expectSentFields, type JsonObject } from '../../cases/case';
import { ALL_OF_CUSTOMER, searchFor, buildFindCustomerStep, fromNode, LISTED_GROUP, FOR_CUSTOMER, runOnce, ROWS_NODE, buildRowsNode, assertSameValues, type Jobs } from './job';

const ENROLLMENT = { ...ALL_OF_CUSTOMER, enrollment: fromNode('Enrollment getMany', 'enrollmentId') };

export const people: Jobs = {
	'Add target user': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const person = { email: 'new@harbour.example', phoneNumber: '+49 30 1234567' };
		await run([buildFindCustomerStep(context), step('TargetUser', 'create', { ...FOR_CUSTOMER, ...person })]);
		assert.equal(customer.companyData.users.filter(({ email }) => email === person.email).length, 1);
	},
	'List/export target users': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([
			buildFindCustomerStep(context),
			step('TargetUser', 'getCountSummary', FOR_CUSTOMER),
			step('TargetUser', 'getMany', ALL_OF_CUSTOMER),
			runOnce(step('TargetUser', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
		]);
		assertSameValues(items('TargetUser getCountSummary'), [{ count: customer.companyData.users.length }], 'count');
		expectRecords(items('TargetUser getMany'), await customer.fetchList('POST /api/target-users/search'));
		assertSameValues(items(ROWS_NODE), customer.companyData.users, 'email');
	},
	'Import target users': async (context) => {
		const { customer, buildStep: step, runNodes: run, buildReadFileNode: reads } = context;
		const group = requireValue(customer.companyData.targetGroups[1]);
		const content = Buffer.from('Email,Phone Number\r\nada@new.example,+49 30 1\r\nnobody,+49 30 2\r\n');
		const items = await run([
			buildFindCustomerStep(context),
			step('TargetGroup', 'getMany', searchFor(group.name)),
			await reads({ fileName: 'people.csv', mimeType: 'text/csv', content }),
			step('TargetUser', 'importFile', { ...FOR_CUSTOMER, ...LISTED_GROUP, file: 'data' }),
		]);
		assertSameValues(items('TargetUser importFile').slice(1), [{ email: 'nobody' }], 'email');
		const createdRecords = customer.companyData.users.filter(({ email }) => email === 'ada@new.example');
		assert.deepEqual(
			createdRecords.map(({ resourceId }) => group.userResourceIds.includes(resourceId)),
			[true],
		);
	},
	'Target groups': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const membership = { people: '={{ $json.resourceId }}', targetGroup: fromNode('TargetGroup create', 'resourceId') };
		const items = await run([
			buildFindCustomerStep(context),
			step('TargetGroup', 'create', { ...FOR_CUSTOMER, name: 'Ovens', priority: 'High' }),
			step('TargetUser', 'getMany', { ...FOR_CUSTOMER, limit: 2 }),
			step('TargetGroup', 'addMembers', { ...FOR_CUSTOMER, ...membership }),
			runOnce(step('TargetGroup', 'getMany', ALL_OF_CUSTOMER)),
		]);
		expectRecords(items('TargetGroup getMany'), await customer.fetchList('POST /api/target-groups/search/current-company'));
		const { userResourceIds } = requireValue(customer.companyData.targetGroups.find(({ name }) => name === 'Ovens'));
		assert.deepEqual(
			userResourceIds,
			items('TargetUser getMany').map(({ json }) => json.resourceId),
		);
	},
	'Start enrollment': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const training = requireValue(customer.companyData.trainings[0]);
		const group = requireValue(customer.companyData.targetGroups[1]);
		const teams = "$json.enumNameValuePairs.DeliveryType.find(({ name }) => name === 'MicrosoftTeams').id";
		const additionalFields = { additionalFieldsJson: `={{ { "deliveryTypeId": ${teams} } }}` };
		const selection = { ...LISTED_GROUP, training: fromNode('Training getMany', 'trainingId'), additionalFields };
		await run([
			buildFindCustomerStep(context),
			step('Training', 'getMany', searchFor(training.trainingName)),
			step('TargetGroup', 'getMany', searchFor(group.name)),
			step('Enrollment', 'getFormDetails', FOR_CUSTOMER),
			step('Enrollment', 'createAndSend', { ...FOR_CUSTOMER, ...selection, name: 'Spring' }),
		]);
		const createdRecords = customer.companyData.enrollments.filter(({ name }) => name === 'Spring');
		const told = createdRecords.map((each) => [each.trainingId, each.targetGroupResourceIds, each.sendCount]);
		assert.deepEqual(told, [[training.trainingId, [group.resourceId], 1]]);
		expectSentFields(customer, 'POST /api/enrollments', { deliveryTypeId: 2 });
	},
	'Enrollment list and report': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const { enrollments } = customer.companyData;
		const items = await run([
			buildFindCustomerStep(context),
			step('Enrollment', 'getMany', ALL_OF_CUSTOMER),
			step('Enrollment', 'get', ENROLLMENT),
			step('TrainingReport', 'getSummary', ENROLLMENT),
			step('TrainingReport', 'getUsers', ENROLLMENT),
			runOnce(step('Enrollment', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
		]);
		for (const name of ['Enrollment getMany', 'Enrollment get', ROWS_NODE]) assertSameValues(items(name), enrollments, 'name');
		assertSameValues(items('TrainingReport getSummary'), enrollments, 'enrollmentName', 'name');
		const sent = enrollments.flatMap(({ targetGroupResourceIds }) => customer.companyData.getGroupMembers(targetGroupResourceIds));
		assertSameValues(items('TrainingReport getUsers'), sent, 'email');
	},
	'Sending, certificates, notifications': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const [done, running] = customer.companyData.enrollments.map(({ name, resourceId: id }) => ({ name, id }));
		const lists = {
			getSendingReport: `training-reports/${requireValue(done).id}/sending-report`,
			getCertificates: `enrollments/${requireValue(done).id}/certificates`,
			getNotifications: `notifications/${requireValue(done).id}`,
			getReminderMails: `training-reports/${requireValue(running).id}/reminder-mails`,
		};
		const runningNode = { id: 'Under Way', name: 'Under Way' };
		const items = await run([
			buildFindCustomerStep(context),
			step('Enrollment', 'getMany', searchFor(requireValue(done).name)),
			step('TrainingReport', 'getSendingReport', ENROLLMENT),
			runOnce(step('TrainingReport', 'exportSendingReport', ENROLLMENT)),
			buildRowsNode(),
			runOnce(step('TrainingReport', 'getCertificates', ENROLLMENT)),
			runOnce(step('TrainingReport', 'getNotifications', ENROLLMENT)),
			{ ...runOnce(step('Enrollment', 'getMany', searchFor(requireValue(running).name))), ...runningNode },
			step('TrainingReport', 'getReminderMails', { ...ALL_OF_CUSTOMER, enrollment: fromNode('Under Way', 'enrollmentId') }),
		]);
		for (const [operation, list] of Object.entries(lists))
			expectRecords(items(`TrainingReport ${operation}`), await customer.fetchList(`POST /api/${list}/search`));
		assertSameValues(items(ROWS_NODE), await customer.fetchList(`POST /api/${lists.getSendingReport}/search`), 'email');
	},
	'Survey results': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const survey = requireValue(customer.companyData.enrollments.find(({ type }) => type === 'Survey'));
		const person = { targetUser: fromNode('TrainingReport getUsers', 'targetUserResourceId') };
		const items = await run([
			buildFindCustomerStep(context),
			step('Enrollment', 'getMany', { ...ALL_OF_CUSTOMER, enrollmentType: 'Survey' }),
			step('Enrollment', 'get', ENROLLMENT),
			step('TrainingReport', 'getSummary', ENROLLMENT),
			step('TrainingReport', 'getUsers', ENROLLMENT),
			step('TrainingReport', 'getInteractions', { ...ENROLLMENT, ...person }),
		]);
		assertSameValues(items('TrainingReport getSummary'), [survey], 'enrollmentName', 'name');
		const listAnswers = async ({ resourceId: id }: { resourceId: string }) =>
			customer.fetchList(`GET /api/training-reports/${survey.resourceId}/interactions/${id}?trainingType=0`);
		const asked = customer.companyData.getGroupMembers(survey.targetGroupResourceIds);
		const answersOfPeople: JsonObject[][] = await Promise.all(asked.map(listAnswers));
		const answers = answersOfPeople.flat();
		expectRecords(items('TrainingReport getInteractions'), answers);
		const onePerPerson = uniqBy(items('TrainingReport getInteractions'), 'json.targetUserResourceId');
		assertSameValues(
			onePerPerson,
			asked.filter((_, at) => answersOfPeople[at]?.length),
			'targetUserResourceId',
			'resourceId',
		);
		assert.ok(answers.every(({ questionText, answerText }) => questionText && answerText));
	},
};
