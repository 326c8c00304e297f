import { orderBy, uniqBy } from 'lodash';
import type { IDataObject, INodePropertyMode } from 'n8n-workflow';

import type { FileOwner } from '../../core/response/fileOwner';
import type { Field, PickerContext } from '../../core/fields/field';
import { parseText, readLocatorValue } from '../../core/fields/fieldTypes';
import type { FormValues } from '../../core/fields/formValues';
import { readChosenName } from '../../core/pickers/labels';
import { BY_NAME_MODE, createListSource, readFormText } from '../../core/pickers/listSource';
import { readCachedList, type LookupList } from '../../core/pickers/lookupList';
import { listPicker } from '../../core/pickers/picker';
import {
	createChosenLocator,
	createNoMatchError,
	describePlace,
	formatCandidates,
	isChosenFromList,
	resolveLocator,
} from '../../core/pickers/resolveNames';
import { InvalidInputError, toError } from '../../core/http/errors';
import { isLikelyId, parseId, parseIdOrName } from '../../core/http/resourceId';
import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import { formatCount, isRecord, parseTimeMs, readId, type Choice } from '../../core/values';
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
	'Select a job from the list, drag the field jobId of a job onto this field, or enter the ID as 3f2a9c10-6b1e-4f57/1. In the list of campaign jobs, the number at the end is called instanceGroup.';

/** Matches the ID of a job: the ID of the campaign, a slash and the number of the job. */
const JOB_ID_PATTERN = /^\S+\/-?\d+$/;

const readText = (raw: unknown): string => {
	const value = readLocatorValue(raw);
	return typeof value === 'string' ? value.trim() : '';
};

/**
 * Parses the ID of a job.
 * @param raw a resource locator or a text
 * @throws InvalidInputError if the text doesn't consist of an ID, a slash and a number
 */
export function parseJob(raw: unknown): CampaignJob {
	const text = readText(raw);
	const slashIndex = text.lastIndexOf('/');
	if (!JOB_ID_PATTERN.test(text))
		throw new InvalidInputError(
			text === '' ? 'must not be empty' : 'must be the ID of a campaign, a slash and the number of the job',
			[],
			ENTER_JOB_ADVICE,
		);
	const resourceId = parseId(text.slice(0, slashIndex), ENTER_JOB_ADVICE);
	return { resourceId, instanceGroup: text.slice(slashIndex + 1) };
}

const LATEST_JOB_MODE = 'latest';

/**
 * The mode in which the user enters the name of a campaign. The operation then runs for the newest job of this campaign. The object is
 * needed, because n8n's lint only accepts modes as the value of a key `modes`.
 */
const LATEST_JOB_PROPERTY: { modes: INodePropertyMode[] } = {
	modes: [
		{
			displayName: 'Latest Job',
			name: LATEST_JOB_MODE,
			type: 'string',
			placeholder: 'e.g. Q3 Simulation',
			hint: 'Enter the name of the campaign',
		},
	],
};

const isLatestJob = (raw: unknown): boolean => isRecord(raw) && raw.mode === LATEST_JOB_MODE;

/** Returns true if the field 'Campaign Job' has the ID of a job. Otherwise the job is found by a name. */
const hasJobId = (raw: unknown): boolean =>
	isChosenFromList(raw) || (JOB_ID_PATTERN.test(readText(raw)) && !isFoundByName(raw));

/** Returns true if the user selected one of the modes in which a job is found by a name. */
const isFoundByName = (raw: unknown): boolean => isLatestJob(raw) || (isRecord(raw) && raw.mode === BY_NAME_MODE);

/** Parses the value of the form's field 'Campaign Job'. A job that must be found by a name has no ID yet. @throws InvalidInputError */
function parseJobField(raw: unknown): CampaignJob {
	if (hasJobId(raw)) {
		const label = readChosenName(raw);
		return label === '' ? parseJob(raw) : { ...parseJob(raw), label };
	}
	// The ID of a campaign lacks the number of the job.
	if (!isFoundByName(raw) && isLikelyId(readText(raw))) return parseJob(raw);
	return { resourceId: '', instanceGroup: '', label: parseIdOrName(readLocatorValue(raw), ENTER_JOB_ADVICE) };
}

