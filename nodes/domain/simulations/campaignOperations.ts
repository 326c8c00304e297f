import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fileResponse } from '../../core/response/fileResponse';
import { DEFAULT_SORTABLE_FIELDS, listResponse } from '../../core/response/listResponse';
import { emptyResponse, recordResponse } from '../../core/response/recordResponse';
import { collectionField } from '../../core/fields/collection';
import { rejectEmptyExpression, type FieldMap } from '../../core/fields/field';
import { textField } from '../../core/fields/fieldTypes';
import { createPartialFailure } from '../../core/run/failures';
import {
	defineComposite,
	defineOperation,
	type Operation,
	type OperationHelpers,
} from '../../core/operation/defineOperation';
import { resourceMultiPicker } from '../pickers/resourcePickers';
import { toError, RequestError } from '../../core/http/errors';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { toItemJson } from '../../core/values';
import { getCampaignOutputFields } from './campaignOutputFields';
import { buildStartAdvice, createCampaign, type CreatedCampaign } from './createCampaign';
import { createLaunchFields, SCHEDULE_TYPE_NOW, buildScheduleBody, createScheduleFields } from './launchFields';
import { getCampaignIdFields, campaignPicker, scenarioPicker, getSimulatorTitle, type Simulator } from './simulator';
import { createTestFilterOptions } from './testFilterOptions';

/**
 * Defines the operations for campaigns (contract 4.9; deployment beyond, "Campaigns"; deployment activity 7, 8). The
 * operations for jobs and results are in other files.
 */
export function defineCampaignOperations(simulator: Simulator) {
	const getManyOperation = defineGetManyCampaigns(simulator);
	return {
		getMany: getManyOperation,
		exportMany: defineExportCampaigns(simulator),
		...defineGetAndDeleteOperations(simulator),
		...defineLaunchOperations(simulator, getManyOperation),
	};
}

function defineGetManyCampaigns(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getMany',
		name: `Get Many ${getSimulatorTitle(simulator)} Campaigns`,
		description: `List the ${simulator} simulations of one customer or of every one`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign/search'),
		scope: 'companies',
		response: listResponse({
			identity: getCampaignIdFields(simulator),
			outputFields: getCampaignOutputFields(simulator),
			...createTestFilterOptions(simulator),
		}),
	});
}

function defineExportCampaigns(simulator: Simulator): Operation {
	return defineOperation({
		value: 'export',
		name: `Export ${getSimulatorTitle(simulator)} Campaigns`,
		description: `Get the list of ${simulator} simulations as a CSV or Excel file`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign/search/export'),
		scope: 'companies',
		response: fileResponse({
			fallbackName: `${simulator}-campaigns`,
			sortableFields: DEFAULT_SORTABLE_FIELDS,
			isSinglePage: true,
		}),
	});
}

