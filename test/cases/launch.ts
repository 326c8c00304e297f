import assert from 'node:assert/strict';
import { z } from 'zod';
import { getScenarioId } from '../stand-in/deployed/launch';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { findJob, NODE_FOLDERS, getCampaignKeys, HUMANS_ONLY, fetchJobPeople } from './campaigns';
import { defineCases, createExportRun, createListRun, expectOnlyItem, createRecordRun, requireValue, nonEmptyTextSchema, expectSentFields, type Case, type Item } from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';

const buildCampaignPath = (simulator: Simulator) => `/api/${simulator}-simulator/${simulator}-campaign`;

/** The requests that create and start campaigns. */
export const getLaunchKeys = (simulator: Simulator) => ({
	create: `POST ${buildCampaignPath(simulator)}`,
	start: `POST ${buildCampaignPath(simulator)}-job/start/{resourceId}`,
	search: getCampaignKeys(simulator).campaigns,
});

/** A schedule with a date in the form, and what must be sent of it. */
export const SCHEDULED_START = {
	parameters: {
		schedule: toIdLocator('3'),
		scheduledDate: '2031-03-01T09:00:00',
		scheduledDateTimeZoneId: toIdLocator('Europe/Berlin'),
	},
	sent: { scheduleTypeId: 3, scheduledDate: '2031-03-01T08:00:00.000Z', scheduledDateTimeZoneId: 'Europe/Berlin' },
};

/** The form of a new campaign, and what must have come of it. */
export const prepareNewCampaign = (customer: CustomerFixture, simulator: Simulator) => {
	const { companyData: holdings, companyParameters: scoped } = customer;
	const scenarios = ['Parcel Notice', 'Password Expiry'].map((name) => getScenarioId(simulator, name));
	const groups = holdings.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
	return {
		parameters: {
			...scoped,
			name: 'Parcel notice, May',
			scenarios,
			targetGroups: groups,
			additionalFields: {
				excludeFromReports: true,
				duration: 7,
				sendingLimit: 20,
				distributionTypeId: toIdLocator('2'),
				additionalFieldsJson: '{"colour":"blue"}',
			},
		},
		/** @param runs how often it was started @param when it is sent, in the body */
		landed: (items: Item[], runs: number, when: object) => {
			const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema, name: z.literal('Parcel notice, May') });
			const made = holdings.getCampaigns(simulator).filter(({ name }) => name === 'Parcel notice, May');
			assert.deepEqual(
				made.map((each) => [each.resourceId, each.instanceGroups.length]),
				[[resourceId, runs]],
			);
			const sent = { ...when, targetGroupResourceIds: groups, excludeFromReports: true, sendingLimit: 20 };
			assert.deepEqual(requireValue(made[0]).createBody, {
				...sent,
				name: 'Parcel notice, May',
				duration: 7,
				distributionTypeId: 2,
				[`${simulator}ScenarioResourceIds`]: scenarios,
			});
			expectSentFields(customer, getLaunchKeys(simulator).create, { colour: 'blue' });
			assert.deepEqual(requireValue(made[0]).startBodies, Array(runs).fill(sent));
		},
	};
};

/** A campaign that was sent, by its place among the customer's. */
const findCampaign = ({ companyData: holdings, companyParameters: scoped }: CustomerFixture, simulator: Simulator) => {
	const campaign = requireValue(holdings.getCampaigns(simulator)[1]);
	return { campaign, parameters: { ...scoped, campaign: toIdLocator(campaign.resourceId) } };
};

