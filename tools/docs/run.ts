import { relative } from 'node:path';
import { lowerFirst } from 'lodash';
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import { campaignTrigger } from '../../nodes/CampaignTrigger/campaignTrigger';
import { enrollmentTrigger } from '../../nodes/EnrollmentTrigger/enrollmentTrigger';
import { personEventTrigger } from '../../nodes/PersonEventTrigger/personEventTrigger';
import { reportedEmailTrigger } from '../../nodes/ReportedEmailTrigger/reportedEmailTrigger';
import type { FieldMap } from '../../nodes/core/fields/field';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { buildEventTriggerForm } from '../../nodes/core/trigger/eventTrigger';
import { buildTriggerForm } from '../../nodes/core/trigger/triggerFields';
import type { EndpointKey } from '../../nodes/core/api/endpoint';
import { loadNode, manifest, PACKAGE_ROOT, toSourcePath } from '../../test/n8n-core/package';
import { loadAllOperations, type ListedOperation } from '../../test/cases';
import { OperationFixture } from '../../test/cases/operationFixture';
import { findCase, getRecord, recordCase, type OperationRecord } from '../../test/operations/records';

/** An operation, and what running it has shown: the requests that it sends and the items that it outputs. */
export interface OperationRun {
	/** The value of the operation's n8n resource: "campaignJob". */
	resource: string;
	/** The key of the operation's test case: "campaignJob.getMany". */
	key: string;
	operation: Operation;
	requests: EndpointKey[];
	items: IDataObject[];
	/** The secrets in the items, which must not appear in the docs. */
	secrets: string[];
}

/** A node with its operations, sorted by name as in the node's form. */
export interface NodeDocumentation {
	folder: string;
	/** The name of the node's page and its key in the tables of the docs: "company". */
	name: string;
	description: INodeTypeDescription;
	/** The path of the node's codex file in the repository. */
	codexFile: string;
	operations: OperationRun[];
}

const isEndpointKey = (key: string | null): key is EndpointKey =>
	key !== null && /^(GET|POST|PUT|PATCH|DELETE) \/api\//.test(key);

/** Converts the record of a case to what the docs show. @throws Error if the operation outputs no item */
function toOperationRun(
	{ node, resource, key, operation }: ListedOperation,
	{ run, items, secrets }: OperationRecord,
): OperationRun {
	if (items.length === 0) throw new Error(`${node}, ${key}: nothing came out`);
	const endpointKeys = operation.dependencies?.map(({ endpoint }) => endpoint) ??
		run.requiredRequests ?? [operation.endpoint];
	return {
		resource,
		key,
		operation,
		requests: endpointKeys.filter(isEndpointKey),
		items: items.map(({ json }) => json),
		secrets,
	};
}

/** Everything that the generated files describe. */
export interface Documentation {
	nodes: NodeDocumentation[];
	triggers: TriggerDocumentation[];
}

/**
 * Runs every operation against a stand-in service that behaves like live deployments. The examples and schemas then have the fields
 * that users really get.
 * @throws Error with the name of an operation that can't be run
 */
export async function documentAll(): Promise<Documentation> {
	const fixture = new OperationFixture();
	await fixture.start('deployed');
	try {
		for (const { node, key } of await loadAllOperations()) await recordCase(fixture, findCase(node, key));
	} finally {
		await fixture.standIn.close();
	}
	return await documentRecords();
}

/**
 * Documents every operation with the records of the runs against a live deployment's stand-in.
 * @throws Error with the name of an operation that has no record
 */
export async function documentRecords(): Promise<Documentation> {
	const nodesByFolder = new Map<string, NodeDocumentation>();
	for (const listedOperation of await loadAllOperations()) {
		const { node: folder, nodePath, key } = listedOperation;
		const { description } = await loadNode(nodePath);
		const name = lowerFirst(folder);
		const codexFile = getCodexPath(nodePath);
		const node = nodesByFolder.get(folder) ?? { folder, name, description, codexFile, operations: [] };
		nodesByFolder.set(folder, node);
		node.operations.push(toOperationRun(listedOperation, getRecord('deployed', folder, key)));
	}
	for (const { operations } of nodesByFolder.values())
		operations.sort((first, second) => first.operation.name.localeCompare(second.operation.name));
	return { nodes: [...nodesByFolder.values()], triggers: await documentTriggers() };
}

/** A trigger node and the nodes whose records it watches. */
export interface TriggerDocumentation {
	/** The name of the trigger's page: "campaignTrigger". */
	name: string;
	description: INodeTypeDescription;
	/** The path of the node's codex file in the repository. */
	codexFile: string;
	form: FieldMap;
	/** The events that start a workflow, as n8n's panel names them. */
	events: string[];
	/** The names of the nodes whose records the trigger watches. */
	watchedNodes: string[];
}

/** The form of each trigger and the names of the nodes whose records it watches, by the trigger's folder in nodes/. */
const TRIGGERS_BY_FOLDER: Record<string, Pick<TriggerDocumentation, 'form' | 'watchedNodes'>> = {
	CampaignTrigger: {
		form: buildTriggerForm(campaignTrigger),
		watchedNodes: ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'],
	},
	EnrollmentTrigger: { form: buildTriggerForm(enrollmentTrigger), watchedNodes: ['enrollment'] },
	PersonEventTrigger: { form: buildEventTriggerForm(personEventTrigger), watchedNodes: ['leaderboard'] },
	ReportedEmailTrigger: { form: buildTriggerForm(reportedEmailTrigger), watchedNodes: ['reportedEmail'] },
};

/** Documents all triggers. @throws Error for a trigger that isn't in `TRIGGERS_BY_FOLDER` */
async function documentTriggers(): Promise<TriggerDocumentation[]> {
	const triggerPaths = manifest.n8n.nodes.filter((path) => /Trigger\.node\.js$/.test(path));
	return await Promise.all(
		triggerPaths.map(async (path) => {
			const folder = path.split('/')[2] ?? '';
			const triggerForm = TRIGGERS_BY_FOLDER[folder];
			if (!triggerForm) throw new Error(`${folder}: add it to tools/docs/run.ts`);
			const options = triggerForm.form.triggerOn?.property.options ?? [];
			return {
				...triggerForm,
				name: lowerFirst(folder),
				description: (await loadNode(path)).description,
				codexFile: getCodexPath(path),
				events: options.flatMap((option) => ('action' in option && option.action ? [option.action] : [])),
			};
		}),
	);
}

/** Returns the path of a node's codex file in the repository. @param builtPath the node's path in package.json */
const getCodexPath = (builtPath: string) =>
	relative(PACKAGE_ROOT, toSourcePath(builtPath)).replaceAll('\\', '/').replace(/\.ts$/, '.json');
