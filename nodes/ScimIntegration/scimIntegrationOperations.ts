import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import { listResponse } from '../core/response/listResponse';
import { emptyResponse, plainListResponse, recordResponse } from '../core/response/recordResponse';
import { collectionField, rowsField } from '../core/fields/collection';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { platformPicker } from '../domain/pickers/platformLists';
import { resourcePicker, SCIM_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { isRecord, omitUndefined, readId, toItemJson } from '../core/values';
import { readOptionalList } from '../core/pagination/readCompleteList';

/** Returns the record that holds the token. Some deployments wrap it in a list with one entry (deployment shapes, "System users and SCIM"). */
function unwrapTokenRecord(record: IDataObject): IDataObject {
	const entries: unknown[] = Array.isArray(record.results) ? record.results : [];
	const [firstEntry] = entries;
	return entries.length === 1 && isRecord(firstEntry) ? toItemJson(firstEntry) : record;
}

/**
 * The form fields for a new integration (contract 2.13). The contract doesn't say which fields a field mapping has, so they follow live
 * deployments (deployment facts, "Requests").
 */
const scimIntegrationFields = {
	name: textField({
		displayName: 'Name',
		description: 'A name that no other SCIM integration of the company has, such as Entra ID',
		placeholder: 'e.g. Entra ID',
		required: true,
		max: 30,
	}),
	fieldMappings: rowsField({
		displayName: 'Field Mappings',
		description: 'User attributes from the identity provider to save in custom fields of the platform',
		buttonText: 'Add Mapping',
		rowLabel: 'Mapping',
		fields: {
			scimField: resourcePicker('scimFields', {
				displayName: 'SCIM Field',
				description: 'A user attribute that the identity provider sends, such as department',
			}),
			customFieldId: platformPicker('customFields', {
				displayName: 'Custom Field',
				required: true,
				description: 'The custom field of the platform to save the attribute in, such as Cost Center',
			}),
		},
	}),
	additionalFields: collectionField({
		displayName: 'Additional Fields',
		fields: {
			groupBy: resourcePicker('scimFields', {
				displayName: 'Group By',
				required: false,
				description: 'The user attribute by which the platform groups users, such as department',
			}),
			syncPlatformGroup: toggleField({
				displayName: 'Sync Platform Groups',
				description: "Whether to copy the identity provider's groups to the platform",
				default: true,
			}),
			targetGroup: resourcePicker('targetGroups', {
				displayName: 'Target Group',
				required: false,
				description:
					'The target group to add new users to. Without a group, new users only appear under Target Users > People.',
			}),
		},
	}),
};

/**
 * Finds the ID of a new integration by its name. If the search fails, no error is thrown, because the operation would then lose the token,
 * which the platform shows only once.
 * @returns undefined if no integration or several have the name, or if the list can't be read
 */
async function findIntegrationIdByName(context: OperationContext, name: string): Promise<string | undefined> {
	const request = { endpoint: 'POST /api/scim/search' } as const;
	const options = { identity: SCIM_ID_FIELDS };
	const integrations = await readOptionalList(context, request, options, 'The list of SCIM integrations', name);
	const matches = integrations?.filter((integration) => integration.name === name) ?? [];
	const [match] = matches;
	return match && matches.length === 1 ? readId(match, SCIM_ID_FIELDS) : undefined;
}

/** Matches the names that platforms use for the token's field: token, scimToken. The contract doesn't name the field (contract 2.13). */
const TOKEN_FIELD_PATTERN = /token$/i;

const createScimIntegrationOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create SCIM integration',
	description: 'Set up a connection through which an identity provider creates and updates users',
	outputNote:
		"The platform shows the token only once, so save it. If you lose the token, use 'Revoke SCIM token' to get a new one.",
	hasSecretOutput: true,
	endpoint: 'POST /api/scim',
	scope: 'company',
	fields: scimIntegrationFields,
	request: ({ name, fieldMappings, additionalFields }) => ({
		body: omitUndefined({
			name,
			groupResourceId: additionalFields.targetGroup?.id,
			groupBySCIMFieldResourceId: additionalFields.groupBy?.id,
			syncPlatformGroup: additionalFields.syncPlatformGroup,
			fieldMappings: fieldMappings.map(({ scimField, customFieldId }) => ({
				customFieldResourceId: customFieldId,
				scimFieldResourceId: scimField.id,
			})),
		}),
	}),
	response: recordResponse({
		valueField: 'token',
		requiredValue: {
			fieldPattern: TOKEN_FIELD_PATTERN,
			reason: 'the integration was created, but the platform returned no token',
			advice:
				"Get a token with 'Revoke SCIM token'. Don't run this operation again, because it would create a second integration.",
		},
	}),
	perform: async ({ name }, { send, context }) => {
		const [item] = await send();
		const json = item?.json ?? {};
		const resourceId = readId(json, SCIM_ID_FIELDS) ?? (await findIntegrationIdByName(context, name));
		if (resourceId === undefined)
			context.addHint(
				"The integration was created, but the platform didn't return its ID. Find the ID with 'Get many SCIM integrations'.",
				name,
			);
		return [{ json: { ...json, ...omitUndefined({ resourceId }), name } }];
	},
});

const deleteScimIntegrationOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete SCIM integration',
	description: 'Delete a SCIM integration so that the identity provider no longer updates users',
	endpoint: 'DELETE /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: resourcePicker('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	response: emptyResponse({ deleted: true }),
});

const getScimIntegrationOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SCIM integration',
	description: 'Get a SCIM integration with its groups and field mappings',
	endpoint: 'GET /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: resourcePicker('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	response: recordResponse(),
});

const getScimFieldsOperation = defineOperation({
	value: 'getFields',
	name: 'Get Fields',
	action: 'Get SCIM fields',
	description: 'List the user attributes that you can map, or group users by, such as department',
	endpoint: 'GET /api/scim/fields',
	scope: 'company',
	response: plainListResponse(),
});

const getScimIntegrationsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many SCIM integrations',
	description: 'List the SCIM integrations of one customer or all customers',
	endpoint: 'POST /api/scim/search',
	scope: 'companies',
	response: listResponse({ identity: SCIM_ID_FIELDS }),
});

const revokeScimTokenOperation = defineOperation({
	value: 'revokeToken',
	name: 'Revoke Token',
	action: 'Revoke SCIM token',
	description: 'Revoke the token of a SCIM integration and get a new one',
	outputNote:
		'The platform shows the new token only once, in this output. Enter the new token at the identity provider, because the old one no longer works.',
	hasSecretOutput: true,
	endpoint: 'POST /api/scim/{resourceId}/revoke',
	scope: 'company',
	fields: { scimIntegration: resourcePicker('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	response: recordResponse({
		valueField: 'token',
		flatten: (records) => records.map(unwrapTokenRecord),
		requiredValue: {
			fieldPattern: TOKEN_FIELD_PATTERN,
			reason: "the token was replaced, but the platform didn't return the new one",
			advice: "The identity provider can't connect until it has a new token. Run the node again to create another one.",
		},
	}),
});

const updateScimIntegrationOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update SCIM integration',
	description: 'Rename a SCIM integration',
	endpoint: 'PUT /api/scim/{resourceId}',
	scope: 'company',
	fields: {
		scimIntegration: resourcePicker('scimIntegrations'),
		name: textField({
			displayName: 'Name',
			description: 'The new name of the SCIM integration',
			placeholder: 'e.g. Entra ID',
			required: true,
			max: 30,
		}),
	},
	request: ({ scimIntegration, name }) => ({
		path: { resourceId: scimIntegration.id },
		body: { name },
	}),
	response: recordResponse({ valueField: 'resourceId' }),
});

/** The operations of the SCIM Integration node. The node's properties list their forms in this order. */
export const scimIntegrationOperations = [
	createScimIntegrationOperation,
	deleteScimIntegrationOperation,
	getScimIntegrationOperation,
	getScimFieldsOperation,
	getScimIntegrationsOperation,
	revokeScimTokenOperation,
	updateScimIntegrationOperation,
];
