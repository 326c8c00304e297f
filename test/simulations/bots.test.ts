/** Programs that open and click are not people: who clicked, of one job and of a period, for all three simulators. */
import type { IDataObject } from 'n8n-workflow';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { findJob, NODE_FOLDERS, getCampaignKeys, listSentCampaigns } from '../cases/campaigns';
import { createOperationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';
import { startFakeServer, closeFakeServers, getHintMessages } from '../n8n-core/nodeFixture';
import { getJobPeople } from '../stand-in/routes/campaign-people';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';

const g = createOperationFixture('deployed');
afterEach(() => g.standIn.setOptions({ activityTypeSupport: 'understood' }));

const run = async (simulator: Simulator, parameters: IDataObject) => {
	const result = await runNode({
		node: g.getNode(NODE_FOLDERS[simulator]),
		parameters: { ...g.customer.companyParameters, returnAll: true, ...parameters },
		credential: g.credential,
	});
	return { rows: result.items.map(({ json }) => json), hints: getHintMessages(result).join('\n') };
};

/** Who clicked by what the stand-in knows: people, and programs. */
function clickers(simulator: Simulator, jobs: Array<{ id: string; group: number }>) {
	const done = jobs.flatMap(({ id, group }) => {
		const campaign = g.customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === id);
		return campaign ? getJobPeople(g.standIn.state, campaign, group) : [];
	});
	const clicked = done.filter((each) => each.activities.clicked.length > 0);
	const isHuman = ({ activities: { clicked: list } }: (typeof done)[number]) => list.some(({ isBot }) => !isBot);
	const emails = (people: typeof done) => people.map(({ user }) => user.email).sort();
	const humans = emails(clicked.filter(isHuman));
	const all = emails(clicked);
	return { humans, all, share: 1 - humans.length / all.length };
}

const emailsOf = (rows: IDataObject[]) => rows.map(({ email }) => String(email)).sort();

