/** The published jobs about simulations, figures and reports. */
import assert from 'node:assert/strict';
import { uniqBy } from 'lodash';
import { z } from 'zod';

import { toIdLocator } from '../../cases';
import { HUMANS_ONLY, getCampaignKeys, fetchJobPeople } from '../../cases/campaigns';
import { expectRecords, requireValue, type JsonObject } from '../../cases/case';
import { getScenarioId } from '../../stand-in/deployed/launch';
import {
	ALL_OF_CUSTOMER,
	buildSearchParameters,
	buildFindCustomerStep,
	readFromNode,
	LISTED_GROUP,
	FOR_CUSTOMER,
	runOnce,
	ROWS_NODE,
	buildRowsNode,
	assertSameValues,
	type Jobs,
} from './job';

/** Parameters that select the campaign job that an earlier node has listed. */
const CAMPAIGN_JOB = { ...ALL_OF_CUSTOMER, job: readFromNode('PhishingCampaign getManyJobs', 'jobId') };
const BEST_PERFORMER = { targetUser: readFromNode('Leaderboard getTopPerformers', 'targetUserResourceId') };
const WHOLE_PERIOD = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const recordsSchema = z.array(z.record(z.unknown()));
const pointsSchema = z.object({ values: z.array(z.object({ value: z.number() })) });
const executiveReportSchema = z.object({ widgets: z.array(z.object({ widgetDatas: z.array(pointsSchema) })) });

