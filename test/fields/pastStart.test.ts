/** Tests of start dates in the past: every form with a start date rejects them, unless the record already has this start date. */
import { merge } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { prepareNewCampaign } from '../cases/launch';
import { createOperationFixture } from '../cases/operationFixture';
import { callListSearch, runNode } from '../n8n-core';
import { catchNodeError, getJson, parseText, requireValue } from '../n8n-core/nodeFixture';

const fixture = createOperationFixture('deployed');
const TIME_ZONE = 'Europe/Berlin';
const COMPANY_ROUTE = 'GET /api/companies/{resourceId}';

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

/** Lists the requests that change data. */
const listSentWrites = () =>
	fixture.requests.filter(({ route }) => !route.startsWith('GET ') && !/search|get-all/.test(route));

/** Returns the routes of the requests that change data. */
const getSentWrites = () => listSentWrites().map(({ route }) => route);

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
			// The stored due date has passed.
			additionalFields: {
				...buildDateFields('scheduledDate', date, 'scheduledTimeZoneId', zone),
				dueDate: '2032-01-01',
			},
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
			resource: 'scheduledReport',
			operation: 'create',
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
			resource: 'scheduledReport',
			operation: 'update',
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
		const date = formatTimeFromNow(-60);
		await run(buildForm(date, 'America/Los_Angeles'));
		expectSentDate(date, 'America/Los_Angeles');
	});

	test('may have started a few minutes ago, because a run takes some time', async () => {
		expect((await run(buildForm(formatTimeFromNow(-4)))).items).toHaveLength(1);
	});

	describe("with the time zone 'Customer's Own'", () => {
		test("has its start date read in the time zone of the company's record, which is sent", async () => {
			setCustomersTimeZone('America/Los_Angeles');
			// In Los Angeles, the clock time that Berlin had an hour ago is still in the future.
			const date = formatTimeFromNow(-60);
			await run(buildForm(date, 'customersOwn'));
			expectSentDate(date, 'America/Los_Angeles');
		});

		test('is rejected if its start has passed there, before anything is sent', async () => {
			setCustomersTimeZone('Pacific/Kiritimati');
			const form = buildForm(formatTimeFromNow(60), "={{ 'Customer\\'s own' }}");
			const error = await catchNodeError(run(form));
			expect(error.message).toContain('(Pacific/Kiritimati)');
			expect(error.message).toContain(form.label);
			expect(getSentWrites()).toEqual([]);
		});

		test.each<[timeZone: string, reason: string]>([
			['', "the platform doesn't say which time zone 'CUSTOMER' has"],
			['W. Europe Standard Time', "the time zone of 'CUSTOMER' is 'W. Europe Standard Time', which isn't an IANA name"],
		])('is rejected if the record has the time zone %j', async (timeZone, reason) => {
			setCustomersTimeZone(timeZone);
			const error = await catchNodeError(run(buildForm(formatTimeFromNow(60), 'customersOwn')));
			expect(error.message).toContain(reason.replace('CUSTOMER', requireValue(fixture.customer.company.companyName)));
			expect(error.message).toContain("'Time Zone'");
			expect(error.description).toContain('Select a time zone');
			expect(getSentWrites()).toEqual([]);
		});

		test.each([
			[403, 'the platform refused access (403)'],
			[404, 'the platform has no record'],
		])(
			'is rejected with the question if it is a customer, if its record can not be read (%d)',
			async (status, reason) => {
				fixture.standIn.addFault({ route: COMPANY_ROUTE, kind: 'status', status, times: Infinity });
				const error = await catchNodeError(run(buildForm(formatTimeFromNow(60), 'customersOwn')));
				expect(error.message).toContain(`'Time Zone'`);
				expect(error.message).toContain(
					`the time zone of '${fixture.customer.company.companyName}' can't be read: ${reason}`,
				);
				expect(error.description).toMatch(/^Is this one of your customers\? /);
				expect(error.description).toContain('Or select a time zone from the list.');
				expect(getSentWrites()).toEqual([]);
			},
		);
	});
});

/** Checks that the last write contains a time zone, and a date that was entered in it. */
function expectSentDate(date: string, zone: string): void {
	const sentBody = JSON.stringify(listSentWrites().at(-1)?.body);
	expect(sentBody).toContain(zone);
	expect(sentBody).toContain(DateTime.fromISO(date, { zone }).toUTC().toISO());
}

test.each([
	['a new enrollment', 'POST /api/enrollments', { dueDate: '2031-01-01' }],
	['a changed enrollment', 'PUT /api/enrollments/{resourceId}', { additionalFields: { dueDate: '2031-01-01' } }],
])('the due date of %s ends at midnight in the selected time zone', async (name, route, dueDateFields) => {
	const { folder, parameters } = requireValue(FORM_BUILDERS[name])('2030-12-01T09:00', 'Asia/Tokyo');
	await run({ folder, parameters: merge(parameters, dueDateFields) });
	expect(fixture.standIn.getRequests(route)[0]?.body).toMatchObject({
		enrollmentScheduler: {
			scheduledDate: '2030-12-01T00:00:00.000Z',
			dueDate: '2031-01-01T14:59:59.999Z',
			scheduledTimeZoneId: 'Asia/Tokyo',
		},
	});
});

