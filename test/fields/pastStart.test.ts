/** Tests of start dates that have passed: every form refuses them, unless the record already has the date. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError, getJson, parseText, requireValue } from '../n8n-core/nodeFixture';

const g = createOperationFixture('deployed');
const TIMEZONE = 'Europe/Berlin';

// The stand-in creates a customer's scheduled reports when they are listed for the first time.
beforeEach(async () => {
	await g.customer.fetchList('POST /api/report-scheduling/search');
	g.standIn.clearLog();
});

/** Returns a time as n8n's editor writes it, without a time zone. */
const inMinutes = (minutes: number, zone = TIMEZONE) =>
	DateTime.now().setZone(zone).plus({ minutes }).toFormat("yyyy-MM-dd'T'HH:mm:ss");

const run = async ({ folder, parameters }: { folder: string; parameters: IDataObject }) =>
	runNode({
		node: g.getNode(folder),
		parameters: { ...g.customer.companyParameters, ...parameters },
		credential: g.credential,
		settings: { timezone: TIMEZONE },
	});

/** Returns the writes that were sent. */
const writes = () =>
	g.requests.filter(({ route }) => !route.startsWith('GET ') && !/search|get-all/.test(route)).map(({ route }) => route);

/** The forms with a start date: the node, its parameters with the date, and the label of the date's field. */
const WAYS: Record<
	string,
	(date: string, zone?: string) => { folder: string; parameters: IDataObject; label: string }
> = {
	'a new enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'create',
			training: toIdLocator(requireValue(g.standIn.state.trainings[0]).trainingId),
			name: 'Spring',
			targetGroups: [requireValue(g.customer.companyData.targetGroups[0]).resourceId],
			dueDate: '2031-01-01',
			additionalFields: { scheduledDate: date, ...(zone ? { scheduledTimeZoneId: toIdLocator(zone) } : {}) },
		},
		label: "'Start Date' in 'Additional Fields'",
	}),
	'a changed enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'update',
			enrollment: toIdLocator(requireValue(g.customer.companyData.enrollments[1]).resourceId),
			additionalFields: { scheduledDate: date, ...(zone ? { scheduledTimeZoneId: toIdLocator(zone) } : {}) },
		},
		label: "'Start Date' in 'Update Fields'",
	}),
	'a new simulation': (date, zone = TIMEZONE) => ({
		folder: 'PhishingCampaign',
		parameters: {
			...prepareNewCampaign(g.customer, 'phishing').parameters,
			operation: 'create',
			schedule: toIdLocator('3'),
			scheduledDate: date,
			scheduledDateTimeZoneId: toIdLocator(zone),
		},
		label: "'Start Date'",
	}),
	'a started simulation': (date, zone = TIMEZONE) => ({
		folder: 'SmishingCampaign',
		parameters: {
			operation: 'start',
			campaign: toIdLocator(requireValue(g.customer.companyData.getCampaigns('smishing')[0]).resourceId),
			schedule: toIdLocator('3'),
			scheduledDate: date,
			scheduledDateTimeZoneId: toIdLocator(zone),
		},
		label: "'Start Date'",
	}),
	'a new scheduled report': (date, zone) => ({
		folder: 'ExecutiveReport',
		parameters: {
			operation: 'createScheduledReport',
			name: 'Review',
			emailAddresses: 'ceo@customer.example',
			reportResourceId: toIdLocator(requireValue(requireValue(g.customer.companyData.schedules)[0]).reportResourceId),
			frequency: '3',
			additionalFields: { schedule: date, ...(zone ? { scheduledDateTimeZoneId: toIdLocator(zone) } : {}) },
		},
		label: "'Send At' in 'Additional Fields'",
	}),
	'a changed scheduled report': (date, zone) => ({
		folder: 'ExecutiveReport',
		parameters: {
			operation: 'updateScheduledReport',
			scheduledReport: toIdLocator(requireValue(requireValue(g.customer.companyData.schedules)[0]).resourceId),
			additionalFields: { schedule: date, ...(zone ? { scheduledDateTimeZoneId: toIdLocator(zone) } : {}) },
		},
		label: "'Send At' in 'Update Fields'",
	}),
};

describe.each(Object.entries(WAYS))('%s', (_name, way) => {
	test('is refused if its start has passed, and the error shows the current time in its zone', async () => {
		const entered = way(inMinutes(-10));
		const error = await catchNodeError(run(entered));
		expect(error.message).toMatch(/must not be in the past: it is now \d+ \w+ \d{4}, \d\d:\d\d \(Europe\/Berlin\)/);
		expect(error.message).toContain(entered.label);
		expect(writes()).toEqual([]);
	});

	test('is read in the chosen zone', async () => {
		// One hour from now in Berlin is long past there.
		const error = await catchNodeError(run(way(inMinutes(60), 'Pacific/Kiritimati')));
		expect(error.message).toContain('(Pacific/Kiritimati)');
		// One hour ago in Berlin is still to come there.
		await run(way(inMinutes(-60), 'America/Los_Angeles')).catch((thrown: Error) =>
			expect(thrown.message).not.toContain('must not be in the past'),
		);
	});

	test('may start now, because a run takes some time', async () => {
		expect((await run(way(inMinutes(-4)))).items).toHaveLength(1);
	});
});

test('an update can keep the past date that the enrollment already has', async () => {
	const enrollment = requireValue(g.customer.companyData.enrollments[1]);
	const { startDate } = enrollment;
	expect(Date.parse(startDate)).toBeLessThan(Date.now());
	const { items } = await run({
		folder: 'Enrollment',
		parameters: {
			operation: 'update',
			enrollment: toIdLocator(enrollment.resourceId),
			additionalFields: { name: 'Renamed', scheduledDate: startDate },
		},
	});
	expect(getJson(items).map(({ name }) => parseText(name))).toEqual(['Renamed']);
});
