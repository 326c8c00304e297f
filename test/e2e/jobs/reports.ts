/** The published jobs about simulations, figures and reports. */
import assert from 'node:assert/strict';
import { uniqBy } from 'lodash';
import { z } from 'zod';

import { toIdLocator } from '../../cases';
import { HUMANS_ONLY, getCampaignKeys, fetchJobPeople, restoreTotalNames } from '../../cases/campaigns';
import { expectRecords, requireValue, type JsonObject } from '../../cases/case';
import { getScenarioId } from '../../stand-in/deployed/launch';
import {
	ALL_RECORDS_PARAMETERS,
	buildSearchParameters,
	buildFindCustomerStep,
	buildLocatorFromNode,
	LISTED_GROUP_PARAMETERS,
	CUSTOMER_PARAMETERS,
	turnOnExecuteOnce,
	ROWS_NODE_NAME,
	buildRowsNode,
	assertSameValues,
	type Jobs,
} from './job';

/** Parameters that select the campaign job that the node `PhishingCampaign campaignJob.getMany` has output. */
const CAMPAIGN_JOB_PARAMETERS = {
	...ALL_RECORDS_PARAMETERS,
	job: buildLocatorFromNode('PhishingCampaign campaignJob.getMany', 'jobId'),
};
const BEST_PERFORMER_PARAMETERS = {
	targetUser: buildLocatorFromNode('Leaderboard getTopPerformers', 'targetUserResourceId'),
};
const WHOLE_PERIOD = { startDate: '2020-01-01T00:00:00.000Z', endDate: '2031-01-01T00:00:00.000Z' };

const recordsSchema = z.array(z.record(z.unknown()));
const pointsSchema = z.object({ values: z.array(z.object({ value: z.number() })) });
const executiveReportSchema = z.object({ widgets: z.array(z.object({ widgetDatas: z.array(pointsSchema) })) });

