import { identityOf } from '../../shared/answer/paging';
import { record } from '../../shared/answer/record';
import { collection, rows } from '../../shared/form/collection';
import { text } from '../../shared/form/text';
import { toggle } from '../../shared/form/toggle';
import { idField } from '../../shared/form/id';
import { readOptionalList } from '../../shared/operation/optionalList';
import { defineOperation } from '../../shared/operation/define';
import { SCIM_ID, scimFieldPicker } from '../../shared/pickers/scim';
import { targetGroupPicker } from '../../shared/pickers/targetGroup';
import { withTokenOnTop } from '../token';

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
			scimField: scimFieldPicker({
				displayName: 'SCIM Field',
				description: 'The attribute that the identity provider sends',
			}),
			customFieldId: idField({
				displayName: 'Custom Field ID',
				description: 'The custom field of the platform that gets its value',
			}),
		},
	}),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			groupBy: scimFieldPicker({
				displayName: 'Group By',
				required: false,
				description: 'The attribute whose values become target groups, such as department',
			}),
			syncPlatformGroup: toggle({
				displayName: 'Sync Platform Groups',
				description: "Whether the platform's groups are synchronized as well",
				default: true,
			}),
			targetGroup: targetGroupPicker({
				displayName: 'Target Group',
				required: false,
				description: 'The group that new users are added to; without it they appear under Target Users, People',
			}),
		},
	}),
};

export const create = defineOperation({
	value: 'create',
	name: 'Create SCIM Integration',
	action: 'Create SCIM integration',
	description:
		'Set up user provisioning; the output has the address for the identity provider and its token, only here',
	outputsSecret: true,
	contract: 'POST /api/scim',
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
	answer: record({ as: 'token' }),
	perform: async ({ name }, { send, session }) => {
		const [created = { json: {} }] = await send();
		const json = withTokenOnTop(created.json);
		if (identityOf(json, SCIM_ID) !== undefined) return [{ json }];
		// The token is shown only here, so no later failure may lose it.
		const listed = await readOptionalList(session, { contract: 'POST /api/scim/search' }, { identity: SCIM_ID }, name);
		const [found, ...others] = listed?.filter((each) => each.name === name) ?? [];
		const resourceId = found && others.length === 0 ? identityOf(found, SCIM_ID) : undefined;
		if (resourceId === undefined)
			session.hint(
				`The integration '${name}' was created, but the service did not return its ID. 'Get Many SCIM Integrations' lists it.`,
			);
		return [{ json: { ...json, ...(resourceId === undefined ? {} : { resourceId }), name } }];
	},
});
