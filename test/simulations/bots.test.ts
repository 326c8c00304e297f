/**
 * Tests that the actions of bots are excluded from the results of one job and of a period, for all three simulators.
 */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import { findJob, NODE_FOLDERS, getCampaignKeys, listSentCampaigns } from '../cases/campaigns';
import { parseOperationKey } from '../contract/operationKeys';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { startFakeServer, closeFakeServers, getHintMessages } from '../n8n-core/nodeFixture';
import { getJobPeople } from '../stand-in/routes/campaign-people';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';

const fixture = createOperationFixture('deployed');
afterEach(() => fixture.standIn.setOptions({ activityTypeSupport: 'understood' }));

const run = async (simulator: Simulator, parameters: IDataObject) => {
	const result = await runNode({
		node: fixture.getNode(NODE_FOLDERS[simulator]),
		parameters: { ...fixture.customer.companyParameters, returnAll: true, ...parameters },
		credential: fixture.credential,
	});
	return { rows: result.items.map(({ json }) => json), hints: getHintMessages(result).join('\n') };
};

/**
 * Finds out from the stand-in's data who clicked. `humanEmails` are the addresses of the people who clicked themselves.
 * `allEmails` also contains the addresses of people whose message only a bot clicked.
 */
function findClickers(simulator: Simulator, jobs: Array<{ id: string; group: number }>) {
	const allPeople = jobs.flatMap(({ id, group }) => {
		const campaign = fixture.customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === id);
		return campaign ? getJobPeople(fixture.standIn.world, campaign, group) : [];
	});
	const clickers = allPeople.filter(({ activities }) => activities.clicked.length > 0);
	const humanClickers = clickers.filter(({ activities }) => activities.clicked.some(({ isBot }) => !isBot));
	const listEmails = (people: typeof allPeople) => people.map(({ user }) => user.email).sort();
	const humanEmails = listEmails(humanClickers);
	const allEmails = listEmails(clickers);
	return { humanEmails, allEmails, botShare: 1 - humanEmails.length / allEmails.length };
}

const getEmails = (rows: IDataObject[]) => rows.map(({ email }) => String(email)).sort();

