import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem, SearchReport } from '../../core/response/responseHandler';
import { createOutputChoice } from '../../core/response/outputFields';
import { filtersBlock } from '../../core/filters/filterFields';
import {
	defineComposite,
	defineOperation,
	type Operation,
	type PerformTools,
	type OperationTools,
} from '../../core/operation/defineOperation';
import { toItemJson, type Choice } from '../../core/values';
import { botFields, createBotFilter, createFilteredSend } from './botFilter';
import { addJobId, jobPicker, type CampaignJob } from './campaignJob';
import {
	addActions,
	getActionEndpoint,
	getJobPeopleEndpoint,
	JOB_PERSON_FIELDS,
	jobPeopleResponse,
	jobPersonPicker,
	listPeopleByAction,
	listPersonEvents,
	mergeRowsByPerson,
	REPORTED_ENDPOINTS,
	type RiskyAction,
	type UserAction,
} from './jobPeople';
import { getPeriodReportTitle, getSimulatorTitle, readCampaignName, type Simulator } from './simulator';

/** The operations that list the people of a job and get the name of its campaign. */
interface JobOperations {
	getJobSummary: Operation;
	searchJobUsers: Operation;
}

/**
 * Defines an operation for each action. The operation lists the people who performed the action in one job, or the
 * events of one selected person.
 */
export function defineUsersByActionOperations(simulator: Simulator, jobOperations: JobOperations): Operation[] {
	return [
		defineRiskyActionOperation(simulator, 'clicked', jobOperations),
		defineRiskyActionOperation(simulator, 'opened', jobOperations),
		defineRiskyActionOperation(simulator, 'submitted', jobOperations),
		simulator === 'smishing'
			? defineReportedTextOperation(simulator, jobOperations)
			: defineReportedOperation(simulator, jobOperations),
	];
}

/** Describes an action for texts: "clicked the link". */
function describeAction(simulator: Simulator, action: UserAction): string {
	switch (action) {
		case 'opened':
			return 'opened the message';
		case 'clicked':
			return simulator === 'quishing' ? 'scanned the QR code' : 'clicked the link';
		case 'submitted':
			return 'submitted data';
		case 'reported':
			return 'reported the message';
	}
}

const buildTexts = (simulator: Simulator, action: UserAction) => ({
	value: action,
	name: `Get Users Who ${upperFirst(action)} in ${getSimulatorTitle(simulator)} Campaign`,
	description:
		action === 'reported'
			? 'List who reported the message in one job, a row per person'
			: `List who ${describeAction(simulator, action)} in one job; for every customer: ${getPeriodReportTitle(simulator)}`,
});

/** Describes the search. If the output is empty, a hint explains it with this description. */
const describeSearch = (simulator: Simulator, action: UserAction): SearchReport => ({
	noun: `${simulator} campaign job`,
	count: 1,
	emptyReason: `nobody ${describeAction(simulator, action)}`,
});

function defineRiskyActionOperation(
	simulator: Simulator,
	action: RiskyAction,
	{ getJobSummary }: JobOperations,
): Operation {
	return defineOperation({
		...buildTexts(simulator, action),
		endpoint: getActionEndpoint(simulator, action),
		substituteEndpoints: [getJobPeopleEndpoint(simulator)],
		scope: 'company',
		fields: {
			job: jobPicker(simulator),
			filters: filtersBlock({ ...botFields, person: jobPersonPicker(simulator) }),
		},
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		response: jobPeopleResponse(),
		perform: (values, tools) => listUsersByAction(simulator, action, values, getJobSummary, tools),
		transformOutput: addJobId,
	});
}

/**
 * Defines the operation for the people who reported a message of phishing or quishing. For these simulators, platforms
 * also list the events of one person (deployment activity 2).
 */
function defineReportedOperation(simulator: 'phishing' | 'quishing', { getJobSummary }: JobOperations): Operation {
	return defineOperation({
		...buildTexts(simulator, 'reported'),
		endpoint: REPORTED_ENDPOINTS[simulator],
		substituteEndpoints: [getJobPeopleEndpoint(simulator)],
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock({ person: jobPersonPicker(simulator) }) },
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		response: jobPeopleResponse(),
		perform: (values, tools) => listUsersByAction(simulator, 'reported', values, getJobSummary, tools),
		transformOutput: addJobId,
	});
}

const textMessageOutput = createOutputChoice(JOB_PERSON_FIELDS);

/** Defines the operation for the people who reported a text message. Platforms don't list the events of one person. */
function defineReportedTextOperation(
	simulator: 'smishing',
	{ getJobSummary, searchJobUsers }: JobOperations,
): Operation {
	return defineComposite({
		...buildTexts(simulator, 'reported'),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...textMessageOutput.fields },
		isReadOnly: true,
		dependencies: [getJobSummary, searchJobUsers],
		run: async ({ job, ...outputValues }, tools) => {
			const request = {
				path: { ...job, searchType: 'Reported' },
				body: createBotFilter(false, 'Reported').body,
			};
			const rows = await tools.listRecords(searchJobUsers, request, { identity: [] });
			tools.context.reportSearch(describeSearch(simulator, 'reported'));
			const campaignName = rows.length > 0 ? await requestCampaignName(job, getJobSummary, tools) : null;
			return mergeRowsByPerson(rows.map(addActions))
				.map((row) => addJobId({ campaignName, ...row, reported: true }, { job }))
				.map(textMessageOutput.createItemMapper(outputValues));
		},
	});
}

/** The values of the form: the job, and the filters for people or for the events of one person. */
interface UsersByActionValues {
	job: CampaignJob;
	filters: { excludeBots?: boolean; person?: Choice | undefined };
}

/**
 * Lists the people who performed an action, one item per person, with the name of the campaign. If the user selected
 * one person, lists the events of that person instead.
 */
async function listUsersByAction(
	simulator: Simulator,
	action: UserAction,
	{ job, filters: { excludeBots, person } }: UsersByActionValues,
	getJobSummary: Operation,
	tools: PerformTools,
): Promise<ResultItem[]> {
	const botFilter = createBotFilter(excludeBots, upperFirst(action));
	const send = createFilteredSend(botFilter, tools.send);
	const items = person ? await listPersonEvents(person, send) : await listPeopleByAction(simulator, job, action, send);
	botFilter.addHints(tools.context);
	if (!person) tools.context.reportSearch(describeSearch(simulator, action));
	const campaignName = items.length > 0 ? await requestCampaignName(job, getJobSummary, tools) : null;

	const rows = items.map(({ json }) => json);
	const resultRows = person ? rows : mergeRowsByPerson(rows);
	// Events don't contain the ID of the person, so it is added.
	const addedFields: IDataObject = person ? { personResourceId: person.id } : { [action]: true };
	return resultRows.map((row) => ({
		json: { campaignName, ...row, ...addedFields },
		selection: items[0]?.selection,
	}));
}

/** Requests the name of a job's campaign, which the rows of its people lack. Returns null if it can't be read. */
async function requestCampaignName(
	{ resourceId, instanceGroup }: CampaignJob,
	getJobSummary: Operation,
	{ callOperation }: Pick<OperationTools, 'callOperation'>,
): Promise<string | null> {
	try {
		const { data } = await callOperation(getJobSummary, { path: { resourceId, instanceGroup } });
		return readCampaignName(toItemJson(data)) ?? null;
	} catch {
		// The people are already known, so a missing name is no reason to fail. If the run was stopped, it ends anyway.
		return null;
	}
}
