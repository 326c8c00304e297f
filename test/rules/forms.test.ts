/** Checks that forms are short: a new operation shows few fields, and the other fields are in blocks (n8n's guidelines). */
import { NodeHelpers, type INodeParameters, type INodeType } from 'n8n-workflow';
import { loadAllOperations } from '../contract/catalogue';
import { createNode } from '../n8n-core/package';

/** The maximum numbers of fields and blocks in the form of a read operation, not counting Credential, Resource and Operation. */
const MAX_FIELDS = 6;
const MAX_BLOCKS = 3;

/** The write operations whose forms need more than `MAX_FIELDS` fields. */
const LONG_FORMS = [
	'ApiClient create',
	'ApiClient update',
	'Company create',
	'DirectEmailSetting test',
	'Enrollment create',
	'Enrollment createAndSend',
	'Enrollment sendToPeople',
	'SamlSetting create',
	'SystemUser create',
];

/** Counts the fields and blocks that the form of a new operation shows. */
function countShownFields({ description }: INodeType, resource: string, operation: string) {
	const parameters = { resource, operation };
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		{ typeVersion: 1 },
		description,
	) as INodeParameters;
	const shownProperties = description.properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			!['notice', 'hidden'].includes(property.type) &&
			NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
	);
	const blocks = shownProperties.filter(({ type }) => ['collection', 'fixedCollection'].includes(type));
	return { fieldCount: shownProperties.length - blocks.length, blockNames: blocks.map(({ name }) => name) };
}

test('no form is longer than it has to be', async () => {
	const faults: string[] = [];
	const longForms: string[] = [];
	for (const { node, nodePath, resource, key, operation } of await loadAllOperations()) {
		const { fieldCount, blockNames } = countShownFields(await createNode(nodePath), resource, operation.value);
		const name = `${node} ${key}`;
		if (operation.isReadOnly && (fieldCount > MAX_FIELDS || blockNames.length > MAX_BLOCKS)) faults.push(name);
		if (operation.isReadOnly && blockNames.some((block) => !['filters', 'options', 'sort'].includes(block)))
			faults.push(`${name}: ${blockNames.join(', ')}`);
		if (!operation.isReadOnly && fieldCount > MAX_FIELDS) longForms.push(name);
	}
	expect(faults).toEqual([]);
	expect(longForms.sort()).toEqual(LONG_FORMS);
});

test('the field that searches a list stands directly above the list', async () => {
	const misplacedFields: string[] = [];
	let searchFieldCount = 0;
	for (const { node, operation } of await loadAllOperations()) {
		const names = Object.keys(operation.fields);
		for (const [name, { listSearchField }] of Object.entries(operation.fields)) {
			if (!listSearchField || listSearchField.isInOptions) continue;
			searchFieldCount++;
			if (names[names.indexOf(name) - 1] !== listSearchField.name)
				misplacedFields.push(`${node} ${operation.value} ${name}`);
		}
	}
	expect(misplacedFields).toEqual([]);
	expect(searchFieldCount).toBeGreaterThan(5);
});
