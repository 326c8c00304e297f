/** What a person sees when an operation is first chosen: few fields, and blocks with the rest (n8n's guidelines). */
import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { loadAllOperations } from '../contract/catalogue';
import { createNode } from '../n8n-core/package';

/** Most fields and blocks of an operation that reads, besides Credential, Resource and Operation. */
const MOST_FIELDS = 6;
const MOST_BLOCKS = 3;

/** Operations that write and have to ask for more than six things. */
const LONG = [
	'ApiClient create',
	'ApiClient update',
	'Company create',
	'DirectEmailSetting test',
	'Enrollment create',
	'Enrollment createAndSend',
	'Enrollment createAndSendToPeople',
	'SamlSetting create',
	'SystemUser create',
];

test('no form is longer than it has to be', async () => {
	const found: string[] = [];
	const long: string[] = [];
	for (const { node, nodePath: listed, operation } of await loadAllOperations()) {
		const { description } = await createNode(listed);
		const chosen = { resource: description.properties[0]?.default ?? '', operation: operation.value };
		const values = NodeHelpers.getNodeParameters(
			description.properties,
			chosen,
			true,
			false,
			{ typeVersion: 1 },
			description,
		) as INodeParameters;
		const shown = description.properties.filter(
			(property) =>
				!['resource', 'operation'].includes(property.name) &&
				!['notice', 'hidden'].includes(property.type) &&
				NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
		);
		const blocks = shown.filter(({ type }) => ['collection', 'fixedCollection'].includes(type)).map(({ name }) => name);
		const fields = shown.length - blocks.length;
		const name = `${node} ${operation.value}`;
		if (operation.isReadOnly && (fields > MOST_FIELDS || blocks.length > MOST_BLOCKS)) found.push(name);
		if (operation.isReadOnly && blocks.some((block) => !['filters', 'options', 'sort'].includes(block)))
			found.push(`${name}: ${blocks.join(', ')}`);
		if (!operation.isReadOnly && fields > MOST_FIELDS) long.push(name);
	}
	expect(found).toEqual([]);
	expect(long.sort()).toEqual(LONG);
});