/** The jobs about simulations, figures and reports. */
export const reports: Jobs = {
	'Campaign list and report': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getMany', ALL_OF_CUSTOMER),
			runOnce(buildStep('PhishingCampaign', 'export', FOR_CUSTOMER)),
			buildRowsNode(),
			runOnce(buildStep('PhishingCampaign', 'getManyJobs', ALL_OF_CUSTOMER)),
			buildStep('PhishingCampaign', 'getJobSummary', CAMPAIGN_JOB),
			runOnce(buildStep('PhishingCampaign', 'exportJobs', FOR_CUSTOMER)),
			buildRowsNode('Jobs in File'),
		]);
		const { campaigns, jobs } = getCampaignKeys('phishing');
		const jobRecords = await customer.fetchList(jobs);
		expectRecords(getItems('PhishingCampaign getMany'), await customer.fetchList(campaigns));
		assertSameValues(getItems(ROWS_NODE), customer.companyData.getCampaigns('phishing'), 'name');
		expectRecords(getItems('PhishingCampaign getManyJobs'), jobRecords);
		assertSameValues(getItems('Jobs in File'), jobRecords, 'name');
		assertSameValues(getItems('PhishingCampaign getJobSummary'), jobRecords, 'targets', 'totalTargetUserCount');
	},
	'List scenarios': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getManyScenarios', ALL_OF_CUSTOMER),
		]);
		const scenarios = await customer.fetchList('POST /api/phishing-simulator/phishing-scenario/search');
		expectRecords(getItems('PhishingCampaign getManyScenarios'), scenarios);
	},
	'Create and start a simulation': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { companyData } = customer;
		const group = requireValue(companyData.targetGroups[1]);
		const selection = {
			...LISTED_GROUP,
			scenarios: "={{ $('PhishingCampaign getManyScenarios').item.json.resourceId }}",
		};
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getManyScenarios', buildSearchParameters('Parcel Notice')),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			buildStep('PhishingCampaign', 'createAndStart', { ...FOR_CUSTOMER, ...selection, name: 'May' }),
		]);
		const createdCampaigns = companyData.getCampaigns('phishing').filter(({ name }) => name === 'May');
		const { createBody, userResourceIds, instanceGroups } = requireValue(createdCampaigns[0]);
		assert.deepEqual(createBody?.phishingScenarioResourceIds, [getScenarioId('phishing', 'Parcel Notice')]);
		assert.deepEqual([createdCampaigns.length, instanceGroups, userResourceIds], [1, [1], group.userResourceIds]);
	},
	'Start a simulation': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { companyData } = customer;
		const campaign = requireValue(companyData.getCampaigns('phishing')[1]);
		const group = requireValue(companyData.targetGroups[0]);
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getMany', buildSearchParameters(campaign.name)),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			buildStep('PhishingCampaign', 'start', {
				...FOR_CUSTOMER,
				...LISTED_GROUP,
				campaign: readFromNode('PhishingCampaign getMany', 'resourceId'),
			}),
		]);
		assert.deepEqual([campaign.instanceGroups, campaign.userResourceIds], [[1, 2], group.userResourceIds]);
	},
	'Executive data': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const widgets = '={{ $json.widgets.map(({ resourceId }) => resourceId) }}';
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ExecutiveReport', 'getMany', { ...FOR_CUSTOMER, name: 'Board' }),
			buildStep('ExecutiveReport', 'get', {
				...FOR_CUSTOMER,
				report: readFromNode('ExecutiveReport getMany', 'resourceId'),
			}),
			buildStep('ExecutiveReport', 'getWidgetData', { ...FOR_CUSTOMER, widgets }),
		]);
		const [board] = await customer.fetchList('POST /api/executive-report/search', { name: 'Board' });
		const report = await customer.fetchData(`GET /api/executive-report/${String(requireValue(board).resourceId)}`);
		const widgetData = executiveReportSchema.parse(report).widgets.flatMap(({ widgetDatas }) => widgetDatas);
		const values = widgetData.flatMap((data) => data.values);
		const charts = getItems('ExecutiveReport getWidgetData').filter(({ json }) => json.part === 'chart');
		assertSameValues(charts, values, 'value');
	},
	'Gamification data': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const forBestPerformer = { ...ALL_OF_CUSTOMER, ...BEST_PERFORMER, options: WHOLE_PERIOD };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Leaderboard', 'getMany', ALL_OF_CUSTOMER),
			runOnce(buildStep('Leaderboard', 'getTopPerformers', ALL_OF_CUSTOMER)),
			runOnce(buildStep('Leaderboard', 'getUserPerformance', forBestPerformer)),
			runOnce(buildStep('Leaderboard', 'getUserTimeline', forBestPerformer)),
		]);
		assertSameValues(getItems('Leaderboard getMany'), customer.companyData.users, 'email');
		const [best] = getItems('Leaderboard getMany').filter(({ json }) => json.rank === 1);
		const pagination = { pageNumber: 1, pageSize: 1000, orderBy: 'ActionTime', ascending: false };
		const body = { ...WHOLE_PERIOD, pagination, targetUserResourceId: requireValue(best).json.targetUserResourceId };
		const listEvents = async (name: string) =>
			recordsSchema.parse(await customer.fetchData(`POST /api/leaderboard/${name}`, body));
		expectRecords(getItems('Leaderboard getUserPerformance'), await listEvents('user-performance'));
		expectRecords(getItems('Leaderboard getUserTimeline'), await listEvents('get-user-timeline'));
	},
	'Gamification export': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Leaderboard', 'export', FOR_CUSTOMER),
			buildRowsNode(),
			runOnce(buildStep('Leaderboard', 'exportUserTimeline', { ...FOR_CUSTOMER, options: WHOLE_PERIOD })),
			buildRowsNode('Events in File'),
		]);
		assertSameValues(getItems(ROWS_NODE), customer.companyData.users, 'email');
		const onePerPerson = uniqBy(getItems('Events in File'), 'json.email');
		assertSameValues(onePerPerson, customer.companyData.users, 'email');
	},
	'Scheduled reports': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ExecutiveReport', 'getScheduledReports', ALL_OF_CUSTOMER),
		]);
		expectRecords(
			getItems('ExecutiveReport getScheduledReports'),
			await customer.fetchList('POST /api/report-scheduling/search'),
		);
	},
	"People's behaviour": async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { name, resourceId: id } = requireValue(customer.companyData.getCampaigns('phishing')[0]);
		const clicked = { searchType: toIdLocator('Clicked') };
		const person = readFromNode('PhishingCampaign searchJobUsers', 'resourceId');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getMany', buildSearchParameters(name)),
			buildStep('PhishingCampaign', 'getManyJobs', buildSearchParameters('={{ $json.name }}')),
			buildStep('PhishingCampaign', 'getJobSummary', CAMPAIGN_JOB),
			buildStep('PhishingCampaign', 'searchJobUsers', { ...CAMPAIGN_JOB, filters: clicked }),
			buildStep('PhishingCampaign', 'clicked', { ...CAMPAIGN_JOB, filters: { person } }),
			runOnce(buildStep('PhishingCampaign', 'exportPeople', { ...CAMPAIGN_JOB, filters: clicked })),
			buildRowsNode(),
		]);
		const listPeopleWhoClicked = async (group: number) =>
			fetchJobPeople(customer, 'phishing', 'Clicked', { id, group }, HUMANS_ONLY);
		const peopleOfJobs = await Promise.all([1, 2].map(listPeopleWhoClicked));
		assertSameValues(getItems('PhishingCampaign getJobSummary'), peopleOfJobs, 'clicked', 'length');
		const people = peopleOfJobs.flat();
		assertSameValues(getItems('PhishingCampaign searchJobUsers'), people, 'resourceId');
		const path = 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-clicked';
		const listClicks = async ({ resourceId }: JsonObject) =>
			customer.fetchList(`${path}/${String(resourceId)}`, HUMANS_ONLY);
		assertSameValues(
			getItems('PhishingCampaign clicked'),
			(await Promise.all(people.map(listClicks))).flat(),
			'resourceId',
		);
		assertSameValues(getItems(ROWS_NODE), requireValue(peopleOfJobs[0]), 'email');
	},
};
