import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	createExportRun,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	allowRejection,
	createRecordRun,
	requireValue,
	type Case,
	type Item,
	omitAddedFields,
	expectSentFields,
} from './case';

/** A new enrollment of two groups, with everything that a form can say, and what must have come of it. */
const prepareNewEnrollment = (customer: CustomerFixture) => {
	const { companyData: holdings, companyParameters: scoped } = customer;
	const training = requireValue(holdings.trainings[0]);
	const groups = holdings.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
	return {
		parameters: {
			...scoped,
			training: toIdLocator(training.trainingId),
			name: 'Herbst',
			targetGroups: groups,
			dueDate: '2031-04-01',
			additionalFields: {
				scheduledDate: '2031-03-01T09:00:00',
				scheduledTimeZoneId: toIdLocator('Europe/Berlin'),
				useOwnTimeZone: true,
				awardCertificate: true,
				markedAsTest: true,
				sendTeamsNotification: true,
				additionalFieldsJson: '{"languageCode":"de","deliveryTypeId":2}',
			},
		},
		landed: (items: Item[], sendCount: number, toGroups = groups) => {
			const { enrollmentId } = expectOnlyItem(items, { enrollmentId: nonEmptyTextSchema, trainingName: z.literal(training.trainingName) });
			const made = holdings.enrollments.filter(({ name }) => name === 'Herbst');
			assert.deepEqual(
				made.map((each) => [each.resourceId, each.sendCount]),
				[[enrollmentId, sendCount]],
			);
			const inBerlin = {
				scheduledDate: '2031-03-01T08:00:00.000Z',
				dueDate: '2031-04-01T21:59:59.999Z',
				scheduledTimeZoneId: 'Europe/Berlin',
			};
			assert.deepEqual(made[0]?.requestBody.enrollmentScheduler, { ...inBerlin, useOwnTimeZone: true });
			const { awardCertificate, targetGroupResourceIds } = requireValue(made[0]).requestBody;
			assert.deepEqual([awardCertificate, targetGroupResourceIds], [true, toGroups]);
			expectSentFields(customer, 'POST /api/enrollments', { deliveryTypeId: 2, languageCode: 'de' });
		},
	};
};

/** A seeded enrollment: 0 is completed and awarded certificates, 1 is under way, 2 is a survey, 3 a test. */
export const findSeededEnrollment = ({ companyData: holdings, companyParameters: scoped }: CustomerFixture, index: number) => {
	const { resourceId, name } = requireValue(holdings.enrollments[index]);
	return { id: resourceId, name, parameters: { ...scoped, enrollment: toIdLocator(resourceId) } };
};

/** What a file of an enrollment has besides: its name, which is asked for. */
export const buildEnrollmentSubject = (name: string) => ({
	of: { field: 'enrollmentName', name, label: name },
	asked: READ,
});

const SEARCH = 'POST /api/enrollments/search';
const READ = 'GET /api/enrollments/{resourceId}';
const TRASH = 'POST /api/enrollments/archive/search';

/** Trainings sent to people. */
export const enrollmentCases: Case[] = defineCases('Enrollment', {
	create: (customer) => {
		const { parameters, landed } = prepareNewEnrollment(customer);
		return { parameters, itemCount: 1, checkItems: (items) => landed(items, 0) };
	},
	createAndSend: (customer) => {
		const { parameters, landed } = prepareNewEnrollment(customer);
		return {
			parameters,
			itemCount: 1,
			requiredRequests: ['POST /api/enrollments', 'POST /api/enrollments/{resourceId}/send'],
			checkItems: (items) => {
				landed(items, 1);
				expectOnlyItem(items, { sent: z.literal(true) });
			},
		};
	},
	get: async (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		// A live deployment leaves the ID out of the record, which must be known all the same.
		return await createRecordRun(
			customer,
			`GET /api/enrollments/${id}`,
			parameters,
			customer.profile.name === 'deployed' ? { enrollmentId: id } : {},
		);
	},
	getFormDetails: async (customer) => createRecordRun(customer, 'GET /api/enrollments/form-details'),
	// A live deployment wants two groups in the filter, even if they are empty.
	getMany: async (customer) => allowRejection(customer, SEARCH, await createListRun(customer, SEARCH)),
	send: (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		return {
			parameters,
			itemCount: 1,
			checkItems: (items) => {
				assert.deepEqual(omitAddedFields(requireValue(items[0])), { resourceId: id });
				assert.equal(customer.companyData.enrollments.find(({ resourceId }) => resourceId === id)?.sendCount, 2);
			},
		};
	},
});

