/** Tests to how many people the resend operations send, what their output reports, and 'Not Again Within (Hours)'. */
import type { IDataObject } from 'n8n-workflow';
import { uniq } from 'lodash';
import { z } from 'zod';
import { fetchJobPeople, getCampaignKeys } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { findRunningJob } from '../cases/resend';
import { getHintMessages, getJson } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from '../nodes/deployedFixture';
import { changeListRows, listPageSchema } from './changeListRows';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const listResendBodies = () =>
	fixture.requests.filter(({ route, status }) => /resend/.test(route) && status === 200).map(({ body }) => body);

const changeRows = (routePattern: RegExp, changeRow: (row: IDataObject, index: number) => object) =>
	changeListRows(fixture.standIn, routePattern, changeRow);

const subtractHours = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe.each(['phishing', 'smishing', 'quishing'] as const)('a %s campaign job', (simulator) => {
	const node = { phishing: 'PhishingCampaign', smishing: 'SmishingCampaign', quishing: 'QuishingCampaign' }[simulator];
	const findJob = () => findRunningJob(fixture.customer, simulator);
	const resend = async (parameters: IDataObject) => {
		fixture.standIn.clearLog();
		return await run(node, 'campaignJob.resend', { ...findJob().parameters, ...parameters });
	};
	const fetchIds = async (searchType: string) =>
		(await fetchJobPeople(fixture.customer, simulator, searchType, findJob())).map(({ targetUserId }) => targetUserId);

	test('a person with two of the selected statuses counts once', async () => {
		const clickers = await fetchIds('Clicked');
		const [firstClicker] = clickers;
		const submitters = uniq([...(await fetchIds('SubmittedData')), firstClicker]);
		changeRows(/\{searchType\}\/search/, (row) =>
			row.targetUserId === firstClicker ? { ...row, submittedCount: 1 } : row,
		);
		const { items } = await resend({ sendTo: ['2', '3'] });
		const { id } = findJob();
		expect(getJson(items)).toEqual([
			{
				campaignName: expect.any(String),
				result: 'sent',
				time: expect.any(String),
				timeZone: expect.any(String),
				peopleCount: uniq([...clickers, ...submitters]).length,
				skippedCount: 0,
				sendTo: 'Clicked, Submitted',
				clickedCount: clickers.length,
				submittedCount: submitters.length,
				companyResourceId: fixture.customer.companyId,
				companyName: expect.any(String),
				resourceId: id,
				jobId: `${id}/1`,
			},
		]);
		expect(listResendBodies()).toEqual([{ types: [2, 3] }]);
	});

	test('nothing is sent if no one has the selected statuses', async () => {
		const result = await resend({ sendTo: ['8'] });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'nothingSent', peopleCount: 0 })]);
		expect(getHintMessages(result).join()).toContain('Nothing was sent, because no one has the selected statuses.');
		expect(listResendBodies()).toEqual([]);
	});

	test('it is sent if no list shows how many people there are', async () => {
		const result = await resend({ sendTo: ['4', '5'] });
		expect(getJson(result.items)).toEqual([
			expect.objectContaining({ result: 'sent', peopleCount: null, failedToSendCount: null }),
		]);
		expect(getHintMessages(result).join()).toContain('the platform does not show who has this status');
		expect(listResendBodies()).toEqual([{ types: [4, 5] }]);
	});

	test("it is sent if the list can't be read, and only counting fails", async () => {
		const { people } = getCampaignKeys(simulator);
		fixture.standIn.addFault({ route: people, kind: 'status', status: 403, times: Infinity });
		const result = await resend({ sendTo: ['4'] });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'sent', peopleCount: null })]);
		expect(getHintMessages(result).join()).toMatch(/number of people is unknown, because it could not be read: .+403/);
		expect(await getFailureMessage(resend({ sendTo: ['4'], countOnly: true }))).toContain('403');
		expect(await getFailureMessage(resend({ sendTo: ['4'], options: { notAgainWithin: 24 } }))).toContain('403');
		expect(listResendBodies()).toEqual([]);
	});

	test("the campaign's name is in the output if the job was selected in the list", async () => {
		const job = { __rl: true, mode: 'list', value: `${findJob().id}/1`, cachedResultName: 'Parcel notice (job 1)' };
		const { items } = await resend({ job, sendTo: ['4'], countOnly: true });
		expect(getJson(items)).toEqual([expect.objectContaining({ campaignName: 'Parcel notice', result: 'counted' })]);
	});

	test("'Not Again Within (Hours)' skips people who got the message in that time", async () => {
		const rows = await fetchJobPeople(fixture.customer, simulator, 'Clicked', findJob());
		const [recentRow, ...otherRows] = rows;
		expect(otherRows.length).toBeGreaterThan(0);
		changeRows(/\{searchType\}\/search/, (row) =>
			row.resourceId === recentRow?.resourceId ? { ...row, lastSendingTime: subtractHours(3) } : row,
		);
		const shorterTime = await resend({ sendTo: ['2'], countOnly: true, options: { notAgainWithin: 2 } });
		expect(getJson(shorterTime.items)).toEqual([
			expect.objectContaining({ peopleCount: rows.length, skippedCount: 0 }),
		]);
		const { items } = await resend({ sendTo: ['2'], options: { notAgainWithin: 4 } });
		expect(getJson(items)).toEqual([
			expect.objectContaining({
				result: 'sent',
				time: expect.any(String),
				timeZone: expect.any(String),
				peopleCount: otherRows.length,
				skippedCount: 1,
				clickedCount: rows.length,
			}),
		]);
		const [body, ...furtherBodies] = listResendBodies();
		const { items: rowIds } = z.object({ items: z.array(z.string()) }).parse(body);
		expect(rowIds.sort()).toEqual(otherRows.map(({ resourceId }) => resourceId).sort());
		expect(body).toMatchObject({ selectAll: false, excludedItems: [], searchType: 'All' });
		expect(body).not.toHaveProperty('types');
		expect(furtherBodies).toEqual([]);
		const nextRun = await resend({ sendTo: ['2'], options: { notAgainWithin: 4 } });
		expect(getJson(nextRun.items)).toEqual([
			expect.objectContaining({ result: 'nothingSent', peopleCount: 0, skippedCount: rows.length }),
		]);
		expect(listResendBodies()).toEqual([]);
	});

	test.each([
		['a recent one', subtractHours(3)],
		['one without a time', null],
	])("'Not Again Within (Hours)' skips a person with an old message and %s", async (_title, lastSendingTime) => {
		const [oldRow, newRow, ...otherRows] = await fetchJobPeople(fixture.customer, simulator, 'Clicked', findJob());
		changeRows(/\{searchType\}\/search/, (row) =>
			row.resourceId === newRow?.resourceId ? { ...oldRow, resourceId: row.resourceId, lastSendingTime } : row,
		);
		const { items } = await resend({ sendTo: ['2'], countOnly: true, options: { notAgainWithin: 4 } });
		expect(getJson(items)).toEqual([expect.objectContaining({ peopleCount: otherRows.length, skippedCount: 1 })]);
	});

	test("'Not Again Within (Hours)' skips people whose last sending is unknown", async () => {
		changeRows(/\{searchType\}\/search/, (row) => ({ ...row, lastSendingTime: null }));
		const result = await resend({ sendTo: ['4'], options: { notAgainWithin: 24 } });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'nothingSent', peopleCount: 0 })]);
		const hints = getHintMessages(result).join();
		expect(hints).toContain('the platform does not show when they last got the message');
		expect(hints).toContain("skipped by 'Not Again Within (Hours)'");
		expect(listResendBodies()).toEqual([]);
	});

	test.each([
		[['4', '5'], 'Failed to Send'],
		['={{ [9] }}', 'Status 9'],
	])("'Not Again Within (Hours)' is rejected for a status whose people aren't listed: %j", async (sendTo, name) => {
		const message = await getFailureMessage(resend({ sendTo, options: { notAgainWithin: 24 } }));
		expect(message).toContain(`'Not Again Within (Hours)' in 'Options' can't be used with '${name}'`);
		expect(fixture.requests).toEqual([]);
	});

	test('people who are selected by name are counted', async () => {
		const [firstRow, secondRow] = await fetchJobPeople(fixture.customer, simulator, 'All', findJob());
		const people = [firstRow?.resourceId, secondRow?.resourceId, firstRow?.resourceId];
		const { items } = await run(node, 'campaignJob.resendToPeople', { ...findJob().parameters, people });
		expect(getJson(items)).toEqual([
			expect.objectContaining({ campaignName: expect.any(String), result: 'sent', peopleCount: 2 }),
		]);
	});
});