export const reports: Jobs = {
	'Campaign list and report': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getMany', ALL_RECORDS_PARAMETERS),
			turnOnExecuteOnce(buildStep('PhishingCampaign', 'export', CUSTOMER_PARAMETERS)),
			buildRowsNode(),
			turnOnExecuteOnce(buildStep('PhishingCampaign', 'campaignJob.getMany', ALL_RECORDS_PARAMETERS)),
			buildStep('PhishingCampaign', 'campaignJob.getSummary', CAMPAIGN_JOB_PARAMETERS),
			turnOnExecuteOnce(buildStep('PhishingCampaign', 'campaignJob.export', CUSTOMER_PARAMETERS)),
			buildRowsNode('Jobs in File'),
		]);
		const { campaigns, jobs } = getCampaignKeys('phishing');
		const jobRecords = await customer.fetchList(jobs);
		expectRecords(getItems('PhishingCampaign getMany'), await customer.fetchList(campaigns));
		assertSameValues(getItems(ROWS_NODE_NAME), customer.companyData.getCampaigns('phishing'), 'name');
		expectRecords(restoreTotalNames(getItems('PhishingCampaign campaignJob.getMany')), jobRecords);
		assertSameValues(getItems('Jobs in File'), jobRecords, 'name');
		assertSameValues(
			getItems('PhishingCampaign campaignJob.getSummary'),
			jobRecords,
			'targets',
			'totalTargetUserCount',
		);
	},
	'List scenarios': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'scenario.getMany', ALL_RECORDS_PARAMETERS),
		]);
		const scenarios = await customer.fetchList('POST /api/phishing-simulator/phishing-scenario/search');
		expectRecords(getItems('PhishingCampaign scenario.getMany'), scenarios);
	},
	'Create and start a simulation': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { companyData } = customer;
		const group = requireValue(companyData.targetGroups[1]);
		const campaignSelection = {
			...LISTED_GROUP_PARAMETERS,
			scenarios: "={{ $('PhishingCampaign scenario.getMany').item.json.resourceId }}",
		};
		await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'scenario.getMany', buildSearchParameters('Parcel Notice')),
			buildStep('TargetGroup', 'getMany', buildSearchParameters(group.name)),
			buildStep('PhishingCampaign', 'createAndStart', { ...CUSTOMER_PARAMETERS, ...campaignSelection, name: 'May' }),
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
				...CUSTOMER_PARAMETERS,
				...LISTED_GROUP_PARAMETERS,
				campaign: buildLocatorFromNode('PhishingCampaign getMany', 'resourceId'),
			}),
		]);
		assert.deepEqual([campaign.instanceGroups, campaign.userResourceIds], [[1, 2], group.userResourceIds]);
	},
	'Executive data': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const widgetIdsExpression = '={{ $json.widgets.map(({ resourceId }) => resourceId) }}';
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ExecutiveReport', 'getMany', { ...CUSTOMER_PARAMETERS, name: 'Board' }),
			buildStep('ExecutiveReport', 'get', {
				...CUSTOMER_PARAMETERS,
				report: buildLocatorFromNode('ExecutiveReport getMany', 'resourceId'),
			}),
			buildStep('ExecutiveReport', 'getWidgetData', { ...CUSTOMER_PARAMETERS, widgets: widgetIdsExpression }),
		]);
		const [boardReport] = await customer.fetchList('POST /api/executive-report/search', { name: 'Board' });
		const report = await customer.fetchData(
			`GET /api/executive-report/${String(requireValue(boardReport).resourceId)}`,
		);
		const widgetData = executiveReportSchema.parse(report).widgets.flatMap(({ widgetDatas }) => widgetDatas);
		const chartValues = widgetData.flatMap((data) => data.values);
		const chartItems = getItems('ExecutiveReport getWidgetData').filter(({ json }) => json.part === 'chart');
		assertSameValues(chartItems, chartValues, 'value');
	},
	'Gamification data': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const forBestPerformer = { ...ALL_RECORDS_PARAMETERS, ...BEST_PERFORMER_PARAMETERS, options: WHOLE_PERIOD };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Leaderboard', 'getMany', ALL_RECORDS_PARAMETERS),
			turnOnExecuteOnce(buildStep('Leaderboard', 'getTopPerformers', ALL_RECORDS_PARAMETERS)),
			turnOnExecuteOnce(buildStep('Leaderboard', 'user.getPerformance', forBestPerformer)),
			turnOnExecuteOnce(buildStep('Leaderboard', 'user.getTimeline', forBestPerformer)),
		]);
		assertSameValues(getItems('Leaderboard getMany'), customer.companyData.users, 'email');
		const [bestPerformer] = getItems('Leaderboard getMany').filter(({ json }) => json.rank === 1);
		const pagination = { pageNumber: 1, pageSize: 1000, orderBy: 'ActionTime', ascending: false };
		const body = {
			...WHOLE_PERIOD,
			pagination,
			targetUserResourceId: requireValue(bestPerformer).json.targetUserResourceId,
		};
		const listEvents = async (name: string) =>
			recordsSchema.parse(await customer.fetchData(`POST /api/leaderboard/${name}`, body));
		expectRecords(getItems('Leaderboard user.getPerformance'), await listEvents('user-performance'));
		expectRecords(getItems('Leaderboard user.getTimeline'), await listEvents('get-user-timeline'));
	},
	'Gamification export': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Leaderboard', 'export', CUSTOMER_PARAMETERS),
			buildRowsNode(),
			turnOnExecuteOnce(
				buildStep('Leaderboard', 'user.exportTimeline', { ...CUSTOMER_PARAMETERS, options: WHOLE_PERIOD }),
			),
			buildRowsNode('Events in File'),
		]);
		assertSameValues(getItems(ROWS_NODE_NAME), customer.companyData.users, 'email');
		const oneEventPerPerson = uniqBy(getItems('Events in File'), 'json.email');
		assertSameValues(oneEventPerPerson, customer.companyData.users, 'email');
	},
	'Scheduled reports': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ExecutiveReport', 'scheduledReport.getMany', ALL_RECORDS_PARAMETERS),
		]);
		expectRecords(
			getItems('ExecutiveReport scheduledReport.getMany'),
			await customer.fetchList('POST /api/report-scheduling/search'),
		);
	},
	"People's behaviour": async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { name, resourceId: id } = requireValue(customer.companyData.getCampaigns('phishing')[0]);
		const clickedFilter = { searchType: toIdLocator('Clicked') };
		const personLocator = buildLocatorFromNode('PhishingCampaign result.getMany', 'resourceId');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('PhishingCampaign', 'getMany', buildSearchParameters(name)),
			buildStep('PhishingCampaign', 'campaignJob.getMany', buildSearchParameters('={{ $json.name }}')),
			buildStep('PhishingCampaign', 'campaignJob.getSummary', CAMPAIGN_JOB_PARAMETERS),
			buildStep('PhishingCampaign', 'result.getMany', { ...CAMPAIGN_JOB_PARAMETERS, filters: clickedFilter }),
			buildStep('PhishingCampaign', 'result.getClicked', {
				...CAMPAIGN_JOB_PARAMETERS,
				filters: { person: personLocator },
			}),
			turnOnExecuteOnce(
				buildStep('PhishingCampaign', 'result.export', { ...CAMPAIGN_JOB_PARAMETERS, filters: clickedFilter }),
			),
			buildRowsNode(),
		]);
		const listPeopleWhoClicked = async (group: number) =>
			fetchJobPeople(customer, 'phishing', 'Clicked', { id, group }, HUMANS_ONLY);
		const peopleOfJobs = await Promise.all([1, 2].map(listPeopleWhoClicked));
		assertSameValues(getItems('PhishingCampaign campaignJob.getSummary'), peopleOfJobs, 'clicked', 'length');
		const people = peopleOfJobs.flat();
		assertSameValues(getItems('PhishingCampaign result.getMany'), people, 'resourceId');
		const clicksRoute = 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-clicked';
		const listClicks = async ({ resourceId }: JsonObject) =>
			customer.fetchList(`${clicksRoute}/${String(resourceId)}`, HUMANS_ONLY);
		assertSameValues(
			getItems('PhishingCampaign result.getClicked'),
			(await Promise.all(people.map(listClicks))).flat(),
			'resourceId',
		);
		assertSameValues(getItems(ROWS_NODE_NAME), requireValue(peopleOfJobs[0]), 'email');
	},
};
