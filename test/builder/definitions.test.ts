/**
 * n8n 2.x lets an AI build workflows from the definitions that n8n makes of the nodes' descriptions. Its generator merges
 * fields, and drops what it does not know: every field of every operation must come through (n8n 13).
 */
import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeProperties } from 'n8n-workflow';
import { loadNode, manifest } from '../n8n-core/package';
import { getOptions } from '../rules/walk';

/** A node as the generator takes it: n8n's description, whose types are wider. */
type Described = Exclude<Parameters<typeof generateNodeTypeFile>[0], unknown[]>;
const isDescription = (value: object): value is Described => 'properties' in value && 'group' in value;

const isTold = ({ name, type }: INodeProperties) =>
	!['resource', 'operation'].includes(name) && !['notice', 'hidden'].includes(type);

/** The fields inside a collection. */
const innerOf = ({ options = [] }: INodeProperties): string[] =>
	options.flatMap((option) => ('displayName' in option && 'type' in option ? [option.name] : []));

test.each(manifest.n8n.nodes)('%s: an AI is told of every field of every operation', async (listed) => {
	const { description } = await loadNode(listed);
	const visible: object = {
		...description,
		properties: description.properties.filter(({ type }) => type !== 'hidden'),
	};
	if (!isDescription(visible)) throw new Error(`${listed} is not described as a node`);
	const whole = generateNodeTypeFile(visible);
	// One part for each operation; a trigger has none.
	const parts = whole.split(/^export (?=type|interface)/m);
	const operations = description.properties.filter(({ name }) => name === 'operation').flatMap(getOptions);
	for (const { value } of operations.length > 0 ? operations : [{ value: undefined }]) {
		const part = value === undefined ? whole : parts.find((text) => text.includes(`operation: '${String(value)}'`));
		const fields = description.properties.filter((field) => {
			const { operation = [] } = field.displayOptions?.show ?? {};
			return isTold(field) && (operation.length === 0 || operation.some((each) => each === value));
		});
		const names = fields.flatMap((field) => [field.name, ...innerOf(field)]);
		const lost = names.filter((name) => !new RegExp(`\\b${name}['"]?\\??:`).test(part ?? ''));
		expect([value, lost]).toEqual([value, []]);
	}
});
