import assert from 'node:assert/strict';
import { z } from 'zod';
import { getScenarioId } from '../stand-in/deployed/launch';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import { findJob, NODE_FOLDERS, getCampaignKeys, HUMANS_ONLY, fetchJobPeople } from './campaigns';
import {
	defineCases,
	createExportRun,
	createListRun,
	expectOnlyItem,
	createRecordRun,
	requireValue,
	currentTimeSchema,
	nonEmptyTextSchema,
	expectSentFields,
	type Case,
	type Item,
} from './case';
import { toIdLocator, type CustomerFixture } from './customerFixture';

const buildCampaignPath = (simulator: Simulator) => `/api/${simulator}-simulator/${simulator}-campaign`;

/** The endpoint that lists the members of a target group, from which a start reads how many people it concerns. */
export const GROUP_MEMBERS = 'POST /api/target-groups/{resourceId}/users';

/** Returns the endpoints that create and start campaigns. */
export const getLaunchKeys = (simulator: Simulator) => ({
	create: `POST ${buildCampaignPath(simulator)}`,
	start: `POST ${buildCampaignPath(simulator)}-job/start/{resourceId}`,
	search: getCampaignKeys(simulator).campaigns,
});

/** The parameters of a scheduled start, and the body fields that the node must send for them. */
export const SCHEDULED_START = {
	parameters: {
		schedule: toIdLocator('3'),
		scheduledDate: '2031-03-01T09:00:00',
		scheduledDateTimeZoneId: toIdLocator('Europe/Berlin'),
	},
	bodyFields: {
		scheduleTypeId: 3,
		scheduledDate: '2031-03-01T08:00:00.000Z',
		scheduledDateTimeZoneId: 'Europe/Berlin',
	},
};

/**
 * Prepares the creation of a campaign that uses many fields of the form.
 * @param groupCount the number of its target groups
 * @returns the parameters, and a function that checks the created campaign
 */
