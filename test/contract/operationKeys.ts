import { lowerFirst } from 'lodash';

/** The values of the parameters that select an operation in a node's form. */
export interface OperationParameters {
	resource: string;
	operation: string;
}

/** The first resource of each node whose first resource isn't named like the node. The node opens on its first resource. */
const FIRST_RESOURCES: Record<string, string | undefined> = {
	ExecutiveReport: 'report',
	HumanRisk: 'coverage',
	PhishingCampaign: 'campaign',
	QuishingCampaign: 'campaign',
	SmishingCampaign: 'campaign',
	TrainingReport: 'progress',
};

/** Returns the resource on which a node opens. @param node the name of the node's folder: "PhishingCampaign" */
export const getFirstResource = (node: string): string => FIRST_RESOURCES[node] ?? lowerFirst(node);

/**
 * Formats the key by which tests name an operation: "campaignJob.getMany". The resource is left out if the node opens on it, so that
 * the key of most operations is just "getMany".
 */
export const formatOperationKey = (node: string, resource: string, operation: string): string =>
	resource === getFirstResource(node) ? operation : `${resource}.${operation}`;

/** Converts the key of an operation to the parameters that select the operation. */
export function parseOperationKey(node: string, key: string): OperationParameters {
	const [resource, operation] = key.split('.');
	if (resource !== undefined && operation !== undefined) return { resource, operation };
	return { resource: getFirstResource(node), operation: key };
}
