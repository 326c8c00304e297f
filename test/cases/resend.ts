/** What is sent to people again, and what stops that. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { FOLDERS, peopleOf } from './campaigns';
import { casesOf, only, the, type Case, type Prepare } from './case';
import { byId, type CustomerFixture } from './customerFixture';
import { enrolled } from './enrollments';

/** What the service noted of what was sent again. */
const resentOf = ({ state }: CustomerFixture, id: string): unknown => state.notesOn(id).resent;

/** A job that is under way. */
export function runningJob(customer: CustomerFixture, simulator: Simulator) {
	const { resourceId: id } = the(customer.holdings.campaigns(simulator).find(({ status }) => status === 'Running'));
	return { id, group: 1, parameters: { ...customer.scoped, job: byId(`${id}/1`) } };
}

const ofCampaigns = (simulator: Simulator): Case[] =>
	casesOf(
		FOLDERS[simulator],
		{
			resendJob: (customer) => {
				const { id, parameters } = runningJob(customer, simulator);
				return {
					parameters: { ...parameters, sendTo: ['4', '5'] },
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(id), jobId: z.literal(`${id}/1`) });
						assert.deepEqual(resentOf(customer, id), [{ types: [4, 5] }]);
					},
				};
			},
			resendJobToPeople: async (customer) => {
				const { parameters, ...job } = runningJob(customer, simulator);
				const [one, other] = await peopleOf(customer, simulator, 'All', job);
				const people = z.array(z.string()).parse([one?.resourceId, other?.resourceId]);
				return {
					parameters: { ...parameters, people },
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(job.id), jobId: z.literal(`${job.id}/1`) });
						assert.deepEqual(resentOf(customer, job.id), [{ items: people }]);
					},
				};
			},
		},
		{ isBeside: true },
	);

/** Something of an enrollment that ends. */
const stops =
	(field: 'hasReminder' | 'autoEnroll'): Prepare =>
	(customer) => {
		const { id, parameters } = enrolled(customer, 1);
		const one = the(customer.holdings.enrollments[1]);
		one[field] = true;
		return {
			parameters,
			items: 1,
			expect: (items) => {
				only(items, { enrollmentId: z.literal(id), [field]: z.literal(false) });
				assert.equal(one[field], false);
			},
		};
	};

const ofEnrollments = casesOf(
	'Enrollment',
	{
		resend: (customer) => {
			const { id, parameters } = enrolled(customer, 1);
			return {
				parameters: { ...parameters, sendTo: ['7', '4'] },
				items: 1,
				requests: ['GET /api/enrollments/{resourceId}', 'POST /api/training-reports/{enrollmentId}/resend'],
				expect: (items) => {
					only(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(resentOf(customer, id), [{ types: [7, 4] }]);
				},
			};
		},
		resendToPeople: async (customer) => {
			const { id, parameters } = enrolled(customer, 1);
			const [one] = await customer.list(`POST /api/training-reports/${id}/users/search`);
			const users = z.array(z.string()).parse([one?.resourceId]);
			return {
				parameters: { ...parameters, tab: 'users', users },
				items: 1,
				expect: (items) => {
					only(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(resentOf(customer, id), [{ items: users }]);
				},
			};
		},
		resendCertificate: async (customer) => {
			const { id, parameters } = enrolled(customer, 0);
			const [one] = await customer.list(`POST /api/enrollments/${id}/certificates/search`);
			const person = z.string().parse(one?.targetUserResourceId);
			return {
				parameters: { ...parameters, people: [person] },
				items: 1,
				expect: (items) => {
					only(items, { enrollmentId: z.literal(id) });
					assert.deepEqual(resentOf(customer, id), [{ certificate: person }]);
				},
			};
		},
		stopReminders: stops('hasReminder'),
		stopAutoEnrollment: stops('autoEnroll'),
	},
	{ isBeside: true },
);

export const resendCases: Case[] = [...SIMULATORS.flatMap(ofCampaigns), ...ofEnrollments];
