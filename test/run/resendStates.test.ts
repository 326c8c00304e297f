/** Tests of what the rows of a platform's lists say about a person before a resend: if the last message arrived, and which status the person has. */
import { omit, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { fetchJobPeople } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { findRunningJob } from '../cases/resend';
import { getHintMessages, getJson, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from '../nodes/deployedFixture';
import { changeListRows, listPageSchema } from './changeListRows';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const listResendBodies = () =>
	fixture.requests.filter(({ route, status }) => /resend/.test(route) && status === 200).map(({ body }) => body);
const changeRows = (routePattern: RegExp, changeRow: (row: IDataObject) => object) =>
	changeListRows(fixture.standIn, routePattern, changeRow);
const subtractHours = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Makes a page count five more records than the list has. */
function addMissingRecords(envelope: unknown) {
	const page = listPageSchema.parse(envelope);
	return { ...page, data: { ...page.data, totalNumberOfRecords: page.data.results.length + 5 } };
}

describe.each(['phishing', 'smishing', 'quishing'] as const)('a %s campaign job', (simulator) => {
	const node = { phishing: 'PhishingCampaign', smishing: 'SmishingCampaign', quishing: 'QuishingCampaign' }[simulator];
	const findJob = () => findRunningJob(fixture.customer, simulator);
	const resend = async (parameters: IDataObject) => {
		fixture.standIn.clearLog();
		return await run(node, 'campaignJob.resend', { ...findJob().parameters, ...parameters });
	};

	test('if the list of people is incomplete, the number is unknown, also if people are only counted', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				/\{searchType\}\/search/.test(route) ? addMissingRecords(envelope) : envelope,
		});
		const { items } = await resend({ sendTo: ['2'] });
		expect(getJson(items)).toEqual([
			expect.objectContaining({ result: 'sent', peopleCount: null, clickedCount: null }),
		]);
		expect(listResendBodies()).toEqual([{ types: [2] }]);
		const counted = await resend({ sendTo: ['2'], countOnly: true });
		expect(getJson(counted.items)).toEqual([expect.objectContaining({ result: 'counted', peopleCount: null })]);
	});

	test("'Not Again Within (Hours)' selects a person with two of the selected statuses once", async () => {
		changeRows(/\{searchType\}\/search/, (row) => ({ ...row, submittedCount: 1, lastSendingTime: subtractHours(48) }));
		await resend({ sendTo: ['2', '3'], options: { notAgainWithin: 24 } });
		const rowIds = listResendBodies().flatMap((body) => z.object({ items: z.array(z.string()) }).parse(body).items);
		expect(rowIds.length).toBeGreaterThan(0);
		expect(uniq(rowIds)).toEqual(rowIds);
	});

	test.each([
		['Not Delivered', 1],
		['cancelled', 1],
		['Error', 1],
		['In Queue', 0],
		['Bounced', 0],
	])("'Not Again Within (Hours)' doesn't skip a person who didn't get the last message: %s", async (status, count) => {
		const [row] = await fetchJobPeople(fixture.customer, simulator, 'NoResponse', findJob());
		changeRows(/\{searchType\}\/search/, (listedRow) => ({
			...listedRow,
			lastSendingTime: subtractHours(1),
			status: listedRow.resourceId === row?.resourceId ? status : 'Delivered',
		}));
		const { items } = await resend({ sendTo: ['4'], options: { notAgainWithin: 24 } });
		expect(getJson(items)).toEqual([expect.objectContaining({ peopleCount: count })]);
		expect(listResendBodies()).toEqual(count === 0 ? [] : [expect.objectContaining({ items: [row?.resourceId] })]);
	});

	test.each([
		['submitted', 'submittedCount'],
		['openedOnly', 'openedOnlyCount'],
	])(
		'if the rows do not show who has the status %s, the number is unknown, and the message is sent',
		async (status, countField) => {
			changeRows(/\{searchType\}\/search/, (row) => omit(row, 'submittedCount', 'lastSubmittedTime', 'isSubmitted'));
			const sendTo = [status];
			const result = await resend({ sendTo });
			expect(getJson(result.items)).toEqual([
				expect.objectContaining({ result: 'sent', peopleCount: null, [countField]: null }),
			]);
			expect(getHintMessages(result).join()).toContain('the platform does not show who has this status');
			expect(listResendBodies()).toHaveLength(1);
			const message = await getFailureMessage(resend({ sendTo, options: { notAgainWithin: 24 } }));
			expect(message).toContain("lists don't show who has the selected statuses");
			expect(listResendBodies()).toEqual([]);
		},
	);

	test('the output has the name of the campaign, although only the ID of the job is entered', async () => {
		const { id } = findJob();
		const { name } = requireValue(
			fixture.customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === id),
		);
		for (const countOnly of [true, false])
			expect(getJson((await resend({ sendTo: ['4'], countOnly })).items)).toEqual([
				expect.objectContaining({ campaignName: name, jobId: `${id}/1` }),
			]);
		const [row] = await fetchJobPeople(fixture.customer, simulator, 'All', findJob());
		const { items } = await run(node, 'campaignJob.resendToPeople', {
			...findJob().parameters,
			people: [row?.resourceId],
		});
		expect(getJson(items)).toEqual([expect.objectContaining({ campaignName: name, result: 'sent', peopleCount: 1 })]);
	});
});

