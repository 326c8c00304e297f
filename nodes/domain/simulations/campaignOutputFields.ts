import { isUndefined, mapValues, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { OutputFields } from '../../core/response/outputFields';
import { isEmpty, toItemJson, readFirstValue } from '../../core/values';
import { readStartTime } from './campaignJob';
import { getCampaignIdFields, readCampaignName, type Simulator } from './simulator';
import { isTestRecord } from '../testRecords';

/**
 * The names that each figure of a job's summary has in responses, by the name that it gets in the output. The first
 * name is that of the contract (contract 4.9), the second that of live deployments (deployment shapes, "Campaign
 * reports").
 */
const SUMMARY_FIELDS_BY_FIGURE = {
	targets: ['totalTargetUserCount', 'sent'],
	delivered: ['emailDeliveredUserCount', 'delivered'],
	opened: ['openedEmail', 'opened'],
	clicked: ['clickedEmail', 'clicked'],
	submitted: ['submittedEmail', 'submitted'],
	reported: ['reportedEmail', 'reported'],
	noResponse: ['noResponseEmail', 'noResponse'],
};

/** The output fields of a job's summary. */
export const JOB_SUMMARY_FIELDS: OutputFields = {
	id: ['jobId'],
	simplified: ['campaignName', 'jobStartTime', 'isTest', ...Object.keys(SUMMARY_FIELDS_BY_FIGURE), 'jobId'],
};

/** Returns the output fields of a row in the list of campaigns (deployment shapes, "Campaign reports"). */
export function getCampaignOutputFields(simulator: Simulator): OutputFields {
	const additional = ['emailDelivery', 'frequency', 'jobResultMessage'];
	if (simulator === 'phishing') additional.push('categoryDistributionType', 'hasTraining');
	if (simulator === 'quishing') additional.push('templateType');
	return {
		id: ['resourceId'],
		simplified: [
			'name',
			'status',
			'method',
			'methodDetail',
			'scenarioCount',
			'targetUsers',
			'instanceCount',
			'createTime',
			'lastLaunch',
			'createdBy',
			'resourceId',
		],
		additional,
	};
}

/**
 * The totals of a row in the list of campaign jobs that get another name in the output, by that name. No document says
 * if they include bots, while the job's summary leaves bots out (deployment activity 1). The names keep users from
 * comparing the two.
 */
const TOTAL_FIELDS: Readonly<Record<string, string>> = {
	openedMayIncludeBots: 'totalOpenedCount',
	clickedMayIncludeBots: 'totalClickedCount',
	submittedMayIncludeBots: 'totalSubmittedCount',
};

/** Adds the totals of a campaign job under names that say that they may include bots. */
export function addJobTotals(row: IDataObject): IDataObject {
	const totals = mapValues(TOTAL_FIELDS, (fieldName) => row[fieldName]);
	return { ...omitBy(totals, isUndefined), ...row };
}

/**
 * Returns the output fields of a row in the list of campaign jobs (deployment shapes, "Campaign reports"). The platform
 * doesn't return `jobId` and the renamed totals; the operation adds them.
 */
export function getJobOutputFields(simulator: Simulator): OutputFields {
	const isTextMessage = simulator === 'smishing';
	const additional = [
		'createdBy',
		'jobResultMessage',
		'method',
		'methodDetail',
		isTextMessage ? 'smsDelivery' : 'emailDelivery',
		'totalAttachmentOpenedCount',
		'totalNoResponseCount',
	];
	if (simulator === 'phishing') additional.push('totalSubmittedMFACount');
	return {
		id: ['jobId'],
		simplified: [
			'name',
			'status',
			'startDate',
			'totalTargetUserCount',
			isTextMessage ? 'smsDeliveredUserCount' : 'emailDeliveredUserCount',
			...Object.keys(TOTAL_FIELDS),
			'createdDate',
			'jobId',
			...getCampaignIdFields(simulator).slice(1),
		],
		additional,
	};
}

/**
 * Adds the figures of a job's summary under names that are the same for every platform. If the summary contains none of
 * the known figures, returns it unchanged.
 */
export function addJobFigures(summary: IDataObject): IDataObject {
	const allFields = { ...toItemJson(summary.campaignInfo), ...toItemJson(summary.scenarioStats), ...summary };
	const figures: IDataObject = {};
	for (const [figure, summaryFields] of Object.entries(SUMMARY_FIELDS_BY_FIGURE))
		figures[figure] = readFirstValue(allFields, summaryFields);
	if (Object.values(figures).every(isEmpty)) return summary;
	return {
		campaignName: readCampaignName(summary) ?? null,
		jobStartTime: readStartTime(allFields) ?? null,
		isTest: isTestRecord(summary),
		...figures,
		...summary,
	};
}
