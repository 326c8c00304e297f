/** Tests of start dates that have passed: every form refuses them, unless the record already has the date. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { byId } from '../cases';
import { newCampaign } from '../cases/launch';
import { operationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { failureOf, jsonOf, textOf, the } from '../n8n-core/nodeFixture';

const g = operationFixture('deployed');
const TIMEZONE = 'Europe/Berlin';

// The stand-in creates a customer's scheduled reports when they are listed for the first time.
beforeEach(async () => {
	await g.customer.list('POST /api/report-scheduling/search');
	g.service.clearLog();
});

/** Returns a time as n8n's editor writes it, without a time zone. */
const inMinutes = (minutes: number, zone = TIMEZONE) =>
	DateTime.now().setZone(zone).plus({ minutes }).toFormat("yyyy-MM-dd'T'HH:mm:ss");

const run = async ({ folder, parameters }: { folder: string; parameters: IDataObject }) =>
	runNode({
		node: g.node(folder),
		parameters: { ...g.customer.scoped, ...parameters },
		credential: g.credential,
		settings: { timezone: TIMEZONE },
	});

/** Returns the writes that were sent. */
const writes = () =>
	g.asked.filter(({ route }) => !route.startsWith('GET ') && !/search|get-all/.test(route)).map(({ route }) => route);

/** The forms with a start date: the node, its parameters with the date, and the label of the date's field. */
const WAYS: Record<
	string,
	(date: string, zone?: string) => { folder: string; parameters: IDataObject; label: string }
> = {
	'a new enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'create',
			training: byId(the(g.service.state.trainings[0]).trainingId),
			name: 'Spring',
			targetGroups: [the(g.customer.holdings.targetGroups[0]).resourceId],
			dueDate: '2031-01-01',
			additionalFields: { scheduledDate: date, ...(zone ? { scheduledTimeZoneId: byId(zone) } : {}) },
		},
		label: "'Start Date' in 'Additional Fields'",
	}),
	'a changed enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'update',
			enrollment: byId(the(g.customer.holdings.enrollments[1]).resourceId),
			additionalFields: { scheduledDate: date, ...(zone ? { scheduledTimeZoneId: byId(zone) } : {}) },
		},
		label: "'Start Date' in 'Update Fields'",
	}),
	'a new simulation': (date, zone = TIMEZONE) => ({
		folder: 'PhishingCampaign',
		parameters: {
			...newCampaign(g.customer, 'phishing').parameters,
			operation: 'create',
			schedule: byId('3'),
			scheduledDate: date,
			scheduledDateTimeZoneId: byId(zone),
		},
		label: "'Start Date'",
	}),
	'a started simulation': (date, zone = TIMEZONE) => ({
		folder: 'SmishingCampaign',
		parameters: {
			operation: 'start',
			campaign: byId(the(g.customer.holdings.campaigns('smishing')[0]).resourceId),
			schedule: byId('3'),
			scheduledDate: date,
			scheduledDateTimeZoneId: byId(zone),
		},
		label: "'Start Date'",
	}),
	'a new scheduled report': (date, zone) => ({
		folder: 'ExecutiveReport',
		parameters: {
			operation: 'createScheduledReport',
			name: 'Review',
			emailAddresses: 'ceo@customer.example',
			reportResourceId: byId(the(the(g.customer.holdings.schedules)[0]).reportResourceId),
			frequency: '3',
			additionalFields: { schedule: date, ...(zone ? { scheduledDateTimeZoneId: byId(zone) } : {}) },
		},
		label: "'Send At' in 'Additional Fields'",
	}),
	'a changed scheduled report': (date, zone) => ({
		folder: 'ExecutiveReport',
		parameters: {
			operation: 'updateScheduledReport',
			scheduledReport: byId(the(the(g.customer.holdings.schedules)[0]).resourceId),
			additionalFields: { schedule: date, ...(zone ? { scheduledDateTimeZoneId: byId(zone) } : {}) },
		},
		label: "'Send At' in 'Update Fields'",
	}),
};

describe.each(Object.entries(WAYS))('%s', (_name, way) => {
	test('is refused if its start has passed, and the error shows the current time in its zone', async () => {
		const entered = way(inMinutes(-10));
		const error = await failureOf(run(entered));
		expect(error.message).toMatch(/must not be in the past: it is now \d+ \w+ \d{4}, \d\d:\d\d \(Europe\/Berlin\)/);
		expect(error.message).toContain(entered.label);
		expect(writes()).toEqual([]);
	});

	test('is read in the chosen zone', async () => {
		// One hour from now in Berlin is long past there.
		const error = await failureOf(run(way(inMinutes(60), 'Pacific/Kiritimati')));
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
	const enrollment = the(g.customer.holdings.enrollments[1]);
	const { startDate } = enrollment;
	expect(Date.parse(startDate)).toBeLessThan(Date.now());
	const { items } = await run({
		folder: 'Enrollment',
		parameters: {
			operation: 'update',
			enrollment: byId(enrollment.resourceId),
			additionalFields: { name: 'Renamed', scheduledDate: startDate },
		},
	});
	expect(jsonOf(items).map(({ name }) => textOf(name))).toEqual(['Renamed']);
});
