/** Simulations, figures and reports. */
import assert from 'node:assert/strict';
import { uniqBy } from 'lodash';
import { z } from 'zod';

import { toIdLocator } from '../../cases';
import { HUMANS_ONLY, getCampaignKeys, fetchJobPeople } from '../../cases/campaigns';
import { expectRecords, requireValue, type JsonObject } from '../../cases/case';
import { getScenarioId } from '../../stand-in/deployed/launch';
import { ALL_OF_CUSTOMER, searchFor, buildFindCustomerStep, fromNode, LISTED_GROUP, FOR_CUSTOMER, runOnce, ROWS_NODE, buildRowsNode, assertSameValues, type Jobs } from './job';

const CAMPAIGN_JOB = { ...ALL_OF_CUSTOMER, job: fromNode('PhishingCampaign getManyJobs', 'jobId') };
const BEST_PERFORMER = { targetUser: fromNode('Leaderboard getTopPerformers', 'targetUserResourceId') };
const WHOLE_PERIOD = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const recordsSchema = z.array(z.record(z.unknown()));
const pointsSchema = z.object({ values: z.array(z.object({ value: z.number() })) });
const executiveReportSchema = z.object({ widgets: z.array(z.object({ widgetDatas: z.array(pointsSchema) })) });

export const reports: Jobs = {
	'Campaign list and report': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([
			buildFindCustomerStep(context),
			step('PhishingCampaign', 'getMany', ALL_OF_CUSTOMER),
			runOnce(step('PhishingCampaign', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
			runOnce(step('PhishingCampaign', 'getManyJobs', ALL_OF_CUSTOMER)),
			step('PhishingCampaign', 'getJobSummary', CAMPAIGN_JOB),
			runOnce(step('PhishingCampaign', 'exportJobs', FOR_CUSTOMER)),
			buildRowsNode('Jobs in File'),
		]);
		const { campaigns, jobs } = getCampaignKeys('phishing');
		const sent = await customer.fetchList(jobs);
		expectRecords(items('PhishingCampaign getMany'), await customer.fetchList(campaigns));
		assertSameValues(items(ROWS_NODE), customer.companyData.getCampaigns('phishing'), 'name');
		expectRecords(items('PhishingCampaign getManyJobs'), sent);
		assertSameValues(items('Jobs in File'), sent, 'name');
		assertSameValues(items('PhishingCampaign getJobSummary'), sent, 'targets', 'totalTargetUserCount');
	},
	'List scenarios': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([buildFindCustomerStep(context), step('PhishingCampaign', 'getManyScenarios', ALL_OF_CUSTOMER)]);
		const scenarios = await customer.fetchList('POST /api/phishing-simulator/phishing-scenario/search');
		expectRecords(items('PhishingCampaign getManyScenarios'), scenarios);
	},
	'Create and start a simulation': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const { companyData: holdings } = customer;
		const group = requireValue(holdings.targetGroups[1]);
		const selection = { ...LISTED_GROUP, scenarios: "={{ $('PhishingCampaign getManyScenarios').item.json.resourceId }}" };
		await run([
			buildFindCustomerStep(context),
			step('PhishingCampaign', 'getManyScenarios', searchFor('Parcel Notice')),
			step('TargetGroup', 'getMany', searchFor(group.name)),
			step('PhishingCampaign', 'createAndStart', { ...FOR_CUSTOMER, ...selection, name: 'May' }),
		]);
		const createdCampaigns = holdings.getCampaigns('phishing').filter(({ name }) => name === 'May');
		const { createBody: asked, userResourceIds, instanceGroups } = requireValue(createdCampaigns[0]);
		assert.deepEqual(asked?.phishingScenarioResourceIds, [getScenarioId('phishing', 'Parcel Notice')]);
		assert.deepEqual([createdCampaigns.length, instanceGroups, userResourceIds], [1, [1], group.userResourceIds]);
	},
	'Start a simulation': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const { companyData: holdings } = customer;
		const campaign = requireValue(holdings.getCampaigns('phishing')[1]);
		const group = requireValue(holdings.targetGroups[0]);
		await run([
			buildFindCustomerStep(context),
			step('PhishingCampaign', 'getMany', searchFor(campaign.name)),
			step('TargetGroup', 'getMany', searchFor(group.name)),
			step('PhishingCampaign', 'start', { ...FOR_CUSTOMER, ...LISTED_GROUP, campaign: fromNode('PhishingCampaign getMany', 'resourceId') }),
		]);
		assert.deepEqual([campaign.instanceGroups, campaign.userResourceIds], [[1, 2], group.userResourceIds]);
	},
	'Executive data': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const widgets = '={{ $json.widgets.map(({ resourceId }) => resourceId) }}';
		const items = await run([
			buildFindCustomerStep(context),
			step('ExecutiveReport', 'getMany', { ...FOR_CUSTOMER, name: 'Board' }),
			step('ExecutiveReport', 'get', { ...FOR_CUSTOMER, report: fromNode('ExecutiveReport getMany', 'resourceId') }),
			step('ExecutiveReport', 'getWidgetData', { ...FOR_CUSTOMER, widgets }),
		]);
		const [board] = await customer.fetchList('POST /api/executive-report/search', { name: 'Board' });
		const report = await customer.fetchData(`GET /api/executive-report/${String(requireValue(board).resourceId)}`);
		const shown = executiveReportSchema.parse(report).widgets.flatMap(({ widgetDatas }) => widgetDatas);
		const values = shown.flatMap((data) => data.values);
		const charts = items('ExecutiveReport getWidgetData').filter(({ json }) => json.part === 'chart');
		assertSameValues(charts, values, 'value');
	},
	'Gamification data': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const forBestPerformer = { ...ALL_OF_CUSTOMER, ...BEST_PERFORMER, options: WHOLE_PERIOD };
		const items = await run([
			buildFindCustomerStep(context),
			step('Leaderboard', 'getMany', ALL_OF_CUSTOMER),
			runOnce(step('Leaderboard', 'getTopPerformers', ALL_OF_CUSTOMER)),
			runOnce(step('Leaderboard', 'getUserPerformance', forBestPerformer)),
			runOnce(step('Leaderboard', 'getUserTimeline', forBestPerformer)),
		]);
		assertSameValues(items('Leaderboard getMany'), customer.companyData.users, 'email');
		const [best] = items('Leaderboard getMany').filter(({ json }) => json.rank === 1);
		const pagination = { pageNumber: 1, pageSize: 1000, orderBy: 'ActionTime', ascending: false };
		const asked = { ...WHOLE_PERIOD, pagination, targetUserResourceId: requireValue(best).json.targetUserResourceId };
		const listEvents = async (name: string) => recordsSchema.parse(await customer.fetchData(`POST /api/leaderboard/${name}`, asked));
		expectRecords(items('Leaderboard getUserPerformance'), await listEvents('user-performance'));
		expectRecords(items('Leaderboard getUserTimeline'), await listEvents('get-user-timeline'));
	},
	'Gamification export': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([
			buildFindCustomerStep(context),
			step('Leaderboard', 'export', FOR_CUSTOMER),
			buildRowsNode(),
			runOnce(step('Leaderboard', 'exportUserTimeline', { ...FOR_CUSTOMER, options: WHOLE_PERIOD })),
			buildRowsNode('Events in File'),
		]);
		assertSameValues(items(ROWS_NODE), customer.companyData.users, 'email');
		const onePerPerson = uniqBy(items('Events in File'), 'json.email');
		assertSameValues(onePerPerson, customer.companyData.users, 'email');
	},
	'Scheduled reports': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([buildFindCustomerStep(context), step('ExecutiveReport', 'getScheduledReports', ALL_OF_CUSTOMER)]);
		expectRecords(items('ExecutiveReport getScheduledReports'), await customer.fetchList('POST /api/report-scheduling/search'));
	},
	"People's behaviour": async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const { name, resourceId: id } = requireValue(customer.companyData.getCampaigns('phishing')[0]);
		const clicked = { searchType: toIdLocator('Clicked') };
		const person = fromNode('PhishingCampaign searchJobUsers', 'resourceId');
		const items = await run([
			buildFindCustomerStep(context),
			step('PhishingCampaign', 'getMany', searchFor(name)),
			step('PhishingCampaign', 'getManyJobs', searchFor('={{ $json.name }}')),
			step('PhishingCampaign', 'getJobSummary', CAMPAIGN_JOB),
			step('PhishingCampaign', 'searchJobUsers', { ...CAMPAIGN_JOB, filters: clicked }),
			step('PhishingCampaign', 'clicked', { ...CAMPAIGN_JOB, filters: { person } }),
			runOnce(step('PhishingCampaign', 'exportPeople', { ...CAMPAIGN_JOB, filters: clicked })),
			buildRowsNode(),
		]);
		const listPeopleWhoClicked = async (group: number) => fetchJobPeople(customer, 'phishing', 'Clicked', { id, group }, HUMANS_ONLY);
		const peopleOfJobs = await Promise.all([1, 2].map(listPeopleWhoClicked));
		assertSameValues(items('PhishingCampaign getJobSummary'), peopleOfJobs, 'clicked', 'length');
		const people = peopleOfJobs.flat();
		assertSameValues(items('PhishingCampaign searchJobUsers'), people, 'resourceId');
		const path = 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-clicked';
		const listClicks = async ({ resourceId }: JsonObject) => customer.fetchList(`${path}/${String(resourceId)}`, HUMANS_ONLY);
		assertSameValues(items('PhishingCampaign clicked'), (await Promise.all(people.map(listClicks))).flat(), 'resourceId');
		assertSameValues(items(ROWS_NODE), requireValue(peopleOfJobs[0]), 'email');
	},
};
