import { relative } from 'node:path';
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { campaignTrigger } from '../../nodes/CampaignTrigger/trigger';
import { enrollmentTrigger } from '../../nodes/EnrollmentTrigger/trigger';
import { reportedEmailTrigger } from '../../nodes/ReportedEmailTrigger/trigger';
import type { FieldMap } from '../../nodes/core/fields/field';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { buildTriggerForm } from '../../nodes/core/trigger/triggerFields';
import type { EndpointKey } from '../../nodes/core/api/endpoint';
import { runNode } from '../../test/n8n-core';
import { loadNode, manifest, packageRoot, toSourcePath } from '../../test/n8n-core/package';
import { loadAllOperations, cases } from '../../test/cases';
import { OperationFixture, createInputItem } from '../../test/cases/operationFixture';

/** An operation with what it asks for and what it gives. */
export interface OperationRun {
	operation: Operation;
	requests: EndpointKey[];
	items: IDataObject[];
	/** What of the items must not be written down. */
	secrets: string[];
}

/** A node with its operations, in the order in which it offers them. */
export interface NodeDocumentation {
	folder: string;
	/** Its hidden parameter: "company". */
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	operations: OperationRun[];
}

const isEndpointKey = (key: string | null): key is EndpointKey =>
	key !== null && /^(GET|POST|PUT|PATCH|DELETE) \/api\//.test(key);

/** @throws Error where it has no case, fails or gives nothing */
async function runOperation(fixture: OperationFixture, node: string, operation: Operation): Promise<OperationRun> {
	const operationCase = cases.find((each) => each.node === node && each.operation === operation.value);
	if (!operationCase) throw new Error(`${node}, ${operation.value}: there is no case in test/cases`);
	fixture.standIn.reset();
	const { requiredRequests: requests } = await operationCase.prepare(fixture.customer);
	fixture.standIn.reset();
	const { parameters, inputFiles: files, getSecrets: secrets } = await operationCase.prepare(fixture.customer);
	// With every company, what is added to each company's items is seen too; one company is enough for that.
	const forEveryCompany = { companyScope: 'every', onlyCompanies: { nameContains: fixture.customer.company.companyName } };
	const { items } = await runNode({
		node: fixture.getNode(node),
		parameters: { operation: operation.value, ...parameters, ...(operation.scope === 'companies' ? forEveryCompany : {}) },
		credential: fixture.credential,
		items: [await createInputItem(files)],
	});
	if (items.length === 0) throw new Error(`${node}, ${operation.value}: nothing came out`);
	const keys = operation.dependencies?.map(({ endpoint }) => endpoint) ?? requests ?? [operation.endpoint];
	return {
		operation,
		requests: keys.filter(isEndpointKey),
		items: items.map(({ json }) => json),
		secrets: secrets?.(items) ?? [],
	};
}

/** All that is documented. */
export interface Documentation {
	nodes: NodeDocumentation[];
	triggers: TriggerDocumentation[];
}

/**
 * Runs every operation against the stand-in service as live deployments are: a field that is dragged out of a preview comes there.
 * @throws Error naming the operation that cannot be run
 */
export async function documentAll(): Promise<Documentation> {
	const fixture = new OperationFixture();
	await fixture.start('deployed');
	const nodes = new Map<string, NodeDocumentation>();
	try {
		for (const { node: folder, nodePath: listed, operation } of await loadAllOperations()) {
			const { description } = fixture.getNode(folder);
			const resource = z.string().parse(description.properties.find(({ name }) => name === 'resource')?.default);
			const codexFile = getCodexPath(listed);
			const node = nodes.get(folder) ?? { folder, resource, description, codexFile, operations: [] };
			nodes.set(folder, node);
			node.operations.push(await runOperation(fixture, folder, operation));
		}
	} finally {
		await fixture.standIn.close();
	}
	for (const { operations } of nodes.values())
		operations.sort((one, other) => one.operation.name.localeCompare(other.operation.name));
	return { nodes: [...nodes.values()], triggers: await documentTriggers() };
}

/** A trigger, and the nodes whose records it waits for. */
export interface TriggerDocumentation {
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	form: FieldMap;
	/** What starts a workflow, as n8n's panel says it. */
	events: string[];
	/** The resources of those nodes. */
	watchedResources: string[];
}

/** The triggers by their folders: their fields, and the resources of the nodes whose records they wait for. */
const TRIGGERS: Record<string, Pick<TriggerDocumentation, 'form' | 'of'>> = {
	CampaignTrigger: {
		form: buildTriggerForm(campaignTrigger),
		watchedResources: ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'],
	},
	EnrollmentTrigger: { form: buildTriggerForm(enrollmentTrigger), watchedResources: ['enrollment'] },
	ReportedEmailTrigger: { form: buildTriggerForm(reportedEmailTrigger), watchedResources: ['reportedEmail'] },
};

/** @throws Error for a trigger that is not known here */
async function documentTriggers(): Promise<TriggerDocumentation[]> {
	const listed = manifest.n8n.nodes.filter((path) => /Trigger\.node\.js$/.test(path));
	return await Promise.all(
		listed.map(async (path) => {
			const folder = path.split('/')[2] ?? '';
			const triggerForm = TRIGGERS[folder];
			if (!triggerForm) throw new Error(`${folder}: add it to tools/docs/run.ts`);
			const options = triggerForm.form.triggerOn?.property.options ?? [];
			return {
				...triggerForm,
				resource: folder.charAt(0).toLowerCase() + folder.slice(1),
				description: (await loadNode(path)).description,
				codexFile: getCodexPath(path),
				events: options.flatMap((option) => ('action' in option && option.action ? [option.action] : [])),
			};
		}),
	);
}

/** Where the codex file of a node is in the repository. @param listed the node as package.json lists it */
const getCodexPath = (listed: string) =>
	relative(packageRoot, toSourcePath(listed)).replaceAll('\\', '/').replace(/\.ts$/, '.json');
