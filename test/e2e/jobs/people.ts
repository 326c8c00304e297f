/** People, their groups, and trainings. */
import assert from 'node:assert/strict';

import { uniqBy } from 'lodash';

import { areRecords, the, checkSent, type Row } from '../../cases/case';
import { ALL, by, find, from, GROUP, ITS, once, ROWS, rows, tell, type Jobs } from './job';

const ENROLLMENT = { ...ALL, enrollment: from('Enrollment getMany', 'enrollmentId') };

export const people: Jobs = {
	'Add target user': async (scene) => {
		const { customer, step, run } = scene;
		const person = { email: 'new@harbour.example', phoneNumber: '+49 30 1234567' };
		await run([find(scene), step('TargetUser', 'create', { ...ITS, ...person })]);
		assert.equal(customer.holdings.users.filter(({ email }) => email === person.email).length, 1);
	},
	'List/export target users': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([
			find(scene),
			step('TargetUser', 'getCountSummary', ITS),
			step('TargetUser', 'getMany', ALL),
			once(step('TargetUser', 'export', ITS)),
			rows(),
		]);
		tell(items('TargetUser getCountSummary'), [{ count: customer.holdings.users.length }], 'count');
		areRecords(items('TargetUser getMany'), await customer.list('POST /api/target-users/search'));
		tell(items(ROWS), customer.holdings.users, 'email');
	},
	'Import target users': async (scene) => {
		const { customer, step, run, reads } = scene;
		const group = the(customer.holdings.targetGroups[1]);
		const content = Buffer.from('Email,Phone Number\r\nada@new.example,+49 30 1\r\nnobody,+49 30 2\r\n');
		const items = await run([
			find(scene),
			step('TargetGroup', 'getMany', by(group.name)),
			await reads({ fileName: 'people.csv', mimeType: 'text/csv', content }),
			step('TargetUser', 'importFile', { ...ITS, ...GROUP, file: 'data' }),
		]);
		tell(items('TargetUser importFile').slice(1), [{ email: 'nobody' }], 'email');
		const made = customer.holdings.users.filter(({ email }) => email === 'ada@new.example');
		assert.deepEqual(
			made.map(({ resourceId }) => group.userResourceIds.includes(resourceId)),
			[true],
		);
	},
	'Target groups': async (scene) => {
		const { customer, step, run } = scene;
		const joining = { people: '={{ $json.resourceId }}', targetGroup: from('TargetGroup create', 'resourceId') };
		const items = await run([
			find(scene),
			step('TargetGroup', 'create', { ...ITS, name: 'Ovens', priority: 'High' }),
			step('TargetUser', 'getMany', { ...ITS, limit: 2 }),
			step('TargetGroup', 'addMembers', { ...ITS, ...joining }),
			once(step('TargetGroup', 'getMany', ALL)),
		]);
		areRecords(items('TargetGroup getMany'), await customer.list('POST /api/target-groups/search/current-company'));
		const { userResourceIds } = the(customer.holdings.targetGroups.find(({ name }) => name === 'Ovens'));
		assert.deepEqual(
			userResourceIds,
			items('TargetUser getMany').map(({ json }) => json.resourceId),
		);
	},
	'Start enrollment': async (scene) => {
		const { customer, step, run } = scene;
		const training = the(customer.holdings.trainings[0]);
		const group = the(customer.holdings.targetGroups[1]);
		const teams = "$json.enumNameValuePairs.DeliveryType.find(({ name }) => name === 'MicrosoftTeams').id";
		const additionalFields = { additionalFieldsJson: `={{ { "deliveryTypeId": ${teams} } }}` };
		const chosen = { ...GROUP, training: from('Training getMany', 'trainingId'), additionalFields };
		await run([
			find(scene),
			step('Training', 'getMany', by(training.trainingName)),
			step('TargetGroup', 'getMany', by(group.name)),
			step('Enrollment', 'getFormDetails', ITS),
			step('Enrollment', 'createAndSend', { ...ITS, ...chosen, name: 'Spring' }),
		]);
		const made = customer.holdings.enrollments.filter(({ name }) => name === 'Spring');
		const told = made.map((each) => [each.trainingId, each.targetGroupResourceIds, each.sendCount]);
		assert.deepEqual(told, [[training.trainingId, [group.resourceId], 1]]);
		checkSent(customer, 'POST /api/enrollments', { deliveryTypeId: 2 });
	},
	'Enrollment list and report': async (scene) => {
		const { customer, step, run } = scene;
		const { enrollments } = customer.holdings;
		const items = await run([
			find(scene),
			step('Enrollment', 'getMany', ALL),
			step('Enrollment', 'get', ENROLLMENT),
			step('TrainingReport', 'getSummary', ENROLLMENT),
			step('TrainingReport', 'getUsers', ENROLLMENT),
			once(step('Enrollment', 'export', ITS)),
			rows(),
		]);
		for (const name of ['Enrollment getMany', 'Enrollment get', ROWS]) tell(items(name), enrollments, 'name');
		tell(items('TrainingReport getSummary'), enrollments, 'enrollmentName', 'name');
		const sent = enrollments.flatMap(({ targetGroupResourceIds }) => customer.holdings.members(targetGroupResourceIds));
		tell(items('TrainingReport getUsers'), sent, 'email');
	},
	'Sending, certificates, notifications': async (scene) => {
		const { customer, step, run } = scene;
		const [done, running] = customer.holdings.enrollments.map(({ name, resourceId: id }) => ({ name, id }));
		const lists = {
			getSendingReport: `training-reports/${the(done).id}/sending-report`,
			getCertificates: `enrollments/${the(done).id}/certificates`,
			getNotifications: `notifications/${the(done).id}`,
			getReminderMails: `training-reports/${the(running).id}/reminder-mails`,
		};
		const underWay = { id: 'Under Way', name: 'Under Way' };
		const items = await run([
			find(scene),
			step('Enrollment', 'getMany', by(the(done).name)),
			step('TrainingReport', 'getSendingReport', ENROLLMENT),
			once(step('TrainingReport', 'exportSendingReport', ENROLLMENT)),
			rows(),
			once(step('TrainingReport', 'getCertificates', ENROLLMENT)),
			once(step('TrainingReport', 'getNotifications', ENROLLMENT)),
			{ ...once(step('Enrollment', 'getMany', by(the(running).name))), ...underWay },
			step('TrainingReport', 'getReminderMails', { ...ALL, enrollment: from('Under Way', 'enrollmentId') }),
		]);
		for (const [operation, list] of Object.entries(lists))
			areRecords(items(`TrainingReport ${operation}`), await customer.list(`POST /api/${list}/search`));
		tell(items(ROWS), await customer.list(`POST /api/${lists.getSendingReport}/search`), 'email');
	},
	'Survey results': async (scene) => {
		const { customer, step, run } = scene;
		const survey = the(customer.holdings.enrollments.find(({ type }) => type === 'Survey'));
		const person = { targetUser: from('TrainingReport getUsers', 'targetUserResourceId') };
		const items = await run([
			find(scene),
			step('Enrollment', 'getMany', { ...ALL, enrollmentType: 'Survey' }),
			step('Enrollment', 'get', ENROLLMENT),
			step('TrainingReport', 'getSummary', ENROLLMENT),
			step('TrainingReport', 'getUsers', ENROLLMENT),
			step('TrainingReport', 'getInteractions', { ...ENROLLMENT, ...person }),
		]);
		tell(items('TrainingReport getSummary'), [survey], 'enrollmentName', 'name');
		const answersOf = async ({ resourceId: id }: { resourceId: string }) =>
			customer.list(`GET /api/training-reports/${survey.resourceId}/interactions/${id}?trainingType=0`);
		const asked = customer.holdings.members(survey.targetGroupResourceIds);
		const ofEach: Row[][] = await Promise.all(asked.map(answersOf));
		const answers = ofEach.flat();
		areRecords(items('TrainingReport getInteractions'), answers);
		const oneOfEach = uniqBy(items('TrainingReport getInteractions'), 'json.targetUserResourceId');
		tell(
			oneOfEach,
			asked.filter((_, at) => ofEach[at]?.length),
			'targetUserResourceId',
			'resourceId',
		);
		assert.ok(answers.every(({ questionText, answerText }) => questionText && answerText));
	},
};
