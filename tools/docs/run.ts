import { relative } from 'node:path';
import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod';
import { campaignTrigger } from '../../nodes/CampaignTrigger/trigger';
import { enrollmentTrigger } from '../../nodes/EnrollmentTrigger/trigger';
import { reportedEmailTrigger } from '../../nodes/ReportedEmailTrigger/trigger';
import type { FieldMap } from '../../nodes/core/fields/field';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import { formOfTrigger } from '../../nodes/core/trigger/triggerFields';
import type { EndpointKey } from '../../nodes/core/api/endpoint';
import { runNode } from '../../test/n8n-core';
import { loadNode, manifest, packageRoot, sourceOf } from '../../test/n8n-core/package';
import { allOperations, cases } from '../../test/cases';
import { OperationFixture, itemWith } from '../../test/cases/operationFixture';

/** An operation with what it asks for and what it gives. */
export interface Ran {
	operation: Operation;
	requests: EndpointKey[];
	items: IDataObject[];
	/** What of the items must not be written down. */
	secrets: string[];
}

/** A node with its operations, in the order in which it offers them. */
export interface Documented {
	folder: string;
	/** Its hidden parameter: "company". */
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	operations: Ran[];
}

const isKey = (key: string | null): key is EndpointKey =>
	key !== null && /^(GET|POST|PUT|PATCH|DELETE) \/api\//.test(key);

/** @throws Error where it has no case, fails or gives nothing */
async function ran(fixture: OperationFixture, node: string, operation: Operation): Promise<Ran> {
	const found = cases.find((each) => each.node === node && each.operation === operation.value);
	if (!found) throw new Error(`${node}, ${operation.value}: there is no case in test/cases`);
	fixture.service.reset();
	const { requests } = await found.prepare(fixture.customer);
	fixture.service.reset();
	const { parameters, files, secrets } = await found.prepare(fixture.customer);
	// With every company, what is added to each company's items is seen too; one company is enough for that.
	const every = { companyScope: 'every', onlyCompanies: { nameContains: fixture.customer.company.companyName } };
	const { items } = await runNode({
		node: fixture.node(node),
		parameters: { operation: operation.value, ...parameters, ...(operation.scope === 'companies' ? every : {}) },
		credential: fixture.credential,
		items: [await itemWith(files)],
	});
	if (items.length === 0) throw new Error(`${node}, ${operation.value}: nothing came out`);
	const keys = operation.uses?.map(({ endpoint }) => endpoint) ?? requests ?? [operation.endpoint];
	return {
		operation,
		requests: keys.filter(isKey),
		items: items.map(({ json }) => json),
		secrets: secrets?.(items) ?? [],
	};
}

/** All that is documented. */
export interface Documentation {
	nodes: Documented[];
	triggers: DocumentedTrigger[];
}

/**
 * Runs every operation against the stand-in service as live deployments are: a field that is dragged out of a preview comes there.
 * @throws Error naming the operation that cannot be run
 */
export async function runAll(): Promise<Documentation> {
	const fixture = new OperationFixture();
	await fixture.start('deployed');
	const nodes = new Map<string, Documented>();
	try {
		for (const { node: folder, listed, operation } of await allOperations()) {
			const { description } = fixture.node(folder);
			const resource = z.string().parse(description.properties.find(({ name }) => name === 'resource')?.default);
			const codexFile = codexFileOf(listed);
			const node = nodes.get(folder) ?? { folder, resource, description, codexFile, operations: [] };
			nodes.set(folder, node);
			node.operations.push(await ran(fixture, folder, operation));
		}
	} finally {
		await fixture.service.close();
	}
	for (const { operations } of nodes.values())
		operations.sort((one, other) => one.operation.name.localeCompare(other.operation.name));
	return { nodes: [...nodes.values()], triggers: await documentTriggers() };
}

/** A trigger, and the nodes whose records it waits for. */
export interface DocumentedTrigger {
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	form: FieldMap;
	/** What starts a workflow, as n8n's panel says it. */
	events: string[];
	/** The resources of those nodes. */
	of: string[];
}

/** The triggers by their folders: their fields, and the resources of the nodes whose records they wait for. */
const TRIGGERS: Record<string, Pick<DocumentedTrigger, 'form' | 'of'>> = {
	CampaignTrigger: {
		form: formOfTrigger(campaignTrigger),
		of: ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'],
	},
	EnrollmentTrigger: { form: formOfTrigger(enrollmentTrigger), of: ['enrollment'] },
	ReportedEmailTrigger: { form: formOfTrigger(reportedEmailTrigger), of: ['reportedEmail'] },
};

/** @throws Error for a trigger that is not known here */
async function documentTriggers(): Promise<DocumentedTrigger[]> {
	const listed = manifest.n8n.nodes.filter((path) => /Trigger\.node\.js$/.test(path));
	return await Promise.all(
		listed.map(async (path) => {
			const folder = path.split('/')[2] ?? '';
			const known = TRIGGERS[folder];
			if (!known) throw new Error(`${folder}: add it to tools/docs/run.ts`);
			const options = known.form.triggerOn?.property.options ?? [];
			return {
				...known,
				resource: folder.charAt(0).toLowerCase() + folder.slice(1),
				description: (await loadNode(path)).description,
				codexFile: codexFileOf(path),
				events: options.flatMap((option) => ('action' in option && option.action ? [option.action] : [])),
			};
		}),
	);
}

/** Where the codex file of a node is in the repository. @param listed the node as package.json lists it */
const codexFileOf = (listed: string) =>
	relative(packageRoot, sourceOf(listed)).replaceAll('\\', '/').replace(/\.ts$/, '.json');
