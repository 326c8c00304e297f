import { prependJobId, readJobId } from '../domain/simulations/campaignJob';
import { getCampaignIdFields, getSimulatorTitle } from '../domain/simulations/simulator';
import { statusField } from '../domain/pickers/statuses';
import { choiceField, multiChoiceField } from '../core/fields/fieldTypes';
import { defineTrigger, type WatchedList } from '../core/trigger/defineTrigger';
import { getSimulatorEndpointKey, SIMULATORS, type Simulator } from '../core/api/endpoints';
import { readId } from '../core/values';

const buildCampaignList = (simulator: Simulator): WatchedList => ({
	name: `${simulator}Campaign`,
	noun: `${simulator} campaigns`,
	endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign/search'),
	readId: (record) => readId(record, getCampaignIdFields(simulator)),
});

const buildCampaignJobList = (simulator: Simulator): WatchedList => ({
	name: `${simulator}CampaignJob`,
	noun: `${simulator} campaign jobs`,
	endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
	readId: (record) => readJobId(simulator, record),
	addItemFields: (record) => prependJobId(simulator, record),
});

/**
 * Builds the watched list of a simulator: its campaigns or its campaign jobs.
 * @param watch the value of the field 'Watch'
 */
function buildWatchedList(simulator: Simulator, watch: unknown): WatchedList {
	return watch === 'jobs' ? buildCampaignJobList(simulator) : buildCampaignList(simulator);
}

/** Starts a workflow for new or changed campaigns, or for new or changed campaign jobs. */
export const campaignTrigger = defineTrigger({
	noun: 'campaigns',
	fields: {
		simulators: multiChoiceField({
			displayName: 'Simulators',
			description: 'The kinds of simulations to watch: phishing, smishing (SMS) or quishing (QR codes)',
			options: SIMULATORS.map((value) => ({ name: getSimulatorTitle(value), value })),
			default: [...SIMULATORS],
		}),
		watch: choiceField({
			displayName: 'Watch',
			description: 'Select what to watch: campaigns, or campaign jobs (one job for each time a campaign is started)',
			default: 'campaigns',
			options: [
				{ name: 'Campaign Jobs', value: 'jobs', description: 'One job for each time a campaign is started' },
				{ name: 'Campaigns', value: 'campaigns', description: 'All campaigns, also those that have not been started' },
			],
		}),
	},
	statusField: statusField({
		getEndpoints: ({ simulators, watch }) =>
			SIMULATORS.filter((simulator) => Array.isArray(simulators) && simulators.includes(simulator)).map(
				(simulator) => buildWatchedList(simulator, watch).endpoint,
			),
		// These are the statuses that the platform's web pages show (deployment behaviour, "Campaign reports").
		knownStatuses: ['Canceled', 'Completed', 'Error', 'Idle', 'Paused', 'Running', 'Scheduled'],
		dependsOn: ['simulators', 'watch'],
	}),
	getWatchedLists: ({ simulators, watch }) => simulators.map((simulator) => buildWatchedList(simulator, watch)),
});
