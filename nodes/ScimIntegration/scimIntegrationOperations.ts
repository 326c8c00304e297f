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
		description: 'The name of the integration; it must be unique in the company',
		placeholder: 'e.g. Entra ID',
		required: true,
		max: 30,
	}),
	fieldMappings: rowsField({
		displayName: 'Field Mappings',
		description: 'Which attribute of the identity provider is written to which custom field',
		buttonText: 'Add Mapping',
		rowLabel: 'Mapping',
		fields: {
			scimField: resourcePicker('scimFields', {
				displayName: 'SCIM Field',
				description: 'The attribute that the identity provider sends',
			}),
			customFieldId: platformPicker('customFields', {
				displayName: 'Custom Field ID',
				required: true,
				description: 'The custom field of the platform that gets its value',
			}),
		},
	}),
	additionalFields: collectionField({
		displayName: 'Additional Fields',
		fields: {
			groupBy: resourcePicker('scimFields', {
				displayName: 'Group By',
				required: false,
				description: 'The attribute whose values become target groups, such as department',
			}),
			syncPlatformGroup: toggleField({
				displayName: 'Sync Platform Groups',
				description: "Whether the platform's groups are synchronized as well",
				default: true,
			}),
			targetGroup: resourcePicker('targetGroups', {
				displayName: 'Target Group',
				required: false,
				description: 'The group that new users are added to; without it they appear under Target Users, People',
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
	name: 'Create SCIM Integration',
	description:
		'Set up user provisioning, a second one if there is one; its token is shown once, Revoke SCIM Token renews it',
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
			reason: 'the integration was created, but the service returned no token',
			advice:
				"Get one with the operation 'Revoke SCIM Token'. Do not run this one again: 'Get Many SCIM Integrations' lists the integration.",
		},
	}),
	perform: async ({ name }, { send, context }) => {
		const [item] = await send();
		const json = item?.json ?? {};
		const resourceId = readId(json, SCIM_ID_FIELDS) ?? (await findIntegrationIdByName(context, name));
		if (resourceId === undefined)
			context.addHint(
				"The integration was created, but the service did not return its ID. 'Get Many SCIM Integrations' lists it.",
				name,
			);
		return [{ json: { ...json, ...omitUndefined({ resourceId }), name } }];
	},
});

const deleteScimIntegrationOperation = defineOperation({
	value: 'delete',
	name: 'Delete SCIM Integration',
	description: 'Remove a connection to an identity provider, which then provisions nobody',
	endpoint: 'DELETE /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: resourcePicker('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	response: emptyResponse({ deleted: true }),
});

const getScimIntegrationOperation = defineOperation({
	value: 'get',
	name: 'Get SCIM Integration',
	description: 'Get the details of one connection to an identity provider',
	endpoint: 'GET /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: resourcePicker('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	response: recordResponse(),
});

const getScimFieldsOperation = defineOperation({
	value: 'getFields',
	name: 'Get SCIM Fields',
	description: 'List the attributes of users, such as department, that can be mapped or grouped by',
	endpoint: 'GET /api/scim/fields',
	scope: 'company',
	response: plainListResponse(),
});

const getScimIntegrationsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many SCIM Integrations',
	description: 'List the connections to identity providers, of one customer or of every one',
	endpoint: 'POST /api/scim/search',
	scope: 'companies',
	response: listResponse({ identity: SCIM_ID_FIELDS }),
});

const revokeScimTokenOperation = defineOperation({
	value: 'revokeToken',
	name: 'Revoke SCIM Token',
	description: 'Replace the token of a connection; the new one is shown only here, and the identity provider needs it',
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
			reason: 'the token was replaced, but the service did not return the new one',
			advice:
				'The identity provider cannot sign in until it has a new one. Run the node again: it makes another token.',
		},
	}),
});

const updateScimIntegrationOperation = defineOperation({
	value: 'update',
	name: 'Update SCIM Integration',
	description: 'Rename a connection to an identity provider',
	endpoint: 'PUT /api/scim/{resourceId}',
	scope: 'company',
	fields: {
		scimIntegration: resourcePicker('scimIntegrations'),
		name: textField({
			displayName: 'Name',
			description: 'The new name of the integration',
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
