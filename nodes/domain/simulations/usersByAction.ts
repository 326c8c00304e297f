import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem, SearchReport } from '../../core/response/responseHandler';
import { createOutputChoice } from '../../core/response/outputFields';
import { filtersBlock } from '../../core/filters/filterFields';
import {
	defineComposite,
	defineOperation,
	type Operation,
	type PerformHelpers,
	type OperationHelpers,
} from '../../core/operation/defineOperation';
import { toItemJson, type Choice } from '../../core/values';
import { botFilterFields, createBotFilter, createFilteredSend } from './botFilter';
import { appendJobId, jobPicker, type CampaignJob } from './campaignJob';
import {
	addActionFields,
	getActionEndpoint,
	getJobPeopleEndpoint,
	JOB_PERSON_FIELDS,
	jobPeopleResponse,
	jobPersonPicker,
	listPeopleByAction,
	listPersonEvents,
	mergeRowsByPerson,
	REPORTED_ACTION_ENDPOINTS,
	REPORTED_PERSON_FIELDS,
	type RiskyAction,
	type UserAction,
} from './jobPeople';
import { readCampaignName, type Simulator } from './simulator';

/**
 * The operations that are called by the operations of this file. They list the people of a job, and get the name of its
 * campaign.
 */
interface JobOperations {
	getJobSummaryOperation: Operation;
	searchJobUsersOperation: Operation;
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
			? defineReportedTextMessageOperation(simulator, jobOperations)
			: defineReportedOperation(simulator, jobOperations),
	];
}

/** Describes an action in words: "clicked the link". */
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

const buildOperationTexts = (simulator: Simulator, action: UserAction) => ({
	value: `get${upperFirst(action)}`,
	name: `Get ${upperFirst(action)}`,
	action: `Get who ${action} in ${simulator} campaign`,
	description: `List who ${describeAction(simulator, action)} in one campaign job`,
	outputNote: `To list people from several campaign jobs or customers, use 'Get many ${simulator} results by period'.`,
});

/** Builds the report about the search. If the output is empty, a hint says why, with the words of this report. */
const buildSearchReport = (simulator: Simulator, action: UserAction): SearchReport => ({
	noun: `${simulator} campaign job`,
	recordCount: 1,
	emptyReason: `no one ${describeAction(simulator, action)}`,
});

function defineRiskyActionOperation(
	simulator: Simulator,
	action: RiskyAction,
	{ getJobSummaryOperation }: JobOperations,
): Operation {
	return defineOperation({
		...buildOperationTexts(simulator, action),
		endpoint: getActionEndpoint(simulator, action),
		substituteEndpoints: [getJobPeopleEndpoint(simulator)],
		scope: 'company',
		fields: {
			job: jobPicker(simulator),
			filters: filtersBlock({ ...botFilterFields, person: jobPersonPicker(simulator) }),
		},
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		response: jobPeopleResponse(),
		perform: (values, helpers) => listUsersByAction(simulator, action, values, getJobSummaryOperation, helpers),
		transformOutput: appendJobId,
	});
}

/**
 * Defines the operation that lists the people who reported a message of a phishing or quishing campaign. For these
 * simulators, platforms can also list the events of one person (deployment activity 2).
 */
function defineReportedOperation(
	simulator: 'phishing' | 'quishing',
	{ getJobSummaryOperation }: JobOperations,
): Operation {
	const texts = buildOperationTexts(simulator, 'reported');
	return defineOperation({
		...texts,
		outputNote: `In the output, minutesToReport is the number of minutes between the last sending of the message and the person's last report. ${texts.outputNote}`,
		endpoint: REPORTED_ACTION_ENDPOINTS[simulator],
		substituteEndpoints: [getJobPeopleEndpoint(simulator)],
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersBlock({ person: jobPersonPicker(simulator) }) },
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		response: jobPeopleResponse(REPORTED_PERSON_FIELDS),
		perform: (values, helpers) => listUsersByAction(simulator, 'reported', values, getJobSummaryOperation, helpers),
		transformOutput: appendJobId,
	});
}

const textMessageOutputChoice = createOutputChoice(JOB_PERSON_FIELDS);

/**
 * Defines the operation that lists the people who reported a text message. The form has no field for a person, because platforms can't list
 * the events of one person for smishing.
 */
function defineReportedTextMessageOperation(
	simulator: 'smishing',
	{ getJobSummaryOperation, searchJobUsersOperation }: JobOperations,
): Operation {
	return defineComposite({
		...buildOperationTexts(simulator, 'reported'),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...textMessageOutputChoice.fields },
		isReadOnly: true,
		dependencies: [getJobSummaryOperation, searchJobUsersOperation],
		run: async ({ job, ...outputValues }, helpers) => {
			const request = {
				path: { ...job, searchType: 'Reported' },
				body: createBotFilter(false, 'Reported').body,
			};
			const rows = await helpers.listRecords(searchJobUsersOperation, request, { identity: [] });
			helpers.context.reportSearch(buildSearchReport(simulator, 'reported'));
			const campaignName = rows.length > 0 ? await requestCampaignName(job, getJobSummaryOperation, helpers) : null;
			return mergeRowsByPerson(rows.map(addActionFields))
				.map((row) => appendJobId({ campaignName, ...row, reported: true }, { job }))
				.map(textMessageOutputChoice.createItemMapper(outputValues));
		},
	});
}

/** The values of the form: the job and the filters. If `person` is set, the events of this person are listed. */
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
	getJobSummaryOperation: Operation,
	helpers: PerformHelpers,
): Promise<ResultItem[]> {
	const botFilter = createBotFilter(excludeBots, upperFirst(action));
	const send = createFilteredSend(botFilter, helpers.send);
	const items = person ? await listPersonEvents(person, send) : await listPeopleByAction(simulator, job, action, send);
	botFilter.addHints(helpers.context);
	if (!person) helpers.context.reportSearch(buildSearchReport(simulator, action));
	const campaignName = items.length > 0 ? await requestCampaignName(job, getJobSummaryOperation, helpers) : null;

	const rows = items.map(({ json }) => json);
	const resultRows = person ? rows : mergeRowsByPerson(rows);
	// The rows of events don't contain the ID of the person, so it is added.
	const addedFields: IDataObject = person ? { personResourceId: person.id } : { [action]: true };
	return resultRows.map((row) => ({
		json: { campaignName, ...row, ...addedFields },
		selection: items[0]?.selection,
	}));
}

/**
 * Requests the name of a job's campaign, because the rows of the people don't contain it. Returns null if the name
 * can't be read.
 */
async function requestCampaignName(
	{ resourceId, instanceGroup }: CampaignJob,
	getJobSummaryOperation: Operation,
	{ callOperation }: Pick<OperationHelpers, 'callOperation'>,
): Promise<string | null> {
	try {
		const { data } = await callOperation(getJobSummaryOperation, { path: { resourceId, instanceGroup } });
		return readCampaignName(toItemJson(data)) ?? null;
	} catch {
		// The people were already read, so a missing name is no reason to fail. A stopped run needs no error here, because
		// it ends anyway.
		return null;
	}
}
