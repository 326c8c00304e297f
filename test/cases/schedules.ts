/** The cases for emailing reports on a schedule. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import {
	defineCases,
	currentTimeSchema,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	createRecordRun,
	requireValue,
	type Case,
} from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';

const PATH = '/api/report-scheduling';
const RECORD_PATH = `${PATH}/{resourceId}`;

const scheduleSchema = z.object({ resourceId: z.string(), name: z.string(), reportResourceId: z.string() });

/**
 * Finds a schedule of the customer.
 * @returns the schedule, and the parameters that select it
 */
async function findSchedule(customer: CustomerFixture) {
	const [firstRow] = await customer.fetchList(`POST ${PATH}/search`);
	const { resourceId: id, ...schedule } = scheduleSchema.parse(firstRow);
	return { id, ...schedule, parameters: { ...customer.companyParameters, scheduledReport: toIdLocator(id) } };
}

/** Returns a schedule from the stand-in's data. */
const getSavedSchedule = ({ companyData }: CustomerFixture, id: unknown) =>
	requireValue(requireValue(companyData.schedules).find(({ resourceId }) => resourceId === id));

export const scheduleCases: Case[] = defineCases(
	'ExecutiveReport',
	{
		'scheduledReport.getMany': async (customer) => createListRun(customer, `POST ${PATH}/search`),
		'scheduledReport.get': async (customer) => {
			const { id, parameters } = await findSchedule(customer);
			return await createRecordRun(customer, `GET ${PATH}/${id}`, parameters);
		},
		'scheduledReport.create': async (customer) => {
			const { reportResourceId } = await findSchedule(customer);
			const mainFields = { name: 'Review', emailAddresses: 'ceo@customer.example, cfo@customer.example' };
			const additionalFields = {
				schedule: '2031-03-01T09:00:00',
				scheduledDateTimeZoneId: toIdLocator('Europe/Berlin'),
				isRegionAwareTimeZone: true,
			};
			return {
				parameters: {
					...customer.companyParameters,
					...mainFields,
					reportResourceId: toIdLocator(reportResourceId),
					frequency: '4',
					additionalFields,
				},
				itemCount: 1,
				checkItems: (items) => {
					const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema, name: z.literal('Review') });
					assert.deepEqual(getSavedSchedule(customer, resourceId), {
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
		'scheduledReport.update': async (customer) => {
			const { id, parameters } = await findSchedule(customer);
			const oldSchedule = getSavedSchedule(customer, id);
			return {
				parameters: { ...parameters, additionalFields: { name: 'Renamed' } },
				itemCount: 1,
				requiredRequests: [`GET ${RECORD_PATH}`, `PUT ${RECORD_PATH}`, `GET ${RECORD_PATH}`],
				checkItems: (items) => {
					expectOnlyItem(items, { resourceId: z.literal(id), name: z.literal('Renamed') });
					assert.deepEqual(getSavedSchedule(customer, id), { ...oldSchedule, name: 'Renamed' });
				},
			};
		},
		'scheduledReport.turnOnOrOff': async (customer) => {
			const { id, name, parameters } = await findSchedule(customer);
			getSavedSchedule(customer, id).status = 2;
			return {
				parameters: { ...parameters, status: '1' },
				itemCount: 1,
				requiredRequests: [`PUT ${RECORD_PATH}/status/{statusId}`, `GET ${RECORD_PATH}`],
				checkItems: (items) => {
					expectOnlyItem(items, {
						name: z.literal(name),
						result: z.literal('turnedOn'),
						time: currentTimeSchema,
						status: z.literal(1),
						nextSendDate: z.literal('2026-02-01T06:00:00.000Z'),
						timeZone: z.literal('Europe/Berlin'),
						emailAddresses: z.literal('ceo@customer.example,cfo@customer.example'),
						resourceId: z.literal(id),
					});
					assert.equal(getSavedSchedule(customer, id).status, 1);
				},
			};
		},
		'scheduledReport.delete': async (customer) => {
			const { id, parameters } = await findSchedule(customer);
			return {
				parameters,
				itemCount: 1,
				requiredRequests: [`GET ${RECORD_PATH}`, `DELETE ${RECORD_PATH}/{reportType}`],
				checkItems: (items) => {
					expectOnlyItem(items, { name: z.string(), deleted: z.literal(true) });
					assert.ok(!requireValue(customer.companyData.schedules).some(({ resourceId }) => resourceId === id));
				},
			};
		},
	},
	{ isOutsideContract: true },
);
