/** Tests the fields of people in campaign jobs: how rows are merged, which actions they show, and what the reports add. */
import type { IDataObject } from 'n8n-workflow';
import { parseJob, readStartTime } from '../../nodes/domain/simulations/campaignJob';
import { addActionFields, hasPerformedAction, mergeRowsByPerson } from '../../nodes/domain/simulations/jobPeople';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { runNode } from '../n8n-core';
import { closeFakeServers, getJson, startFakeServer, type RouteReply } from '../n8n-core/nodeFixture';

describe('two rows of the same person become one', () => {
	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		[
			'flags are combined with "or"',
			{ isClicked: false, opened: true },
			{ isClicked: true, opened: false },
			{ isClicked: true, opened: true },
		],
		['two flags that are false stay false', { isClicked: false }, { isClicked: false }, { isClicked: false }],
		['counts are added', { clickedCount: 2 }, { clickedCount: 3 }, { clickedCount: 5 }],
		['a count that is null counts as 0', { clickedCount: null }, { clickedCount: 3 }, { clickedCount: 3 }],
		['a count that only the second row has is kept', {}, { clickedCount: 3 }, { clickedCount: 3 }],
		['counts that are texts are added, too', { clickedCount: '2' }, { clickedCount: '3' }, { clickedCount: 5 }],
		[
			'the later time is kept if it is in the first row',
			{ lastClickedTime: '2026-03-05T08:00:00Z' },
			{ lastClickedTime: '2026-03-02T08:00:00Z' },
			{ lastClickedTime: '2026-03-05T08:00:00Z' },
		],
		[
			'the later time is kept if it is in the second row',
			{ lastClickedTime: '2026-03-02T08:00:00Z' },
			{ lastClickedTime: '2026-03-05T08:00:00Z' },
			{ lastClickedTime: '2026-03-05T08:00:00Z' },
		],
		[
			'the only time is kept',
			{ lastClickedTime: null },
			{ lastClickedTime: '2026-03-02T08:00:00Z' },
			{ lastClickedTime: '2026-03-02T08:00:00Z' },
		],
		[
			'the first value of another field is kept',
			{ department: 'Sales' },
			{ department: 'IT' },
			{ department: 'Sales' },
		],
		['a value replaces null', { department: null }, { department: 'IT' }, { department: 'IT' }],
		['a flag replaces null', { reported: null }, { reported: false }, { reported: false }],
		['each row has fields that the other lacks', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
		[
			'lists are not mixed',
			{ customFieldValues: [{ name: 'A' }] },
			{ customFieldValues: [{ name: 'B' }, { name: 'C' }] },
			{ customFieldValues: [{ name: 'A' }] },
		],
	])('%s', (_name, firstRow, secondRow, expected) => {
		const email = 'a@example.com';
		const rows = [
			{ email, ...firstRow },
			{ email, ...secondRow },
		];
		expect(mergeRowsByPerson(rows)).toEqual([{ email, ...expected }]);
		// The rows themselves stay unchanged.
		expect(rows[0]).toEqual({ email, ...firstRow });
	});

	test.each<[string, IDataObject, IDataObject, number]>([
		['the same address', { email: 'a@example.com' }, { email: 'a@example.com' }, 1],
		['the same phone number', { phoneNumber: '+49 1' }, { phoneNumber: '+49 1' }, 1],
		['the same ID', { targetUserResourceId: 'u' }, { targetUserResourceId: 'u' }, 1],
		[
			'the same masked address, but another ID',
			{ email: '***', targetUserResourceId: 'u' },
			{ email: '***', targetUserResourceId: 'v' },
			2,
		],
		[
			'the same masked address, but another number',
			{ email: '***', targetUserId: 1 },
			{ email: '***', targetUserId: 2 },
			2,
		],
		['nothing that identifies the person', { firstName: 'Zoë' }, { firstName: 'Zoë' }, 2],
	])('if they have %s', (_name, firstRow, secondRow, expectedCount) => {
		expect(mergeRowsByPerson([firstRow, secondRow])).toHaveLength(expectedCount);
	});
});

