import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Subject } from '../../core/response/fileOwner';
import type { Field } from '../../core/fields/field';
import { locatorValue } from '../../core/fields/fieldTypes';
import type { FormValues } from '../../core/fields/formValues';
import { sourceOf } from '../../core/pickers/listSource';
import { chosenName, multiPicker, picker } from '../../core/pickers/picker';
import { InvalidInput } from '../../core/http/errors';
import { parseId } from '../../core/http/request';
import { ofSimulator, type Simulator } from '../../core/api/endpoints';
import { identityOf, type Choice } from '../../core/values';

export type { Simulator } from '../../core/api/endpoints';

export const capitalized = upperFirst;

export const titleOf = (simulator: Simulator) => capitalized(simulator);

/** The first words of the operation that tells what people did in all jobs of a period; text messages have no opens. */
export const whoDidInPeriod = (simulator: Simulator) =>
	`Get Who ${simulator === 'smishing' ? '' : 'Opened, '}Clicked or Submitted`;

/** The fields that may have the ID of a campaign or its job (deployment facts, "Naming"). */
export const campaignId = (simulator: Simulator) => ['resourceId', `${simulator}CampaignResourceId`] as const;

/** The name of a campaign in the row of a job, or in its summary (deployment shapes). */
export const campaignName = (record: IDataObject) =>
	identityOf(record, ['name', 'campaignName', 'phishingCampaignName']);

/** When a job was started or, if its row or summary does not say, created. */
export const startTime = (row: IDataObject) => identityOf(row, ['startDate', 'sentTime', 'createdDate']);

/** A job is the run of a campaign for one instance group; the two values together identify it. */
export interface Job {
	resourceId: string;
	instanceGroup: string;
	/** What it is called where it was chosen from the list; its path does not have it. */
	shown?: string;
}

/** The job that a record is about. @returns undefined if the record lacks one of the two values */
export function jobOf(simulator: Simulator, record: IDataObject): Job | undefined {
	const resourceId = identityOf(record, campaignId(simulator));
	const instanceGroup = identityOf(record, ['instanceGroup']);
	return resourceId === undefined || instanceGroup === undefined ? undefined : { resourceId, instanceGroup };
}

/** A job as one text, "resourceId/instanceGroup", so that one choice in a list sets both values. */
export const jobKey = ({ resourceId, instanceGroup }: Job) => `${resourceId}/${instanceGroup}`;

/** The job of a record as such a text. @returns undefined if the record is of none */
export function jobId(simulator: Simulator, record: IDataObject): string | undefined {
	const job = jobOf(simulator, record);
	return job && jobKey(job);
}

/** A record of a job with the value that 'Campaign Job' takes, as its first field. */
export function withJobId(simulator: Simulator, record: IDataObject): IDataObject {
	const id = jobId(simulator, record);
	return id === undefined ? record : { jobId: id, ...record };
}

/** What is of a job, with the value that 'Campaign Job' takes. */
export const withJob = (json: IDataObject, { job }: { job: Job }): IDataObject => ({ ...json, jobId: jobKey(job) });

const JOB_ADVICE =
	"Choose a job from the list, drag the field jobId of a job onto this one, or enter it as 3f2a9c10-6b1e-4f57/1. In the output of 'Get Many' for jobs, the number is called instanceGroup.";

/**
 * Parses a job from a resource locator's value or from text.
 * @throws InvalidInput for text without an ID, a slash and a number
 */
export function parseJob(raw: unknown): Job {
	const value = locatorValue(raw);
	const text = typeof value === 'string' ? value.trim() : '';
	const cut = text.lastIndexOf('/');
	const instanceGroup = text.slice(cut + 1);
	if (cut < 1 || !/^-?\d+$/.test(instanceGroup))
		throw new InvalidInput(
			text === '' ? 'must not be empty' : 'must be the ID of a campaign, a slash and the number of the job',
			[],
			JOB_ADVICE,
		);
	return { resourceId: parseId(text.slice(0, cut), JOB_ADVICE), instanceGroup };
}

const listed = (simulator: Simulator, what: 'campaign' | 'scenario', id: readonly string[]) => ({
	thing: what,
	source: sourceOf({
		endpoint: ofSimulator(simulator, `POST /api/SIM-simulator/SIM-${what}/search`),
		id,
		name: ['name'],
		scoped: true,
		optional: what === 'scenario',
	}),
});

/** The field that chooses a campaign. */
export const campaignPicker = (simulator: Simulator): Field<Choice> =>
	picker({
		displayName: 'Campaign',
		description: 'The simulation',
		method: `search${titleOf(simulator)}Campaigns`,
		...listed(simulator, 'campaign', campaignId(simulator)),
	});

export const SCENARIO_ID = ['resourceId'];

/** The field that chooses what a campaign simulates. */
export const scenarioPicker = (simulator: Simulator): Field<string[]> =>
	multiPicker({
		displayName: 'Scenario Names or IDs',
		description: 'What is simulated, by name or ID',
		required: true,
		method: `load${titleOf(simulator)}Scenarios`,
		...listed(simulator, 'scenario', SCENARIO_ID),
	});

/** The field that chooses a campaign job with its instance group: the newest first, each with its date. */
export function jobPicker(simulator: Simulator): Field<Job> {
	const field = picker({
		displayName: 'Campaign Job',
		description: 'Each time that a campaign is sent is a job of its own, with its own people and figures',
		method: `search${titleOf(simulator)}Jobs`,
		thing: 'campaign job',
		example: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111/1',
		source: sourceOf({
			endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
			// Live platforms sort this list by name only (deployment behaviour, "orderBy known good").
			newestBy: 'createdDate',
			scoped: true,
			entry: (record) => jobEntry(simulator, record),
		}),
	});
	return {
		...field,
		parse: (raw) => {
			const shown = chosenName(raw);
			return { ...parseJob(raw), ...(shown === '' ? {} : { shown }) };
		},
	};
}

/** The job that a file is of. */
export const fileOfJob = (simulator: Simulator) => {
	const fields = { job: jobPicker(simulator) };
	return (form: FormValues): Subject => {
		const { resourceId, instanceGroup, shown = '' } = form.of(fields).job;
		const id = jobKey({ resourceId, instanceGroup });
		return {
			id,
			as: 'campaignName',
			name: shown.replace(OF_ENTRY, ''),
			part: `job ${instanceGroup}`,
			isOf: ({ jobId: ofItem }) => ofItem === id,
			nameIn: (record) => identityOf(record, ['campaignName']) ?? campaignName(record),
			request: {
				endpoint: ofSimulator(
					simulator,
					'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
				),
				path: { resourceId, instanceGroup },
			},
		};
	};
};

/** What an entry of the list has after the campaign's name. */
const OF_ENTRY = / \(job [^()]*\)$/;

function jobEntry(simulator: Simulator, record: IDataObject): Choice | undefined {
	const job = jobOf(simulator, record);
	const day = identityOf(record, ['createdDate'])?.slice(0, 10);
	const about = [`job ${job?.instanceGroup}`, ...(day === undefined ? [] : [day])].join(', ');
	return job && { id: jobKey(job), name: `${campaignName(record) ?? 'No name'} (${about})` };
}