export const prepareNewCampaign = (customer: CustomerFixture, simulator: Simulator, groupCount = 2) => {
	const { companyData, companyParameters } = customer;
	const scenarios = ['Parcel Notice', 'Password Expiry'].map((name) => getScenarioId(simulator, name));
	const groups = companyData.targetGroups.slice(0, groupCount).map(({ resourceId }) => resourceId);
	return {
		parameters: {
			...companyParameters,
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
		/**
		 * Checks the created campaign.
		 * @param startCount the expected number of starts
		 * @param scheduleFields the expected body fields of the schedule
		 */
		expectCreated: (items: Item[], startCount: number, scheduleFields: object) => {
			const { resourceId } = expectOnlyItem(items, {
				resourceId: nonEmptyTextSchema,
				name: z.literal('Parcel notice, May'),
			});
			const createdCampaigns = companyData.getCampaigns(simulator).filter(({ name }) => name === 'Parcel notice, May');
			assert.deepEqual(
				createdCampaigns.map((campaign) => [campaign.resourceId, campaign.instanceGroups.length]),
				[[resourceId, startCount]],
			);
			const commonFields = {
				...scheduleFields,
				targetGroupResourceIds: groups,
				excludeFromReports: true,
				sendingLimit: 20,
			};
			const { createBody, startBodies } = requireValue(createdCampaigns[0]);
			assert.deepEqual(createBody, {
				...commonFields,
				name: 'Parcel notice, May',
				duration: 7,
				distributionTypeId: 2,
				[`${simulator}ScenarioResourceIds`]: scenarios,
			});
			expectSentFields(customer, getLaunchKeys(simulator).create, { colour: 'blue' });
			assert.deepEqual(startBodies, Array(startCount).fill(commonFields));
		},
	};
};

/** Finds a seeded campaign that was sent. */
const findCampaign = ({ companyData, companyParameters }: CustomerFixture, simulator: Simulator) => {
	const campaign = requireValue(companyData.getCampaigns(simulator)[1]);
	return { campaign, parameters: { ...companyParameters, campaign: toIdLocator(campaign.resourceId) } };
};

const defineCreationCases = (simulator: Simulator): Case[] => {
	const { create, start, search } = getLaunchKeys(simulator);
	// The response for phishing contains the ID of the campaign. For the other simulators it does not, so the node must
	// search for the campaign again.
	const searchRequests = simulator === 'phishing' ? [search] : [search, search];
	return defineCases(
		NODE_FOLDERS[simulator],
		{
			'scenario.getMany': async (customer) =>
				createListRun(customer, `POST /api/${simulator}-simulator/${simulator}-scenario/search`),
			getDeliveryDomains: async (customer) =>
				createListRun(customer, `POST /api/${simulator}-simulator/domain-records/search`),
			create: (customer) => {
				const { parameters, expectCreated } = prepareNewCampaign(customer, simulator);
				return {
					parameters: { ...parameters, ...SCHEDULED_START.parameters },
					itemCount: 1,
					requiredRequests: [...searchRequests, create],
					checkItems: (items) => expectCreated(items, 0, SCHEDULED_START.bodyFields),
				};
			},
			createAndStart: (customer) => {
				const { parameters, expectCreated } = prepareNewCampaign(customer, simulator, 1);
				return {
					parameters,
					itemCount: 1,
					requiredRequests: [...searchRequests, create, start, GROUP_MEMBERS],
					checkItems: (items) => {
						expectCreated(items, 1, { scheduleTypeId: 1 });
						expectOnlyItem(items, {
							result: z.literal('started'),
							time: currentTimeSchema,
							timeZone: nonEmptyTextSchema,
							targetGroupCount: z.literal(1),
							peopleCount: z.literal(requireValue(customer.companyData.targetGroups[0]).userResourceIds.length),
						});
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
					requiredRequests: [start, `GET ${buildCampaignPath(simulator)}/{resourceId}`, GROUP_MEMBERS],
					checkItems: (items) => {
						expectOnlyItem(items, {
							name: z.literal(campaign.name),
							result: z.literal('scheduled'),
							time: z.literal('2031-03-01T09:00:00.000+01:00'),
							timeZone: z.literal('Europe/Berlin'),
							targetGroupCount: z.literal(1),
							peopleCount: z.literal(requireValue(group).userResourceIds.length),
							resourceId: z.literal(campaign.resourceId),
						});
						assert.deepEqual(campaign.instanceGroups, [1, 2]);
						assert.deepEqual(campaign.startBodies, [{ ...SCHEDULED_START.bodyFields, targetGroupResourceIds: groups }]);
						assert.deepEqual(campaign.userResourceIds, requireValue(group).userResourceIds);
					},
				};
			},
		},
		{ isOutsideContract: true },
	);
};

/** Defines the cases for operations on existing campaigns and jobs. */
const defineExistingCampaignCases = (simulator: Simulator): Case[] => [
	...defineCases(
		NODE_FOLDERS[simulator],
		{
			get: async (customer) => {
				const { campaign, parameters } = findCampaign(customer, simulator);
				const key = `GET ${buildCampaignPath(simulator)}/${campaign.resourceId}`;
				return await createRecordRun(customer, key, parameters);
			},
			delete: (customer) => {
				const { campaign, parameters } = findCampaign(customer, simulator);
				return {
					parameters,
					itemCount: 1,
					// The campaign is entered by its ID, so its name is read first.
					requiredRequests: [
						`GET ${buildCampaignPath(simulator)}/{resourceId}`,
						`DELETE ${buildCampaignPath(simulator)}/{resourceId}`,
					],
					checkItems: (items) => {
						expectOnlyItem(items, { name: z.literal(campaign.name), deleted: z.literal(true) });
						assert.ok(!customer.companyData.getCampaigns(simulator).includes(campaign));
						assert.equal(customer.companyData.getCampaigns(simulator).length, 2);
					},
				};
			},
			'campaignJob.stop': (customer) => {
				const { id, name, parameters } = findJob(customer, simulator);
				return {
					parameters,
					itemCount: 1,
					requiredRequests: [
						`PATCH ${buildCampaignPath(simulator)}-job/stop/{resourceId}/{instanceGroup}`,
						getCampaignKeys(simulator).summary,
					],
					checkItems: (items) => {
						expectOnlyItem(items, {
							campaignName: z.literal(name),
							result: z.literal('stopped'),
							time: currentTimeSchema,
							resourceId: z.literal(id),
							jobId: z.literal(`${id}/2`),
						});
						const stoppedCampaigns = customer.companyData
							.getCampaigns(simulator)
							.filter(({ status }) => status === 'Canceled');
						assert.deepEqual(
							stoppedCampaigns.map(({ resourceId }) => resourceId),
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
			'result.export': async (customer) => {
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
			'campaignJob.getReportFile': (customer) => {
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
		{ hasFileOutput: true, isOutsideContract: true },
	),
];

/** The cases for creating, starting and managing campaigns, which only live deployments can do. */
export const launchCases: Case[] = [
	...SIMULATORS.flatMap(defineCreationCases),
	...SIMULATORS.flatMap(defineExistingCampaignCases),
];
