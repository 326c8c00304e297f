import { defineSimulationOperations } from '../domain/simulations/simulationOperations';
import { defineUserActivityOperation } from '../domain/userActivity';

const activityOperation = defineUserActivityOperation({
	value: 'getActivity',
	name: "Get People's Activity",
	action: 'Get activity of people',
	description: 'List what people did in a period; no mark of bots, no ID, no job',
	outputNote:
		"The rows have no mark of bots, no person's ID and no job. To act on who clicked, use Get Who Opened, Clicked or Submitted.",
	endpoint: 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search',
	outputFields: {
		simplified: [
			'email',
			'firstName',
			'lastName',
			'campaignName',
			'scenarioName',
			'createTime',
			'opened',
			'clicked',
			'dataSubmitted',
			'reported',
		],
		additional: ['attachmentOpened', 'replied', 'difficulty', 'categoryName'],
	},
});

export const phishingCampaignOperations = [...defineSimulationOperations('phishing'), activityOperation];