describe.each(SIMULATORS)('%s', (simulator) => {
	test.each(['understood', 'ignored', 'refused'] as const)(
		'activityType is %s by the platform: bots are excluded and counted in a hint; with the filter off, they are included',
		async (activityTypeSupport) => {
			const { parameters, id, group } = findJob(fixture.customer, simulator);
			const jobs = listSentCampaigns(fixture.customer, simulator).flatMap(({ resourceId, instanceGroups }) =>
				instanceGroups.map((instanceGroup) => ({ id: resourceId, group: instanceGroup })),
			);
			const periodParameters = {
				resource: 'result',
				operation: 'getManyByPeriod',
				period: 'custom',
				periodStart: '2000-01-01',
				onlyPeopleWho: 'clicked',
			};
			fixture.standIn.setOptions({ activityTypeSupport });
			for (const [operationParameters, expectedClickers] of [
				[{ resource: 'result', operation: 'getClicked', ...parameters }, findClickers(simulator, [{ id, group }])],
				[periodParameters, findClickers(simulator, jobs)],
			] as const) {
				expect(expectedClickers.botShare).toBeGreaterThan(0.2);
				const withoutBots = await run(simulator, operationParameters);
				expect(getEmails(withoutBots.rows)).toEqual(expectedClickers.humanEmails);
				expect(withoutBots.rows.filter(({ activityType }) => activityType !== 'Human Activity')).toEqual([]);
				const [, excludedCount] =
					/^Actions of bots, .+ were left out\. .* \((\d+) (rows? left out|left out, by the platform's count)\)\.$/.exec(
						withoutBots.hints,
					) ?? [];
				expect(Number(excludedCount)).toBe(expectedClickers.allEmails.length - expectedClickers.humanEmails.length);
				const withBots = await run(simulator, { ...operationParameters, filters: { excludeBots: false } });
				expect([getEmails(withBots.rows), withBots.hints]).toEqual([expectedClickers.allEmails, '']);
			}
		},
	);

	test('if a platform refuses activityType, the rest of the run omits it', async () => {
		const { people } = getCampaignKeys(simulator);
		fixture.standIn.setOptions({ activityTypeSupport: 'refused' });
		fixture.standIn.clearLog();
		await run(simulator, {
			resource: 'result',
			operation: 'getManyByPeriod',
			period: 'custom',
			periodStart: '2000-01-01',
		});
		const statuses = fixture.standIn.getRequests(people).map(({ status }) => status);
		expect(statuses.filter((status) => status === 400).length).toBeLessThan(statuses.length / 2 + 1);
		expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
	});

	test.each(['understood', 'ignored', 'refused'] as const)(
		'activityType is %s by the platform: a list of all people keeps every person, without the actions of bots',
		async (activityTypeSupport) => {
			fixture.standIn.setOptions({ activityTypeSupport });
			const { parameters, id, group } = findJob(fixture.customer, simulator);
			const campaign = fixture.customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === id);
			const allEmails = campaign
				? getJobPeople(fixture.standIn.world, campaign, group).map(({ user }) => user.email)
				: [];
			for (const operation of ['result.getFullReport', 'result.getMany']) {
				const { rows } = await run(simulator, {
					...parseOperationKey(NODE_FOLDERS[simulator], operation),
					...parameters,
				});
				expect(getEmails(rows)).toEqual([...allEmails].sort());
				const bots = rows.filter(({ activityType }) => /bot|sandbox/i.test(String(activityType)));
				expect(bots.length).toBeGreaterThan(0);
				expect(
					bots.filter(({ opened, clicked, submitted }) => clicked !== false || opened === true || submitted === true),
				).toEqual([]);
				// Every count in these rows must be 0, and every time must be null.
				const figures = bots.flatMap((bot) =>
					Object.entries(bot).filter(([name]) => /(opened|clicked|submitted)(Count|Time)/i.test(name)),
				);
				expect(figures.length).toBeGreaterThan(bots.length);
				expect(figures.filter(([, value]) => value !== 0 && value !== null)).toEqual([]);
			}
		},
	);

	test.each(['campaignJob.getMany', 'campaignJob.getSummary', 'result.getFullReport', 'result.getManyByPeriod'])(
		"the note of %s says whether the platform's figures include bots",
		(operation) => {
			expect(fixture.getOperation(NODE_FOLDERS[simulator], operation).outputNote).toMatch(/\bbots\b/i);
		},
	);

	test('people who reported the message are listed, even if a bot acted too', async () => {
		fixture.standIn.setOptions({ activityTypeSupport: 'ignored' });
		const { parameters } = findJob(fixture.customer, simulator);
		const { rows } = await run(simulator, { resource: 'result', operation: 'getFullReport', ...parameters });
		const { rows: reporters } = await run(simulator, { resource: 'result', operation: 'getReported', ...parameters });
		expect(getEmails(reporters)).toEqual(getEmails(rows.filter(({ reported }) => reported === true)));
		expect(reporters.length).toBeGreaterThan(0);
	});
});