describe.each(SIMULATORS)('%s', (simulator) => {
	test.each(['understood', 'ignored', 'refused'] as const)(
		'the platform has a field for bots that is %s: no bot among who clicked, their number is told; off: all',
		async (activityTypes) => {
			const { parameters, id, group } = findJob(g.customer, simulator);
			const jobs = listSentCampaigns(g.customer, simulator).flatMap(({ resourceId, instanceGroups }) =>
				instanceGroups.map((each) => ({ id: resourceId, group: each })),
			);
			const period = { operation: 'fullReportOfPeriod', period: 'custom', onlyPeopleWho: 'clicked' };
			g.standIn.setOptions({ activityTypeSupport: activityTypes });
			for (const [asked, expected] of [
				[{ operation: 'clicked', ...parameters }, clickers(simulator, [{ id, group }])],
				[period, clickers(simulator, jobs)],
			] as const) {
				expect(expected.share).toBeGreaterThan(0.2);
				const without = await run(simulator, asked);
				expect(emailsOf(without.rows)).toEqual(expected.humans);
				expect(without.rows.filter(({ activityType }) => activityType !== 'Human Activity')).toEqual([]);
				const [, told] =
					/^Bots were left out: .* \((\d+) (rows?|by the platform's count)\)\.$/.exec(without.hints) ?? [];
				expect(Number(told)).toBe(expected.all.length - expected.humans.length);
				const all = await run(simulator, { ...asked, filters: { excludeBots: false } });
				expect([emailsOf(all.rows), all.hints]).toEqual([expected.all, '']);
			}
		},
	);

	test('a platform that refuses the field is asked without it for the rest of the run', async () => {
		const { people } = getCampaignKeys(simulator);
		g.standIn.setOptions({ activityTypeSupport: 'refused' });
		g.standIn.clearLog();
		await run(simulator, { operation: 'fullReportOfPeriod', period: 'custom' });
		const statuses = g.standIn.getRequests(people).map(({ status }) => status);
		expect(statuses.filter((status) => status === 400).length).toBeLessThan(statuses.length / 2 + 1);
		expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
	});

	test.each(['understood', 'ignored', 'refused'] as const)(
		'among all people everybody stays, but what a bot did is not theirs: %s',
		async (activityTypes) => {
			g.standIn.setOptions({ activityTypeSupport: activityTypes });
			const { parameters, id, group } = findJob(g.customer, simulator);
			const campaign = g.customer.companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === id);
			const everybody = campaign ? getJobPeople(g.standIn.state, campaign, group).map(({ user }) => user.email) : [];
			for (const operation of ['fullReport', 'searchJobUsers']) {
				const { rows } = await run(simulator, { operation, ...parameters });
				expect(emailsOf(rows)).toEqual([...everybody].sort());
				const bots = rows.filter(({ activityType }) => /bot|sandbox/i.test(String(activityType)));
				expect(bots.length).toBeGreaterThan(0);
				expect(bots.filter((row) => row.clicked !== false || row.opened === true || row.submitted === true)).toEqual(
					[],
				);
				// The row has no count or time of an action left.
				const figures = bots.flatMap((row) =>
					Object.entries(row).filter(([name]) => /(opened|clicked|submitted)(Count|Time)/i.test(name)),
				);
				expect(figures.length).toBeGreaterThan(bots.length);
				expect(figures.filter(([, value]) => value !== 0 && value !== null)).toEqual([]);
			}
		},
	);

	test.each(['getManyJobs', 'getJobSummary', 'fullReport', 'fullReportOfPeriod'])(
		"the platform's own figures of %s are said to be with bots or without",
		(operation) => {
			expect(g.getOperation(NODE_FOLDERS[simulator], operation).outputNote).toMatch(/\bbots\b/i);
		},
	);

	test('who reported stays, whatever a bot did', async () => {
		g.standIn.setOptions({ activityTypeSupport: 'ignored' });
		const { parameters } = findJob(g.customer, simulator);
		const { rows } = await run(simulator, { operation: 'fullReport', ...parameters });
		const reported = (await run(simulator, { operation: 'reported', ...parameters })).rows;
		expect(emailsOf(reported)).toEqual(emailsOf(rows.filter((row) => row.reported === true)));
		expect(reported.length).toBeGreaterThan(0);
	});
});

describe('one job of a platform of its own', () => {
	afterEach(closeFakeServers);
	const REPORT = '/api/phishing-simulator/phishing-campaign-job-report';
	const row = (email: string, more: IDataObject) => ({ email, resourceId: email, clickedCount: 1, ...more });
	const who = async (data: IDataObject[]) => {
		const { store } = await startFakeServer({ [`POST ${REPORT}/Clicked/search/x/1`]: { data } });
		const parameters = { operation: 'clicked', companyScope: 'own', job: 'x/1', returnAll: true };
		const node = new SecurityAwarenessPhishingCampaign();
		const result = await runNode({ node, parameters, credential: store });
		return { rows: result.items.map(({ json }) => json), hints: getHintMessages(result).join('\n') };
	};

	test('a text that is neither of a human nor of a bot stays, and is shown', async () => {
		const { rows, hints } = await who([
			row('a@x.example', { activityType: 'Human Activity' }),
			row('b@x.example', { activityType: 'Otomatik' }),
			row('c@x.example', { activityType: 'Sandbox Activity' }),
			row('d@x.example', {}),
		]);
		expect(emailsOf(rows)).toEqual(['a@x.example', 'b@x.example', 'd@x.example']);
		expect(hints).toContain("This is so for 'Otomatik'.");
		expect(hints).toContain('This is so for 1 row.');
	});

	test('a person with two messages, a lure and a payload, is one; others with a masked address are not', async () => {
		const { rows } = await who([
			row('a@x.example', { targetUserId: 7, clickedCount: 1, lastClickedTime: '2026-03-02T08:00:00Z' }),
			row('a@x.example', { targetUserId: 7, clickedCount: 2, lastClickedTime: '2026-03-05T08:00:00Z' }),
			row('***', { targetUserId: 8 }),
			row('***', { targetUserId: 9 }),
		]);
		expect(rows.map(({ email }) => email)).toEqual(['a@x.example', '***', '***']);
		expect(rows[0]).toMatchObject({ clicked: true, lastClickedTime: '2026-03-05T08:00:00Z' });
	});
});
