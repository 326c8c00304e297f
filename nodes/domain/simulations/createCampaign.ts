import { difference } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseText } from '../../core/fields/fieldTypes';
import type { Operation, OperationHelpers } from '../../core/operation/defineOperation';
import { toError, RequestError, type RequestErrorDetails } from '../../core/http/errors';
import { getCampaignIdFields, type Simulator } from './simulator';
import { buildSearchFilter } from '../../core/api/searchFilter';
import { readId, formatList, toItemJson } from '../../core/values';

/** A campaign that was just created: its ID, its name, and the fields of the platform's response. */
export interface CreatedCampaign extends IDataObject {
	resourceId: string;
}

/** The operations that `createCampaign` calls. */
interface CreationOperations {
	createOperation: Operation;
	getManyOperation: Operation;
}

/**
 * Creates a campaign and finds its ID. The response may be a map or a page without the ID (deployment beyond,
 * "Campaigns"), or it may be lost. Then the ID is found by comparing the campaigns with this name before and after the
 * request.
 * @throws RequestError if a request fails, or if there isn't exactly one new campaign with this name
 */
export async function createCampaign(
	simulator: Simulator,
	{ createOperation, getManyOperation }: CreationOperations,
	body: IDataObject,
	helpers: Pick<OperationHelpers, 'callOperation' | 'listRecordsCompletely'>,
): Promise<CreatedCampaign> {
	const idFields = getCampaignIdFields(simulator);
	const listSameNameCampaignIds = async (): Promise<string[]> => {
		const searchBody = { filter: buildSearchFilter({ searchText: parseText(body.name) }) };
		const campaigns = await helpers.listRecordsCompletely(
			getManyOperation,
			{ body: searchBody },
			{ identity: idFields },
		);
		return campaigns.filter(({ name }) => name === body.name).flatMap((campaign) => readId(campaign, idFields) ?? []);
	};
	const previousIds = await listSameNameCampaignIds();
	const { response, error } = await sendCreation(createOperation, body, helpers);
	const idInResponse = readId(response, idFields);
	if (idInResponse !== undefined) return { resourceId: idInResponse, name: body.name, ...response };

	const createUnknownIdError = (searchResult: string, isFound = false) =>
		createUnstartedError(simulator, error?.details ?? MISSING_ID_DETAILS, searchResult, isFound || !error);
	let newIds: string[];
	try {
		newIds = difference(await listSameNameCampaignIds(), previousIds);
	} catch (listError) {
		throw createUnknownIdError(`its campaigns could not be listed: ${toError(listError).message}`);
	}
	const [newCampaignId] = newIds;
	if (newCampaignId === undefined) throw createUnknownIdError('the list of campaigns has no new one with that name');
	if (newIds.length > 1) throw createUnknownIdError(`several new campaigns have that name: ${formatList(newIds)}`, true);
	return { resourceId: newCampaignId, name: body.name, ...response };
}

/**
 * The result of the request that creates a campaign. If `error` is set, the response is empty, but the campaign may
 * exist.
 */
interface CreationResult {
	response: IDataObject;
	error?: RequestError;
}

/**
 * Sends the request that creates a campaign. If the request fails but the campaign may exist, as after a lost response,
 * returns the error.
 * @throws RequestError if the request fails and the campaign doesn't exist
 */
async function sendCreation(
	createOperation: Operation,
	body: IDataObject,
	{ callOperation }: Pick<OperationHelpers, 'callOperation'>,
): Promise<CreationResult> {
	try {
		const { data } = await callOperation(createOperation, { body });
		const response = toItemJson(data ?? {});
		// A response that is a page of campaigns doesn't describe the new campaign, so its fields are ignored.
		return { response: 'results' in response ? {} : response };
	} catch (error) {
		if (error instanceof RequestError && error.details.mayHaveBeenApplied) return { response: {}, error };
		throw toError(error);
	}
}

type ErrorDetailsWithoutAdvice = Omit<RequestErrorDetails, 'advice'>;

const MISSING_ID_DETAILS: ErrorDetailsWithoutAdvice = {
	reason: 'the campaign was created, but the platform did not return its ID',
};

/**
 * Creates the error for a campaign that may exist, but whose ID is unknown. So it can't be started or returned.
 * @param searchResult what the search for the new campaign found, for the end of the error message
 * @param isCreated false if the platform may not have created the campaign
 */
function createUnstartedError(
	simulator: Simulator,
	details: ErrorDetailsWithoutAdvice,
	searchResult: string,
	isCreated: boolean,
): RequestError {
	const nextStep = isCreated
		? buildStartAdvice(simulator, 'If the campaign is on the platform, start it')
		: `Look for the campaign on the platform. If it is there, start it with 'Start ${simulator} campaign'. If not, run this node again.`;
	const advice = `${details.serviceMessage ?? ''} ${nextStep}`;
	return new RequestError({
		...details,
		reason: `${details.reason}; ${searchResult}`,
		advice: advice.trim(),
	});
}

/**
 * Builds the advice for a campaign that exists, or may exist, but was not started.
 * @param openingWords the words before the operation's name: "Start the campaign"
 */
export const buildStartAdvice = (simulator: Simulator, openingWords: string) =>
	`${openingWords} with 'Start ${simulator} campaign'. Don't run this node again, because that would create another campaign.`;
