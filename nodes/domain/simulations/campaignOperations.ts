import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fileResponse } from '../../core/response/fileResponse';
import { DEFAULT_SORTABLE_FIELDS, listResponse } from '../../core/response/listResponse';
import { emptyResponse, recordResponse } from '../../core/response/recordResponse';
import { collectionField } from '../../core/fields/collection';
import { rejectEmptyExpression, type FieldMap } from '../../core/fields/field';
import { addJsonFields } from '../../core/fields/jsonFields';
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
import { isEmpty, readId, toItemJson } from '../../core/values';
import { getCampaignOutputFields } from './campaignOutputFields';
import { buildStartAdvice, createCampaign, type CreatedCampaign } from './createCampaign';
import { createLaunchFields, SCHEDULE_TYPE_NOW, buildScheduleBody, createScheduleFields } from './launchFields';
import { getCampaignIdFields, campaignPicker, scenarioPicker, type Simulator } from './simulator';
import { describeLaunch, PEOPLE_COUNT_NOTE, readLaunchDetails } from './launchReport';
import { createTestFilterOptions } from './testFilterOptions';
import { readRecordIfPossible, type WriteResult } from '../writeReport';

/**
 * Defines the operations for campaigns (contract 4.9; deployment beyond, "Campaigns"; deployment activity 7, 8). The
 * operations for jobs and results are in other files.
 */
export function defineCampaignOperations(simulator: Simulator) {
	const getManyOperation = defineGetManyCampaigns(simulator);
	const getAndDeleteOperations = defineGetAndDeleteOperations(simulator);
	return {
		getMany: getManyOperation,
		exportMany: defineExportCampaigns(simulator),
		getDeliveryDomains: defineGetDeliveryDomains(simulator),
		...getAndDeleteOperations,
		...defineLaunchOperations(simulator, getManyOperation, getAndDeleteOperations.get),
	};
}

function defineGetManyCampaigns(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getMany',
		name: 'Get Many',
		action: `Get many ${simulator} campaigns`,
		description: `List ${simulator} campaigns`,
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
		name: 'Export',
		action: `Export ${simulator} campaigns`,
		description: `Export the list of ${simulator} campaigns to a CSV or Excel file`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign/search/export'),
		scope: 'companies',
		response: fileResponse({
			fallbackName: `${simulator}-campaigns`,
			sortableFields: DEFAULT_SORTABLE_FIELDS,
			isSinglePage: true,
		}),
	});
}

/** Defines the operation that lists the domains of the links in a simulator's messages (deployment onboarding 2). */
function defineGetDeliveryDomains(simulator: Simulator): Operation {
	return defineOperation({
		value: 'getDeliveryDomains',
		name: 'Get Link Domains',
		action: `Get ${simulator} link domains`,
		description:
			simulator === 'smishing'
				? 'List the domains of the links in smishing simulations'
				: `List the domains of the links in ${simulator} simulations, to allow them in the customer's mail filter`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/domain-records/search'),
		scope: 'companies',
		response: listResponse({
			identity: ['resourceId'],
			outputFields: {
				simplified: ['domain', 'status', 'healthStatus', 'healthStatusMessage', 'isOwner', 'resourceId'],
				additional: ['dnsServiceProviderName', 'dnsRecord', 'createdBy', 'createTime'],
			},
			sortableFields: { 'Create Time': 'CreateTime', Domain: 'Domain' },
		}),
	});
}

/** Defines the operations that get and delete one campaign. */
function defineGetAndDeleteOperations(simulator: Simulator) {
	const fields = { campaign: campaignPicker(simulator) };
	const buildRequest = ({ campaign }: { campaign: { id: string } }) => ({ path: { resourceId: campaign.id } });

	const getOperation = defineOperation({
		value: 'get',
		name: 'Get',
		action: `Get ${simulator} campaign`,
		description: 'Get the scenarios, target groups and settings of a campaign',
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
					'scheduledDateTimeZoneId',
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
		name: 'Delete',
		action: `Delete ${simulator} campaign`,
		description: 'Delete a campaign permanently',
		endpoint: getSimulatorEndpointKey(simulator, 'DELETE /api/SIM-simulator/SIM-campaign/{resourceId}'),
		scope: 'company',
		fields,
		request: buildRequest,
		response: emptyResponse({ deleted: true }),
		perform: async ({ campaign }, helpers) => {
			// Without a name, the campaign was entered by its ID. Its name can't be read after the deletion.
			const record = campaign.name
				? {}
				: await readRecordIfPossible(getOperation, { path: { resourceId: campaign.id } }, helpers);
			const name = campaign.name || (readId(record, ['name']) ?? null);
			const results = await helpers.send();
			return results.map(({ json }) => ({ json: { name, ...json } }));
		},
	});

	return { get: getOperation, deleteOne: deleteOperation };
}

