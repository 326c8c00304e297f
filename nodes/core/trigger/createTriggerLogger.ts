import type { IPollFunctions } from 'n8n-workflow';

import type { CompanyPoll } from './defineTrigger';

/**
 * Creates the functions that write to n8n's log. They begin each message with the names of the node and the workflow.
 */
export function createTriggerLogger(context: IPollFunctions): Pick<CompanyPoll, 'logWarning' | 'logInfo'> {
	const { name, id } = context.getWorkflow();
	const addOrigin = (message: string) => `${context.getNode().name} of workflow '${name ?? id}': ${message}`;
	const { logger } = context;
	return {
		logWarning: (message) => logger.warn(addOrigin(message)),
		logInfo: (message) => logger.info(addOrigin(message)),
	};
}
