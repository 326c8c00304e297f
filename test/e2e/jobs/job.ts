/** The parts of every job: a workflow of our nodes in a row, run in a real n8n, and what must have come of it. */
import assert from 'node:assert/strict';

import { get } from 'lodash';
import type { IDataObject, INode } from 'n8n-workflow';

import { toIdLocator, type CustomerFixture, type InputFile, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { buildNode } from '../../real-n8n/workflow';

/** Where a job is run: on a service as it began, for the customer Harbour Bakery. */
export interface JobContext {
	/** The customer and the service: what is there before and after. */
	customer: CustomerFixture;
	/** A node of this package, called 'Enrollment getMany'. @param folder where it is in nodes */
	buildStep: (folder: string, operation: string, parameters?: IDataObject) => INode;
	/** Runs the nodes one after the other, once in each job. @returns each node's items. @throws when it fails */
	runNodes: (nodes: INode[]) => Promise<(node: string) => Item[]>;
	/** A node that reads this file, into the field 'data'. */
	buildReadFileNode: (file: InputFile) => Promise<INode>;
}

/** By the title under which platforms publish the job. @throws AssertionError when something else came of it */
export type Jobs = Record<string, (scene: JobContext) => Promise<void>>;

/** The parameters of a picker that takes its ID from the item of an earlier node, as dragging a field does. */
export const fromNode = (node: string, field: string) => toIdLocator(`={{ $('${node}').item.json.${field} }}`);

/** Finds the customer; what follows it acts for that one. */
export const FIND_CUSTOMER = 'Company getMany';
export const buildFindCustomerStep = ({ buildStep: step, customer }: JobContext): INode =>
	step('Company', 'getMany', { filters: { searchText: customer.company.companyName } });
export const FOR_CUSTOMER = { companyScope: 'one', company: fromNode(FIND_CUSTOMER, 'companyResourceId') };
/** For the customer, and everything instead of the first 50. */
export const ALL_OF_CUSTOMER = { ...FOR_CUSTOMER, returnAll: true };
/** The filter for the records with this text, such as a name. */
export const searchFor = (searchText: string) => ({ ...FOR_CUSTOMER, filters: { searchText } });
/** The same node, run once for all items of the node before it. */
export const runOnce = (step: INode): INode => ({ ...step, executeOnce: true });
/** n8n's node that makes an item of each row of a file. */
export const ROWS_NODE = 'Rows';
export const buildRowsNode = (name = ROWS_NODE, operation = 'csv') => buildNode(name, 'extractFromFile', { operation });
/** The group that was listed before. */
export const LISTED_GROUP = { targetGroups: "={{ $('TargetGroup getMany').item.json.resourceId }}" };

/**
 * The items, such as a file's rows, tell of all records and of nothing else.
 * @param field what is compared @param ofRecord its name in the records
 */
export function assertSameValues(items: Item[], records: object[], field: string, ofRecord = field): void {
	const valuesOf = (all: object[], name: string) => all.map((each) => String(requireValue<unknown>(get(each, name)))).sort();
	assert.ok(records.length > 0, 'The service has nothing to tell of');
	const told = items.map(({ json }) => json);
	assert.deepEqual(valuesOf(told, field), valuesOf(records, ofRecord));
}
