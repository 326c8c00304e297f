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

/** Contract 2.13, and the form of the mappings from the deployment facts. */
const fields = {
	name: text({
		displayName: 'Name',
		description: 'What the integration is called; no two of a company may be called alike',
		placeholder: 'e.g. Entra ID',
		required: true,
		max: 30,
	}),
	fieldMappings: rows({
		displayName: 'Field Mappings',
		description: 'Which attribute of the identity provider fills which custom field',
		button: 'Add Mapping',
		row: 'Mapping',
		fields: {
			scimField: scimFieldPicker({
				displayName: 'SCIM Field',
				description: 'The attribute that the identity provider sends',
			}),
			customFieldId: idField({
				displayName: 'Custom Field ID',
				description: 'The custom field of the platform that takes its value',
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
				description: "Whether the platform's groups are kept in step as well",
				default: true,
			}),
			targetGroup: targetGroupPicker({
				displayName: 'Target Group',
				required: false,
				description: 'Where new users are put; without it they appear under Target Users, People',
			}),
		},
	}),
};

export const create = defineOperation({
	value: 'create',
	name: 'Create SCIM Integration',
	action: 'Create SCIM integration',
	description:
		'Set up the provisioning of users; gives the address for the identity provider, and the token, only here',
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
		const [made = { json: {} }] = await send();
		const json = withTokenOnTop(made.json);
		if (identityOf(json, SCIM_ID) !== undefined) return [{ json }];
		// The token is shown only here, so nothing that fails from now on may cost it.
		const listed = await readOptionalList(session, { contract: 'POST /api/scim/search' }, { identity: SCIM_ID }, name);
		const [found, ...others] = listed?.filter((each) => each.name === name) ?? [];
		const resourceId = found && others.length === 0 ? identityOf(found, SCIM_ID) : undefined;
		if (resourceId === undefined)
			session.hint(
				`The integration '${name}' was created, but the service did not say under which ID. 'Get Many SCIM Integrations' lists it.`,
			);
		return [{ json: { ...json, ...(resourceId === undefined ? {} : { resourceId }), name } }];
	},
});