/** The values of the required fields for creating a campaign. */
interface CampaignValues {
	name: string;
	scenarios: string[];
	targetGroups: string[];
}

const CREATION_SCHEDULE = { isDateRequired: false };
const START_SCHEDULE = { isDateRequired: true };

const TARGET_GROUPS_LABEL = 'Target Group Names or IDs';

/** Creates the required fields for creating a campaign. */
const createRequiredCampaignFields = (simulator: Simulator) => ({
	name: textField({
		displayName: 'Name',
		description: 'The name that the campaign has in lists and reports',
		placeholder: 'e.g. Parcel Notice May 2026',
		required: true,
	}),
	scenarios: scenarioPicker(simulator),
	targetGroups: resourceMultiPicker('targetGroups', {
		displayName: TARGET_GROUPS_LABEL,
		description: 'The target groups to send the campaign to',
		required: true,
	}),
});

const additionalFieldsBlock = (fields: FieldMap) => collectionField({ displayName: 'Additional Fields', fields });

/**
 * Builds the body of the request that starts a campaign. The one that creates a campaign has the same fields and more.
 * @param ownFields the schedule, and the fields that only a creation has
 * @param additionalValues the values of 'Additional Fields'
 * @throws InvalidInputError if 'Additional Fields (JSON)' has a field that the form sets
 */
function buildStartBody(
	ownFields: IDataObject,
	targetGroupIds: string[],
	additionalValues: Record<string, unknown>,
): IDataObject {
	const { additionalFieldsJson = {}, ...fieldValues } = additionalValues;
	const targetGroupResourceIds = targetGroupIds.length > 0 ? targetGroupIds : undefined;
	return addJsonFields({ ...ownFields, targetGroupResourceIds, ...fieldValues }, toItemJson(additionalFieldsJson));
}

/**
 * Creates the hint for a campaign that was only created, but with a start date. No document says if the platform starts
 * it at this date. The status names are those of deployment behaviour, "Campaign reports".
 */
const describeUncertainStart = (simulator: Simulator) =>
	`The campaign was created with a start date, but this operation doesn't start it, and the platform may not start it at that date either. If 'Get many ${simulator} campaigns' doesn't show it as Scheduled, use 'Start ${simulator} campaign'.`;

/** The schedule of a campaign that starts at once. */
const IMMEDIATE_SCHEDULE = { scheduleTypeId: SCHEDULE_TYPE_NOW };

