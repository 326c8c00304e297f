import type { NodeResource } from '../core/operation/nodeResource';
import { defineSimulationResources } from '../domain/simulations/simulationResources';
import { defineUserActivityOperation } from '../domain/userActivity';

const activityOperation = defineUserActivityOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many phishing user activities',
	description: "List what people did in phishing campaigns during a period: each action, or each person's totals",
	outputNote:
		"The rows have no IDs and may include actions of bots (email scanners). For rows with IDs and without bots, use 'Get many phishing results by period'.",
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

/** The n8n resources of the Phishing Campaign node. The node opens on the first one. */
export const phishingCampaignResources: NodeResource[] = [
	...defineSimulationResources('phishing'),
	{
		value: 'userActivity',
		name: 'User Activity',
		defaultOperation: 'getMany',
		operations: [activityOperation],
	},
];
