/** Simulations, figures and reports. */
import assert from 'node:assert/strict';
import { uniqBy } from 'lodash';
import { z } from 'zod';

import { byId } from '../../cases';
import { HUMANS, keysOf, peopleOf } from '../../cases/campaigns';
import { areRecords, the, type Row } from '../../cases/case';
import { scenarioId } from '../../stand-in/deployed/launch';
import { ALL, by, find, from, GROUP, ITS, once, ROWS, rows, tell, type Jobs } from './job';

const JOB = { ...ALL, job: from('PhishingCampaign getManyJobs', 'jobId') };
const BEST = { targetUser: from('Leaderboard getTopPerformers', 'targetUserResourceId') };
const EVER = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const records = z.array(z.record(z.unknown()));
const points = z.object({ values: z.array(z.object({ value: z.number() })) });
const executiveReport = z.object({ widgets: z.array(z.object({ widgetDatas: z.array(points) })) });

export const reports: Jobs = {
	'Campaign list and report': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([
			find(scene),
			step('PhishingCampaign', 'getMany', ALL),
			once(step('PhishingCampaign', 'export', ITS)),
			rows(),
			once(step('PhishingCampaign', 'getManyJobs', ALL)),
			step('PhishingCampaign', 'getJobSummary', JOB),
			once(step('PhishingCampaign', 'exportJobs', ITS)),
			rows('Jobs in File'),
		]);
		const { campaigns, jobs } = keysOf('phishing');
		const sent = await customer.list(jobs);
		areRecords(items('PhishingCampaign getMany'), await customer.list(campaigns));
		tell(items(ROWS), customer.holdings.campaigns('phishing'), 'name');
		areRecords(items('PhishingCampaign getManyJobs'), sent);
		tell(items('Jobs in File'), sent, 'name');
		tell(items('PhishingCampaign getJobSummary'), sent, 'targets', 'totalTargetUserCount');
	},
	'List scenarios': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([find(scene), step('PhishingCampaign', 'getManyScenarios', ALL)]);
		const scenarios = await customer.list('POST /api/phishing-simulator/phishing-scenario/search');
		areRecords(items('PhishingCampaign getManyScenarios'), scenarios);
	},
	'Create and start a simulation': async (scene) => {
		const { customer, step, run } = scene;
		const { holdings } = customer;
		const group = the(holdings.targetGroups[1]);
		const chosen = { ...GROUP, scenarios: "={{ $('PhishingCampaign getManyScenarios').item.json.resourceId }}" };
		await run([
			find(scene),
			step('PhishingCampaign', 'getManyScenarios', by('Parcel Notice')),
			step('TargetGroup', 'getMany', by(group.name)),
			step('PhishingCampaign', 'createAndStart', { ...ITS, ...chosen, name: 'May' }),
		]);
		const made = holdings.campaigns('phishing').filter(({ name }) => name === 'May');
		const { asked, userResourceIds, instanceGroups } = the(made[0]);
		assert.deepEqual(asked?.phishingScenarioResourceIds, [scenarioId('phishing', 'Parcel Notice')]);
		assert.deepEqual([made.length, instanceGroups, userResourceIds], [1, [1], group.userResourceIds]);
	},
	'Start a simulation': async (scene) => {
		const { customer, step, run } = scene;
		const { holdings } = customer;
		const campaign = the(holdings.campaigns('phishing')[1]);
		const group = the(holdings.targetGroups[0]);
		await run([
			find(scene),
			step('PhishingCampaign', 'getMany', by(campaign.name)),
			step('TargetGroup', 'getMany', by(group.name)),
			step('PhishingCampaign', 'start', { ...ITS, ...GROUP, campaign: from('PhishingCampaign getMany', 'resourceId') }),
		]);
		assert.deepEqual([campaign.instanceGroups, campaign.userResourceIds], [[1, 2], group.userResourceIds]);
	},
	'Executive data': async (scene) => {
		const { customer, step, run } = scene;
		const widgets = '={{ $json.widgets.map(({ resourceId }) => resourceId) }}';
		const items = await run([
			find(scene),
			step('ExecutiveReport', 'getMany', { ...ITS, name: 'Board' }),
			step('ExecutiveReport', 'get', { ...ITS, report: from('ExecutiveReport getMany', 'resourceId') }),
			step('ExecutiveReport', 'getWidgetData', { ...ITS, widgets }),
		]);
		const [board] = await customer.list('POST /api/executive-report/search', { name: 'Board' });
		const report = await customer.ask(`GET /api/executive-report/${String(the(board).resourceId)}`);
		const shown = executiveReport.parse(report).widgets.flatMap(({ widgetDatas }) => widgetDatas);
		const values = shown.flatMap((data) => data.values);
		const charts = items('ExecutiveReport getWidgetData').filter(({ json }) => json.part === 'chart');
		tell(charts, values, 'value');
	},
	'Gamification data': async (scene) => {
		const { customer, step, run } = scene;
		const ofBest = { ...ALL, ...BEST, options: EVER };
		const items = await run([
			find(scene),
			step('Leaderboard', 'getMany', ALL),
			once(step('Leaderboard', 'getTopPerformers', ALL)),
			once(step('Leaderboard', 'getUserPerformance', ofBest)),
			once(step('Leaderboard', 'getUserTimeline', ofBest)),
		]);
		tell(items('Leaderboard getMany'), customer.holdings.users, 'email');
		const [best] = items('Leaderboard getMany').filter(({ json }) => json.rank === 1);
		const pagination = { pageNumber: 1, pageSize: 1000, orderBy: 'ActionTime', ascending: false };
		const asked = { ...EVER, pagination, targetUserResourceId: the(best).json.targetUserResourceId };
		const listed = async (name: string) => records.parse(await customer.ask(`POST /api/leaderboard/${name}`, asked));
		areRecords(items('Leaderboard getUserPerformance'), await listed('user-performance'));
		areRecords(items('Leaderboard getUserTimeline'), await listed('get-user-timeline'));
	},
	'Gamification export': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([
			find(scene),
			step('Leaderboard', 'export', ITS),
			rows(),
			once(step('Leaderboard', 'exportUserTimeline', { ...ITS, options: EVER })),
			rows('Events in File'),
		]);
		tell(items(ROWS), customer.holdings.users, 'email');
		const oneOfEach = uniqBy(items('Events in File'), 'json.email');
		tell(oneOfEach, customer.holdings.users, 'email');
	},
	'Scheduled reports': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([find(scene), step('ExecutiveReport', 'getScheduledReports', ALL)]);
		areRecords(items('ExecutiveReport getScheduledReports'), await customer.list('POST /api/report-scheduling/search'));
	},
	"People's behaviour": async (scene) => {
		const { customer, step, run } = scene;
		const { name, resourceId: id } = the(customer.holdings.campaigns('phishing')[0]);
		const clicked = { searchType: byId('Clicked') };
		const person = from('PhishingCampaign searchJobUsers', 'resourceId');
		const items = await run([
			find(scene),
			step('PhishingCampaign', 'getMany', by(name)),
			step('PhishingCampaign', 'getManyJobs', by('={{ $json.name }}')),
			step('PhishingCampaign', 'getJobSummary', JOB),
			step('PhishingCampaign', 'searchJobUsers', { ...JOB, filters: clicked }),
			step('PhishingCampaign', 'clicked', { ...JOB, filters: { person } }),
			once(step('PhishingCampaign', 'exportPeople', { ...JOB, filters: clicked })),
			rows(),
		]);
		const whoClicked = async (group: number) => peopleOf(customer, 'phishing', 'Clicked', { id, group }, HUMANS);
		const ofJobs = await Promise.all([1, 2].map(whoClicked));
		tell(items('PhishingCampaign getJobSummary'), ofJobs, 'clicked', 'length');
		const both = ofJobs.flat();
		tell(items('PhishingCampaign searchJobUsers'), both, 'resourceId');
		const path = 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-clicked';
		const clicksOf = async ({ resourceId }: Row) => customer.list(`${path}/${String(resourceId)}`, HUMANS);
		tell(items('PhishingCampaign clicked'), (await Promise.all(both.map(clicksOf))).flat(), 'resourceId');
		tell(items(ROWS), the(ofJobs[0]), 'email');
	},
};
