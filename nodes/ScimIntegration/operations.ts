import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import { pages } from '../core/response/listResponse';
import { done, plainList, record } from '../core/response/recordResponse';
import { collection, rows } from '../core/fields/collection';
import { text, toggle } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { platformPicker } from '../domain/pickers/platformLists';
import { pickerOf, SCIM_ID } from '../domain/pickers/resourcePickers';
import { identityOf, isRecord } from '../core/values';
import { readOptionalList } from '../core/pagination/readList';

/**
 * Moves the token of an answer to the top level: some deployments return it in a list with one entry (deployment shapes, revoke).
 */
function withTokenOnTop(answer: IDataObject): IDataObject {
	const listed: unknown[] = Array.isArray(answer.results) ? answer.results : [];
	const [only, ...others] = listed;
	// Values parsed from JSON are valid for an item's json.
	return isRecord(only) && others.length === 0 ? (only as IDataObject) : answer;
}

/** The fields of contract 2.13; the form of the mappings is from the deployment facts. */
const fields = {
	name: text({
		displayName: 'Name',
		description: 'The name of the integration; it must be unique in the company',
		placeholder: 'e.g. Entra ID',
		required: true,
		max: 30,
	}),
	fieldMappings: rows({
		displayName: 'Field Mappings',
		description: 'Which attribute of the identity provider is written to which custom field',
		button: 'Add Mapping',
		row: 'Mapping',
		fields: {
			scimField: pickerOf('scimFields', {
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
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			groupBy: pickerOf('scimFields', {
				displayName: 'Group By',
				required: false,
				description: 'The attribute whose values become target groups, such as department',
			}),
			syncPlatformGroup: toggle({
				displayName: 'Sync Platform Groups',
				description: "Whether the platform's groups are synchronized as well",
				default: true,
			}),
			targetGroup: pickerOf('targetGroups', {
				displayName: 'Target Group',
				required: false,
				description: 'The group that new users are added to; without it they appear under Target Users, People',
			}),
		},
	}),
};

/** The ID of the one integration of a name. The token is shown only once, so a search that fails must not lose it. */
async function idByName(context: OperationContext, name: string): Promise<string | undefined> {
	const request = { endpoint: 'POST /api/scim/search' } as const;
	const listed = await readOptionalList(context, request, { identity: SCIM_ID }, 'The list of SCIM integrations', name);
	const [found, ...others] = listed?.filter((each) => each.name === name) ?? [];
	return found && others.length === 0 ? identityOf(found, SCIM_ID) : undefined;
}

/** What platforms call the token (contract 2.13 does not say it): token, scimToken. */
const TOKEN = /token$/i;

const create = defineOperation({
	value: 'create',
	name: 'Create SCIM Integration',
	description:
		'Set up user provisioning, a second one if there is one; its token is shown once, Revoke SCIM Token renews it',
	outputsSecret: true,
	endpoint: 'POST /api/scim',
	scope: 'company',
	fields,
	request: ({ name, fieldMappings, additionalFields: more }) => ({
		body: {
			name,
			...(more.targetGroup ? { groupResourceId: more.targetGroup.id } : {}),
			...(more.groupBy ? { groupBySCIMFieldResourceId: more.groupBy.id } : {}),
			...(more.syncPlatformGroup === undefined ? {} : { syncPlatformGroup: more.syncPlatformGroup }),
			fieldMappings: fieldMappings.map(({ scimField, customFieldId }) => ({
				customFieldResourceId: customFieldId,
				scimFieldResourceId: scimField.id,
			})),
		},
	}),
	answer: record({
		as: 'token',
		onlyHere: {
			field: TOKEN,
			reason: 'the integration was created, but the service returned no token',
			advice:
				"Get one with the operation 'Revoke SCIM Token'. Do not run this one again: 'Get Many SCIM Integrations' lists the integration.",
		},
	}),
	perform: async ({ name }, { send, context }) => {
		const [{ json } = { json: {} }] = await send();
		const resourceId = identityOf(json, SCIM_ID) ?? (await idByName(context, name));
		if (resourceId === undefined)
			context.hint(
				"The integration was created, but the service did not return its ID. 'Get Many SCIM Integrations' lists it.",
				name,
			);
		return [{ json: { ...json, ...(resourceId === undefined ? {} : { resourceId }), name } }];
	},
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete SCIM Integration',
	description: 'Remove a connection to an identity provider, which then provisions nobody',
	endpoint: 'DELETE /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: pickerOf('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	answer: done({ deleted: true }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get SCIM Integration',
	description: 'Get the details of one connection to an identity provider',
	endpoint: 'GET /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: pickerOf('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	answer: record(),
});

const getFields = defineOperation({
	value: 'getFields',
	name: 'Get SCIM Fields',
	description: 'List the attributes of users, such as department, that can be mapped or grouped by',
	endpoint: 'GET /api/scim/fields',
	scope: 'company',
	answer: plainList(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many SCIM Integrations',
	description: 'List the connections to identity providers, of one customer or of every one',
	endpoint: 'POST /api/scim/search',
	scope: 'companies',
	answer: pages({ identity: SCIM_ID }),
});

const revokeToken = defineOperation({
	value: 'revokeToken',
	name: 'Revoke SCIM Token',
	description: 'Replace the token of a connection; the new one is shown only here, and the identity provider needs it',
	outputsSecret: true,
	endpoint: 'POST /api/scim/{resourceId}/revoke',
	scope: 'company',
	fields: { scimIntegration: pickerOf('scimIntegrations') },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	answer: record({
		as: 'token',
		flatten: (records) => records.map(withTokenOnTop),
		onlyHere: {
			field: TOKEN,
			reason: 'the token was replaced, but the service did not return the new one',
			advice:
				'The identity provider cannot sign in until it has a new one. Run the node again: it makes another token.',
		},
	}),
});

const update = defineOperation({
	value: 'update',
	name: 'Update SCIM Integration',
	description: 'Rename a connection to an identity provider',
	endpoint: 'PUT /api/scim/{resourceId}',
	scope: 'company',
	fields: {
		scimIntegration: pickerOf('scimIntegrations'),
		name: text({
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
	answer: record({ as: 'resourceId' }),
});

export const operations = [create, deleteOne, get, getFields, getMany, revokeToken, update];