test.each<[IDataObject, boolean | null]>([
	[{ clickedCount: 1 }, true],
	[{ clickedCount: '2' }, true],
	[{ clickedCount: 0 }, false],
	[{ clickedCount: null }, false],
	[{ lastClickedTime: '2026-03-05T08:00:00Z' }, true],
	[{ lastClickedTime: '' }, false],
	[{ lastClickedTime: null }, false],
	[{ isClicked: true }, true],
	[{ isClicked: false }, false],
	[{ isClicked: false, clickedCount: 0, lastClickedTime: '2026-03-05T08:00:00Z' }, true],
	[{ isClicked: true, clickedCount: 0 }, true],
	[{ openedCount: 1 }, null],
	[{}, null],
])('the row %j shows if the person clicked: %s', (row, expected) => {
	expect(hasPerformedAction(row, 'clicked')).toBe(expected);
});

test.each([
	['2026-03-05T08:00:00Z', '2026-03-05T08:02:31Z', 3],
	['2026-03-05T08:00:00', '2026-03-05T10:00:00+01:00', 60],
	['2026-03-05T08:00:00Z', '2026-03-05T08:00:00Z', 0],
	['2026-03-05T08:00:00Z', '2026-03-05T07:59:00Z', null],
	[null, '2026-03-05T07:59:00Z', null],
	['2026-03-05T08:00:00Z', null, null],
	['2026-03-05T08:00:00Z', 'soon', null],
])(
	'a message sent at %s and reported at %s took %p minutes to report',
	(lastSendingTime, lastReportedTime, expected) => {
		expect(addActionFields({ lastSendingTime, lastReportedTime }).minutesToReport).toBe(expected);
	},
);

test("the names of the actions are the same on each platform, and the platform's own flags are left out", () => {
	const row = { isClicked: true, isReported: false, clicked: 'yes', isAttachmentOpened: true, email: 'a@example.com' };
	expect(addActionFields(row)).toEqual({
		opened: null,
		clicked: true,
		submitted: null,
		reported: false,
		minutesToReport: null,
		isAttachmentOpened: true,
		email: 'a@example.com',
	});
});

test('a job started at its start date, or else when it was sent, or else when it was created', () => {
	const times = { startDate: 'a', sentTime: 'b', createdDate: 'c' };
	expect(readStartTime(times)).toBe('a');
	expect(readStartTime({ ...times, startDate: null })).toBe('b');
	expect(readStartTime({ createdDate: 'c' })).toBe('c');
	expect(readStartTime({ updatedDate: 'd' })).toBeUndefined();
});

test.each([
	['c/1', 'c', '1'],
	[' c/-1 ', 'c', '-1'],
])('the job %j consists of a campaign and a number', (text, resourceId, instanceGroup) => {
	expect(parseJob(text)).toEqual({ resourceId, instanceGroup });
});