const defineCreationCases = (simulator: Simulator): Case[] => {
	const { create, start, search } = getLaunchKeys(simulator);
	// Phishing answers with the ID; the others with a page that lacks it.
	const finding = simulator === 'phishing' ? [search] : [search, search];
	return defineCases(
		NODE_FOLDERS[simulator],
		{
			getManyScenarios: async (customer) =>
				createListRun(customer, `POST /api/${simulator}-simulator/${simulator}-scenario/search`),
			create: (customer) => {
				const { parameters, landed } = prepareNewCampaign(customer, simulator);
				return {
					parameters: { ...parameters, ...SCHEDULED_START.parameters },
					itemCount: 1,
					requiredRequests: [...finding, create],
					checkItems: (items) => landed(items, 0, SCHEDULED_START.sent),
				};
			},
			createAndStart: (customer) => {
				const { parameters, landed } = prepareNewCampaign(customer, simulator);
				return {
					parameters,
					itemCount: 1,
					requiredRequests: [...finding, create, start],
					checkItems: (items) => {
						landed(items, 1, { scheduleTypeId: 1 });
						expectOnlyItem(items, { started: z.literal(true) });
					},
				};
			},
			start: (customer) => {
				const { campaign, parameters } = findCampaign(customer, simulator);
				const [group] = customer.companyData.targetGroups;
				const groups = [requireValue(group).resourceId];
				return {
					parameters: { ...parameters, ...SCHEDULED_START.parameters, targetGroups: groups },
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(campaign.resourceId) });
						assert.deepEqual(campaign.instanceGroups, [1, 2]);
						assert.deepEqual(campaign.startBodies, [{ ...SCHEDULED_START.sent, targetGroupResourceIds: groups }]);
						assert.deepEqual(campaign.userResourceIds, requireValue(group).userResourceIds);
					},
				};
			},
		},
		{ isOutsideContract: true },
	);
};

/** What can be done with a campaign and a job that are there. */
const defineManagementCases = (simulator: Simulator): Case[] => [
	...defineCases(
		NODE_FOLDERS[simulator],
		{
			get: async (customer) => {
				const { campaign, parameters } = findCampaign(customer, simulator);
				return await createRecordRun(customer, `GET ${buildCampaignPath(simulator)}/${campaign.resourceId}`, parameters);
			},
			delete: (customer) => {
				const { campaign, parameters } = findCampaign(customer, simulator);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { deleted: z.literal(true) });
						assert.ok(!customer.companyData.getCampaigns(simulator).includes(campaign));
						assert.equal(customer.companyData.getCampaigns(simulator).length, 2);
					},
				};
			},
			stopJob: (customer) => {
				const { id, parameters } = findJob(customer, simulator);
				return {
					parameters,
					itemCount: 1,
					checkItems: (items) => {
						expectOnlyItem(items, { resourceId: z.literal(id), jobId: z.literal(`${id}/2`) });
						const stopped = customer.companyData.getCampaigns(simulator).filter(({ status }) => status === 'Canceled');
						assert.deepEqual(
							stopped.map(({ resourceId }) => resourceId),
							[id],
						);
					},
				};
			},
		},
		{ isOutsideContract: true },
	),
	...defineCases(
		NODE_FOLDERS[simulator],
		{
			exportPeople: async (customer) => {
				const { parameters, ...job } = findJob(customer, simulator);
				const people = await fetchJobPeople(customer, simulator, 'Clicked', job, HUMANS_ONLY);
				return createExportRun(customer, {
					key: getCampaignKeys(simulator).people.replace('/search/', '/search/export/'),
					fileName: `${simulator}-people.csv`,
					rowCount: people.length,
					parameters: { ...parameters, filters: { searchType: toIdLocator('Clicked') } },
					subject: { field: 'campaignName', name: job.name, label: `${job.name}-job 2` },
					subjectRequest: getCampaignKeys(simulator).summary,
				});
			},
			getReportFile: (customer) => {
				const { parameters, name: campaignName } = findJob(customer, simulator);
				const key = `GET ${buildCampaignPath(simulator)}-job-report/export/{resourceId}/{instanceGroup}`;
				return {
					parameters,
					itemCount: 1,
					requiredRequests: [getCampaignKeys(simulator).summary, key],
					checkItems: (items) => {
						const { query, bytesSent } = requireValue(customer.standIn.getRequests(key).at(-1));
						expectOnlyItem(items, {
							campaignName: z.literal(campaignName),
							bytes: z.literal(bytesSent),
							fileName: z.literal(`${simulator}-report-${customer.company.companyName}-${campaignName}-job 2.xlsx`),
						});
						assert.deepEqual(query, simulator === 'phishing' ? { excludeBotActivity: 'true' } : {});
					},
				};
			},
		},
		{ returnsFile: true, isOutsideContract: true },
	),
];

/** What live deployments can do with simulations besides. */
export const launchCases: Case[] = [...SIMULATORS.flatMap(defineCreationCases), ...SIMULATORS.flatMap(defineManagementCases)];