const findEnrollment = (customer: CustomerFixture, id: string) =>
	requireValue(customer.companyData.enrollments.find((each) => each.resourceId === id));

/** What live deployments can do to an enrollment besides. */
export const enrollmentChangeCases: Case[] = [
	...defineCases(
		'Enrollment',
		{
			update: (customer) => {
				const { id, parameters } = findSeededEnrollment(customer, 1);
				const { startDate, markedAsTest } = findEnrollment(customer, id);
				return {
					parameters: { ...parameters, additionalFields: { name: 'Later', dueDate: '2031-04-01T00:00:00Z' } },
					itemCount: 1,
					requiredRequests: [READ, 'PUT /api/enrollments/{resourceId}', READ],
					checkItems: (items) => {
						expectOnlyItem(items, { enrollmentId: z.literal(id) });
						const { name, dueDate, requestBody: asked, ...others } = findEnrollment(customer, id);
						assert.deepEqual([name, dueDate], ['Later', '2031-04-01T00:00:00.000Z']);
						assert.deepEqual([others.markedAsTest, asked.distributionDays], [markedAsTest, 0]);
						assert.deepEqual(z.object({ scheduledDate: z.string() }).parse(asked.enrollmentScheduler), {
							scheduledDate: startDate,
						});
					},
				};
			},
			stop: (customer) => {
				const { id, parameters } = findSeededEnrollment(customer, 1);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id) });
						assert.equal(findEnrollment(customer, id).status, 'Stopped');
					},
				};
			},
			delete: (customer) => {
				const { id, parameters } = findSeededEnrollment(customer, 1);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { deleted: z.literal(true) });
						assert.equal(customer.companyData.deletedEnrollments.at(-1)?.resourceId, id);
					},
				};
			},
			restore: async (customer) => {
				const { id, parameters } = findSeededEnrollment(customer, 1);
				await customer.fetchData(`DELETE /api/enrollments/${id}`);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id) });
						assert.equal(findEnrollment(customer, id).resourceId, id);
					},
				};
			},
			getManyDeleted: async (customer) => allowRejection(customer, TRASH, await createListRun(customer, TRASH)),
			deleteForGood: (customer) => {
				const { resourceId } = requireValue(customer.companyData.deletedEnrollments[0]);
				return {
					parameters: { ...customer.companyParameters, enrollment: toIdLocator(resourceId) },
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { deleted: z.literal(true) });
						assert.deepEqual(customer.companyData.deletedEnrollments, []);
					},
				};
			},
			createAndSendToPeople: (customer) => {
				const { parameters, landed } = prepareNewEnrollment(customer);
				const { targetGroups: _groups, ...others } = parameters;
				const people = customer.companyData.users.slice(0, 2).map(({ resourceId }) => resourceId);
				return {
					parameters: { ...others, people: people.join(', '), priority: 'Medium' },
					itemCount: 1,
					requiredRequests: [
						'POST /api/target-groups',
						'PUT /api/target-groups/users',
						'POST /api/enrollments',
						'POST /api/enrollments/{resourceId}/send',
					],
					checkItems: (items) => {
						const made = requireValue(customer.companyData.targetGroups.find(({ name }) => name === 'Herbst'));
						landed(items, 1, [made.resourceId]);
						assert.deepEqual(made.userResourceIds, people);
						expectOnlyItem(items, { sent: z.literal(true) });
					},
				};
			},
		},
		{ isOutsideContract: true },
	),
	...defineCases(
		'Enrollment',
		{
			export: (customer) => ({
				...createExportRun(customer, {
					key: 'POST /api/enrollments/search/export',
					fileName: 'enrollments.csv',
					rowCount: customer.companyData.enrollments.length,
					parameters: customer.companyParameters,
				}),
				rejectedRequests: ['POST /api/enrollments/search/export'],
			}),
		},
		{ returnsFile: true, isOutsideContract: true },
	),
];

/** What can be learnt. */
export const trainingCases: Case[] = defineCases('Training', {
	getMany: async (customer) => createListRun(customer, 'POST /api/trainings/search'),
});
