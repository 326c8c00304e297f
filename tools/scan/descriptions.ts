/** n8n's lint of the descriptions as they are at run time, which `npm run scan` adds to that of the sources. */
import { join, relative } from 'node:path';
import { cloneDeepWith, isEqual } from 'lodash';
import type { INodeTypeDescription } from 'n8n-workflow';
import { loadNode, manifest, packageRoot, sourceOf } from '../../test/n8n-core/package';
import { scanDescriptions } from '../../test/rules/scan';
import { field, inside, nodeWith, operation, resource } from '../../test/rules/thing';

/** A node that is wrong on purpose: a lint that finds nothing in it finds nothing at all. */
const FAULTY = join(packageRoot, 'nodes', 'Thing', 'SecurityAwarenessThing.node.ts');
const ITS_FAULTS = [
	'node-param-collection-type-unsorted-items',
	'node-param-default-wrong-for-limit',
	'node-param-description-missing-from-limit',
	'node-param-type-options-missing-from-limit',
];

/** Actions without what only a model is told, in brackets behind them: the rules are for what people read in n8n's menus. */
const withoutRemarks = (description: INodeTypeDescription): INodeTypeDescription =>
	// The same object but for texts, which lodash's types do not say.
	cloneDeepWith(description, (value: unknown, key) =>
		key === 'action' && typeof value === 'string' ? value.replace(/ \(.*\)$/, '') : undefined,
	) as INodeTypeDescription;

function faultyDescription() {
	const names = ['E', 'D', 'C', 'B', 'A'];
	const unsorted = names.map((displayName) => field({ displayName, name: displayName.toLowerCase() }));
	const limit = field({ displayName: 'Limit', name: 'limit', type: 'number', default: 10 });
	const more = { ...inside(field()), displayName: 'More', options: unsorted };
	return nodeWith([resource(), operation(), limit, more]).description;
}

async function main(): Promise<void> {
	const nodes = await Promise.all(
		manifest.n8n.nodes.map(async (listed) => ({
			file: sourceOf(listed),
			description: withoutRemarks((await loadNode(listed)).description),
		})),
	);
	const findings = await scanDescriptions([...nodes, { file: FAULTY, description: faultyDescription() }]);
	// One of the faulty node is of package.json, which does not list it.
	const isOfFaulty = (finding: string) => finding.includes(relative(packageRoot, FAULTY));
	const faults = findings.filter((finding) => !isOfFaulty(finding));
	const found = findings.filter(isOfFaulty).flatMap((each) => / n8n-nodes-base\/(\S+): /.exec(each)?.[1] ?? []);
	if (!isEqual(found.sort(), ITS_FAULTS))
		faults.push(`the lint found ${found.join(', ') || 'nothing'} in a faulty node`);
	for (const fault of faults) console.error(`  descriptions ${fault}`);
	console.log(`descriptions of ${nodes.length} nodes: ${faults.length} errors and warnings`);
	process.exitCode = faults.length > 0 ? 1 : 0;
}

void main();
