import type { Operation } from './defineOperation';

/**
 * An n8n resource of a node: a group of operations that the user selects in the field 'Resource'. An operation is identified by its
 * resource and its own value together, because several resources may have an operation 'getMany'.
 */
export interface NodeResource {
	/** The value that n8n saves in workflows. It must never change. */
	value: string;
	/** The name in title case: "Campaign Job". */
	name: string;
	/** The value of the operation that is selected by default. It should be the operation that users need most often. */
	defaultOperation: string;
	operations: readonly Operation[];
}

/** Lists the operations of all resources of a node. */
export const listOperations = (resources: readonly NodeResource[]): Operation[] =>
	resources.flatMap(({ operations }) => operations);
