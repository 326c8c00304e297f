/** When reports are mailed by themselves. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { casesOf, isWord, lists, only, shows, the, type Case } from './case';
import { byId, type CustomerFixture } from './customerFixture';

const PATH = '/api/report-scheduling';
const ONE = `${PATH}/{resourceId}`;

const row = z.object({ resourceId: z.string(), name: z.string(), reportResourceId: z.string() });

/** A schedule of the customer, and the field that chooses it. */
async function aSchedule(customer: CustomerFixture) {
	const { resourceId: id, ...schedule } = row.parse((await customer.list(`POST ${PATH}/search`))[0]);
	return { id, ...schedule, parameters: { ...customer.scoped, scheduledReport: byId(id) } };
}

const kept = ({ holdings }: CustomerFixture, id: unknown) =>
	the(the(holdings.schedules).find(({ resourceId }) => resourceId === id));

export const scheduleCases: Case[] = casesOf(
	'ExecutiveReport',
	{
		getScheduledReports: async (customer) => lists(customer, `POST ${PATH}/search`),
		getScheduledReport: async (customer) => {
			const { id, parameters } = await aSchedule(customer);
			return await shows(customer, `GET ${PATH}/${id}`, parameters);
		},
		createScheduledReport: async (customer) => {
			const { reportResourceId } = await aSchedule(customer);
			const main = { name: 'Review', emailAddresses: 'ceo@customer.example, cfo@customer.example' };
			const additionalFields = {
				schedule: '2031-03-01T09:00:00',
				scheduledDateTimeZoneId: byId('Europe/Berlin'),
				isRegionAwareTimeZone: true,
			};
			return {
				parameters: {
					...customer.scoped,
					...main,
					reportResourceId: byId(reportResourceId),
					frequency: '4',
					additionalFields,
				},
				items: 1,
				expect: (items) => {
					const { resourceId } = only(items, { resourceId: isWord, name: z.literal('Review') });
					assert.deepEqual(kept(customer, resourceId), {
						resourceId,
						status: 1,
						reportType: 2,
						reportResourceId,
						name: 'Review',
						frequency: 4,
						schedule: '2031-03-01T08:00:00.000Z',
						scheduledDateTimeZoneId: 'Europe/Berlin',
						isRegionAwareTimeZone: true,
						emailAddresses: ['ceo@customer.example', 'cfo@customer.example'],
						managerEmails: [],
						targetGroupResourceIds: [],
					});
				},
			};
		},
		updateScheduledReport: async (customer) => {
			const { id, parameters } = await aSchedule(customer);
			const before = kept(customer, id);
			return {
				parameters: { ...parameters, additionalFields: { name: 'Renamed' } },
				items: 1,
				requests: [`GET ${ONE}`, `PUT ${ONE}`, `GET ${ONE}`],
				expect: (items) => {
					only(items, { resourceId: z.literal(id), name: z.literal('Renamed') });
					assert.deepEqual(kept(customer, id), { ...before, name: 'Renamed' });
				},
			};
		},
		switchScheduledReport: async (customer) => {
			const { id, parameters } = await aSchedule(customer);
			return {
				parameters: { ...parameters, status: '2' },
				items: 1,
				expect: (items) => {
					only(items, { resourceId: z.literal(id) });
					assert.equal(kept(customer, id).status, 2);
				},
			};
		},
		deleteScheduledReport: async (customer) => {
			const { id, parameters } = await aSchedule(customer);
			return {
				parameters,
				items: 1,
				requests: [`GET ${ONE}`, `DELETE ${ONE}/{reportType}`],
				expect: (items) => {
					only(items, { deleted: z.literal(true) });
					assert.ok(!the(customer.holdings.schedules).some(({ resourceId }) => resourceId === id));
				},
			};
		},
	},
	{ isBeside: true },
);
