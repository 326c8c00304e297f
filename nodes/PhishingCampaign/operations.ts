import { campaignOperations } from '../domain/simulations/simulationOperations';
import { activityOperation } from '../domain/userActivity';

const getActivity = activityOperation({
	value: 'getActivity',
	name: "Get People's Activity",
	action: 'Get activity of people',
	description: 'List what people did in a period; no mark of bots, no ID, no job',
	outputNote:
		"The rows have no mark of bots, no person's ID and no job. To act on who clicked, use Get Who Opened, Clicked or Submitted.",
	endpoint: 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search',
	known: {
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
		others: ['attachmentOpened', 'replied', 'difficulty', 'categoryName'],
	},
});

export const operations = [...campaignOperations('phishing'), getActivity];