describe('an enrollment', () => {
	const findEnrollment = () => findSeededEnrollment(fixture.customer, 1);
	const resend = async (parameters: IDataObject) => {
		fixture.standIn.clearLog();
		return await run('Enrollment', 'followUp.resend', { ...findEnrollment().parameters, ...parameters });
	};
	const fetchUsers = () => fixture.customer.fetchList(`POST /api/training-reports/${findEnrollment().id}/users/search`);
	const findWithStatus = async (status: string) => (await fetchUsers()).filter((row) => row.status === status);

	test('reports to how many people it was sent', async () => {
		const people = await findWithStatus('In Progress');
		const { items } = await resend({ sendTo: ['4'] });
		const { id } = findEnrollment();
		expect(getJson(items)).toEqual([
			{
				name: expect.any(String),
				result: 'sent',
				time: expect.any(String),
				timeZone: expect.any(String),
				peopleCount: people.length,
				skippedCount: 0,
				sendTo: 'Not Completed',
				notCompletedCount: people.length,
				companyResourceId: fixture.customer.companyId,
				companyName: expect.any(String),
				enrollmentId: id,
				resourceId: id,
			},
		]);
		expect(people.length).toBeGreaterThan(0);
	});

	test('a person with two of the selected statuses counts once', async () => {
		const inProgress = await findWithStatus('In Progress');
		const failed = (await fetchUsers()).filter(({ examStatusName }) => examStatusName === 'Failed');
		const [personWithBoth] = inProgress;
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route.endsWith('/summary')) return addToFailedCount(envelope, 1);
				if (!route.endsWith('/users/search')) return envelope;
				const page = listPageSchema.parse(envelope);
				const results = page.data.results.map((row) =>
					row.resourceId === personWithBoth?.resourceId ? { ...row, examStatusName: 'Failed' } : row,
				);
				return { ...page, data: { ...page.data, results } };
			},
		});
		const { items } = await resend({ sendTo: ['4', '6'], countOnly: true });
		expect(getJson(items)).toEqual([
			expect.objectContaining({
				result: 'counted',
				peopleCount: inProgress.length + failed.length,
				notCompletedCount: inProgress.length,
				examFailedCount: failed.length + 1,
			}),
		]);
	});

	test('the number is unknown if the list shows other people than the summary', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route.endsWith('/summary') ? addToFailedCount(envelope, 5) : envelope,
		});
		const result = await resend({ sendTo: ['4', '6'] });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'sent', peopleCount: null })]);
		expect(getHintMessages(result).join()).toContain('a person can have several of these statuses');
		expect(listResendBodies()).toEqual([{ resendTypes: [4, 6] }]);
		expect(await getFailureMessage(resend({ sendTo: ['6'], options: { notAgainWithin: 24 } }))).toContain(
			"lists don't show who has the selected statuses",
		);
		expect(listResendBodies()).toEqual([]);
	});

	test('nothing is sent if no one has the selected statuses', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route.endsWith('/summary')
					? { ...(envelope as object), data: { reportDetail: { noResponseCount: 0 } } }
					: envelope,
		});
		const result = await resend({ sendTo: ['7'] });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'nothingSent', peopleCount: 0 })]);
		expect(getHintMessages(result).join()).toContain('Nothing was sent, because no one has the selected statuses.');
		expect(listResendBodies()).toEqual([]);
	});

	test('only counting says that no one has the selected statuses, too', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route.endsWith('/summary')
					? { ...(envelope as object), data: { reportDetail: { didNotCompleteTrainingCount: 0 } } }
					: envelope,
		});
		const result = await resend({ sendTo: ['notCompleted'], countOnly: true });
		expect(getJson(result.items)).toEqual([expect.objectContaining({ result: 'counted', peopleCount: 0 })]);
		expect(getHintMessages(result).join()).toContain(
			"Nothing would be sent, because no one has the selected statuses. If you expected people, select other statuses in 'Send To'",
		);
	});

	test("it is sent if the summary can't be read", async () => {
		fixture.standIn.addFault({
			route: 'GET /api/training-reports/{enrollmentId}/summary',
			kind: 'status',
			status: 403,
			times: Infinity,
		});
		const result = await resend({ sendTo: ['7'] });
		expect(getJson(result.items)).toEqual([
			expect.objectContaining({ result: 'sent', peopleCount: null, noResponseCount: null }),
		]);
		expect(getHintMessages(result).join()).toContain('it could not be read');
		expect(listResendBodies()).toEqual([{ resendTypes: [7] }]);
	});

	test("'Not Again Within (Hours)' skips people who got the email in that time", async () => {
		const [recentPerson, ...otherPeople] = await findWithStatus('No Responded');
		expect(otherPeople.length).toBeGreaterThan(0);
		changeRows(/sending-report\/search/, (row) =>
			row.targetUserResourceId === recentPerson?.targetUserResourceId
				? { ...row, lastSendDate: subtractHours(3) }
				: row,
		);
		const { items } = await resend({ sendTo: ['7'], options: { notAgainWithin: 4 } });
		expect(getJson(items)).toEqual([
			expect.objectContaining({ result: 'sent', peopleCount: otherPeople.length, skippedCount: 1 }),
		]);
		expect(fixture.requests.at(-1)?.path).toBe(`/api/training-reports/${findEnrollment().id}/users/resend`);
		const selectedItems = otherPeople.map(({ resourceId }) => resourceId);
		expect(listResendBodies()).toEqual([
			{ selectedItems, selectAll: false, excludedItems: [], filter: expect.anything() },
		]);
	});

	test("'Not Again Within (Hours)' finds the last email in a sending report that is in no order", async () => {
		const people = await findWithStatus('No Responded');
		const [otherPerson] = await findWithStatus('In Progress');
		const personIds = [people[0], otherPerson].map((person) => person?.targetUserResourceId);
		// Both rows become rows of the same person. The first one shows the newer email.
		const hours = [3, 48];
		changeRows(/sending-report\/search/, (row) =>
			personIds.includes(row.targetUserResourceId)
				? { ...row, targetUserResourceId: personIds[0], lastSendDate: subtractHours(hours.shift() ?? 0) }
				: row,
		);
		const { items } = await resend({ sendTo: ['7'], countOnly: true, options: { notAgainWithin: 4 } });
		expect(hours).toEqual([]);
		expect(getJson(items)).toEqual([expect.objectContaining({ peopleCount: people.length - 1, skippedCount: 1 })]);
	});

	test('people who are selected by name are counted, also for certificates', async () => {
		const [firstUser, secondUser] = await fetchUsers();
		const { items } = await run('Enrollment', 'followUp.resendToPeople', {
			...findEnrollment().parameters,
			selectFrom: 'enrolledUsers',
			enrolledUsers: [firstUser?.resourceId, secondUser?.resourceId],
		});
		expect(getJson(items)).toEqual([
			expect.objectContaining({ name: expect.any(String), result: 'sent', peopleCount: 2 }),
		]);
	});
});

const summarySchema = z
	.object({ data: z.object({ reportDetail: z.object({ failedExamCount: z.number() }).passthrough() }).passthrough() })
	.passthrough();

/** Adds people who failed the exam to the response with a training summary. */
function addToFailedCount(envelope: unknown, count: number) {
	const summary = summarySchema.parse(envelope);
	const { reportDetail } = summary.data;
	return {
		...summary,
		data: {
			...summary.data,
			reportDetail: { ...reportDetail, failedExamCount: reportDetail.failedExamCount + count },
		},
	};
}
