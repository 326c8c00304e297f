/** Who is sent to again, and who is only counted; what the platform refuses; and what an update of a schedule leaves. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { cases } from '../cases';
import { fetchFullReport, NODE_FOLDERS, fetchJobPeople } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { runCase } from '../cases/operationFixture';
import { findRunningJob } from '../cases/resend';
import { startFakeServer, closeFakeServers, getHintMessages, getJson, requireValue } from '../n8n-core/nodeFixture';
import { deployedRuns, failureOf } from '../nodes/deployed';

const { g, run } = deployedRuns();
afterEach(closeFakeServers);

const sent = () => g.requests.filter(({ route }) => /resend/.test(route)).map(({ body }) => body);
const job = () => findRunningJob(g.customer, 'phishing');
const resendJob = async (more: IDataObject) => run('PhishingCampaign', 'resendJob', { ...job().parameters, ...more });
const enrollment = () => findSeededEnrollment(g.customer, 1);
const resend = async (more: IDataObject) => run('Enrollment', 'resend', { ...enrollment().parameters, ...more });

describe('count only', () => {
	test('of a job: the people of each list, and nothing is sent', async () => {
		const people = await fetchFullReport(g.customer, 'phishing', job());
		const isOnly = await fetchJobPeople(g.customer, 'phishing', 'Opened', job());
		const only = isOnly.filter((row) =>
			[row.clickedCount, row.submittedCount, row.attachmentOpenedCount].every((each) => !each),
		);
		// The platform sends again to whoever is in its list, bots too.
		const clickers = await fetchJobPeople(g.customer, 'phishing', 'Clicked', job());
		const silent = await fetchJobPeople(g.customer, 'phishing', 'NoResponse', job());
		g.standIn.clearLog();
		const result = await resendJob({ sendTo: ['1', '2', '3', '4', '5', '8'], countOnly: true });
		const counts = getJson(result.items).map(({ sendTo, resendType, peopleCount }) => [resendType, sendTo, peopleCount]);
		expect(counts).toEqual([
			[1, 'Opened Only', only.length],
			[2, 'Clicked', clickers.length],
			[3, 'Submitted', people.filter(([, , , submitted]) => submitted).length],
			[4, 'No Response', silent.length],
			[5, 'Failed to Send', null],
			[8, 'MFA Code Entered', 0],
		]);
		expect(only.length).toBeGreaterThan(0);
		expect(getHintMessages(result).join()).toContain('does not tell how many people are in this state');
		expect(sent()).toEqual([]);
	});

	test.each([1, 2])('of an enrollment: the figures of its summary; also of a survey (%d)', async (at) => {
		const { id, parameters } = findSeededEnrollment(g.customer, at);
		const asked = `GET /api/training-reports/${id}/summary${at === 2 ? '?trainingType=0' : ''}`;
		const figures = z
			.record(z.unknown())
			.parse(z.object({ reportDetail: z.unknown() }).parse(await g.customer.fetchData(asked)).reportDetail);
		g.standIn.clearLog();
		const { items } = await run('Enrollment', 'resend', {
			...parameters,
			sendTo: ['7', '4', '6', '2', '1'],
			countOnly: true,
		});
		expect(getJson(items).map(({ peopleCount }) => peopleCount)).toEqual([
			figures.noResponseCount,
			figures.didNotCompleteTrainingCount,
			figures.failedExamCount,
			figures.onlyOpenedCount,
			figures.emailErrorUserCount,
		]);
		expect(sent()).toEqual([]);
	});

	test('an expression that gives nothing sends nothing', async () => {
		for (const countOnly of ['={{ $json.missing }}', '={{ null }}'])
			expect(await failureOf(resend({ sendTo: ['7'], countOnly }))).toContain("'Count Only' must have a value");
		expect(g.requests).toEqual([]);
	});
});

describe('nobody is chosen', () => {
	test.each(['={{ [] }}', '={{ $json.missing }}', '={{ [null] }}', '={{ ["All"] }}', '0x7', '={{ ["1e0"] }}'])(
		'states: %s',
		async (sendTo) => {
			expect(await failureOf(resend({ sendTo }))).toContain("'Send To' must have");
			expect(await failureOf(resendJob({ sendTo }))).toContain("'Send To' must have");
			expect(g.requests).toEqual([]);
		},
	);

	test.each(['={{ [] }}', '={{ $json.missing }}', ' , '])('people: %s', async (people) => {
		const chosen = [
			run('PhishingCampaign', 'resendJobToPeople', { ...job().parameters, people }),
			run('Enrollment', 'resendToPeople', { ...enrollment().parameters, users: people }),
			run('Enrollment', 'resendToPeople', { ...enrollment().parameters, tab: 'sending-report', mails: people }),
			run('Enrollment', 'resendCertificate', { ...enrollment().parameters, people }),
		];
		for (const each of chosen)
			expect(await failureOf(each)).toContain("'Target User Names or IDs' must name at least one person");
		expect(g.requests).toEqual([]);
	});
});

test('a number that the list does not have is sent as it was typed', async () => {
	await resend({ sendTo: '={{ [3, 7] }}' });
	expect(sent()).toEqual([{ resendTypes: [3, 7] }]);
});

test('chosen people are all that is sent, never everybody', async () => {
	const list = `POST /api/training-reports/${enrollment().id}/sending-report/search`;
	const [row] = await g.customer.fetchList(list);
	g.standIn.clearLog();
	await run('Enrollment', 'resendToPeople', {
		...enrollment().parameters,
		tab: 'sending-report',
		mails: [String(row?.resourceId)],
	});
	// The list is read first, because a text that looks like an ID may be a name.
	expect(g.requests.map(({ path, body }) => [path.split('/').at(-2), body])).toEqual([
		['sending-report', expect.objectContaining({ pageNumber: 1 })],
		['sending-report', expect.objectContaining({ selectAll: false, selectedItems: [row?.resourceId] })],
	]);
});

test('what the platform refuses is told in its own words, and what to do instead', async () => {
	requireValue(g.customer.companyData.getCampaigns('phishing').find(({ resourceId }) => resourceId === job().id)).status = 'Completed';
	const { id } = enrollment();
	await run('Enrollment', 'stop', enrollment().parameters);
	const campaign = g.customer.companyData.getCampaigns('phishing').find(({ status }) => status === 'Completed');
	const said = await failureOf(
		run('PhishingCampaign', 'resendJob', {
			...g.customer.companyParameters,
			job: { __rl: true, mode: 'id', value: `${campaign?.resourceId}/1` },
			sendTo: ['4'],
		}),
	);
	expect(said).toContain('The service says: The campaign is completed, so it cannot be sent again.');
	expect(said).toContain("start it anew with 'Start Campaign'");
	const other = await failureOf(resend({ sendTo: ['7'] }));
	expect(other).toContain('The service says: The enrollment is not in progress');
	expect(other).toContain('look at the status of the enrollment');
	expect(g.standIn.state.getNotes(id).resent).toBeUndefined();
});

test('a conflict is not explained by a name if no name was sent', async () => {
	const conflict = { status: 409, body: { status: 'ERROR', message: 'The job is being sent.' } };
	const { store } = await startFakeServer({
		'POST /api/phishing-simulator/phishing-campaign-job/resend/x/1': conflict,
		'POST /api/target-groups': conflict,
	});
	const parameters = { companyScope: 'own', job: 'x/1', sendTo: ['4'], name: 'Sales', priority: 'High' };
	const saidBy = async (node: string, operation: string) =>
		failureOf(runCase(g, { node, operation }, { parameters }, { credential: store }));
	const resent = await saidBy('PhishingCampaign', 'resendJob');
	expect(resent).toContain('The service says: The job is being sent.');
	expect(resent).toContain('it conflicts with what is on the platform now (409)');
	expect(resent).toContain('the campaign may be over');
	expect(resent).not.toContain('this name');
	expect(await saidBy('TargetGroup', 'create')).toContain('something with this name already exists (409)');
});

test.each(['phishing', 'smishing'] as const)(
	'the file of a job: bots are left out unless they are wanted, %s',
	async (simulator) => {
		const { parameters } = findRunningJob(g.customer, simulator);
		await run(NODE_FOLDERS[simulator], 'getReportFile', { ...parameters, excludeBots: false });
		// The first asks for the campaign's name, which is in that of the file.
		expect(g.requests.map(({ query }) => query)).toEqual([
			{},
			simulator === 'phishing' ? { excludeBotActivity: 'false' } : {},
		]);
	},
);

describe('a schedule', () => {
	test('shows whether the schedule is on, when it was last sent, and when it is sent next', async () => {
		const { parameters } = await requireValue(
			cases.find(({ node, operation }) => node === 'ExecutiveReport' && operation === 'getScheduledReport'),
		).prepare(g.customer);
		const { items } = await run('ExecutiveReport', 'getScheduledReport', parameters);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ status: 1, nextSendDate: '2026-02-01T06:00:00.000Z', lastSendDate: '2026-01-01T06:00:00.000Z' },
		]);
	});

	const update = async (additionalFields: IDataObject) => {
		const prepared = await requireValue(
			cases.find(({ node, operation }) => node === 'ExecutiveReport' && operation === 'updateScheduledReport'),
		).prepare(g.customer);
		const [before] = requireValue(g.customer.companyData.schedules);
		const result = await run('ExecutiveReport', 'updateScheduledReport', { ...prepared.parameters, additionalFields });
		const after = requireValue(g.customer.companyData.schedules).find(({ resourceId }) => resourceId === before?.resourceId);
		return { before, after, hints: getHintMessages(result) };
	};

	test('another name wipes no address', async () => {
		const { before, after, hints } = await update({ name: 'Renamed' });
		expect(before?.emailAddresses).toHaveLength(2);
		expect(after).toEqual({ ...before, name: 'Renamed' });
		expect(hints).toEqual([]);
	});

	test('addresses that are given take the place of the others; an empty text takes all away', async () => {
		const { after } = await update({ emailAddresses: 'a@x.example, b@x.example', frequency: '4' });
		expect(after).toMatchObject({ emailAddresses: ['a@x.example', 'b@x.example'], frequency: 4 });
		const toManagers = await update({ emailAddresses: '', managerEmails: 'lead@x.example' });
		expect(toManagers.after).toMatchObject({ emailAddresses: [], managerEmails: ['lead@x.example'] });
	});

	test("the last recipient can't be removed", async () => {
		const { before } = await update({ name: 'Review' });
		g.standIn.clearLog();
		const said = await failureOf(update({ emailAddresses: '' }));
		expect(said).toContain(
			"'Email Addresses' in 'Update Fields' must not be empty if the report has no other recipients",
		);
		expect(said).toContain("add managers or target groups under 'Update Fields'");
		expect(requireValue(g.customer.companyData.schedules)[0]?.emailAddresses).toEqual(before?.emailAddresses);
		expect(g.requests.filter(({ route }) => route.startsWith('PUT'))).toEqual([]);
	});

	test.each([[null], [undefined], ['']])(
		'is deleted as an executive report where the platform gives %j as its type',
		async (reportTypeId) => {
			const { store, requests } = await startFakeServer({
				'GET /api/report-scheduling/s': { data: { resourceId: 's', name: 'Review', reportTypeId } },
				'DELETE /api/report-scheduling/s/2': { data: null },
			});
			const operation = { node: 'ExecutiveReport', operation: 'deleteScheduledReport' };
			const parameters = { companyScope: 'own', scheduledReport: 's' };
			const { items } = await runCase(g, operation, { parameters }, { credential: store });
			expect(getJson(items)).toEqual([expect.objectContaining({ deleted: true })]);
			expect(requests.at(-1)?.route).toBe('DELETE /api/report-scheduling/s/2');
		},
	);

	test.each(['0x1', '1e0', '0b1'])('is not switched by the number %s, which is no ID', async (status) => {
		const said = await failureOf(
			run('ExecutiveReport', 'switchScheduledReport', { ...g.customer.companyParameters, scheduledReport: 's', status }),
		);
		expect(said).toContain(`'Status' must be a whole number of at least 0, but is '${status}'`);
		expect(g.requests).toEqual([]);
	});
});
