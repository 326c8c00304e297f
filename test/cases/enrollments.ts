import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	createExportRun,
	currentTimeSchema,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	allowRejection,
	createRecordRun,
	requireValue,
	type Case,
	type Item,
	expectSentFields,
} from './case';

/**
 * Prepares the creation of an enrollment of two groups that uses every field of the form.
 * @param isSentAtOnce true for an operation that sends the enrollment, so that its form has no start date
 * @returns the parameters, and a function that checks the created enrollment
 */
const prepareNewEnrollment = (customer: CustomerFixture, { isSentAtOnce }: { isSentAtOnce: boolean }) => {
	const { companyData, companyParameters } = customer;
	const training = requireValue(companyData.trainings[0]);
	const groups = companyData.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
	const startFields = isSentAtOnce ? {} : { scheduledDate: '2031-03-01T09:00:00', useOwnTimeZone: true };
	const startInUtc = isSentAtOnce ? {} : { scheduledDate: '2031-03-01T08:00:00.000Z', useOwnTimeZone: true };
	return {
		parameters: {
			...companyParameters,
			training: toIdLocator(training.trainingId),
			name: 'Herbst',
			targetGroups: groups,
			dueDate: '2031-04-01',
			additionalFields: {
				...startFields,
				scheduledTimeZoneId: toIdLocator('Europe/Berlin'),
				awardCertificate: true,
				markedAsTest: true,
				sendTeamsNotification: true,
				additionalFieldsJson: '{"languageCode":"de","deliveryTypeId":2}',
			},
		},
		expectCreated: (items: Item[], sendCount: number, expectedGroups = groups) => {
			const { enrollmentId } = expectOnlyItem(items, {
				enrollmentId: nonEmptyTextSchema,
				trainingName: z.literal(training.trainingName),
			});
			const createdEnrollments = companyData.enrollments.filter(({ name }) => name === 'Herbst');
			assert.deepEqual(
				createdEnrollments.map((enrollment) => [enrollment.resourceId, enrollment.sendCount]),
				[[enrollmentId, sendCount]],
			);
			const { requestBody } = requireValue(createdEnrollments[0]);
			assert.deepEqual(requestBody.enrollmentScheduler, {
				...startInUtc,
				dueDate: '2031-04-01T21:59:59.999Z',
				scheduledTimeZoneId: 'Europe/Berlin',
			});
			const { awardCertificate, targetGroupResourceIds } = requestBody;
			assert.deepEqual([awardCertificate, targetGroupResourceIds], [true, expectedGroups]);
			expectSentFields(customer, 'POST /api/enrollments', { deliveryTypeId: 2, languageCode: 'de' });
		},
	};
};

/** Finds a seeded enrollment: 0 is completed and has certificates, 1 is in progress, 2 is a survey, 3 is a test. */
export const findSeededEnrollment = ({ companyData, companyParameters }: CustomerFixture, index: number) => {
	const { resourceId, name } = requireValue(companyData.enrollments[index]);
	return { id: resourceId, name, parameters: { ...companyParameters, enrollment: toIdLocator(resourceId) } };
};

/** Builds the subject of an exported file about an enrollment: its name, and the request that reads it. */
export const buildEnrollmentSubject = (name: string) => ({
	subject: { field: 'enrollmentName', name, label: name },
	subjectRequest: READ_REQUEST,
});

const SEARCH = 'POST /api/enrollments/search';
const READ_REQUEST = 'GET /api/enrollments/{resourceId}';
const SUMMARY_REQUEST = 'GET /api/training-reports/{enrollmentId}/summary';

/** The fields that say what was done with an enrollment. */
const sentShape = { result: z.literal('sent'), time: currentTimeSchema, timeZone: nonEmptyTextSchema };

const findEnrollment = (customer: CustomerFixture, id: string) =>
	requireValue(customer.companyData.enrollments.find(({ resourceId }) => resourceId === id));
const DELETED_SEARCH = 'POST /api/enrollments/archive/search';

