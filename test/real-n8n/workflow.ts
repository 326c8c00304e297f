/** How a workflow is made for a real n8n: nodes in a row. */
import { NodeConnectionTypes, type IConnections, type IDataObject, type INode } from 'n8n-workflow';

import { asParameters } from '../n8n-core/shapes';
import type { Workflow } from './client';

export const CREDENTIAL_TYPE = 'securityAwarenessOAuth2Api';

/** How a node refers to a credential. */
export interface Credential {
	id: string;
	name: string;
}

/** One of n8n's own nodes, called 'noOp'; what is not given is as in a new node. */
export const node = (name: string, type: string, parameters: IDataObject = {}, more: Partial<INode> = {}): INode => ({
	id: name,
	name,
	typeVersion: 1,
	position: [0, 0],
	parameters: asParameters(parameters),
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	...more,
});

/** A node of this package. @param folder where it is in nodes: 'Company', 'CampaignTrigger' */
export const ours = (name: string, folder: string, parameters: IDataObject, credential: Credential): INode =>
	node(name, `n8n-nodes-security-awareness.securityAwareness${folder}`, parameters, {
		credentials: { [CREDENTIAL_TYPE]: credential },
	});

/** n8n's HTTP Request node with this package's credential. */
export const httpRequest = (name: string, parameters: IDataObject, credential: Credential): INode =>
	node(
		name,
		'httpRequest',
		{ authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE, ...parameters },
		{ typeVersion: 4.2, credentials: { [CREDENTIAL_TYPE]: credential } },
	);

/** What a workflow begins with that is run by hand. */
export const START = node('Start', 'manualTrigger');

/** The end of a connection. */
export const to = (name: string) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });

/** A workflow whose nodes follow each other. @param connections where they do not */
export function workflowOf(name: string, nodes: INode[], connections: IConnections = {}): Workflow {
	const row = nodes
		.slice(1)
		.map((next, index): IConnections => ({ [nodes[index]?.name ?? '']: { main: [[to(next.name)]] } }));
	return {
		name,
		nodes: nodes.map((each, index) => ({ ...each, position: [220 * index, 0] })),
		connections: Object.assign({}, ...row, connections),
	};
}

/** How often a polling trigger polls in a test, in seconds. */
export const POLL_SECONDS = 3;

/** The setting for it: n8n refuses a schedule below one minute, but accepts twenty schedules of a minute each. */
export const pollTimes = {
	item: Array.from({ length: 60 / POLL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_SECONDS} * * * * *`,
	})),
};

/** A workflow that a trigger starts every few seconds. @param type Campaign or Enrollment */
export const triggerWorkflow = (type: string, parameters: IDataObject, credential: Credential): Workflow =>
	workflowOf(`${type} Trigger`, [
		ours('Trigger', `${type}Trigger`, { companyScope: 'every', ...parameters, pollTimes }, credential),
		node('End', 'noOp'),
	]);
