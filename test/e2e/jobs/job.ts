/** The building blocks of the jobs. A job is a workflow of this package's nodes that runs in a real n8n. */
import assert from 'node:assert/strict';

import { get } from 'lodash';
import type { IDataObject, INode } from 'n8n-workflow';

import { toIdLocator, type CustomerFixture, type InputFile, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { buildNode } from '../../real-n8n/workflow';

/** The customer and the functions that a job uses. A job runs for one customer of a freshly reset service. */
export interface JobContext {
	/** The customer for whom the job runs. */
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

/** Builds a picker value whose ID is an expression for a field of an earlier node's item, as if a user had dragged that field. */
export const buildLocatorFromNode = (node: string, field: string) =>
	toIdLocator(`={{ $('${node}').item.json.${field} }}`);

/** The name of the node that finds the customer. */
export const FIND_CUSTOMER_NODE = 'Company getMany';
export const buildFindCustomerStep = ({ buildStep, customer }: JobContext): INode =>
	buildStep('Company', 'getMany', { filters: { searchText: customer.company.companyName } });
/** Parameters that select the customer as the company. */
export const CUSTOMER_PARAMETERS = {
	companyScope: 'one',
	company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId'),
};
/** Parameters that select the customer and return all records instead of the first 50. */
export const ALL_RECORDS_PARAMETERS = { ...CUSTOMER_PARAMETERS, returnAll: true };
/** Builds parameters that select the customer and search the records for a text, such as a name. */
export const buildSearchParameters = (searchText: string) => ({ ...CUSTOMER_PARAMETERS, filters: { searchText } });
/** Turns on n8n's setting *Execute Once*: the node only processes the first input item. */
export const turnOnExecuteOnce = (step: INode): INode => ({ ...step, executeOnce: true });
/** The default name of the node that reads the rows of a file. */
export const ROWS_NODE_NAME = 'Rows';
/** Builds n8n's *Extract from File* node, which outputs an item for each row of a file. */
export const buildRowsNode = (name = ROWS_NODE_NAME, operation = 'csv') =>
	buildNode(name, 'extractFromFile', { operation });
/** Parameters that select the target group that the node `TargetGroup getMany` has output. */
export const LISTED_GROUP_PARAMETERS = { targetGroups: "={{ $('TargetGroup getMany').item.json.resourceId }}" };

/**
 * Asserts that the items and the service's records have the same values in one field, in any order. The items may be rows of a file.
 * @param field the field of the items
 * @param recordFieldPath the field of the records, if its name differs
 */
export function assertSameValues(items: Item[], records: object[], field: string, recordFieldPath = field): void {
	const listValues = (objects: object[], name: string) =>
		objects.map((object) => String(requireValue<unknown>(get(object, name)))).sort();
	assert.ok(records.length > 0, 'The service has no such records');
	const outputs = items.map(({ json }) => json);
	assert.deepEqual(listValues(outputs, field), listValues(records, recordFieldPath));
}
