/** Tests of start dates in the past: every form with a start date rejects them, unless the record already has this start date. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { catchNodeError, getJson, parseText, requireValue } from '../n8n-core/nodeFixture';

const fixture = createOperationFixture('deployed');
const TIME_ZONE = 'Europe/Berlin';

// The stand-in only creates a customer's scheduled reports when they are listed for the first time, and the tests need some.
beforeEach(async () => {
	await fixture.customer.fetchList('POST /api/report-scheduling/search');
	fixture.standIn.clearLog();
});

/** Formats the time that is some minutes from now as n8n's editor saves it: without a time zone. */
const formatTimeFromNow = (minutes: number, zone = TIME_ZONE) =>
	DateTime.now().setZone(zone).plus({ minutes }).toFormat("yyyy-MM-dd'T'HH:mm:ss");

const run = async ({ folder, parameters }: { folder: string; parameters: IDataObject }) =>
	runNode({
		node: fixture.getNode(folder),
		parameters: { ...fixture.customer.companyParameters, ...parameters },
		credential: fixture.credential,
		settings: { timezone: TIME_ZONE },
	});

/** Returns the routes of the requests that change data. */
const getSentWrites = () =>
	fixture.requests
		.filter(({ route }) => !route.startsWith('GET ') && !/search|get-all/.test(route))
		.map(({ route }) => route);

/** Builds the values of two fields: a date and, if `zone` is set, the time zone of this date. */
function buildDateFields(
	dateFieldName: string,
	date: string,
	zoneFieldName: string,
	zone: string | undefined,
): IDataObject {
	const fields: IDataObject = { [dateFieldName]: date };
	if (zone !== undefined) fields[zoneFieldName] = toIdLocator(zone);
	return fields;
}

/**
 * For each form with a start date, the function that builds it: the node, its parameters with this start date, and the label of the date
 * field.
 */
const FORM_BUILDERS: Record<
	string,
	(date: string, zone?: string) => { folder: string; parameters: IDataObject; label: string }
> = {
	'a new enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'create',
			training: toIdLocator(requireValue(fixture.standIn.world.trainings[0]).trainingId),
			name: 'Spring',
			targetGroups: [requireValue(fixture.customer.companyData.targetGroups[0]).resourceId],
			dueDate: '2031-01-01',
			additionalFields: buildDateFields('scheduledDate', date, 'scheduledTimeZoneId', zone),
		},
		label: "'Start Date' in 'Additional Fields'",
	}),
	'a changed enrollment': (date, zone) => ({
		folder: 'Enrollment',
		parameters: {
			operation: 'update',
			enrollment: toIdLocator(requireValue(fixture.customer.companyData.enrollments[1]).resourceId),
			additionalFields: buildDateFields('scheduledDate', date, 'scheduledTimeZoneId', zone),
		},
		label: "'Start Date' in 'Update Fields'",
	}),
	'a new simulation': (date, zone = TIME_ZONE) => ({
		folder: 'PhishingCampaign',
		parameters: {
			...prepareNewCampaign(fixture.customer, 'phishing').parameters,
			operation: 'create',
			schedule: toIdLocator('3'),
			scheduledDate: date,
			scheduledDateTimeZoneId: toIdLocator(zone),
		},
		label: "'Start Date'",
	}),
	'a started simulation': (date, zone = TIME_ZONE) => ({
		folder: 'SmishingCampaign',
		parameters: {
			operation: 'start',
			campaign: toIdLocator(requireValue(fixture.customer.companyData.getCampaigns('smishing')[0]).resourceId),
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
			reportResourceId: toIdLocator(
				requireValue(requireValue(fixture.customer.companyData.schedules)[0]).reportResourceId,
			),
			frequency: '3',
			additionalFields: buildDateFields('schedule', date, 'scheduledDateTimeZoneId', zone),
		},
		label: "'Send At' in 'Additional Fields'",
	}),
	'a changed scheduled report': (date, zone) => ({
		folder: 'ExecutiveReport',
		parameters: {
			operation: 'updateScheduledReport',
			scheduledReport: toIdLocator(requireValue(requireValue(fixture.customer.companyData.schedules)[0]).resourceId),
			additionalFields: buildDateFields('schedule', date, 'scheduledDateTimeZoneId', zone),
		},
		label: "'Send At' in 'Update Fields'",
	}),
};

describe.each(Object.entries(FORM_BUILDERS))('%s', (_name, buildForm) => {
	test('is rejected if its start has passed, and the error shows the current time in its time zone', async () => {
		const form = buildForm(formatTimeFromNow(-10));
		const error = await catchNodeError(run(form));
		expect(error.message).toMatch(/must not be in the past: it is now \d+ \w+ \d{4}, \d\d:\d\d \(Europe\/Berlin\)/);
		expect(error.message).toContain(form.label);
		expect(getSentWrites()).toEqual([]);
	});

	test('has its start date read in the selected time zone', async () => {
		// In Kiritimati, the clock time that Berlin will have in an hour has long passed.
		const error = await catchNodeError(run(buildForm(formatTimeFromNow(60), 'Pacific/Kiritimati')));
		expect(error.message).toContain('(Pacific/Kiritimati)');
		// In Los Angeles, the clock time that Berlin had an hour ago is still in the future.
		await run(buildForm(formatTimeFromNow(-60), 'America/Los_Angeles')).catch((thrown: Error) =>
			expect(thrown.message).not.toContain('must not be in the past'),
		);
	});

	test('may have started a few minutes ago, because a run takes some time', async () => {
		expect((await run(buildForm(formatTimeFromNow(-4)))).items).toHaveLength(1);
	});
});

test('an update can repeat the past date that the enrollment already has', async () => {
	const enrollment = requireValue(fixture.customer.companyData.enrollments[1]);
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