/** Creates the source of a simulator's jobs, newest first. Each entry has a label such as "Parcel notice (job 1, 2026-05-04)". */
const createJobSource = (simulator: Simulator) =>
	createListSource({
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
		// The entries are sorted here, because live platforms can sort this list only by name (deployment behaviour,
		// "Search bodies").
		getNewestFirstKeys: (record) => [readStartTime(record) ?? '', Number(readId(record, ['instanceGroup']) ?? 0)],
		isPerCompany: true,
		toChoice: (record) => toJobChoice(simulator, record),
	});

/** Creates the lists in which a job is looked up: by its label, by the name and the day, and by the name of its campaign. */
function createJobLookups(simulator: Simulator): Record<'byLabel' | 'byDay' | 'byCampaign', LookupList> {
	const listMethod = `search${getSimulatorTitle(simulator)}Jobs`;
	const source = createJobSource(simulator);
	return {
		byLabel: { listMethod, noun: 'campaign job', source },
		byDay: { listMethod: `${listMethod}ByDay`, noun: 'campaign job', source, getName: readNameAndDay },
		byCampaign: { listMethod: `${listMethod}ByCampaign`, noun: 'started campaign', source, getName: readCampaign },
	};
}

/** An entry of the picker's list, with the times that show which job of a campaign is the newest. */
interface JobChoice extends Choice {
	/** In ms since 1970; null if the platform doesn't show it. */
	startMs: number | null;
	/** In ms since 1970; null if the platform doesn't show it. */
	creationMs: number | null;
}

const isJobChoice = (entry: Choice): entry is JobChoice => 'startMs' in entry && 'creationMs' in entry;

/** Converts a record to an entry of the picker's list: "Parcel notice (job 1, 2026-05-04)". */
function toJobChoice(simulator: Simulator, record: IDataObject): JobChoice | undefined {
	const job = readJob(simulator, record);
	if (!job) return undefined;
	const labelParts = [`job ${job.instanceGroup}`];
	const day = readStartTime(record)?.slice(0, 10);
	if (day !== undefined) labelParts.push(day);
	return {
		id: formatJobId(job),
		name: `${readCampaignName(record) ?? 'No name'} (${labelParts.join(', ')})`,
		startMs: parseTimeMs(readId(record, ['startDate', 'sentTime'])),
		creationMs: parseTimeMs(readId(record, ['createdDate'])),
	};
}

/** Matches the text after the campaign's name in an entry of the picker's list: " (job 1, 2026-05-04)". */
const JOB_LABEL_SUFFIX_PATTERN = / \(job [^()]*?(\d{4}-\d{2}-\d{2})?\)$/;

/** Reads the name of the campaign from an entry of the list. */
const readCampaign = ({ name }: Choice) => name.replace(JOB_LABEL_SUFFIX_PATTERN, '');

/** Reads the name of the campaign and the day from an entry of the list: "Parcel notice 2026-05-04". */
const readNameAndDay = (entry: Choice) => {
	const day = JOB_LABEL_SUFFIX_PATTERN.exec(entry.name)?.[1] ?? '';
	return `${readCampaign(entry)} ${day}`.trim();
};

/**
 * Returns the campaign's name from the label that a selected job has in the picker's list.
 * @returns undefined if the job has no label, because the user entered its ID
 */
export const getCampaignNameFromLabel = ({ label }: CampaignJob): string | undefined =>
	label === undefined ? undefined : label.replace(JOB_LABEL_SUFFIX_PATTERN, '');

/**
 * Finds the newest job among the jobs of one campaign: the job that was started last or, if the platform doesn't show the start of every job,
 * the job that was created last. The numbers of the jobs don't decide, because no document says that they grow.
 * @returns undefined if the times don't show which job is the newest
 */
function findNewestJob(jobs: readonly JobChoice[]): JobChoice | undefined {
	if (jobs.length <= 1) return jobs[0];
	const timeKey = (['startMs', 'creationMs'] as const).find((key) => jobs.every((job) => job[key] !== null));
	if (timeKey === undefined) return undefined;
	const [newestJob, secondJob] = orderBy(jobs, timeKey, 'desc');
	return newestJob?.[timeKey] === secondJob?.[timeKey] ? undefined : newestJob;
}

