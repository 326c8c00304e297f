import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { omit } from 'lodash';
import { NodeHelpers, type INodeParameters, type INodeTypeDescription } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../real-n8n/stage';
import type { RunningN8n } from '../../real-n8n/start';
import { typeOf } from '../operations';
import { manifest } from '../../n8n-core/package';
import { cases, CustomerFixture } from '../../cases';
import { recordOf } from '../../upgrade/parameters';
import type { Part } from '../part';
import { FOLDER, outcomeSchema, type Saved } from './records';
import { common, outcomeOf } from './saved';

/** The descriptions in the package that n8n has installed, and its version. */
async function installed({
	userFolder,
}: RunningN8n): Promise<{ descriptions: INodeTypeDescription[]; version: string }> {
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', manifest.name);
	const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
	return {
		version,
		descriptions: JSON.parse(
			await readFile(join(folder, 'dist', 'types', 'nodes.json'), 'utf8'),
		) as INodeTypeDescription[],
	};
}

/** One entry a line, so that a change of one can be seen. */
const lines = (entries: string[], [open, close]: string): string => `${open}\n${entries.join(',\n')}\n${close}\n`;

export const record: Part = {
	title: 'Write down what workflows of this version ask of the service',
	run: async ({ stage, cleanups }) => {
		const there = await stage('n8n');
		const { descriptions, version } = await installed(there.n8n);
		const customer = await CustomerFixture.start({ companies: 40 });
		cleanups.push(() => customer.service.close());
		const credential = await there.client.createCredential('Saved', CREDENTIAL_TYPE, customer.credential());

		const workflows: Saved[] = [];
		for (const { node, operation, prepare } of cases) {
			const description = descriptions.find(({ name }) => name === typeOf(node));
			if (!description) throw new Error(`There is no node ${node}.`);
			const typeVersion = description.defaultVersion ?? Math.max(...[description.version].flat());
			customer.service.reset();
			const { parameters } = await prepare(customer);
			const whole = { operation, ...(parameters as INodeParameters) };
			const variants = [{ name: `${node}: ${operation}`, given: whole }];
			if ('returnAll' in whole)
				variants.push({ name: `${node}: ${operation}, limited`, given: omit(whole, 'returnAll') });
			for (const { name, given } of variants) {
				// What n8n's editor saves.
				const kept = NodeHelpers.getNodeParameters(
					description.properties,
					given,
					false,
					false,
					{ typeVersion },
					description,
				);
				const saved = { name, node, operation, typeVersion, parameters: kept ?? {} };
				const [one, other] = [
					await outcomeOf(saved, customer, there, credential),
					await outcomeOf(saved, customer, there, credential),
				];
				workflows.push({ ...saved, outcome: outcomeSchema.parse(common(one, other)) });
			}
		}

		const folder = join(FOLDER, version);
		await mkdir(folder, { recursive: true });
		await writeFile(
			join(folder, 'workflows.json'),
			lines(
				workflows.map((each) => JSON.stringify(each)),
				'[]',
			),
		);
		const nodes = Object.entries(recordOf(descriptions)).map(([name, { parameters, ...rest }]) => {
			const head = JSON.stringify(rest).slice(0, -1);
			return `${JSON.stringify(name)}: ${head},"parameters":${lines(
				parameters.map((each) => JSON.stringify(each)),
				'[]',
			).trimEnd()}}`;
		});
		await writeFile(join(folder, 'parameters.json'), lines(nodes, '{}'));
		const failures = workflows
			.filter(({ outcome }) => outcome.status !== 'success')
			.map(({ name, outcome }) => `${name}: ${outcome.status}`);
		return {
			table: [
				{ version, workflows: workflows.length, requests: workflows.flatMap(({ outcome }) => outcome.requests).length },
			],
			failures,
		};
	},
};
