import { difference } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseText } from '../../core/fields/fieldTypes';
import type { Operation, OperationTools } from '../../core/operation/defineOperation';
import { toError, RequestError, type RequestErrorDetails } from '../../core/http/errors';
import { getCampaignIdFields, getSimulatorTitle, type Simulator } from './simulator';
import { buildSearchFilter } from '../../core/api/filter';
import { readId, formatList, toItemJson } from '../../core/values';

/** A campaign that was created: its ID, its name, and the fields of the response. */
export interface CreatedCampaign extends IDataObject {
	resourceId: string;
}

/** The operations that `createCampaign` calls. */
interface CreationOperations {
	create: Operation;
	getMany: Operation;
}

/**
 * Creates a campaign and finds its ID. The response may be a map or a page without the ID (deployment beyond,
 * "Campaigns"), or it may be lost. In these cases, the campaigns with this name are listed again, and the new one is taken.
 * @throws RequestError if the request fails, or if the number of new campaigns with this name is not exactly one
 */
export async function createCampaign(
	simulator: Simulator,
	{ create, getMany }: CreationOperations,
	body: IDataObject,
	tools: Pick<OperationTools, 'callOperation' | 'listRecordsCompletely'>,
): Promise<CreatedCampaign> {
	const idFields = getCampaignIdFields(simulator);
	const listIdsByName = async (): Promise<string[]> => {
		const searchBody = { filter: buildSearchFilter({ searchText: parseText(body.name) }) };
		const campaigns = await tools.listRecordsCompletely(getMany, { body: searchBody }, { identity: idFields });
		return campaigns.filter(({ name }) => name === body.name).flatMap((campaign) => readId(campaign, idFields) ?? []);
	};
	const idsBefore = await listIdsByName();
	const { response, error } = await sendCreation(create, body, tools);
	const idInResponse = readId(response, idFields);
	if (idInResponse !== undefined) return { resourceId: idInResponse, name: body.name, ...response };

	const createUnknownIdError = (searchResult: string) =>
		createUnstartedError(simulator, error?.details ?? MISSING_ID, searchResult);
	let newIds: string[];
	try {
		newIds = difference(await listIdsByName(), idsBefore);
	} catch (listError) {
		throw createUnknownIdError(`its campaigns could not be listed: ${toError(listError).message}`);
	}
	const [newId] = newIds;
	if (newId === undefined) throw createUnknownIdError('no new campaign of that name is there');
	if (newIds.length > 1) throw createUnknownIdError(`several are new: ${formatList(newIds)}`);
	return { resourceId: newId, name: body.name, ...response };
}

/** The result of the request that creates a campaign. After an error, the campaign may still exist. */
interface CreationResult {
	response: IDataObject;
	error?: RequestError;
}

/**
 * Sends the request that creates a campaign. If the campaign may exist in spite of an error, such as a lost response,
 * returns the error.
 * @throws RequestError after any other error
 */
async function sendCreation(
	create: Operation,
	body: IDataObject,
	{ callOperation }: Pick<OperationTools, 'callOperation'>,
): Promise<CreationResult> {
	try {
		const { data } = await callOperation(create, { body });
		const response = toItemJson(data ?? {});
		// A page doesn't describe the new campaign.
		return { response: 'results' in response ? {} : response };
	} catch (error) {
		if (error instanceof RequestError && error.details.mayHaveBeenApplied) return { response: {}, error };
		throw toError(error);
	}
}

type ErrorDetailsWithoutAdvice = Omit<RequestErrorDetails, 'advice'>;

const MISSING_ID: ErrorDetailsWithoutAdvice = {
	reason: 'the campaign was created, but the service did not return its ID',
};

/**
 * Creates the error for a campaign that may exist, but was not started because its ID is unknown.
 * @param searchResult the result of searching for the campaign, as the end of a sentence
 */
function createUnstartedError(
	simulator: Simulator,
	details: ErrorDetailsWithoutAdvice,
	searchResult: string,
): RequestError {
	const advice = `${details.serviceMessage ?? ''} ${buildStartAdvice(simulator, 'If it is in the platform, start it')}`;
	return new RequestError({
		...details,
		reason: `${details.reason}; ${searchResult}`,
		advice: advice.trim(),
	});
}

/**
 * Builds the advice for a campaign that exists, or may exist, and was not started.
 * @param firstWords the first words of the advice: "Start it"
 */
export const buildStartAdvice = (simulator: Simulator, firstWords: string) =>
	`${firstWords} with the operation 'Start ${getSimulatorTitle(simulator)} Campaign'; running this one again would create another.`;
