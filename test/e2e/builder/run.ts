import type { WorkflowJSON } from '@n8n/workflow-sdk';
import type { IConnections, INode } from 'n8n-workflow';
import { z } from 'zod';

import { manifest } from '../../n8n-core/package';
import { pollTimes, type Workflow } from '../../real-n8n/client';
import { CREDENTIAL_TYPE, type Stage } from '../../real-n8n/stage';

/** What a person would fill in for an AI, by the label in `placeholder(label)`. */
export type Values = Record<string, string>;

const MARK = /<__PLACEHOLDER_VALUE__([\s\S]*?)__>/g;

/** @throws Error for a placeholder without a value */
function filled(value: unknown, values: Values): unknown {
	const text = JSON.stringify(value).replace(MARK, (_mark, label: string) => {
		const known = values[label];
		if (known === undefined) throw new Error(`Nobody said what '${label}' is`);
		return JSON.stringify(known).slice(1, -1);
	});
	return JSON.parse(text) as unknown;
}

/** Every text among parameters, by its path: "channelId.value". */
function textsIn(value: unknown, path = ''): Array<[string, string]> {
	if (typeof value === 'string') return [[path, value]];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, path === '' ? name : `${path}.${name}`));
}

/**
 * Stands in for a node of a service that is not here, such as Slack: it outputs the texts of the node's parameters, with their
 * expressions evaluated, and keeps the item's files.
 */
const standInOf = (node: INode): INode => ({
	...node,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	credentials: undefined,
	parameters: {
		assignments: {
			assignments: textsIn(node.parameters).map(([name, value]) => ({ id: name, name, value, type: 'string' })),
		},
		options: { stripBinary: false },
	},
});

const node = z.object({ id: z.string(), name: z.string(), type: z.string(), parameters: z.record(z.unknown()) });
const isNode = (value: unknown): boolean => node.safeParse(value).success;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const workflowShape = z.object({
	nodes: z.array(z.custom<INode>(isNode)),
	connections: z.custom<IConnections>(isObject),
});

/** A workflow of an AI, as it can be run here. */
export function runnable(json: WorkflowJSON, { credential }: Stage, values: Values): Workflow {
	const { nodes, connections } = workflowShape.parse(
		filled({ ...json, nodes: json.nodes.map(withParameters) }, values),
	);
	return {
		name: json.name,
		connections,
		nodes: nodes.map((each) => {
			if (each.type.startsWith(`${manifest.name}.`)) {
				const polled = each.type.endsWith('Trigger') ? { pollTimes } : {};
				return {
					...each,
					parameters: { ...each.parameters, ...polled },
					credentials: { [CREDENTIAL_TYPE]: credential },
				};
			}
			return each.credentials ? standInOf(each) : each;
		}),
	};
}

const withParameters = (each: WorkflowJSON['nodes'][number]) => ({ ...each, parameters: each.parameters ?? {} });