describe('a job of a minimal platform', () => {
	afterEach(closeFakeServers);
	const REPORT_PATH = '/api/phishing-simulator/phishing-campaign-job-report';
	const createPersonRow = (email: string, fields: IDataObject) => ({
		email,
		resourceId: email,
		clickedCount: 1,
		...fields,
	});
	const ALL_PEOPLE_PATH = 'All/search/x/1';
	const CLICKERS_PATH = 'Clicked/search/x/1';
	/** Lists the people of a job on a platform that has only one path for this. */
	const listPeople = async (path: string, data: IDataObject[]) => {
		const { credentialStore: store } = await startFakeServer({ [`POST ${REPORT_PATH}/${path}`]: { data } });
		const parameters = {
			resource: 'result',
			operation: path === ALL_PEOPLE_PATH ? 'getMany' : 'getClicked',
			companyScope: 'own',
			job: 'x/1',
			output: 'raw',
			returnAll: true,
		};
		const node = new SecurityAwarenessPhishingCampaign();
		const result = await runNode({ node, parameters, credential: store });
		return { rows: result.items.map(({ json }) => json), hints: getHintMessages(result).join('\n') };
	};

	test('a row with an unknown activityType is kept, and a hint shows the value', async () => {
		const { rows, hints } = await listPeople(CLICKERS_PATH, [
			createPersonRow('a@x.example', { activityType: 'Human Activity' }),
			createPersonRow('b@x.example', { activityType: 'Otomatik' }),
			createPersonRow('c@x.example', { activityType: 'Sandbox Activity' }),
			createPersonRow('d@x.example', {}),
			createPersonRow('e@x.example', { activityType: 'Non-Human Activity' }),
		]);
		expect(getEmails(rows)).toEqual(['a@x.example', 'b@x.example', 'd@x.example', 'e@x.example']);
		expect(hints).toContain("This applies to 'Otomatik', 'Non-Human Activity'.");
		expect(hints).toContain('This applies to 1 row left out.');
	});

	test('in a list of all people, every action of a bot is cleared', async () => {
		const actions = {
			openedCount: 1,
			lastOpenedTime: '2026-03-02T08:00:00Z',
			clickedCount: 2,
			lastClickedTimeToLocalUser: '02.03.2026 09:00',
			submittedCount: 3,
			lastSubmittedTime: '2026-03-02T08:00:00Z',
			mfaSubmittedCount: 1,
			mfaLastSubmittedTime: '2026-03-02T08:00:00Z',
			attachmentOpenedCount: 1,
			lastAttachmentOpenedTime: '2026-03-02T08:00:00Z',
		};
		const { rows } = await listPeople(ALL_PEOPLE_PATH, [
			createPersonRow('human@x.example', { ...actions, activityType: 'Human Activity' }),
			createPersonRow('bot@x.example', { ...actions, activityType: 'Bot Activity', reportedCount: 1 }),
		]);
		expect(rows).toMatchObject([
			{ email: 'human@x.example', ...actions, opened: true, clicked: true, submitted: true },
			{
				email: 'bot@x.example',
				...mapValues(actions, (value) => (typeof value === 'number' ? 0 : null)),
				opened: false,
				clicked: false,
				submitted: false,
				reportedCount: 1,
			},
		]);
	});

	test('the two rows of a person who got two messages are merged; rows of different people with masked addresses are not', async () => {
		const { rows } = await listPeople(CLICKERS_PATH, [
			createPersonRow('a@x.example', { targetUserId: 7, clickedCount: 1, lastClickedTime: '2026-03-02T08:00:00Z' }),
			createPersonRow('a@x.example', { targetUserId: 7, clickedCount: 2, lastClickedTime: '2026-03-05T08:00:00Z' }),
			createPersonRow('***', { targetUserId: 8 }),
			createPersonRow('***', { targetUserId: 9 }),
			createPersonRow('***', { phoneNumber: '+49 30 1' }),
			createPersonRow('***', { phoneNumber: '+49 30 2' }),
		]);
		expect(rows.map(({ email }) => email)).toEqual(['a@x.example', '***', '***', '***', '***']);
		expect(rows[0]).toMatchObject({ clicked: true, lastClickedTime: '2026-03-05T08:00:00Z' });
	});

	test('without the search by action, the rows of other jobs of the campaign are left out', async () => {
		const { rows } = await listPeople('search-email-clicked/x', [
			createPersonRow('a@x.example', { instanceGroup: 1 }),
			createPersonRow('b@x.example', { instanceGroup: 2 }),
			createPersonRow('c@x.example', { instanceGroup: null }),
			createPersonRow('d@x.example', {}),
		]);
		expect(getEmails(rows)).toEqual(['a@x.example', 'c@x.example', 'd@x.example']);
	});
});
