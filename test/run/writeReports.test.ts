/**
 * Tests what operations report that start, send, stop or switch something: the record's name, what was done, when, in which time zone, and
 * how many people it concerns. The requests that read these details must never make the operation fail.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { requireValue } from '../n8n-core/nodeFixture';
import { NODE_FOLDERS, findJob, getCampaignKeys } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { getLaunchKeys, GROUP_MEMBERS, prepareNewCampaign, SCHEDULED_START } from '../cases/launch';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { SIMULATORS } from '../stand-in/profile';
import { useSimulatedDate } from '../setup/testClock';

useSimulatedDate();

const fixture = createOperationFixture('deployed');
const ENROLLMENT_SUMMARY = 'GET /api/training-reports/{enrollmentId}/summary';
const ENROLLMENT_RECORD = 'GET /api/enrollments/{resourceId}';
const SCHEDULE_RECORD = 'GET /api/report-scheduling/{resourceId}';

/** Runs an operation, and returns the JSON of its only item. */
async function run(node: string, operation: string, parameters: IDataObject): Promise<IDataObject> {
	const { items } = await runCase(fixture, { node, operation }, { parameters });
	expect(items).toHaveLength(1);
	return requireValue(items[0]).json;
}

const addFault = (route: string) => fixture.standIn.addFault({ route, kind: 'forbidden-company', times: Infinity });

/** Builds the value of a resource locator whose entry was selected from the list. */
const toListLocator = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

/** Returns the current time in the time zone of the test workflow, to the minute. */
const formatNow = () => new Date().toISOString().slice(0, 16);
const toUtcMinute = (time: unknown) => new Date(String(time)).toISOString().slice(0, 16);

describe.each(SIMULATORS)('%s', (simulator) => {
	const node = NODE_FOLDERS[simulator];
	const recordKey = `GET /api/${simulator}-simulator/${simulator}-campaign/{resourceId}`;
	const getCampaign = () => requireValue(fixture.customer.companyData.getCampaigns(simulator)[1]);
	const listGroups = () => fixture.customer.companyData.targetGroups;
	const start = async (parameters: IDataObject = {}) =>
		run(node, 'start', {
			...fixture.customer.companyParameters,
			campaign: toIdLocator(getCampaign().resourceId),
			...parameters,
		});

	test('a start now has the current time, in the time zone of the workflow', async () => {
		const group = requireValue(listGroups()[0]);
		const report = await start({ targetGroups: [group.resourceId] });
		expect(report).toMatchObject({
			name: getCampaign().name,
			result: 'started',
			timeZone: 'America/New_York',
			targetGroupCount: 1,
			peopleCount: group.userResourceIds.length,
		});
		expect(toUtcMinute(report.time)).toBe(formatNow());
		expect(report.time).toMatch(/-0[45]:00$/);
	});

	test('a start at a date has this date, in the time zone of the form', async () => {
		expect(await start(SCHEDULED_START.parameters)).toMatchObject({
			result: 'scheduled',
			time: '2031-03-01T09:00:00.000+01:00',
			timeZone: 'Europe/Berlin',
		});
	});

	test('without selected target groups, those of the campaign are counted', async () => {
		const { parameters } = prepareNewCampaign(fixture.customer, simulator);
		const group = requireValue(listGroups()[0]);
		const { resourceId } = await run(node, 'create', { ...parameters, targetGroups: [group.resourceId] });
		const report = await start({ campaign: toIdLocator(String(resourceId)) });
		expect(report).toMatchObject({ targetGroupCount: 1, peopleCount: group.userResourceIds.length });
	});

	test('the people are not counted if a person can be in two groups, or if only some people get the campaign', async () => {
		const ids = listGroups().map(({ resourceId }) => resourceId);
		expect(await start({ targetGroups: ids.slice(0, 2) })).toMatchObject({ targetGroupCount: 2, peopleCount: null });
		const { parameters } = prepareNewCampaign(fixture.customer, simulator);
		const report = await run(node, 'createAndStart', {
			...parameters,
			targetGroups: ids.slice(0, 1),
			additionalFields: { sendOnlyActiveUsers: true },
		});
		expect(report).toMatchObject({ result: 'started', targetGroupCount: 1, peopleCount: null });
	});

	test('Create and Start counts the people of its target group', async () => {
		const { parameters } = prepareNewCampaign(fixture.customer, simulator);
		const group = requireValue(listGroups()[0]);
		const report = await run(node, 'createAndStart', { ...parameters, targetGroups: [group.resourceId] });
		expect(report).toMatchObject({
			name: parameters.name,
			result: 'started',
			targetGroupCount: 1,
			peopleCount: group.userResourceIds.length,
		});
		expect(report).not.toHaveProperty('status');
	});

	test('a start whose details cannot be read succeeds without them', async () => {
		for (const route of [recordKey, GROUP_MEMBERS]) addFault(route);
		const group = requireValue(listGroups()[0]);
		const report = await start({ targetGroups: [group.resourceId] });
		expect(report).toMatchObject({ name: null, result: 'started', targetGroupCount: 1, peopleCount: null });
		expect(await start()).toMatchObject({ result: 'started', targetGroupCount: null, peopleCount: null });
		expect(fixture.standIn.getRequests(getLaunchKeys(simulator).start)).toHaveLength(2);
	});

	test('a campaign that was renamed after it was selected has its present name', async () => {
		const { resourceId, name } = getCampaign();
		expect(await start({ campaign: toListLocator(resourceId, 'Former Name') })).toMatchObject({ name });
	});

	test('the name of a campaign that was selected from the list needs no request', async () => {
		addFault(recordKey);
		const { resourceId, name } = getCampaign();
		expect(await start({ campaign: toListLocator(resourceId, name) })).toMatchObject({ name });
	});

	test('a stopped job has the name of its campaign, unless it cannot be read', async () => {
		const { id, name, parameters } = findJob(fixture.customer, simulator);
		addFault(getCampaignKeys(simulator).summary);
		const stop = async (job: object) => run(node, 'campaignJob.stop', { ...parameters, job });
		expect(await stop(toListLocator(`${id}/2`, `${name} (job 2, 2026-05-04)`))).toMatchObject({
			campaignName: name,
			result: 'stopped',
			jobId: `${id}/2`,
		});
		expect(await stop(toIdLocator(`${id}/2`))).toMatchObject({ campaignName: null, result: 'stopped' });
	});
});

