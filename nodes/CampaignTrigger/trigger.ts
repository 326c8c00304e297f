import { campaignId, jobId, titleOf, withJobId } from '../domain/simulations/simulator';
import { choice, choices } from '../core/fields/fieldTypes';
import { defineTrigger, type Kind } from '../core/trigger/types';
import { ofSimulator, SIMULATORS, type Simulator } from '../core/api/endpoints';
import { identityOf } from '../core/values';

const campaigns = (simulator: Simulator): Kind => ({
	name: `${simulator}Campaign`,
	things: `${simulator} campaigns`,
	endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign/search'),
	identity: (record) => identityOf(record, campaignId(simulator)),
});

const jobs = (simulator: Simulator): Kind => ({
	name: `${simulator}CampaignJob`,
	things: `${simulator} campaign jobs`,
	endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
	identity: (record) => jobId(simulator, record),
	output: (record) => withJobId(simulator, record),
});

/** New or changed campaigns, or their jobs. */
export const campaignTrigger = defineTrigger({
	things: 'campaigns',
	fields: {
		simulators: choices({
			displayName: 'Simulators',
			description: 'Which simulated attacks to watch',
			options: SIMULATORS.map((value) => ({ name: titleOf(value), value })),
			default: [...SIMULATORS],
		}),
		watch: choice({
			displayName: 'Watch',
			description: 'What counts as one record',
			default: 'campaigns',
			options: [
				{ name: 'Campaign Jobs', value: 'jobs', description: 'Each job of a campaign; a campaign can have several' },
				{ name: 'Campaigns', value: 'campaigns', description: 'Each campaign, sent or not' },
			],
		}),
	},
	statuses: {
		lists: ({ simulators, watch }) =>
			SIMULATORS.filter((simulator) => Array.isArray(simulators) && simulators.includes(simulator)).map(
				(simulator) => (watch === 'jobs' ? jobs : campaigns)(simulator).endpoint,
			),
		// The words of the platform's pages (deployment behaviour).
		known: ['Canceled', 'Completed', 'Error', 'Idle', 'Paused', 'Running', 'Scheduled'],
		dependsOn: ['simulators', 'watch'],
	},
	kinds: ({ simulators, watch }) => simulators.map(watch === 'jobs' ? jobs : campaigns),
});