describe('a platform with two jobs of a campaign', () => {
	afterEach(closeFakeServers);
	const REPORT_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
	const run = async (parameters: IDataObject, replies: Record<string, RouteReply> = {}, jobs: IDataObject[] = []) => {
		const createJob = (fields: IDataObject, index: number) => ({
			phishingCampaignResourceId: 'c',
			instanceGroup: index + 1,
			name: 'Spring',
			...fields,
		});
		const { credentialStore } = await startFakeServer({
			[`POST ${REPORT_PATH}/search`]: { data: jobs.map(createJob) },
			...replies,
		});
		const node = new SecurityAwarenessPhishingCampaign();
		const { items } = await runNode({
			node,
			parameters: { companyScope: 'own', resource: 'result', output: 'raw', returnAll: true, ...parameters },
			credential: credentialStore,
		});
		return { rows: getJson(items) };
	};

	test.each<[string, IDataObject[], string]>([
		[
			'that was sent last',
			[
				{ sentTime: '2026-05-05T08:00:00Z', createdDate: '2026-03-01T08:00:00Z' },
				{ sentTime: '2026-05-04T08:00:00Z', createdDate: '2026-03-02T08:00:00Z' },
			],
			'c/1',
		],
		[
			'that was created last, if only one shows when it was sent',
			[
				{ sentTime: '2026-05-05T08:00:00Z', createdDate: '2026-03-01T08:00:00Z' },
				{ createdDate: '2026-03-02T08:00:00Z' },
			],
			'c/2',
		],
		['that is the only one', [{}], 'c/1'],
	])('Latest Job is the one %s', async (_which, jobs, expected) => {
		const replies: Record<string, RouteReply> = {};
		for (const group of [1, 2]) {
			replies[`GET ${REPORT_PATH}/summary/c/${group}`] = { data: { name: 'Spring' } };
			replies[`POST ${REPORT_PATH}/All/search/c/${group}`] = { data: [{ email: 'a@example.com' }] };
		}
		const parameters = { operation: 'getFullReport', job: { __rl: true, mode: 'latest', value: 'Spring' } };
		expect((await run(parameters, replies, jobs)).rows.map(({ jobId }) => jobId)).toEqual([expected]);
	});

	test('the full report has the figures of the summary in single fields, and leaves lists out', async () => {
		const { rows } = await run(
			{ operation: 'getFullReport', job: { mode: 'id', value: 'c/1' } },
			{
				[`GET ${REPORT_PATH}/summary/c/1`]: {
					data: { name: 'Spring', sent: { total: 7, byDay: [1, 2] }, templates: [{ id: 't' }], note: null },
				},
				[`POST ${REPORT_PATH}/All/search/c/1`]: { data: [{ email: 'a@example.com', customFieldValues: ['x'] }] },
			},
		);
		expect(rows).toEqual([
			expect.objectContaining({
				email: 'a@example.com',
				customFieldValues: ['x'],
				jobResourceId: 'c',
				instanceGroup: 1,
				summary_name: 'Spring',
				summary_sent_total: 7,
				summary_note: null,
			}),
		]);
		const summaryFields = Object.keys(rows[0] ?? {}).filter((name) => name.startsWith('summary_'));
		expect(summaryFields.sort()).toEqual(['summary_name', 'summary_note', 'summary_sent_total']);
	});

	test.each([
		['clicked', 'Clicked'],
		['reported', 'Reported'],
	])('the events of one person who %s have the ID of the row, and the name of the campaign', async (action, title) => {
		const { rows } = await run(
			{
				operation: `get${title}`,
				job: { mode: 'id', value: 'c/1' },
				filters: { person: { __rl: true, mode: 'id', value: 'row-7' } },
			},
			{
				[`GET ${REPORT_PATH}/summary/c/1`]: { data: { name: 'Spring' } },
				[`POST ${REPORT_PATH}/search-email-${action}/row-7`]: {
					data: [
						{ resourceId: 'e1', email: 'a@example.com', createTime: '2026-05-05T08:00:00Z' },
						{ resourceId: 'e2', email: 'a@example.com', createTime: '2026-05-06T08:00:00Z' },
					],
				},
			},
		);
		// Two events of the same person stay two items.
		expect(rows).toMatchObject(
			['e1', 'e2'].map((resourceId) => ({
				resourceId,
				campaignName: 'Spring',
				jobId: 'c/1',
				personResourceId: 'row-7',
			})),
		);
		for (const row of rows) expect(row).not.toHaveProperty(action);
	});

	test('the people who clicked have no ID of a selected person', async () => {
		const { rows } = await run(
			{ operation: 'getClicked', job: { mode: 'id', value: 'c/1' } },
			{ [`POST ${REPORT_PATH}/Clicked/search/c/1`]: { data: [{ email: 'a@example.com' }] } },
		);
		expect(rows).toEqual([expect.objectContaining({ campaignName: null, email: 'a@example.com', clicked: true })]);
		expect(rows[0]).not.toHaveProperty('personResourceId');
	});
});