/** Sets the time zone in the record of the customer. */
function setCustomersTimeZone(timeZoneId: string): void {
	fixture.standIn.world.companyDetails[fixture.customer.companyId] = { timeZoneId };
}

describe("'Customer's Own'", () => {
	const buildEnrollmentForm = requireValue(FORM_BUILDERS['a new enrollment']);

	test('is the first entry of the list of time zones', async () => {
		const node = fixture.getNode('Enrollment');
		const { results } = await callListSearch({
			node,
			method: 'searchIanaZones',
			parameters: {},
			credential: fixture.credential,
		});
		expect(results[0]).toEqual({ name: "Customer's Own", value: 'customersOwn' });
	});

	test('stays in the list after a search, because n8n would otherwise forget its name if it is selected again', async () => {
		const search = async (filter: string) => {
			const node = fixture.getNode('Enrollment');
			const settings = { node, method: 'searchIanaZones', parameters: {}, credential: fixture.credential, filter };
			return (await callListSearch(settings)).results.map(({ name }) => name);
		};
		expect(await search('istanbul')).toEqual(["Customer's Own", expect.stringContaining('Istanbul')]);
		expect(await search('customer')).toEqual(["Customer's Own"]);
	});

	test('is also used for the due date, and the record is read once for all items', async () => {
		setCustomersTimeZone('Asia/Tokyo');
		const { folder, parameters } = buildEnrollmentForm('2031-01-01T09:00', 'customersOwn');
		const { items } = await runNode({
			node: fixture.getNode(folder),
			parameters: { ...fixture.customer.companyParameters, ...parameters },
			credential: fixture.credential,
			items: [{ json: {} }, { json: {} }],
		});
		expect(items).toHaveLength(2);
		expect(fixture.standIn.getRequests(COMPANY_ROUTE)).toHaveLength(1);
		const [{ body } = { body: undefined }] = fixture.standIn.getRequests('POST /api/enrollments');
		expect(body).toMatchObject({
			enrollmentScheduler: {
				scheduledDate: '2031-01-01T00:00:00.000Z',
				dueDate: '2031-01-01T14:59:59.999Z',
				scheduledTimeZoneId: 'Asia/Tokyo',
			},
		});
	});

	test('of one item that has passed keeps the other items from being sent', async () => {
		setCustomersTimeZone('Pacific/Kiritimati');
		const buildForm = requireValue(FORM_BUILDERS['a started simulation']);
		const { folder, parameters } = buildForm('={{ $json.date }}', 'customersOwn');
		const dates = [formatTimeFromNow(60 * 48), formatTimeFromNow(60)];
		const error = await catchNodeError(
			runNode({
				node: fixture.getNode(folder),
				parameters: { ...fixture.customer.companyParameters, ...parameters },
				credential: fixture.credential,
				items: dates.map((date) => ({ json: { date } })),
			}),
		);
		expect(error.message).toContain('(Pacific/Kiritimati)');
		expect(getSentWrites()).toEqual([]);
	});

	test("of a Company Admin's credential is the credential's own company", async () => {
		const companyResourceId = requireValue(fixture.standIn.clients.companyAdmin.companyResourceId);
		fixture.standIn.world.companyDetails[companyResourceId] = { timeZoneId: 'Asia/Tokyo' };
		const { folder, parameters } = buildEnrollmentForm('2031-01-01T09:00', 'customersOwn');
		const [group] = fixture.standIn.world.getCompanyData(companyResourceId).targetGroups;
		await runNode({
			node: fixture.getNode(folder),
			parameters: { ...parameters, companyScope: 'own', targetGroups: [requireValue(group).resourceId] },
			credential: fixture.createCredential('companyAdmin'),
		});
		const [{ body } = { body: undefined }] = fixture.standIn.getRequests('POST /api/enrollments');
		expect(body).toMatchObject({ enrollmentScheduler: { scheduledTimeZoneId: 'Asia/Tokyo' } });
	});

	test('is also a choice for the time zone of a person', async () => {
		setCustomersTimeZone('W. Europe Standard Time');
		await run({
			folder: 'TargetUser',
			parameters: {
				operation: 'create',
				email: 'zoe@harbour.example',
				phoneNumber: '+49 30 1234567',
				additionalFields: { timeZoneId: toIdLocator('customersOwn') },
			},
		});
		const [{ body } = { body: undefined }] = fixture.standIn.getRequests('POST /api/target-users');
		expect(body).toMatchObject({ timeZoneId: 'W. Europe Standard Time' });
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
