import type { IDataObject } from 'n8n-workflow';

import type { FileOwner } from '../../core/response/fileOwner';
import type { Field } from '../../core/fields/field';
import { readLocatorValue } from '../../core/fields/fieldTypes';
import type { FormValues } from '../../core/fields/formValues';
import { createListSource } from '../../core/pickers/listSource';
import { listPicker, readChosenName } from '../../core/pickers/picker';
import { InvalidInputError } from '../../core/http/errors';
import { parseId } from '../../core/http/resourceId';
import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import { readId, type Choice } from '../../core/values';
import { getCampaignIdFields, getSimulatorTitle, readCampaignName } from './simulator';

/**
 * A campaign job. Each time that a campaign is sent, the platform creates a job. The ID of the campaign and the number
 * of the job together identify it.
 */
export interface CampaignJob {
	/** The ID of the campaign. */
	resourceId: string;
	/** The number of the job in its campaign. */
	instanceGroup: string;
	/** The label of the job in the picker's list. Undefined if the user entered the ID. */
	label?: string;
}

/**
 * Reads which job a record belongs to. Returns undefined if the record lacks the ID of the campaign or the number of
 * the job.
 */
export function readJob(simulator: Simulator, record: IDataObject): CampaignJob | undefined {
	const resourceId = readId(record, getCampaignIdFields(simulator));
	const instanceGroup = readId(record, ['instanceGroup']);
	return resourceId === undefined || instanceGroup === undefined ? undefined : { resourceId, instanceGroup };
}

/** Formats the ID of a job, "resourceId/instanceGroup", so that a single picker can select a job. */
export const formatJobId = ({ resourceId, instanceGroup }: CampaignJob) => `${resourceId}/${instanceGroup}`;

/** Reads the ID of a record's job in the format of `formatJobId`. Returns undefined if the record belongs to no job. */
export function readJobId(simulator: Simulator, record: IDataObject): string | undefined {
	const job = readJob(simulator, record);
	return job && formatJobId(job);
}

/**
 * Adds `jobId`, the ID of the record's job, as the first field of the record. Users can enter this ID in the form's
 * field 'Campaign Job'.
 */
export function prependJobId(simulator: Simulator, record: IDataObject): IDataObject {
	const jobId = readJobId(simulator, record);
	return jobId === undefined ? record : { jobId, ...record };
}

/**
 * Adds `jobId`, the ID of the selected job, as the last field of an output item. Users can enter this ID in the form's
 * field 'Campaign Job'.
 */
export const appendJobId = (json: IDataObject, { job }: { job: CampaignJob }): IDataObject => ({
	...json,
	jobId: formatJobId(job),
});

/**
 * Reads the time when a job was started, from the job's row or its summary. If there is no such time, reads the time
 * when the job was created.
 */
export const readStartTime = (row: IDataObject) => readId(row, ['startDate', 'sentTime', 'createdDate']);

const ENTER_JOB_ADVICE =
	"Choose a job from the list, drag the field jobId of a job onto this one, or enter it as 3f2a9c10-6b1e-4f57/1. In the output of 'Get Many' for jobs, the number is called instanceGroup.";

/**
 * Parses the value of the form's field 'Campaign Job'.
 * @param raw a resource locator or a text
 * @throws InvalidInputError if the text doesn't consist of an ID, a slash and a number
 */
export function parseJob(raw: unknown): CampaignJob {
	const value = readLocatorValue(raw);
	const text = typeof value === 'string' ? value.trim() : '';
	const slashIndex = text.lastIndexOf('/');
	const instanceGroup = text.slice(slashIndex + 1);
	if (slashIndex < 1 || !/^-?\d+$/.test(instanceGroup))
		throw new InvalidInputError(
			text === '' ? 'must not be empty' : 'must be the ID of a campaign, a slash and the number of the job',
			[],
			ENTER_JOB_ADVICE,
		);
	return { resourceId: parseId(text.slice(0, slashIndex), ENTER_JOB_ADVICE), instanceGroup };
}

/** Creates the field that selects a campaign job. The picker's list shows the newest jobs first, each with its date. */
export function jobPicker(simulator: Simulator): Field<CampaignJob> {
	const field = listPicker({
		displayName: 'Campaign Job',
		description: 'Each time that a campaign is sent is a job of its own, with its own people and figures',
		listMethod: `search${getSimulatorTitle(simulator)}Jobs`,
		noun: 'campaign job',
		idExample: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111/1',
		source: createListSource({
			endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
			// The entries are sorted here, because live platforms can sort this list only by name (deployment behaviour,
			// "Search bodies").
			newestFirstTimeField: 'createdDate',
			isPerCompany: true,
			toChoice: (record) => toJobChoice(simulator, record),
		}),
	});
	return {
		...field,
		parse: (raw) => {
			const job = parseJob(raw);
			const label = readChosenName(raw);
			return label === '' ? job : { ...job, label };
		},
	};
}

/** Converts a record to an entry of the picker's list: "Parcel notice (job 1, 2026-05-04)". */
function toJobChoice(simulator: Simulator, record: IDataObject): Choice | undefined {
	const job = readJob(simulator, record);
	if (!job) return undefined;
	const labelParts = [`job ${job.instanceGroup}`];
	const day = readId(record, ['createdDate'])?.slice(0, 10);
	if (day !== undefined) labelParts.push(day);
	return { id: formatJobId(job), name: `${readCampaignName(record) ?? 'No name'} (${labelParts.join(', ')})` };
}

/** Matches the text after the campaign's name in an entry of the picker's list: " (job 1, 2026-05-04)". */
const JOB_LABEL_SUFFIX_PATTERN = / \(job [^()]*\)$/;

/** Creates a function that returns the owner of a downloaded file, which is the job that is selected in the form. */
export function createJobFileOwner(simulator: Simulator): (form: FormValues) => FileOwner {
	const fields = { job: jobPicker(simulator) };
	return (form) => {
		const { resourceId, instanceGroup, label = '' } = form.get(fields).job;
		const id = formatJobId({ resourceId, instanceGroup });
		return {
			id,
			nameField: 'campaignName',
			name: label.replace(JOB_LABEL_SUFFIX_PATTERN, ''),
			distinguishingLabel: `job ${instanceGroup}`,
			isDescribedBy: ({ jobId }) => jobId === id,
			readName: (record) => readId(record, ['campaignName']) ?? readCampaignName(record),
			request: {
				endpoint: getSimulatorEndpointKey(
					simulator,
					'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
				),
				path: { resourceId, instanceGroup },
			},
		};
	};
}
