import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import {
	casesOf,
	file,
	isWord,
	lists,
	only,
	refusedOnce,
	shows,
	the,
	type Case,
	type Item,
	sentIn,
	checkSent,
} from './case';

/** A new enrollment of two groups, with everything that a form can say, and what must have come of it. */
const enrollment = (customer: CustomerFixture) => {
	const { holdings, scoped } = customer;
	const training = the(holdings.trainings[0]);
	const groups = holdings.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
	return {
		parameters: {
			...scoped,
			training: byId(training.trainingId),
			name: 'Herbst',
			targetGroups: groups,
			dueDate: '2031-04-01',
			additionalFields: {
				scheduledDate: '2031-03-01T09:00:00',
				scheduledTimeZoneId: byId('Europe/Berlin'),
				useOwnTimeZone: true,
				awardCertificate: true,
				markedAsTest: true,
				sendTeamsNotification: true,
				additionalFieldsJson: '{"languageCode":"de","deliveryTypeId":2}',
			},
		},
		landed: (items: Item[], sendCount: number, toGroups = groups) => {
			const { enrollmentId } = only(items, { enrollmentId: isWord, trainingName: z.literal(training.trainingName) });
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
			assert.deepEqual(made[0]?.asked.enrollmentScheduler, { ...inBerlin, useOwnTimeZone: true });
			const { awardCertificate, targetGroupResourceIds } = the(made[0]).asked;
			assert.deepEqual([awardCertificate, targetGroupResourceIds], [true, toGroups]);
			checkSent(customer, 'POST /api/enrollments', { deliveryTypeId: 2, languageCode: 'de' });
		},
	};
};

/** A seeded enrollment: 0 is completed and awarded certificates, 1 is under way, 2 is a survey, 3 a test. */
export const enrolled = ({ holdings, scoped }: CustomerFixture, index: number) => {
	const { resourceId, name } = the(holdings.enrollments[index]);
	return { id: resourceId, name, parameters: { ...scoped, enrollment: byId(resourceId) } };
};

/** What a file of an enrollment has besides: its name, which is asked for. */
export const ofEnrollment = (name: string) => ({
	of: { field: 'enrollmentName', name, label: name },
	asked: READ,
});

const SEARCH = 'POST /api/enrollments/search';
const READ = 'GET /api/enrollments/{resourceId}';
const TRASH = 'POST /api/enrollments/archive/search';

/** Trainings sent to people. */
export const enrollmentCases: Case[] = casesOf('Enrollment', {
	create: (customer) => {
		const { parameters, landed } = enrollment(customer);
		return { parameters, items: 1, expect: (items) => landed(items, 0) };
	},
	createAndSend: (customer) => {
		const { parameters, landed } = enrollment(customer);
		return {
			parameters,
			items: 1,
			requests: ['POST /api/enrollments', 'POST /api/enrollments/{resourceId}/send'],
			expect: (items) => {
				landed(items, 1);
				only(items, { sent: z.literal(true) });
			},
		};
	},
	get: async (customer) => {
		const { id, parameters } = enrolled(customer, 1);
		// A live deployment leaves the ID out of the record, which must be known all the same.
		return await shows(
			customer,
			`GET /api/enrollments/${id}`,
			parameters,
			customer.names.name === 'deployed' ? { enrollmentId: id } : {},
		);
	},
	getFormDetails: async (customer) => shows(customer, 'GET /api/enrollments/form-details'),
	// A live deployment wants two groups in the filter, even if they are empty.
	getMany: async (customer) => refusedOnce(customer, SEARCH, await lists(customer, SEARCH)),
	send: (customer) => {
		const { id, parameters } = enrolled(customer, 1);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				assert.deepEqual(sentIn(the(items[0])), { resourceId: id });
				assert.equal(customer.holdings.enrollments.find(({ resourceId }) => resourceId === id)?.sendCount, 2);
			},
		};
	},
});

const one = (customer: CustomerFixture, id: string) =>
	the(customer.holdings.enrollments.find((each) => each.resourceId === id));

/** What live deployments can do to an enrollment besides. */
export const enrollmentChangeCases: Case[] = [
	...casesOf(
		'Enrollment',
		{
			update: (customer) => {
				const { id, parameters } = enrolled(customer, 1);
				const { startDate, markedAsTest } = one(customer, id);
				return {
					parameters: { ...parameters, additionalFields: { name: 'Later', dueDate: '2031-04-01T00:00:00Z' } },
					items: 1,
					requests: [READ, 'PUT /api/enrollments/{resourceId}', READ],
					expect: (items) => {
						only(items, { enrollmentId: z.literal(id) });
						const { name, dueDate, asked, ...others } = one(customer, id);
						assert.deepEqual([name, dueDate], ['Later', '2031-04-01T00:00:00.000Z']);
						assert.deepEqual([others.markedAsTest, asked.distributionDays], [markedAsTest, 0]);
						assert.deepEqual(z.object({ scheduledDate: z.string() }).parse(asked.enrollmentScheduler), {
							scheduledDate: startDate,
						});
					},
				};
			},
			stop: (customer) => {
				const { id, parameters } = enrolled(customer, 1);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(id) });
						assert.equal(one(customer, id).status, 'Stopped');
					},
				};
			},
			delete: (customer) => {
				const { id, parameters } = enrolled(customer, 1);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { deleted: z.literal(true) });
						assert.equal(customer.holdings.archive.at(-1)?.resourceId, id);
					},
				};
			},
			restore: async (customer) => {
				const { id, parameters } = enrolled(customer, 1);
				await customer.ask(`DELETE /api/enrollments/${id}`);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(id) });
						assert.equal(one(customer, id).resourceId, id);
					},
				};
			},
			getManyDeleted: async (customer) => refusedOnce(customer, TRASH, await lists(customer, TRASH)),
			deleteForGood: (customer) => {
				const { resourceId } = the(customer.holdings.archive[0]);
				return {
					parameters: { ...customer.scoped, enrollment: byId(resourceId) },
					items: 1,
					expect: (items) => {
						only(items, { deleted: z.literal(true) });
						assert.deepEqual(customer.holdings.archive, []);
					},
				};
			},
			createAndSendToPeople: (customer) => {
				const { parameters, landed } = enrollment(customer);
				const { targetGroups: _groups, ...others } = parameters;
				const people = customer.holdings.users.slice(0, 2).map(({ resourceId }) => resourceId);
				return {
					parameters: { ...others, people: people.join(', '), priority: 'Medium' },
					items: 1,
					requests: [
						'POST /api/target-groups',
						'PUT /api/target-groups/users',
						'POST /api/enrollments',
						'POST /api/enrollments/{resourceId}/send',
					],
					expect: (items) => {
						const made = the(customer.holdings.targetGroups.find(({ name }) => name === 'Herbst'));
						landed(items, 1, [made.resourceId]);
						assert.deepEqual(made.userResourceIds, people);
						only(items, { sent: z.literal(true) });
					},
				};
			},
		},
		{ isBeside: true },
	),
	...casesOf(
		'Enrollment',
		{
			export: (customer) => ({
				...file(customer, {
					key: 'POST /api/enrollments/search/export',
					fileName: 'enrollments.csv',
					rows: customer.holdings.enrollments.length,
					parameters: customer.scoped,
				}),
				again: ['POST /api/enrollments/search/export'],
			}),
		},
		{ isFile: true, isBeside: true },
	),
];

/** What can be learnt. */
export const trainingCases: Case[] = casesOf('Training', {
	getMany: async (customer) => lists(customer, 'POST /api/trainings/search'),
});
