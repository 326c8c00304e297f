/** Tests the resend operations (recipients, counts and rejections) and the operations for schedules of executive reports. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { cases } from '../cases';
import { fetchFullReport, NODE_FOLDERS, fetchJobPeople } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { runCase } from '../cases/operationFixture';
import { findRunningJob } from '../cases/resend';
import { startFakeServer, closeFakeServers, getHintMessages, getJson, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from '../nodes/deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(closeFakeServers);

const listResendBodies = () => fixture.requests.filter(({ route }) => /resend/.test(route)).map(({ body }) => body);
const findJob = () => findRunningJob(fixture.customer, 'phishing');
const resendJob = async (extraParameters: IDataObject) =>
	run('PhishingCampaign', 'campaignJob.resend', { ...findJob().parameters, ...extraParameters });
const findEnrollment = () => findSeededEnrollment(fixture.customer, 1);
const resendEnrollment = async (extraParameters: IDataObject) =>
	run('Enrollment', 'followUp.resend', { ...findEnrollment().parameters, ...extraParameters });

describe('count only', () => {
	test('a job: counts the people of each list, and sends nothing', async () => {
		const people = await fetchFullReport(fixture.customer, 'phishing', findJob());
		const openers = await fetchJobPeople(fixture.customer, 'phishing', 'Opened', findJob());
		const peopleWhoOnlyOpened = openers.filter((row) =>
			[row.clickedCount, row.submittedCount, row.attachmentOpenedCount].every((count) => !count),
		);
		// Bots are counted too, because the platform resends to everyone in its list, including bots.
		const clickers = await fetchJobPeople(fixture.customer, 'phishing', 'Clicked', findJob());
		const nonResponders = await fetchJobPeople(fixture.customer, 'phishing', 'NoResponse', findJob());
		fixture.standIn.clearLog();
		const result = await resendJob({ sendTo: ['1', '2', '3', '4', '5', '8'], countOnly: true });
		expect(getJson(result.items)).toEqual([
			expect.objectContaining({
				result: 'counted',
				peopleCount: null,
				skippedCount: 0,
				sendTo: 'Opened Only, Clicked, Submitted, No Response, Failed to Send, MFA Code Entered',
				openedOnlyCount: peopleWhoOnlyOpened.length,
				clickedCount: clickers.length,
				submittedCount: people.filter(([, , , submitted]) => submitted).length,
				noResponseCount: nonResponders.length,
				failedToSendCount: null,
				mfaCodeEnteredCount: 0,
			}),
		]);
		expect(peopleWhoOnlyOpened.length).toBeGreaterThan(0);
		expect(getHintMessages(result).join()).toContain(
			'The number of people is unknown, because the platform does not show who has this status.',
		);
		expect(listResendBodies()).toEqual([]);
	});

	test.each([1, 2])('an enrollment or a survey: returns the figures of its summary (%d)', async (index) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, index);
		const summaryPath = `GET /api/training-reports/${id}/summary${index === 2 ? '?trainingType=0' : ''}`;
		const figures = z
			.record(z.unknown())
			.parse(z.object({ reportDetail: z.unknown() }).parse(await fixture.customer.fetchData(summaryPath)).reportDetail);
		fixture.standIn.clearLog();
		const { items } = await run('Enrollment', 'followUp.resend', {
			...parameters,
			sendTo: ['7', '4', '6', '2', '1'],
			countOnly: true,
		});
		expect(getJson(items)).toEqual([
			expect.objectContaining({
				result: 'counted',
				noResponseCount: figures.noResponseCount,
				notCompletedCount: figures.didNotCompleteTrainingCount,
				examFailedCount: figures.failedExamCount,
				openedOnlyCount: figures.onlyOpenedCount,
				failedToSendCount: figures.emailErrorUserCount,
			}),
		]);
		expect(listResendBodies()).toEqual([]);
	});

	test('an expression without a result sends nothing', async () => {
		for (const countOnly of ['={{ $json.missing }}', '={{ null }}'])
			expect(await getFailureMessage(resendEnrollment({ sendTo: ['7'], countOnly }))).toContain(
				"'Count Only' must have a value",
			);
		expect(fixture.requests).toEqual([]);
	});
});

describe('no recipient is selected', () => {
	test.each([
		['={{ [] }}', "'Send To' must have"],
		['={{ $json.missing }}', "'Send To' must have"],
		['={{ [null] }}', "'Send To' must have"],
		['={{ ["All"] }}', "'Send To' has 'All', but the list has no such status"],
		['0x7', "'Send To' has '0x7', but the list has no such status"],
		['={{ ["1e0"] }}', "'Send To' has '1e0', but the list has no such status"],
	])('statuses: %s', async (recipientChoice, message) => {
		expect(await getFailureMessage(resendEnrollment({ sendTo: recipientChoice }))).toContain(message);
		expect(await getFailureMessage(resendJob({ sendTo: recipientChoice }))).toContain(message);
		expect(fixture.requests).toEqual([]);
	});

	test.each(['={{ [] }}', '={{ $json.missing }}', ' , '])('people: %s', async (people) => {
		const runs = [
			run('PhishingCampaign', 'campaignJob.resendToPeople', { ...findJob().parameters, people }),
			run('Enrollment', 'followUp.resendToPeople', { ...findEnrollment().parameters, enrolledUsers: people }),
			run('Enrollment', 'followUp.resendToPeople', {
				...findEnrollment().parameters,
				selectFrom: 'sendingReport',
				sentEmails: people,
			}),
			run('Enrollment', 'followUp.resendCertificate', { ...findEnrollment().parameters, people }),
		];
		for (const resendRun of runs)
			expect(await getFailureMessage(resendRun)).toContain("'Target User Names or IDs' must name at least one person");
		expect(fixture.requests).toEqual([]);
	});
});

test("an expression may return the names of statuses, with the platform's numbers among them", async () => {
	await resendEnrollment({ sendTo: '={{ ["No Response", "exam failed", "openedOnly", 4] }}' });
	expect(listResendBodies()).toEqual([{ resendTypes: [7, 6, 2, 4] }]);
});

test('a number that is not in the list is sent unchanged', async () => {
	await resendEnrollment({ sendTo: '={{ [3, 7] }}' });
	expect(listResendBodies()).toEqual([{ resendTypes: [3, 7] }]);
});

test('only the selected people are sent, never everyone', async () => {
	const listEndpoint = `POST /api/training-reports/${findEnrollment().id}/sending-report/search`;
	const [row] = await fixture.customer.fetchList(listEndpoint);
	fixture.standIn.clearLog();
	await run('Enrollment', 'followUp.resendToPeople', {
		...findEnrollment().parameters,
		selectFrom: 'sendingReport',
		sentEmails: [String(row?.resourceId)],
	});
	// The list is read first, because a text that looks like an ID may be a name.
	const posts = fixture.requests.filter(({ route }) => route.startsWith('POST'));
	expect(posts.map(({ path, body }) => [path.split('/').at(-2), body])).toEqual([
		['sending-report', expect.objectContaining({ pageNumber: 1 })],
		['sending-report', expect.objectContaining({ selectAll: false, selectedItems: [row?.resourceId] })],
	]);
});

test('a rejection is reported with the message of the platform and with advice', async () => {
	requireValue(
		fixture.customer.companyData.getCampaigns('phishing').find(({ resourceId }) => resourceId === findJob().id),
	).status = 'Completed';
	const { id } = findEnrollment();
	await run('Enrollment', 'stop', findEnrollment().parameters);
	const campaign = fixture.customer.companyData.getCampaigns('phishing').find(({ status }) => status === 'Completed');
	const message = await getFailureMessage(
		run('PhishingCampaign', 'campaignJob.resend', {
			...fixture.customer.companyParameters,
			job: { __rl: true, mode: 'id', value: `${campaign?.resourceId}/1` },
			sendTo: ['4'],
		}),
	);
	expect(message).toContain('The platform says: The campaign is completed, so it cannot be sent again.');
	expect(message).toContain("Use 'Start phishing campaign' to send it to a target group of these people.");
	const enrollmentMessage = await getFailureMessage(resendEnrollment({ sendTo: ['7'] }));
	expect(enrollmentMessage).toContain('The platform says: The enrollment is not in progress');
	expect(enrollmentMessage).toContain("check the enrollment's status");
	expect(fixture.standIn.world.getNotes(id).resent).toBeUndefined();
});

test('a conflict is not explained by a name if no name was sent', async () => {
	const conflictResponse = { status: 409, body: { status: 'ERROR', message: 'The job is being sent.' } };
	const { credentialStore: store } = await startFakeServer({
		'POST /api/phishing-simulator/phishing-campaign-job/resend/x/1': conflictResponse,
		'POST /api/target-groups': conflictResponse,
	});
	const parameters = { companyScope: 'own', job: 'x/1', sendTo: ['4'], name: 'Sales', priority: 'High' };
	const readFailure = async (node: string, operation: string) =>
		getFailureMessage(runCase(fixture, { node, operation }, { parameters }, { credential: store }));
	const resendMessage = await readFailure('PhishingCampaign', 'campaignJob.resend');
	expect(resendMessage).toContain('The platform says: The job is being sent.');
	expect(resendMessage).toContain('this conflicts with the current data on the platform (409)');
	expect(resendMessage).toContain('the campaign may be over');
	expect(resendMessage).not.toContain('this name');
	expect(await readFailure('TargetGroup', 'create')).toContain('something with this name already exists (409)');
});

test.each(['phishing', 'smishing'] as const)(
	'the file of a job leaves out bots unless the user includes them, %s',
	async (simulator) => {
		const { parameters } = findRunningJob(fixture.customer, simulator);
		await run(NODE_FOLDERS[simulator], 'campaignJob.getReportFile', { ...parameters, excludeBots: false });
		// The first query belongs to the request for the campaign's name, which becomes part of the file name.
		expect(fixture.requests.map(({ query }) => query)).toEqual([
			{},
			simulator === 'phishing' ? { excludeBotActivity: 'false' } : {},
		]);
	},
);

describe('a schedule', () => {
	test('shows whether the schedule is on, when it was last sent, and when it is sent next', async () => {
		const { parameters } = await requireValue(
			cases.find(({ node, operation }) => node === 'ExecutiveReport' && operation === 'scheduledReport.get'),
		).prepare(fixture.customer);
		const { items } = await run('ExecutiveReport', 'scheduledReport.get', parameters);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ status: 1, nextSendDate: '2026-02-01T06:00:00.000Z', lastSendDate: '2026-01-01T06:00:00.000Z' },
		]);
	});

	const updateSchedule = async (additionalFields: IDataObject) => {
		const preparedRun = await requireValue(
			cases.find(({ node, operation }) => node === 'ExecutiveReport' && operation === 'scheduledReport.update'),
		).prepare(fixture.customer);
		const [before] = requireValue(fixture.customer.companyData.schedules);
		const result = await run('ExecutiveReport', 'scheduledReport.update', {
			...preparedRun.parameters,
			additionalFields,
		});
		const after = requireValue(fixture.customer.companyData.schedules).find(
			({ resourceId }) => resourceId === before?.resourceId,
		);
		return { before, after, hints: getHintMessages(result) };
	};

	test('a new name keeps all addresses', async () => {
		const { before, after, hints } = await updateSchedule({ name: 'Renamed' });
		expect(before?.emailAddresses).toHaveLength(2);
		expect(after).toEqual({ ...before, name: 'Renamed' });
		expect(hints).toEqual([]);
	});

	test('entered addresses replace the stored ones, and an empty text removes all of them', async () => {
		const { after } = await updateSchedule({ emailAddresses: 'a@x.example, b@x.example', frequency: '4' });
		expect(after).toMatchObject({ emailAddresses: ['a@x.example', 'b@x.example'], frequency: 4 });
		const managersUpdate = await updateSchedule({ emailAddresses: '', managerEmails: 'lead@x.example' });
		expect(managersUpdate.after).toMatchObject({ emailAddresses: [], managerEmails: ['lead@x.example'] });
	});

	test("the last recipient can't be removed", async () => {
		const { before } = await updateSchedule({ name: 'Review' });
		fixture.standIn.clearLog();
		const message = await getFailureMessage(updateSchedule({ emailAddresses: '' }));
		expect(message).toContain(
			"'Email Addresses' in 'Update Fields' must not be empty if the report has no other recipients",
		);
		expect(message).toContain("add managers or target groups in 'Update Fields'");
		expect(requireValue(fixture.customer.companyData.schedules)[0]?.emailAddresses).toEqual(before?.emailAddresses);
		expect(fixture.requests.filter(({ route }) => route.startsWith('PUT'))).toEqual([]);
	});

	test.each([[null], [undefined], ['']])(
		'is deleted as an executive report if its type on the platform is %j',
		async (reportTypeId) => {
			const { credentialStore: store, requests } = await startFakeServer({
				'GET /api/report-scheduling/s': { data: { resourceId: 's', name: 'Review', reportTypeId } },
				'DELETE /api/report-scheduling/s/2': { data: null },
			});
			const operation = { node: 'ExecutiveReport', operation: 'scheduledReport.delete' };
			const parameters = { companyScope: 'own', scheduledReport: 's' };
			const { items } = await runCase(fixture, operation, { parameters }, { credential: store });
			expect(getJson(items)).toEqual([expect.objectContaining({ deleted: true })]);
			expect(requests.at(-1)?.route).toBe('DELETE /api/report-scheduling/s/2');
		},
	);

	test.each(['0x1', '1e0', '0b1'])('is not switched by %s, which is not a decimal number', async (status) => {
		const message = await getFailureMessage(
			run('ExecutiveReport', 'scheduledReport.turnOnOrOff', {
				...fixture.customer.companyParameters,
				scheduledReport: 's',
				status,
			}),
		);
		expect(message).toContain(`'Status' must be a whole number of at least 0, but is '${status}'`);
		expect(fixture.requests).toEqual([]);
	});
});
