import { lowerFirst } from 'lodash';
import { findAgentRight } from '../../nodes/core/run/agentRights';
import { parseOperationKey } from '../contract/operationKeys';

/** Finds the right that an AI agent needs to run an operation. @param key the operation's key, such as 'campaignJob.getMany' */
export function findRightByKey(node: string, key: string) {
	const { resource, operation } = parseOperationKey(node, key);
	return findAgentRight(lowerFirst(node), resource, operation);
}