/** Defines the operations that get and delete one campaign. */
function defineGetAndDeleteOperations(simulator: Simulator) {
	const noun = `${getSimulatorTitle(simulator)} Campaign`;
	const fields = { campaign: campaignPicker(simulator) };
	const buildRequest = ({ campaign }: { campaign: { id: string } }) => ({ path: { resourceId: campaign.id } });

	const getOperation = defineOperation({
		value: 'get',
		name: `Get ${noun}`,
		description: 'Get one simulation, with its scenarios, groups and settings',
		endpoint: getSimulatorEndpointKey(simulator, 'GET /api/SIM-simulator/SIM-campaign/{resourceId}'),
		scope: 'company',
		fields,
		request: buildRequest,
		// The whole record has 36 fields, so the simplified output contains only some of them (deployment beyond,
		// "Campaigns").
		response: recordResponse({
			outputFields: {
				id: ['resourceId'],
				simplified: [
					'name',
					`${simulator}Scenarios`,
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

	const deleteOperation = defineOperation({
		value: 'delete',
		name: `Delete ${noun}`,
		description: 'Remove a simulation; there is no trash to bring it back from',
		endpoint: getSimulatorEndpointKey(simulator, 'DELETE /api/SIM-simulator/SIM-campaign/{resourceId}'),
		scope: 'company',
		fields,
		request: buildRequest,
		response: emptyResponse({ deleted: true }),
	});

	return { get: getOperation, deleteOne: deleteOperation };
}

/** The values of the required fields for creating a campaign. */
interface CampaignValues {
	name: string;
	scenarios: string[];
	targetGroups: string[];
}

const TARGET_GROUPS_LABEL = 'Target Group Names or IDs';

/** Creates the required fields for creating a campaign. */
const createCampaignFields = (simulator: Simulator) => ({
	name: textField({
		displayName: 'Name',
		description: 'The name of the campaign',
		placeholder: 'e.g. Parcel notice, May',
		required: true,
	}),
	scenarios: scenarioPicker(simulator),
	targetGroups: resourceMultiPicker('targetGroups', { displayName: TARGET_GROUPS_LABEL, required: true }),
});

const additionalFieldsBlock = (fields: FieldMap) => collectionField({ displayName: 'Additional Fields', fields });

/**
 * Builds the body of the request that starts a campaign. The request that creates a campaign contains the same fields
 * and more.
 * @param additionalValues the values of 'Additional Fields'
 */
function buildStartBody(
	schedule: IDataObject,
	targetGroupIds: string[],
	additionalValues: Record<string, unknown>,
): IDataObject {
	const { additionalFieldsJson = {}, ...fieldValues } = additionalValues;
	const body: IDataObject = { ...schedule };
	if (targetGroupIds.length > 0) body.targetGroupResourceIds = targetGroupIds;
	return { ...body, ...toItemJson(fieldValues), ...toItemJson(additionalFieldsJson) };
}

/** Defines the operations that create and start campaigns (deployment beyond, "Campaigns"). */
function defineLaunchOperations(simulator: Simulator, getManyOperation: Operation) {
	const noun = `${getSimulatorTitle(simulator)} Campaign`;
	const launchFields = createLaunchFields(simulator);
	const scheduleFields = createScheduleFields(simulator);
	const campaignFields = createCampaignFields(simulator);

	const buildCreationBody = (
		{ name, scenarios, targetGroups }: CampaignValues,
		schedule: IDataObject,
		additionalValues: Record<string, unknown>,
	): IDataObject => {
		const creationValues = pick(additionalValues, Object.keys(launchFields.creationFields));
		return {
			name,
			[`${simulator}ScenarioResourceIds`]: scenarios,
			...buildStartBody(schedule, targetGroups, creationValues),
		};
	};

	const createOperation: Operation = defineOperation({
		value: 'create',
		name: `Create ${noun}`,
		description: 'Create a simulation without starting it; each execution creates another one',
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign'),
		scope: 'company',
		fields: {
			...campaignFields,
			...scheduleFields,
			additionalFields: additionalFieldsBlock(launchFields.creationFields),
		},
		request: ({ additionalFields, ...values }) => ({
			body: buildCreationBody(values, buildScheduleBody(values), additionalFields),
		}),
		response: recordResponse(),
		perform: async (_values, { request: { body = {} }, ...helpers }) => {
			const campaign = await createCampaign(simulator, { createOperation, getManyOperation }, body, helpers);
			return [{ json: campaign }];
		},
	});

	const startOperation = defineOperation({
		value: 'start',
		name: `Start ${noun}`,
		description: 'Start a simulation, now or at a time; each execution starts it again',
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job/start/{resourceId}'),
		scope: 'company',
		fields: {
			campaign: campaignPicker(simulator),
			...scheduleFields,
			targetGroups: rejectEmptyExpression(resourceMultiPicker('targetGroups', { displayName: TARGET_GROUPS_LABEL })),
			additionalFields: additionalFieldsBlock(launchFields.startFields),
		},
		request: ({ campaign: { id }, targetGroups, additionalFields, ...values }) => ({
			path: { resourceId: id },
			body: buildStartBody(buildScheduleBody(values), targetGroups, additionalFields),
		}),
		response: recordResponse({ valueField: 'resourceId' }),
	});

	const createAndStartOperation = defineComposite({
		value: 'createAndStart',
		name: `Create and Start ${noun}`,
		// Only smishing sends text messages. Quishing sends its QR codes by email.
		description: `Create a simulation and start it now: ${simulator === 'smishing' ? 'text messages' : 'emails'} go out, each time anew`,
		scope: 'company',
		fields: {
			...campaignFields,
			additionalFields: additionalFieldsBlock({ ...launchFields.creationFields, ...launchFields.startFields }),
		},
		isReadOnly: false,
		dependencies: [getManyOperation, createOperation, startOperation],
		run: async ({ additionalFields, ...values }, helpers) => {
			const schedule = { scheduleTypeId: SCHEDULE_TYPE_NOW };
			const creationBody = buildCreationBody(values, schedule, additionalFields);
			const campaign = await createCampaign(simulator, { createOperation, getManyOperation }, creationBody, helpers);
			// 'Additional Fields (JSON)' contains fields of the campaign, so it is sent only in the request that creates the
			// campaign.
			const startFields = omit(launchFields.startFields, 'additionalFieldsJson');
			const startValues = pick(additionalFields, Object.keys(startFields));
			const startBody = buildStartBody(schedule, values.targetGroups, startValues);
			await startCreatedCampaign(simulator, startOperation, campaign, startBody, helpers);
			return [{ json: { ...campaign, started: true } }];
		},
	});
	return { create: createOperation, createAndStart: createAndStartOperation, start: startOperation };
}

/**
 * Starts a campaign that was just created.
 * @throws RequestError with the campaign's ID and advice on how to start it
 */
async function startCreatedCampaign(
	simulator: Simulator,
	startOperation: Operation,
	{ resourceId }: CreatedCampaign,
	body: IDataObject,
	{ callOperation }: Pick<OperationHelpers, 'callOperation'>,
): Promise<void> {
	try {
		await callOperation(startOperation, { path: { resourceId }, body });
	} catch (error) {
		if (!(error instanceof RequestError)) throw toError(error);
		const advice = buildStartAdvice(
			simulator,
			error.details.mayHaveBeenApplied ? 'If it has no job, start it' : 'Start it',
		);
		throw createPartialFailure(error.details, `the campaign was created with the ID '${resourceId}'`, advice);
	}
}
