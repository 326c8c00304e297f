/** Tests of changing an enrollment: the order of its dates, of which one may be stored, and the dates in the output. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { findSeededEnrollment } from '../cases/enrollments';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
const UPDATE = 'PUT /api/enrollments/{resourceId}';
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const update = async (additionalFields: IDataObject) =>
	run('Enrollment', 'update', { ...findSeededEnrollment(fixture.customer, 1).parameters, additionalFields });

test('a start date after the stored due date is refused, and nothing is changed', async () => {
	await update({ dueDate: '2031-02-01T12:00:00Z' });
	fixture.standIn.clearLog();
	expect(await getFailureMessage(update({ scheduledDate: '2031-03-15T12:00:00Z' }))).toContain(
		"'Start Date' in 'Update Fields' must not be after the due date",
	);
	expect(fixture.standIn.getRequests(UPDATE)).toEqual([]);
	// Both dates together are fine, and so is a change of something else.
	await update({ scheduledDate: '2031-03-15T12:00:00Z', dueDate: '2031-04-01T12:00:00Z' });
	await update({ name: 'Renamed' });
	expect(fixture.standIn.getRequests(UPDATE)).toHaveLength(2);
});

test('a due date before the stored start date is refused, and nothing is changed', async () => {
	await update({ scheduledDate: '2031-03-15T12:00:00Z', dueDate: '2031-04-01T12:00:00Z' });
	fixture.standIn.clearLog();
	expect(await getFailureMessage(update({ dueDate: '2031-03-01T12:00:00Z' }))).toContain(
		"'Due Date' in 'Update Fields' must not be before the start date",
	);
	expect(fixture.standIn.getRequests(UPDATE)).toEqual([]);
});

test.each([
	['start date', { scheduledDate: '2031-03-15T12:00:00' }, 'dueDate', ['2031-03-15T14:00:00Z', '2031-03-15T11:00:00Z']],
	['due date', { dueDate: '2031-03-15T12:00:00' }, 'scheduledDate', ['2031-03-15T14:00:00Z', '2031-03-15T17:00:00Z']],
] as const)(
	'if the stored %s has no time zone, the other date is only refused if it is wrong in UTC and in the zone of the workflow',
	async (_storedDate, storedDates, field, [possibleDate, impossibleDate]) => {
		const { id } = findSeededEnrollment(fixture.customer, 1);
		const { enrollments } = fixture.customer.companyData;
		const enrollment = requireValue(enrollments.find(({ resourceId }) => resourceId === id));
		const { scheduledDate = '2031-03-01T12:00:00Z', dueDate = '2031-04-01T12:00:00Z' }: IDataObject = storedDates;
		enrollment.requestBody = { enrollmentScheduler: { scheduledDate } };
		enrollment.dueDate = String(dueDate);
		expect(await getFailureMessage(update({ [field]: impossibleDate }))).toContain('must not be ');
		expect(fixture.standIn.getRequests(UPDATE)).toEqual([]);
		await update({ [field]: possibleDate });
		expect(fixture.standIn.getRequests(UPDATE)).toHaveLength(1);
	},
);

test('the output has the new start date, even if the response still has the former one', async () => {
	const FORMER_DATE = '2026-01-01T00:00:00.000Z';
	const envelopeSchema = z.object({ data: z.record(z.unknown()) }).passthrough();
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (route !== UPDATE) return envelope;
			const { data, ...otherFields } = envelopeSchema.parse(envelope);
			return { ...otherFields, data: { ...data, startDate: FORMER_DATE } };
		},
	});
	const { items } = await update({ scheduledDate: '2031-03-15T12:00:00Z', dueDate: '2031-04-01T12:00:00Z' });
	const startDate = '2031-03-15T12:00:00.000Z';
	expect(items.map(({ json }) => json.startDate)).toEqual([startDate]);
	expect(parseBody(requireValue(fixture.standIn.getRequests(UPDATE).at(-1)))).toMatchObject({
		enrollmentScheduler: { scheduledDate: startDate },
	});
	// Without a new start date, the output has what the platform returns.
	const { items: renamedItems } = await update({ name: 'Renamed' });
	expect(renamedItems.map(({ json }) => json.startDate)).toEqual([FORMER_DATE]);
});

test('a change of the name sends back the other fields, because an update without them would clear them', async () => {
	const stored = {
		markedAsTest: true,
		distributionDays: 5,
		enrollmentScheduler: {
			scheduledDate: '2031-03-01T12:00:00Z',
			dueDate: '2031-04-01T12:00:00Z',
			useOwnTimeZone: true,
		},
	};
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			const response = envelope as { data: object };
			const isRecord = route === 'GET /api/enrollments/{resourceId}';
			return isRecord ? { ...response, data: { ...response.data, ...stored } } : envelope;
		},
	});
	await update({ name: 'Renamed' });
	expect(parseBody(requireValue(fixture.standIn.getRequests(UPDATE)[0]))).toMatchObject({ name: 'Renamed', ...stored });
});