describe('an enrollment', () => {
	const findEnrollment = () => findSeededEnrollment(fixture.customer, 1);
	const resend = async (parameters: IDataObject) => {
		fixture.standIn.clearLog();
		return await run('Enrollment', 'followUp.resend', { ...findEnrollment().parameters, ...parameters });
	};
	const findWithStatus = async (status: string) =>
		(await fixture.customer.fetchList(`POST /api/training-reports/${findEnrollment().id}/users/search`)).filter(
			(row) => row.status === status,
		);

	test("'Not Again Within (Hours)' doesn't skip a person who didn't get the last email", async () => {
		const [firstPerson, ...otherPeople] = await findWithStatus('No Responded');
		expect(otherPeople.length).toBeGreaterThan(0);
		changeRows(/sending-report\/search/, (row) => ({
			...row,
			lastSendDate: subtractHours(1),
			lastSendingStatus: row.targetUserResourceId === firstPerson?.targetUserResourceId ? 'Error' : 'Delivered',
		}));
		const { items } = await resend({ sendTo: ['7'], options: { notAgainWithin: 24 } });
		expect(getJson(items)).toEqual([expect.objectContaining({ peopleCount: 1, skippedCount: otherPeople.length })]);
		expect(listResendBodies()).toEqual([expect.objectContaining({ selectedItems: [firstPerson?.resourceId] })]);
	});

	test.each([
		['have no row in the sending report', { targetUserResourceId: 'somebody-else' }],
		['have no time in the sending report', { lastSendDate: null }],
	])("'Not Again Within (Hours)' skips people who %s", async (_title, changedFields) => {
		const [firstPerson, ...otherPeople] = await findWithStatus('No Responded');
		changeRows(/sending-report\/search/, (row) => {
			const oldRow = { ...row, lastSendDate: subtractHours(48) };
			return row.targetUserResourceId === firstPerson?.targetUserResourceId ? { ...oldRow, ...changedFields } : oldRow;
		});
		const result = await resend({ sendTo: ['7'], options: { notAgainWithin: 24 } });
		expect(getJson(result.items)).toEqual([
			expect.objectContaining({ peopleCount: otherPeople.length, skippedCount: 1 }),
		]);
		expect(getHintMessages(result).join()).toContain('the platform does not show when they last got the message');
		const selectedItems = otherPeople.map(({ resourceId }) => resourceId);
		expect(listResendBodies()).toEqual([expect.objectContaining({ selectedItems })]);
	});

	test("'Not Again Within (Hours)' doesn't skip a person whose status is Sending Error", async () => {
		const [person] = await findWithStatus('No Responded');
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route.endsWith('/summary'))
					return { ...(envelope as object), data: { reportDetail: { emailErrorUserCount: 1 } } };
				if (!route.endsWith('/search')) return envelope;
				const page = listPageSchema.parse(envelope);
				const results = page.data.results.map((row) => ({
					...row,
					status: row.resourceId === person?.resourceId ? 'Sending Error' : row.status,
					lastSendDate: subtractHours(1),
					lastSendingStatus: null,
				}));
				return { ...page, data: { ...page.data, results } };
			},
		});
		const { items } = await resend({ sendTo: ['1'], options: { notAgainWithin: 24 } });
		expect(getJson(items)).toEqual([expect.objectContaining({ peopleCount: 1, skippedCount: 0 })]);
		expect(listResendBodies()).toEqual([expect.objectContaining({ selectedItems: [person?.resourceId] })]);
	});

	/** Makes a list of the enrollment's report fail. */
	const breakList = (list: string, failure: string) => {
		const route = `POST /api/training-reports/{enrollmentId}/${list}/search`;
		if (failure === 'missing') fixture.standIn.addFault({ route, kind: 'status', status: 404, times: Infinity });
		else
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, request) => (request.route === route ? addMissingRecords(envelope) : envelope),
			});
	};

	test.each(['missing', 'incomplete'])(
		'if the list of people is %s, each status is counted, and all are sent',
		async (failure) => {
			breakList('users', failure);
			const result = await resend({ sendTo: ['4', '7'] });
			expect(getJson(result.items)).toEqual([
				expect.objectContaining({
					result: 'sent',
					peopleCount: null,
					notCompletedCount: expect.any(Number) as number,
					noResponseCount: expect.any(Number) as number,
				}),
			]);
			expect(getHintMessages(result).join()).toContain('a person can have several of these statuses');
			expect(listResendBodies()).toEqual([expect.objectContaining({ resendTypes: [4, 7] })]);
		},
	);

	test.each([
		['users', 'missing'],
		['users', 'incomplete'],
		['sending-report', 'missing'],
		['sending-report', 'incomplete'],
	])("'Not Again Within (Hours)' sends nothing if the list %s is %s", async (list, failure) => {
		breakList(list, failure);
		expect(await getFailureMessage(resend({ sendTo: ['7'], options: { notAgainWithin: 24 } }))).toContain(
			"lists don't show who has the selected statuses and when they got the message",
		);
		expect(listResendBodies()).toEqual([]);
	});

	test('people from the sending report are counted', async () => {
		const rows = await fixture.customer.fetchList(
			`POST /api/training-reports/${findEnrollment().id}/sending-report/search`,
		);
		const sentEmails = rows.slice(0, 2).map(({ resourceId }) => resourceId);
		const parameters = { ...findEnrollment().parameters, selectFrom: 'sendingReport', sentEmails };
		const { items } = await run('Enrollment', 'followUp.resendToPeople', parameters);
		expect(getJson(items)).toEqual([expect.objectContaining({ result: 'sent', peopleCount: 2 })]);
		expect(listResendBodies()).toEqual([expect.objectContaining({ selectedItems: sentEmails })]);
	});
});
