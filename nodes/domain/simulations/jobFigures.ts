import type { IDataObject } from 'n8n-workflow';

import type { KnownFields } from '../../core/response/outputFields';
import { isEmpty, toJson, valueOf } from '../../core/values';
import { campaignId, campaignName, startTime, type Simulator } from './simulator';
import { isTest } from '../testRecords';

/** The figures of a job, by the field of the contract's summary (4.9), and that of live deployments' (deployment shapes). */
const FIGURES = {
	targets: ['totalTargetUserCount', 'sent'],
	delivered: ['emailDeliveredUserCount', 'delivered'],
	opened: ['openedEmail', 'opened'],
	clicked: ['clickedEmail', 'clicked'],
	submitted: ['submittedEmail', 'submitted'],
	reported: ['reportedEmail', 'reported'],
	noResponse: ['noResponseEmail', 'noResponse'],
};

export const JOB_FIGURES: KnownFields = {
	id: ['jobId'],
	simplified: ['campaignName', 'jobStartTime', 'isTest', ...Object.keys(FIGURES), 'jobId'],
};

/** The fields of a campaign in its list (deployment shapes). */
export const campaignFields = (simulator: Simulator): KnownFields => ({
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
	others: [
		'emailDelivery',
		'frequency',
		'jobResultMessage',
		...(simulator === 'phishing' ? ['categoryDistributionType', 'hasTraining'] : []),
		...(simulator === 'quishing' ? ['templateType'] : []),
	],
});

/** The fields of a job in its list (deployment shapes), with the one that our operation adds. */
export function jobFields(simulator: Simulator): KnownFields {
	const isText = simulator === 'smishing';
	return {
		id: ['jobId'],
		simplified: [
			'name',
			'status',
			'startDate',
			'totalTargetUserCount',
			isText ? 'smsDeliveredUserCount' : 'emailDeliveredUserCount',
			'totalOpenedCount',
			'totalClickedCount',
			'totalSubmittedCount',
			'totalNoResponseCount',
			'createdDate',
			'jobId',
			...campaignId(simulator).slice(1),
		],
		others: [
			'createdBy',
			'jobResultMessage',
			'method',
			'methodDetail',
			isText ? 'smsDelivery' : 'emailDelivery',
			'totalAttachmentOpenedCount',
			...(simulator === 'phishing' ? ['totalSubmittedMFACount'] : []),
		],
	};
}

/** A summary with its figures under the same names on every platform; as it is, where it has other names. */
export function withJobFigures(summary: IDataObject): IDataObject {
	const { campaignInfo, scenarioStats } = summary;
	const all = { ...toJson(campaignInfo), ...toJson(scenarioStats), ...summary };
	const figures = Object.entries(FIGURES).map(([name, names]) => [name, valueOf(all, names)]);
	if (figures.every(([, value]) => isEmpty(value))) return summary;
	const about = { campaignName: campaignName(summary) ?? null, jobStartTime: startTime(all) ?? null };
	return { ...about, isTest: isTest(summary), ...toJson(Object.fromEntries(figures)), ...summary };
}