describe('enrollments', () => {
	test.each([
		['send', 'sent', ENROLLMENT_SUMMARY],
		['stop', 'stopped', ENROLLMENT_RECORD],
	])('%s succeeds if the details cannot be read', async (operation, result, route) => {
		addFault(route);
		const { id, name, parameters } = findSeededEnrollment(fixture.customer, 1);
		const report = await run('Enrollment', operation, parameters);
		expect(report).toMatchObject({ name: null, result, enrollmentId: id });
		expect(toUtcMinute(report.time)).toBe(formatNow());
		const selectedReport = await run('Enrollment', operation, {
			...parameters,
			enrollment: toListLocator(id, name),
		});
		expect(selectedReport).toMatchObject({ name, result });
	});

	test.each([
		['followUp.stopReminders', 'stopped'],
		['followUp.stopAutoEnrollment', 'stopped'],
	])('%s has the name of an enrollment that is entered by its ID', async (operation, result) => {
		const { name, parameters } = findSeededEnrollment(fixture.customer, 1);
		const report = await run('Enrollment', operation, parameters);
		expect(report).toMatchObject({ name, result });
		expect(Object.keys(report).indexOf('name')).toBeLessThan(Object.keys(report).indexOf('result'));
		addFault(ENROLLMENT_RECORD);
		expect(await run('Enrollment', operation, parameters)).toMatchObject({ name: null, result });
	});

	test('a restored enrollment has its name, although only its ID is entered', async () => {
		const { name, parameters } = findSeededEnrollment(fixture.customer, 1);
		await run('Enrollment', 'delete', parameters);
		expect(await run('Enrollment', 'deletedEnrollment.restore', parameters)).toMatchObject({
			name,
			result: 'restored',
		});
	});

	test('the name is the present one, not the one that the form remembers, if a response has it', async () => {
		const { id, name, parameters } = findSeededEnrollment(fixture.customer, 1);
		const enrollment = toListLocator(id, 'Former Name');
		expect(await run('Enrollment', 'send', { ...parameters, enrollment })).toMatchObject({ name });
		expect(await run('Enrollment', 'followUp.resend', { ...parameters, enrollment, sendTo: ['7'] })).toMatchObject({
			name,
		});
	});

	test('the people are not counted if the platform does not show their number', async () => {
		const { parameters } = findSeededEnrollment(fixture.customer, 1);
		addFault(ENROLLMENT_SUMMARY);
		expect(await run('Enrollment', 'send', parameters)).toMatchObject({ peopleCount: null });
	});
});

describe('a scheduled report', () => {
	const readSchedule = async () => {
		const [schedule] = await fixture.customer.fetchList('POST /api/report-scheduling/search');
		const { resourceId, name } = requireValue(schedule);
		return { name: String(name), scheduledReport: toIdLocator(String(resourceId)) };
	};

	test('that is turned on reports when it is sent next, and to whom', async () => {
		const { name, scheduledReport } = await readSchedule();
		const parameters = { ...fixture.customer.companyParameters, scheduledReport };
		await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', { ...parameters, status: '2' });
		expect(await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', { ...parameters, status: '1' })).toMatchObject({
			name,
			result: 'turnedOn',
			status: 1,
			nextSendDate: '2026-02-01T06:00:00.000Z',
			timeZone: 'Europe/Berlin',
			emailAddresses: 'ceo@customer.example,cfo@customer.example',
		});
	});

	test('that is turned off has no next date, even if the platform still shows one', async () => {
		const { scheduledReport } = await readSchedule();
		const envelopeSchema = z.object({ data: z.record(z.unknown()) }).passthrough();
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route !== SCHEDULE_RECORD) return envelope;
				const { data, ...otherFields } = envelopeSchema.parse(envelope);
				return { ...otherFields, data: { ...data, nextSendDate: '2031-02-01T06:00:00.000Z' } };
			},
		});
		const parameters = { ...fixture.customer.companyParameters, scheduledReport, status: '2' };
		const report = await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', parameters);
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(report).toMatchObject({ result: 'turnedOff', nextSendDate: null, timeZone: 'Europe/Berlin' });
	});

	test('is switched even if its record cannot be read', async () => {
		const { scheduledReport } = await readSchedule();
		addFault(SCHEDULE_RECORD);
		const parameters = { ...fixture.customer.companyParameters, scheduledReport };
		expect(await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', { ...parameters, status: '2' })).toMatchObject({
			name: null,
			result: 'turnedOff',
			nextSendDate: null,
			timeZone: 'America/New_York',
		});
		// An expression may enter a number that is neither "on" nor "off".
		expect(await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', { ...parameters, status: '7' })).toMatchObject({
			result: 'statusChanged',
		});
	});
});
