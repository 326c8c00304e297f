/** The cases for resending messages, and for stopping automatic sending. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import { NODE_FOLDERS, fetchJobPeople, getCampaignKeys } from './campaigns';
import { defineCases, expectOnlyItem, requireValue, type Case, type CaseRun } from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { findSeededEnrollment } from './enrollments';

/** The request that reads an enrollment's record, from which an operation takes the enrollment's name. */
const READ_REQUEST = 'GET /api/enrollments/{resourceId}';

/** Returns the resends that the stand-in has recorded for a campaign or enrollment. */
const getRecordedResends = ({ world }: CustomerFixture, id: string): unknown => world.getNotes(id).resent;

/** Finds a job that is running. */
export function findRunningJob(customer: CustomerFixture, simulator: Simulator) {
	const campaigns = customer.companyData.getCampaigns(simulator);
	const { resourceId: id } = requireValue(campaigns.find(({ status }) => status === 'Running'));
	return { id, group: 1, parameters: { ...customer.companyParameters, job: toIdLocator(`${id}/1`) } };
}

const defineJobCases = (simulator: Simulator): Case[] =>
	defineCases(
		NODE_FOLDERS[simulator],
		{
			'campaignJob.resend': async (customer) => {
				const { id, parameters } = findRunningJob(customer, simulator);
				const clickers = await fetchJobPeople(customer, simulator, 'Clicked', { id, group: 1 });
				const nonResponders = await fetchJobPeople(customer, simulator, 'NoResponse', { id, group: 1 });
				const { people, summary } = getCampaignKeys(simulator);
				const jobPath = `/api/${simulator}-simulator/${simulator}-campaign-job`;
				return {
					parameters: { ...parameters, sendTo: ['clicked', 'noResponse'] },
					itemCount: 1,
					requiredRequests: [people, people, `POST ${jobPath}/resend/{resourceId}/{instanceGroup}`, summary],
					checkItems: (items) => {
						expectOnlyItem(items, {
							result: z.literal('sent'),
							peopleCount: z.literal(clickers.length + nonResponders.length),
							resourceId: z.literal(id),
							jobId: z.literal(`${id}/1`),
						});
						assert.deepEqual(getRecordedResends(customer, id), [{ types: [2, 4] }]);
					},
				};
			},
			'campaignJob.resendToPeople': async (customer) => {
				const { parameters, ...job } = findRunningJob(customer, simulator);
				const [firstPerson, secondPerson] = await fetchJobPeople(customer, simulator, 'All', job);
				const people = z.array(z.string()).parse([firstPerson?.resourceId, secondPerson?.resourceId]);
				return {
					parameters: { ...parameters, people },
					itemCount: 1,
					requiredRequests: [
						`POST /api/${simulator}-simulator/${simulator}-campaign-job/resend/list/{resourceId}/{instanceGroup}`,
						getCampaignKeys(simulator).summary,
					],
					checkItems: (items) => {
						expectOnlyItem(items, {
							result: z.literal('sent'),
							peopleCount: z.literal(2),
							resourceId: z.literal(job.id),
							jobId: z.literal(`${job.id}/1`),
						});
						assert.deepEqual(getRecordedResends(customer, job.id), [{ items: people }]);
					},
				};
			},
		},
		{ isOutsideContract: true },
	);

/** Creates the run of an operation that turns off a setting of an enrollment. */
function createTurnOffRun(customer: CustomerFixture, field: 'hasReminder' | 'autoEnroll', action: string): CaseRun {
	const { id, parameters } = findSeededEnrollment(customer, 1);
	const enrollment = requireValue(customer.companyData.enrollments[1]);
	enrollment[field] = true;
	return {
		parameters,
		itemCount: 1,
		requiredRequests: [`POST /api/enrollments/{resourceId}/${action}`, READ_REQUEST],
		checkItems: (items) => {
			expectOnlyItem(items, { enrollmentId: z.literal(id), result: z.literal('stopped'), [field]: z.literal(false) });
			assert.equal(enrollment[field], false);
		},
	};
}

const enrollmentResendCases = defineCases(
	'Enrollment',
	{
		'followUp.resend': (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 1);
			return {
				parameters: { ...parameters, sendTo: ['noResponse', 'notCompleted'] },
				itemCount: 1,
				requiredRequests: [
					READ_REQUEST,
					'GET /api/training-reports/{enrollmentId}/summary',
					'POST /api/training-reports/{enrollmentId}/users/search',
					'POST /api/training-reports/{enrollmentId}/resend',
				],
				checkItems: (items) => {
					expectOnlyItem(items, {
						enrollmentId: z.literal(id),
						result: z.literal('sent'),
						peopleCount: z.number().min(1),
					});
					assert.deepEqual(getRecordedResends(customer, id), [{ types: [7, 4] }]);
				},
			};
		},
		'followUp.resendToPeople': async (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 1);
			const [row] = await customer.fetchList(`POST /api/training-reports/${id}/users/search`);
			const users = z.array(z.string()).parse([row?.resourceId]);
			return {
				parameters: { ...parameters, selectFrom: 'enrolledUsers', enrolledUsers: users },
				itemCount: 1,
				requiredRequests: ['POST /api/training-reports/{enrollmentId}/{tab}/resend', READ_REQUEST],
				checkItems: (items) => {
					expectOnlyItem(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(getRecordedResends(customer, id), [{ items: users }]);
				},
			};
		},
		'followUp.resendCertificate': async (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 0);
			const [certificate] = await customer.fetchList(`POST /api/enrollments/${id}/certificates/search`);
			const person = z.string().parse(certificate?.targetUserResourceId);
			return {
				parameters: { ...parameters, people: [person] },
				itemCount: 1,
				requiredRequests: ['POST /api/enrollments/resend-certificate', READ_REQUEST],
				checkItems: (items) => {
					expectOnlyItem(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(getRecordedResends(customer, id), [{ certificate: person }]);
				},
			};
		},
		'followUp.stopReminders': (customer) => createTurnOffRun(customer, 'hasReminder', 'stop-reminder'),
		'followUp.stopAutoEnrollment': (customer) => createTurnOffRun(customer, 'autoEnroll', 'stop-autoenroll'),
	},
	{ isOutsideContract: true },
);

export const resendCases: Case[] = [...SIMULATORS.flatMap(defineJobCases), ...enrollmentResendCases];
