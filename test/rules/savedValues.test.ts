/**
 * Compares everything that n8n saves in workflows and credentials with the list in __snapshots__: resources, operations, names of fields
 * and values of options. None of these may ever change or disappear, because saved workflows would stop working. A new entry is added to
 * the list with `npx jest test/rules/savedValues -u`; the difference in git must then have added lines only.
 */
import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { SecurityAwarenessOAuth2Api } from '../../credentials/SecurityAwarenessOAuth2Api.credentials';
import { loadNode, manifest } from '../n8n-core/package';
import { getOptions, listFields } from './nodeFields';

/** The types of fields whose option values n8n saves. */
const CHOICE_TYPES: NodePropertyTypes[] = ['options', 'multiOptions'];

/** Formats the resource and the operation for which a form shows a field: "campaignJob.getMany". */
const formatForm = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
	[show.resource, show.operation].flatMap((values) => values ?? []).join('.');

/** Lists the values that can be saved in a field: its options, or the modes of a resource locator. */
function listSavedValues(property: INodeProperties): string[] {
	if (property.type === 'resourceLocator') return (property.modes ?? []).map(({ name }) => `mode ${name}`);
	return CHOICE_TYPES.includes(property.type) ? getOptions(property).map(({ value }) => JSON.stringify(value)) : [];
}

/** Lists the names and values that a form saves, one line for each field: "campaignJob.getMany: filters.condition = "AND", "OR"". */
function listSavedLines(properties: INodeProperties[]): string[] {
	const lines = properties.flatMap((property) => {
		if (property.type === 'notice') return [];
		return listFields({ properties: [property] }).map((field) => {
			const values = listSavedValues(field.property);
			const name = [formatForm(property), field.path].filter((text) => text !== '').join(': ');
			return values.length > 0 ? `${name} = ${values.sort().join(', ')}` : name;
		});
	});
	return [...new Set(lines)].sort();
}

test.each(manifest.n8n.nodes)('%s', async (nodePath) => {
	const { name, version, properties } = (await loadNode(nodePath)).description;
	expect([`${name}, version ${String(version)}`, ...listSavedLines(properties)].join('\n')).toMatchSnapshot();
});

test('the credential', () => {
	const { name, properties } = new SecurityAwarenessOAuth2Api();
	expect([name, ...listSavedLines(properties)].join('\n')).toMatchSnapshot();
});