export const enrollmentCases: Case[] = defineCases('Enrollment', {
	create: (customer) => {
		const { parameters, expectCreated } = prepareNewEnrollment(customer, { isSentAtOnce: false });
		return { parameters, itemCount: 1, checkItems: (items) => expectCreated(items, 0) };
	},
	createAndSend: (customer) => {
		const { parameters, expectCreated } = prepareNewEnrollment(customer, { isSentAtOnce: true });
		return {
			parameters,
			itemCount: 1,
			requiredRequests: ['POST /api/enrollments', 'POST /api/enrollments/{resourceId}/send'],
			checkItems: (items) => {
				expectCreated(items, 1);
				const groupIds = customer.companyData.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
				expectOnlyItem(items, {
					name: z.literal('Herbst'),
					...sentShape,
					peopleCount: z.literal(customer.companyData.getGroupMembers(groupIds).length),
				});
			},
		};
	},
	get: async (customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		// On live deployments, the record does not contain the ID, but the item must.
		return await createRecordRun(
			customer,
			`GET /api/enrollments/${id}`,
			parameters,
			customer.profile.name === 'deployed' ? { enrollmentId: id } : {},
		);
	},
	getFormOptions: async (customer) => createRecordRun(customer, 'GET /api/enrollments/form-details'),
	// Live deployments require two groups in the filter, even if they are empty.
	getMany: async (customer) => allowRejection(customer, SEARCH, await createListRun(customer, SEARCH)),
	send: (customer) => {
		const { id, name, parameters } = findSeededEnrollment(customer, 1);
		const { targetGroupResourceIds } = findEnrollment(customer, id);
		const peopleCount = customer.companyData.getGroupMembers(targetGroupResourceIds).length;
		return {
			parameters,
			itemCount: 1,
			requiredRequests: ['POST /api/enrollments/{resourceId}/send', SUMMARY_REQUEST],
			checkItems: (items) => {
				expectOnlyItem(items, {
					name: z.literal(name),
					...sentShape,
					peopleCount: z.literal(peopleCount),
					resourceId: z.literal(id),
				});
				assert.equal(customer.companyData.enrollments.find(({ resourceId }) => resourceId === id)?.sendCount, 2);
			},
		};
	},
});

/** The cases for changing enrollments, which only live deployments can do. */
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
					requiredRequests: [READ_REQUEST, 'PUT /api/enrollments/{resourceId}', READ_REQUEST],
					checkItems: (items) => {
						expectOnlyItem(items, { enrollmentId: z.literal(id) });
						const { name, dueDate, requestBody, ...otherFields } = findEnrollment(customer, id);
						assert.deepEqual([name, dueDate], ['Later', '2031-04-01T00:00:00.000Z']);
						assert.deepEqual([otherFields.markedAsTest, requestBody.distributionDays], [markedAsTest, 0]);
						assert.deepEqual(z.object({ scheduledDate: z.string() }).parse(requestBody.enrollmentScheduler), {
							scheduledDate: startDate,
						});
					},
				};
			},
			stop: (customer) => {
				const { id, name, parameters } = findSeededEnrollment(customer, 1);
				return {
					parameters,
					itemCount: 1,
					requiredRequests: ['POST /api/enrollments/{resourceId}/stop', READ_REQUEST],
					checkItems: (items) => {
						expectOnlyItem(items, {
							name: z.literal(name),
							...sentShape,
							result: z.literal('stopped'),
							resourceId: z.literal(id),
						});
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
			'deletedEnrollment.restore': async (customer) => {
				const { id, parameters } = findSeededEnrollment(customer, 1);
				await customer.fetchData(`DELETE /api/enrollments/${id}`);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { result: z.literal('restored'), resourceId: z.literal(id) });
						assert.equal(findEnrollment(customer, id).resourceId, id);
					},
				};
			},
			'deletedEnrollment.getMany': async (customer) =>
				allowRejection(customer, DELETED_SEARCH, await createListRun(customer, DELETED_SEARCH)),
			'deletedEnrollment.deletePermanently': (customer) => {
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
			sendToPeople: (customer) => {
				const { parameters, expectCreated } = prepareNewEnrollment(customer, { isSentAtOnce: true });
				const { targetGroups: _groups, ...otherParameters } = parameters;
				const people = customer.companyData.users.slice(0, 2).map(({ resourceId }) => resourceId);
				return {
					parameters: { ...otherParameters, people: people.join(', '), priority: 'Medium' },
					itemCount: 1,
					requiredRequests: [
						'POST /api/target-groups',
						'PUT /api/target-groups/users',
						'POST /api/enrollments',
						'POST /api/enrollments/{resourceId}/send',
					],
					checkItems: (items) => {
						const newGroup = requireValue(customer.companyData.targetGroups.find(({ name }) => name === 'Herbst'));
						expectCreated(items, 1, [newGroup.resourceId]);
						assert.deepEqual(newGroup.userResourceIds, people);
						expectOnlyItem(items, {
							...sentShape,
							peopleCount: z.literal(2),
							targetGroupResourceId: z.literal(newGroup.resourceId),
						});
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
		{ hasFileOutput: true, isOutsideContract: true },
	),
];

export const trainingCases: Case[] = defineCases('Training', {
	getMany: async (customer) => createListRun(customer, 'POST /api/trainings/search'),
});
