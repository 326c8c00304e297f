/** Runs the SQL queries of the examples with n8n's own engine, on made-up rows. */
import { runInNewContext } from 'node:vm';

import alasql from 'alasql';
import { DateTime } from 'luxon';
import { z } from 'zod';

import type { Workflow } from '../real-n8n/client';

/** A row of a query's input or output. A column may be empty or missing. */
export type QueryRow = Record<string, unknown>;

const rowsSchema = z.array(z.record(z.unknown()));

/** A Merge node that combines its inputs by a query. */
export interface QueryNode {
	name: string;
	query: string;
	/** The number of inputs. The query names them input1, input2 and so on. */
	inputCount: number;
}

/** Lists the nodes of a workflow that run an SQL query. */
export function listQueries({ nodes }: Workflow): QueryNode[] {
	return nodes
		.filter(({ parameters }) => typeof parameters.query === 'string')
		.map(({ name, parameters }) => ({
			name,
			query: String(parameters.query),
			inputCount: Number(parameters.numberInputs ?? 2),
		}));
}

/** The values of nodes, apart from Settings, that queries read. Example 27 notes in such a node which lists it could read. */
const NODE_VALUES: Record<string, QueryRow> = {
	'What Was Read': { customers: 'read', psa: 'read', documentation: 'read' },
};

/**
 * Evaluates the expressions in a query as n8n does. Nodes other than Settings have no items, except those with values.
 * @param nodeValues the first item of each node with values, by the node's name
 */
export function resolveQuery(workflow: Workflow, query: string, nodeValues = NODE_VALUES): string {
	const settings: QueryRow = {};
	const getNodeOutput = (name: string) => ({
		first: () => ({ json: name === 'Settings' ? settings : (nodeValues[name] ?? {}) }),
		all: () => [],
	});
	const context = { $: getNodeOutput, $now: DateTime.utc(), DateTime };
	const resolveExpressions = (text: string): string =>
		text.replace(/\{\{([\s\S]*?)\}\}/g, (_, expression: string) => String(runInNewContext(expression, context)));
	const node = workflow.nodes.find(({ name }) => name === 'Settings');
	for (const { name, value } of assignmentsSchema.parse(node?.parameters).assignments.assignments)
		settings[name] = typeof value === 'string' ? resolveExpressions(value.replace(/^=/, '')) : value;
	return resolveExpressions(query);
}

const assignmentsSchema = z.object({
	assignments: z.object({ assignments: z.array(z.object({ name: z.string(), value: z.unknown() })) }),
});

/** Prepares a query for several runs. As in n8n's Merge node, each input is a table. */
export function prepareQuery(query: string, inputCount: number): (inputs: QueryRow[][]) => QueryRow[] {
	const tables = Array.from({ length: inputCount }, (_, index) => `input${index + 1}`);
	for (const table of tables) alasql(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table}`);
	return (inputs) => {
		tables.forEach((table, index) => {
			// Without `dirty`, the engine would use the index of the previous rows.
			Object.assign(alasql.tables[table] ?? {}, { data: inputs[index], dirty: true });
		});
		return rowsSchema.parse(alasql(query));
	};
}

/** Finds the columns of each input that a query reads. The rows are proxies that record each access. */
export function findReadColumns(runQuery: (inputs: QueryRow[][]) => QueryRow[], inputs: QueryRow[][]): string[][] {
	const columns = inputs.map(() => new Set<string>());
	const watchRow = (row: QueryRow, index: number) =>
		new Proxy(row, {
			get: (target, name) => {
				if (typeof name === 'string') columns[index]?.add(name);
				return target[String(name)];
			},
		});
	runQuery(inputs.map((rows, index) => rows.map((row) => watchRow(row, index))));
	return columns.map((names) => [...names]);
}