/**
 * Finds the newest job of the campaign with a name.
 * @throws InvalidInputError if no campaign with a job or more than one such campaign has the name, if the list of jobs is incomplete, because
 * the newest job may be missing then, or if the platform doesn't show which job is the newest; RequestError
 */
async function findLatestJob(name: string, lookupList: LookupList, context: PickerContext): Promise<Choice> {
	const list = await readCachedList(lookupList, context);
	const jobs = list.findByName(name).filter(isJobChoice);
	if (jobs.length === 0) throw await createNoMatchError(`is '${name}'`, list, lookupList, context);
	const campaigns = uniqBy(jobs, ({ id }) => parseJob(id).resourceId);
	if (campaigns.length > 1)
		throw new InvalidInputError(
			`is '${name}', but ${formatCount(campaigns.length, 'campaign')}${await describePlace(context)} have that name`,
			[],
			`Select one of their jobs from the list, or enter its ID: ${formatCandidates(campaigns)}.`,
		);
	if (!list.isComplete)
		throw new InvalidInputError(
			`is the latest job of '${name}', but the platform did not list all jobs${await describePlace(context)}, so a newer one may be missing`,
			[],
			'Run the node again, select the job from the list, or enter its ID.',
		);
	const newestJob = findNewestJob(jobs);
	if (newestJob) return newestJob;
	throw new InvalidInputError(
		`is the latest job of '${name}', but the platform doesn't show which of its ${jobs.length} jobs is the newest`,
		[],
		`Select the job from the list, or enter its ID: ${formatCandidates(jobs)}.`,
	);
}

/** Replaces a name in the field 'Campaign Job' by the ID of the job. @throws InvalidInputError, RequestError */
async function resolveJob(simulator: Simulator, raw: unknown, context: PickerContext): Promise<unknown> {
	const lookups = createJobLookups(simulator);
	if (isLatestJob(raw)) {
		const name = parseText(readLocatorValue(raw), { min: 1 }).trim();
		return createChosenLocator(await findLatestJob(name, lookups.byCampaign, context));
	}
	if (isChosenFromList(raw)) return await resolveLocator(raw, lookups.byLabel, context);
	if (hasJobId(raw)) return raw;
	const resolvedValue = await resolveLocator(raw, lookups.byDay, context);
	// A text that is neither a name nor the ID of a job, such as the ID of a campaign, is rejected here.
	parseJob(resolvedValue);
	return resolvedValue;
}

/**
 * Reads the job that is selected in a form, for a list that depends on it.
 * @throws InvalidInputError if no job is selected, or if its name can't be found; RequestError
 */
export async function readFormJob(simulator: Simulator, context: PickerContext): Promise<CampaignJob> {
	readFormText(context, 'job', 'Campaign Job');
	const { job } = context.parameters;
	try {
		return parseJob(hasJobId(job) ? job : await resolveJob(simulator, job, context));
	} catch (error) {
		throw toError(error instanceof InvalidInputError ? error.prependPath('Campaign Job') : error);
	}
}

/** Creates the field that selects a campaign job. The picker's list shows the newest jobs first, each with its date. */
export function jobPicker(simulator: Simulator): Field<CampaignJob> {
	const field = listPicker({
		displayName: 'Campaign Job',
		description: 'Select the campaign job. Each start of a campaign creates one job.',
		hint: "The dates in the list and in 'By Name and Date' are in UTC",
		listMethod: `search${getSimulatorTitle(simulator)}Jobs`,
		noun: 'campaign job',
		nameModeLabel: 'By Name and Date',
		nameExample: 'Q3 Simulation 2026-07-01',
		additionalModes: LATEST_JOB_PROPERTY.modes,
		idExample: '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111/1',
		source: createJobSource(simulator),
	});
	return {
		...field,
		parse: parseJobField,
		resolveNames: (raw, context) => resolveJob(simulator, raw, context),
	};
}

/** Creates a function that returns the owner of a downloaded file, which is the job that is selected in the form. */
export function createJobFileOwner(simulator: Simulator): (form: FormValues) => FileOwner {
	const fields = { job: jobPicker(simulator) };
	return (form) => {
		const { job } = form.get(fields);
		const { resourceId, instanceGroup } = job;
		const id = formatJobId({ resourceId, instanceGroup });
		return {
			id,
			nameField: 'campaignName',
			name: getCampaignNameFromLabel(job) ?? '',
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