/** Defines the operations that create and start campaigns (deployment beyond, "Campaigns"). */
function defineLaunchOperations(simulator: Simulator, getManyOperation: Operation, getOperation: Operation) {
	const launchFields = createLaunchFields(simulator);
	const campaignFields = createRequiredCampaignFields(simulator);

	const buildCreationBody = (
		{ name, scenarios, targetGroups }: CampaignValues,
		schedule: IDataObject,
		additionalValues: Record<string, unknown>,
	): IDataObject => {
		const creationValues = pick(additionalValues, Object.keys(launchFields.creationFields));
		const formFields = { name, [`${simulator}ScenarioResourceIds`]: scenarios, ...schedule };
		return buildStartBody(formFields, targetGroups, creationValues);
	};

	const createOperation: Operation = defineOperation({
		value: 'create',
		name: 'Create',
		action: `Create ${simulator} campaign`,
		description: 'Create a campaign without starting it',
		outputNote: `Each execution creates a new campaign and sends nothing. To send the campaign, use 'Start ${simulator} campaign'.`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign'),
		scope: 'company',
		fields: {
			...campaignFields,
			...createScheduleFields(simulator, CREATION_SCHEDULE),
			additionalFields: additionalFieldsBlock(launchFields.creationFields),
		},
		request: ({ additionalFields, ...values }) => ({
			body: buildCreationBody(values, buildScheduleBody(values, CREATION_SCHEDULE), additionalFields),
		}),
		response: recordResponse(),
		perform: async (_values, { request: { body = {} }, ...helpers }) => {
			const campaign = await createCampaign(simulator, { createOperation, getManyOperation }, body, helpers);
			if (!isEmpty(body.scheduledDate)) helpers.context.addHint(describeUncertainStart(simulator));
			const result: WriteResult = 'created';
			return [{ json: { ...campaign, result } }];
		},
	});

	const startOperation = defineOperation({
		value: 'start',
		name: 'Start',
		action: `Start ${simulator} campaign`,
		description: 'Start a campaign now or at a date',
		outputNote: `Each execution starts the campaign again. ${PEOPLE_COUNT_NOTE}`,
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign-job/start/{resourceId}'),
		scope: 'company',
		fields: {
			campaign: campaignPicker(simulator),
			...createScheduleFields(simulator, START_SCHEDULE),
			targetGroups: rejectEmptyExpression(
				resourceMultiPicker('targetGroups', {
					displayName: TARGET_GROUPS_LABEL,
					description: 'The target groups to send the campaign to',
					hint: 'Leave empty to send the campaign to the target groups that it was created with',
				}),
			),
			additionalFields: additionalFieldsBlock(launchFields.startFields),
		},
		request: ({ campaign: { id }, targetGroups, additionalFields, ...values }) => ({
			path: { resourceId: id },
			body: buildStartBody(buildScheduleBody(values, START_SCHEDULE), targetGroups, additionalFields),
		}),
		response: recordResponse({ valueField: 'resourceId' }),
		perform: async ({ campaign }, helpers) => {
			const results = await helpers.send();
			const { body = {} } = helpers.request;
			const launch = describeLaunch(body, helpers.context.timezone);
			const path = { resourceId: campaign.id };
			const record = await readRecordIfPossible(getOperation, { path }, helpers);
			const details = await readLaunchDetails({ ...record, ...body }, helpers.context);
			const name = readId(record, ['name']) ?? (campaign.name || null);
			return results.map(({ json }) => ({ json: { name, ...launch, ...details, ...json } }));
		},
	});

	const createAndStartOperation = defineComposite({
		value: 'createAndStart',
		name: 'Create and Start',
		action: `Create and start ${simulator} campaign`,
		// Only smishing sends text messages. Quishing sends its QR codes by email.
		description: `Create a campaign and send its ${simulator === 'smishing' ? 'text messages' : 'emails'} now`,
		outputNote: `Each execution creates a new campaign and sends its messages. ${PEOPLE_COUNT_NOTE}`,
		scope: 'company',
		fields: {
			...campaignFields,
			additionalFields: additionalFieldsBlock({ ...launchFields.creationFields, ...launchFields.startFields }),
		},
		isReadOnly: false,
		dependencies: [getManyOperation, createOperation, startOperation],
		check: ({ additionalFields, ...values }) => {
			buildCreationBody(values, IMMEDIATE_SCHEDULE, additionalFields);
		},
		run: async ({ additionalFields, ...values }, helpers) => {
			const creationBody = buildCreationBody(values, IMMEDIATE_SCHEDULE, additionalFields);
			const campaign = await createCampaign(simulator, { createOperation, getManyOperation }, creationBody, helpers);
			// 'Additional Fields (JSON)' contains fields of the campaign, so it is sent only in the request that creates the
			// campaign.
			const startFields = omit(launchFields.startFields, 'additionalFieldsJson');
			const startValues = pick(additionalFields, Object.keys(startFields));
			const startBody = buildStartBody(IMMEDIATE_SCHEDULE, values.targetGroups, startValues);
			await startCreatedCampaign(simulator, startOperation, campaign, startBody, helpers);
			const launch = describeLaunch(startBody, helpers.context.timezone);
			const details = await readLaunchDetails(creationBody, helpers.context);
			// The status in the response to the creation is left out, because the campaign had not been started then.
			return [{ json: { ...omit(campaign, 'status'), ...launch, ...details } }];
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
			error.details.mayHaveBeenApplied ? 'If the campaign has no job, start it' : 'Start the campaign',
		);
		throw createPartialFailure(error.details, `the campaign was created with the ID '${resourceId}'`, advice);
	}
}
