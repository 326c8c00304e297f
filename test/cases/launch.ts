import assert from 'node:assert/strict';
import { z } from 'zod';
import { scenarioId } from '../stand-in/deployed/launch';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { aJob, FOLDERS, keysOf, HUMANS, peopleOf } from './campaigns';
import { casesOf, file, lists, only, shows, the, isWord, checkSent, type Case, type Item } from './case';
import { byId, type CustomerFixture } from './customerFixture';

const pathOf = (simulator: Simulator) => `/api/${simulator}-simulator/${simulator}-campaign`;

/** The requests that create and start campaigns. */
export const launchKeys = (simulator: Simulator) => ({
	create: `POST ${pathOf(simulator)}`,
	start: `POST ${pathOf(simulator)}-job/start/{resourceId}`,
	search: keysOf(simulator).campaigns,
});

/** A schedule with a date in the form, and what must be sent of it. */
export const AT_A_TIME = {
	parameters: {
		schedule: byId('3'),
		scheduledDate: '2031-03-01T09:00:00',
		scheduledDateTimeZoneId: byId('Europe/Berlin'),
	},
	sent: { scheduleTypeId: 3, scheduledDate: '2031-03-01T08:00:00.000Z', scheduledDateTimeZoneId: 'Europe/Berlin' },
};

/** The form of a new campaign, and what must have come of it. */
export const newCampaign = (customer: CustomerFixture, simulator: Simulator) => {
	const { holdings, scoped } = customer;
	const scenarios = ['Parcel Notice', 'Password Expiry'].map((name) => scenarioId(simulator, name));
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
				distributionTypeId: byId('2'),
				additionalFieldsJson: '{"colour":"blue"}',
			},
		},
		/** @param runs how often it was started @param when it is sent, in the body */
		landed: (items: Item[], runs: number, when: object) => {
			const { resourceId } = only(items, { resourceId: isWord, name: z.literal('Parcel notice, May') });
			const made = holdings.campaigns(simulator).filter(({ name }) => name === 'Parcel notice, May');
			assert.deepEqual(
				made.map((each) => [each.resourceId, each.instanceGroups.length]),
				[[resourceId, runs]],
			);
			const sent = { ...when, targetGroupResourceIds: groups, excludeFromReports: true, sendingLimit: 20 };
			assert.deepEqual(the(made[0]).asked, {
				...sent,
				name: 'Parcel notice, May',
				duration: 7,
				distributionTypeId: 2,
				[`${simulator}ScenarioResourceIds`]: scenarios,
			});
			checkSent(customer, launchKeys(simulator).create, { colour: 'blue' });
			assert.deepEqual(the(made[0]).starts, Array(runs).fill(sent));
		},
	};
};

/** A campaign that was sent, by its place among the customer's. */
const aCampaign = ({ holdings, scoped }: CustomerFixture, simulator: Simulator) => {
	const campaign = the(holdings.campaigns(simulator)[1]);
	return { campaign, parameters: { ...scoped, campaign: byId(campaign.resourceId) } };
};

const casesOfSimulator = (simulator: Simulator): Case[] => {
	const { create, start, search } = launchKeys(simulator);
	// Phishing answers with the ID; the others with a page that lacks it.
	const finding = simulator === 'phishing' ? [search] : [search, search];
	return casesOf(
		FOLDERS[simulator],
		{
			getManyScenarios: async (customer) =>
				lists(customer, `POST /api/${simulator}-simulator/${simulator}-scenario/search`),
			create: (customer) => {
				const { parameters, landed } = newCampaign(customer, simulator);
				return {
					parameters: { ...parameters, ...AT_A_TIME.parameters },
					items: 1,
					requests: [...finding, create],
					expect: (items) => landed(items, 0, AT_A_TIME.sent),
				};
			},
			createAndStart: (customer) => {
				const { parameters, landed } = newCampaign(customer, simulator);
				return {
					parameters,
					items: 1,
					requests: [...finding, create, start],
					expect: (items) => {
						landed(items, 1, { scheduleTypeId: 1 });
						only(items, { started: z.literal(true) });
					},
				};
			},
			start: (customer) => {
				const { campaign, parameters } = aCampaign(customer, simulator);
				const [group] = customer.holdings.targetGroups;
				const groups = [the(group).resourceId];
				return {
					parameters: { ...parameters, ...AT_A_TIME.parameters, targetGroups: groups },
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(campaign.resourceId) });
						assert.deepEqual(campaign.instanceGroups, [1, 2]);
						assert.deepEqual(campaign.starts, [{ ...AT_A_TIME.sent, targetGroupResourceIds: groups }]);
						assert.deepEqual(campaign.userResourceIds, the(group).userResourceIds);
					},
				};
			},
		},
		{ isBeside: true },
	);
};

/** What can be done with a campaign and a job that are there. */
const manageCases = (simulator: Simulator): Case[] => [
	...casesOf(
		FOLDERS[simulator],
		{
			get: async (customer) => {
				const { campaign, parameters } = aCampaign(customer, simulator);
				return await shows(customer, `GET ${pathOf(simulator)}/${campaign.resourceId}`, parameters);
			},
			delete: (customer) => {
				const { campaign, parameters } = aCampaign(customer, simulator);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { deleted: z.literal(true) });
						assert.ok(!customer.holdings.campaigns(simulator).includes(campaign));
						assert.equal(customer.holdings.campaigns(simulator).length, 2);
					},
				};
			},
			stopJob: (customer) => {
				const { id, parameters } = aJob(customer, simulator);
				return {
					parameters,
					items: 1,
					expect: (items) => {
						only(items, { resourceId: z.literal(id), jobId: z.literal(`${id}/2`) });
						const stopped = customer.holdings.campaigns(simulator).filter(({ status }) => status === 'Canceled');
						assert.deepEqual(
							stopped.map(({ resourceId }) => resourceId),
							[id],
						);
					},
				};
			},
		},
		{ isBeside: true },
	),
	...casesOf(
		FOLDERS[simulator],
		{
			exportPeople: async (customer) => {
				const { parameters, ...job } = aJob(customer, simulator);
				const people = await peopleOf(customer, simulator, 'Clicked', job, HUMANS);
				return file(customer, {
					key: keysOf(simulator).people.replace('/search/', '/search/export/'),
					fileName: `${simulator}-people.csv`,
					rows: people.length,
					parameters: { ...parameters, filters: { searchType: byId('Clicked') } },
					of: { field: 'campaignName', name: job.name, label: `${job.name}-job 2` },
					asked: keysOf(simulator).summary,
				});
			},
			getReportFile: (customer) => {
				const { parameters, name: campaignName } = aJob(customer, simulator);
				const key = `GET ${pathOf(simulator)}-job-report/export/{resourceId}/{instanceGroup}`;
				return {
					parameters,
					items: 1,
					requests: [keysOf(simulator).summary, key],
					expect: (items) => {
						const { query, bytesSent } = the(customer.service.requests(key).at(-1));
						only(items, {
							campaignName: z.literal(campaignName),
							bytes: z.literal(bytesSent),
							fileName: z.literal(`${simulator}-report-${customer.company.companyName}-${campaignName}-job 2.xlsx`),
						});
						assert.deepEqual(query, simulator === 'phishing' ? { excludeBotActivity: 'true' } : {});
					},
				};
			},
		},
		{ isFile: true, isBeside: true },
	),
];

/** What live deployments can do with simulations besides. */
export const launchCases: Case[] = [...SIMULATORS.flatMap(casesOfSimulator), ...SIMULATORS.flatMap(manageCases)];
