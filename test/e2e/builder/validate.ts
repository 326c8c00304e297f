import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
	orchestrateGeneration,
	parseWorkflowCodeToBuilder,
	validateWorkflowBuilder,
	type WorkflowJSON,
} from '@n8n/workflow-sdk';
import { z } from 'zod';

import { manifest } from '../../n8n-core/package';
import { installN8n } from '../../real-n8n/install';
import { showStep } from '../../real-n8n/steps';

type NodeTypes = NonNullable<NonNullable<Parameters<typeof validateWorkflowBuilder>[1]>['nodeTypesProvider']>;

/** What n8n's checks say of a workflow in the language in which an AI writes it. */
export interface Validated {
	/** What n8n would have the AI put right. */
	problems: string[];
	json: WorkflowJSON;
}

/** A node as n8n serves it to its editor. */
type Served = Parameters<typeof orchestrateGeneration>[0]['nodes'][number] &
	ReturnType<NodeTypes['getByNameAndVersion']>['description'];

const served = z.array(
	z.custom<Served>(
		(value) => z.object({ name: z.string(), properties: z.array(z.unknown()) }).safeParse(value).success,
	),
);

/** n8n's own checks, with what this n8n knows of its nodes and ours. */
export class Checks {
	private constructor(
		private readonly nodeTypesProvider: NodeTypes,
		private readonly nodeDefinitionDirs: string[],
	) {}

	/**
	 * n8n comes with schemas of its own nodes' parameters. For ours they are made in the same way, which n8n itself does not
	 * do for community nodes: so the checks here are stricter.
	 * @param nodes what n8n serves to its editor as /types/nodes.json
	 * @param folder where the schemas are written
	 */
	static async of(nodes: unknown, folder: string): Promise<Checks> {
		const all = served.parse(nodes);
		const ours = all.filter(({ name }) => name.startsWith(`${manifest.name}.`));
		await orchestrateGeneration({ nodes: ours, outputDir: folder });
		// Schemas are CommonJS, whatever the package around them says.
		await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
		const installed = (await installN8n(showStep)).folder;
		const theirs = join(installed, 'node_modules', 'n8n-nodes-base', 'dist', 'node-definitions');
		return new Checks(providerOf(all), [folder, theirs]);
	}

	/** @throws SyntaxError for code that n8n cannot read */
	check(source: string): Validated {
		// As n8n does: what is imported is known to what reads the code.
		const builder = parseWorkflowCodeToBuilder(source.replace(/^import .*;$/gm, ''));
		const { nodeTypesProvider, nodeDefinitionDirs } = this;
		const { ok, blocking } = validateWorkflowBuilder(builder, {
			...{ source, lint: true, strictMode: true, nodeDefinitionDirs, nodeTypesProvider },
		});
		const problems = blocking.map(({ code, message }) => `${code}: ${message}`);
		return { problems: ok ? problems : ['n8n would not accept it', ...problems], json: builder.toJSON() };
	}
}

function providerOf(descriptions: Served[]): NodeTypes {
	const find = (type: string, version?: number) =>
		descriptions.find(
			({ name, version: versions }) => name === type && (version === undefined || [versions].flat().includes(version)),
		);
	const typeOf = (description: Served | undefined): ReturnType<NodeTypes['getByNameAndVersion']> => {
		if (!description) throw new Error('n8n has no such node');
		return { description };
	};
	return {
		getByName: (type) => typeOf(find(type)),
		getByNameAndVersion: (type, version) => typeOf(find(type, version)),
		getKnownTypes: () => ({}),
	};
}
