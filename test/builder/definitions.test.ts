/**
 * n8n 2.x lets an AI build workflows from type definitions that n8n generates from the nodes' descriptions. The generator
 * merges fields and omits those that it doesn't know. These tests check that every field of every operation is in the
 * definitions (n8n 13).
 */
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeProperties } from 'n8n-workflow';
import { loadNode, manifest } from '../n8n-core/package';
import { listOperationOptions } from '../rules/nodeFields';

/** A node description with the generator's types, which are stricter than n8n's. */
type NodeDescription = Exclude<Parameters<typeof generateNodeTypeFile>[0], unknown[]>;
const isDescription = (value: object): value is NodeDescription => 'properties' in value && 'group' in value;

/** A trigger has one definition, for neither a resource nor an operation. */
const TRIGGER = { resource: '', value: undefined };

const isInputField = ({ name, type }: INodeProperties) =>
	!['resource', 'operation'].includes(name) && !['notice', 'hidden'].includes(type);

/** Lists the names of the fields in a collection. */
const listInnerFields = ({ options = [] }: INodeProperties): string[] =>
	options.flatMap((option) => ('displayName' in option && 'type' in option ? [option.name] : []));

test.each(manifest.n8n.nodes)('%s: the definitions have every field of every operation', async (nodePath) => {
	const { description } = await loadNode(nodePath);
	const visibleDescription: object = {
		...description,
		properties: description.properties.filter(({ type }) => type !== 'hidden'),
	};
	if (!isDescription(visibleDescription)) throw new Error(`${nodePath} is not described as a node`);
	const definitions = generateNodeTypeFile(visibleDescription);
	// Each operation has its own definition. A trigger has only one.
	const operationDefinitions = definitions.split(/^export (?=type|interface)/m);
	const operations = listOperationOptions(description);
	for (const { resource, value } of operations.length > 0 ? operations : [TRIGGER]) {
		const operationDefinition = operationDefinitions.find(
			(text) => text.includes(`resource: '${resource}'`) && text.includes(`operation: '${String(value)}'`),
		);
		const definition = value === undefined ? definitions : operationDefinition;
		const fields = description.properties.filter((field) => {
			const show = field.displayOptions?.show ?? {};
			const isShown = (show.operation ?? [value]).includes(value) && (show.resource ?? [resource]).includes(resource);
			return isInputField(field) && isShown;
		});
		const names = fields.flatMap((field) => [field.name, ...listInnerFields(field)]);
		const missingNames = names.filter((name) => !new RegExp(`\\b${name}['"]?\\??:`).test(definition ?? ''));
		expect([resource, value, missingNames]).toEqual([resource, value, []]);
	}
});
