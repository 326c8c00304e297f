/** The building blocks of the jobs. A job is a workflow of this package's nodes that runs in a real n8n. */
import assert from 'node:assert/strict';

import { get } from 'lodash';
import type { IDataObject, INode } from 'n8n-workflow';

import { toIdLocator, type CustomerFixture, type InputFile, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { buildNode } from '../../real-n8n/workflow';

/** Everything that a job works with. It runs for one customer of a freshly reset service. */
export interface JobContext {
	/** The customer, with its data in the service. */
	customer: CustomerFixture;
	/** Builds a node of this package with a name such as 'Enrollment getMany'. @param folder the node's folder in nodes/ */
	buildStep: (folder: string, operation: string, parameters?: IDataObject) => INode;
	/** Runs the nodes one after the other. @returns a function that returns a node's items. @throws Problem if the workflow fails */
	runNodes: (nodes: INode[]) => Promise<(node: string) => Item[]>;
	/** Builds a node that reads this file into the binary field 'data'. */
	buildReadFileNode: (file: InputFile) => Promise<INode>;
}

/** Jobs by the title under which platforms publish them. A job throws AssertionError if its result is wrong. */
export type Jobs = Record<string, (context: JobContext) => Promise<void>>;

/** Builds a picker's value that takes the ID from the item of an earlier node, as dragging a field does. */
export const readFromNode = (node: string, field: string) => toIdLocator(`={{ $('${node}').item.json.${field} }}`);

/** The name of the node that finds the customer. */
export const FIND_CUSTOMER = 'Company getMany';
/** Builds the node that finds the customer. */
export const buildFindCustomerStep = ({ buildStep, customer }: JobContext): INode =>
	buildStep('Company', 'getMany', { filters: { searchText: customer.company.companyName } });
/** Parameters that run an operation for the customer. */
export const FOR_CUSTOMER = { companyScope: 'one', company: readFromNode(FIND_CUSTOMER, 'companyResourceId') };
/** Parameters that return all records of the customer instead of the first 50. */
export const ALL_OF_CUSTOMER = { ...FOR_CUSTOMER, returnAll: true };
/** Builds parameters that search the customer's records for a text, such as a name. */
export const buildSearchParameters = (searchText: string) => ({ ...FOR_CUSTOMER, filters: { searchText } });
/** Makes a node run once instead of once for each input item. */
export const runOnce = (step: INode): INode => ({ ...step, executeOnce: true });
/** The default name of the node that reads a file's rows. */
export const ROWS_NODE = 'Rows';
/** Builds n8n's node that outputs an item for each row of a file. */
export const buildRowsNode = (name = ROWS_NODE, operation = 'csv') => buildNode(name, 'extractFromFile', { operation });
/** Parameters that select the target group of an earlier node. */
export const LISTED_GROUP = { targetGroups: "={{ $('TargetGroup getMany').item.json.resourceId }}" };

/**
 * Asserts that the items, which may be a file's rows, contain exactly the records of the service.
 * @param field the field to compare
 * @param recordField the name of that field in the records, if it differs
 */
export function assertSameValues(items: Item[], records: object[], field: string, recordField = field): void {
	const listValues = (objects: object[], name: string) =>
		objects.map((object) => String(requireValue<unknown>(get(object, name)))).sort();
	assert.ok(records.length > 0, 'The service has no such records');
	const outputs = items.map(({ json }) => json);
	assert.deepEqual(listValues(outputs, field), listValues(records, recordField));
}
