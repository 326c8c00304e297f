/** Builds workflows for a real n8n. */
import { NodeConnectionTypes, type IConnections, type IDataObject, type INode } from 'n8n-workflow';

import { parseNodeParameters } from '../n8n-core/schemas';
import type { Workflow } from './client';

/** The name of this package's credential type. */
export const CREDENTIAL_TYPE = 'securityAwarenessOAuth2Api';

/** A reference to a saved credential, as nodes contain it. */
export interface CredentialReference {
	id: string;
	name: string;
}

/** Builds a node. @param type a node of n8n, such as 'noOp', or the full type of another package's node */
export const buildNode = (
	name: string,
	type: string,
	parameters: IDataObject = {},
	overrides: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	typeVersion: 1,
	position: [0, 0],
	parameters: parseNodeParameters(parameters),
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	...overrides,
});

/** Builds a node of this package. @param folder the node's folder in nodes/, such as 'Company' or 'CampaignTrigger' */
export const buildPackageNode = (
	name: string,
	folder: string,
	parameters: IDataObject,
	credential: CredentialReference,
): INode =>
	buildNode(name, `n8n-nodes-security-awareness.securityAwareness${folder}`, parameters, {
		credentials: { [CREDENTIAL_TYPE]: credential },
	});

/** Builds an HTTP Request node of n8n that uses this package's credential. */
export const buildHttpRequestNode = (name: string, parameters: IDataObject, credential: CredentialReference): INode =>
	buildNode(
		name,
		'httpRequest',
		{ authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE, ...parameters },
		{ typeVersion: 4.2, credentials: { [CREDENTIAL_TYPE]: credential } },
	);

/** The manual trigger, which starts the workflows that tests run. */
export const START_NODE = buildNode('Start', 'manualTrigger');

/** Builds a connection to the input of a node. */
export const buildConnectionTo = (name: string) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });

/** Builds a workflow whose nodes run one after the other. @param connections replaces the connections of the nodes that it has as keys */
export function buildWorkflow(name: string, nodes: INode[], connections: IConnections = {}): Workflow {
	const chainConnections = nodes
		.slice(1)
		.map((next, index): IConnections => ({ [nodes[index]?.name ?? '']: { main: [[buildConnectionTo(next.name)]] } }));
	return {
		name,
		nodes: nodes.map((node, index) => ({ ...node, position: [220 * index, 0] })),
		connections: Object.assign({}, ...chainConnections, connections),
	};
}

/** The polling interval of triggers in tests, in seconds. */
export const POLL_INTERVAL_SECONDS = 3;

/**
 * The value of a trigger's *Poll Times* for polls every `POLL_INTERVAL_SECONDS`. n8n refuses intervals below one minute, but accepts
 * several schedules of one minute each.
 */
export const POLL_TIMES = {
	item: Array.from({ length: 60 / POLL_INTERVAL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_INTERVAL_SECONDS} * * * * *`,
	})),
};

/** Builds a workflow with a trigger that polls every `POLL_INTERVAL_SECONDS`. @param type Campaign, Enrollment or ReportedEmail */
export const buildTriggerWorkflow = (
	type: string,
	parameters: IDataObject,
	credential: CredentialReference,
): Workflow =>
	buildWorkflow(`${type} Trigger`, [
		buildPackageNode(
			'Trigger',
			`${type}Trigger`,
			{ companyScope: 'every', ...parameters, pollTimes: POLL_TIMES },
			credential,
		),
		buildNode('End', 'noOp'),
	]);
