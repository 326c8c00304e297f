/** What is sent to people again, and what stops that. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { NODE_FOLDERS, fetchJobPeople } from './campaigns';
import { defineCases, expectOnlyItem, requireValue, type Case, type PrepareRun } from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { findSeededEnrollment } from './enrollments';

/** What the service noted of what was sent again. */
const getResentNotes = ({ state }: CustomerFixture, id: string): unknown => state.getNotes(id).resent;

/** A job that is under way. */
export function findRunningJob(customer: CustomerFixture, simulator: Simulator) {
	const { resourceId: id } = requireValue(customer.companyData.getCampaigns(simulator).find(({ status }) => status === 'Running'));
	return { id, group: 1, parameters: { ...customer.companyParameters, job: toIdLocator(`${id}/1`) } };
}

const defineJobCases = (simulator: Simulator): Case[] =>
	defineCases(
		NODE_FOLDERS[simulator],
		{
			resendJob: (customer) => {
				const { id, parameters } = findRunningJob(customer, simulator);
				return {
					parameters: { ...parameters, sendTo: ['4', '5'] },
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id), jobId: z.literal(`${id}/1`) });
						assert.deepEqual(getResentNotes(customer, id), [{ types: [4, 5] }]);
					},
				};
			},
			resendJobToPeople: async (customer) => {
				const { parameters, ...job } = findRunningJob(customer, simulator);
				const [one, other] = await fetchJobPeople(customer, simulator, 'All', job);
				const people = z.array(z.string()).parse([one?.resourceId, other?.resourceId]);
				return {
					parameters: { ...parameters, people },
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(job.id), jobId: z.literal(`${job.id}/1`) });
						assert.deepEqual(getResentNotes(customer, job.id), [{ items: people }]);
					},
				};
			},
		},
		{ isOutsideContract: true },
	);

/** Something of an enrollment that ends. */
const prepareStop =
	(field: 'hasReminder' | 'autoEnroll'): PrepareRun =>
	(customer) => {
		const { id, parameters } = findSeededEnrollment(customer, 1);
		const one = requireValue(customer.companyData.enrollments[1]);
		one[field] = true;
		return {
			parameters,
			itemCount: 1,
			checkItems: (items) => {
				expectOnlyItem(items, { enrollmentId: z.literal(id), [field]: z.literal(false) });
				assert.equal(one[field], false);
			},
		};
	};

const enrollmentResendCases = defineCases(
	'Enrollment',
	{
		resend: (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 1);
			return {
				parameters: { ...parameters, sendTo: ['7', '4'] },
				itemCount: 1,
				requiredRequests: ['GET /api/enrollments/{resourceId}', 'POST /api/training-reports/{enrollmentId}/resend'],
				checkItems: (items) => {
					expectOnlyItem(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(getResentNotes(customer, id), [{ types: [7, 4] }]);
				},
			};
		},
		resendToPeople: async (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 1);
			const [one] = await customer.fetchList(`POST /api/training-reports/${id}/users/search`);
			const users = z.array(z.string()).parse([one?.resourceId]);
			return {
				parameters: { ...parameters, tab: 'users', users },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(getResentNotes(customer, id), [{ items: users }]);
				},
			};
		},
		resendCertificate: async (customer) => {
			const { id, parameters } = findSeededEnrollment(customer, 0);
			const [one] = await customer.fetchList(`POST /api/enrollments/${id}/certificates/search`);
			const person = z.string().parse(one?.targetUserResourceId);
			return {
				parameters: { ...parameters, people: [person] },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(getResentNotes(customer, id), [{ certificate: person }]);
				},
			};
		},
		stopReminders: prepareStop('hasReminder'),
		stopAutoEnrollment: prepareStop('autoEnroll'),
	},
	{ isOutsideContract: true },
);

export const resendCases: Case[] = [...SIMULATORS.flatMap(defineJobCases), ...enrollmentResendCases];
