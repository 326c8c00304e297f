import { file } from '../shared/answer/file';
import { USER_SORT } from '../shared/answer/pages';
import { done, record } from '../shared/answer/record';
import { botFields, botFilter } from '../shared/campaign/bots';
import { campaignOperations } from '../shared/campaign/operations';
import { ALL_PEOPLE, searchTypePicker } from '../shared/campaign/people';
import { campaignPicker, jobPicker, withJob } from '../shared/campaign/simulator';
import { filtersOf } from '../shared/form/search';
import { activityOperation } from '../shared/operation/activity';
import { defineOperation } from '../shared/operation/operation';
import { launchFields } from './fields';

const CAMPAIGN = '/api/phishing-simulator/phishing-campaign';

const ofOne = {
	scope: 'company' as const,
	fields: { campaign: campaignPicker('phishing') },
	request: ({ campaign }: { campaign: { id: string } }) => ({ path: { resourceId: campaign.id } }),
};

const get = defineOperation({
	value: 'get',
	name: 'Get Phishing Campaign',
	description: 'Get one simulation, with its scenarios, groups and settings',
	endpoint: `GET ${CAMPAIGN}/{resourceId}`,
	...ofOne,
	answer: record({
		// The record has 36 fields (deployment beyond).
		known: {
			id: ['resourceId'],
			simplified: [
				'name',
				'phishingScenarios',
				'targetGroups',
				'scheduleTypeId',
				'scheduledDate',
				'duration',
				'distributionTypeId',
				'sendingLimit',
				'excludeFromReports',
				'resourceId',
			],
		},
	}),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Phishing Campaign',
	description: 'Remove a simulation',
	endpoint: `DELETE ${CAMPAIGN}/{resourceId}`,
	...ofOne,
	answer: done({ deleted: true }),
});

const stopJob = defineOperation({
	value: 'stopJob',
	name: 'Stop Phishing Campaign Job',
	description: 'Send nothing more of one job of a simulation',
	endpoint: `PATCH ${CAMPAIGN}-job/stop/{resourceId}/{instanceGroup}`,
	scope: 'company',
	fields: { job: jobPicker('phishing') },
	request: ({ job: { resourceId, instanceGroup } }) => ({ path: { resourceId, instanceGroup } }),
	answer: record({ as: 'resourceId' }),
	output: withJob,
});

const exportPeople = defineOperation({
	value: 'exportPeople',
	name: 'Export Phishing Campaign People by What They Did',
	description: 'Get the people of one job, all or those who did something, as a CSV or Excel file',
	endpoint: `POST ${CAMPAIGN}-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}`,
	scope: 'company',
	fields: { job: jobPicker('phishing'), filters: filtersOf({ ...botFields, searchType: searchTypePicker(false) }) },
	request: ({ job: { resourceId, instanceGroup }, filters: { excludeBots, searchType = ALL_PEOPLE } }) => ({
		path: { resourceId, instanceGroup, searchType },
		// What is in a file only the platform decides.
		body: botFilter(excludeBots, searchType).body,
	}),
	answer: file({ name: 'phishing-people', sortable: USER_SORT }),
});

const getActivity = activityOperation({
	value: 'getActivity',
	name: "Get People's Activity",
	action: 'Get activity of people',
	description: 'List what people did in a period; no mark of bots, no ID, no job',
	outputNote:
		"The rows have no mark of bots, no person's ID and no job. To act on who clicked, use Get Full Phishing Campaign Reports of Period.",
	endpoint: `POST ${CAMPAIGN}-job-report/activity-users/search`,
	known: {
		simplified: [
			...['firstName', 'lastName', 'email', 'campaignName', 'scenarioName', 'createTime'],
			...['opened', 'clicked', 'dataSubmitted', 'reported'],
		],
		others: ['attachmentOpened', 'replied', 'difficulty', 'categoryName'],
	},
});

export const operations = [
	...campaignOperations('phishing', launchFields),
	...[deleteOne, exportPeople, get, getActivity, stopJob],
];
