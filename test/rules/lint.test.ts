/** n8n's lint of the descriptions as they are at run time. Starting it takes seconds, so all are linted at once. */
import { join, relative } from 'node:path';
import { cloneDeepWith } from 'lodash';
import type { INodeTypeDescription } from 'n8n-workflow';
import { loadNode, manifest, packageRoot, sourceOf } from '../n8n-core/package';
import { scanDescriptions } from './scan';
import { field, inside, nodeWith, operation, resource } from './thing';

const FAULTY = join(packageRoot, 'nodes', 'Thing', 'SecurityAwarenessThing.node.ts');
let findings: string[] = [];

/** Actions without what only a model is told, in brackets behind them: the rules are for what people read in n8n's menus. */
const withoutRemarks = (description: INodeTypeDescription): INodeTypeDescription =>
	// The same object but for texts, which lodash's types do not say.
	cloneDeepWith(description, (value: unknown, key) =>
		key === 'action' && typeof value === 'string' ? value.replace(/ \(.*\)$/, '') : undefined,
	) as INodeTypeDescription;

beforeAll(async () => {
	const nodes = await Promise.all(
		manifest.n8n.nodes.map(async (listed) => ({
			file: sourceOf(listed),
			description: withoutRemarks((await loadNode(listed)).description),
		})),
	);
	const unsorted = ['E', 'D', 'C', 'B', 'A'].map((displayName) =>
		field({ displayName, name: displayName.toLowerCase() }),
	);
	const limit = field({ displayName: 'Limit', name: 'limit', type: 'number', default: 10 });
	const more = { ...inside(field()), displayName: 'More', options: unsorted };
	const faulty = { file: FAULTY, description: nodeWith([resource(), operation(), limit, more]).description };
	findings = await scanDescriptions([...nodes, faulty]);
}, 120_000);

/** One is of package.json, which does not list it. */
const isOfFaulty = (finding: string) => finding.includes(relative(packageRoot, FAULTY));

test('it finds nothing in the nodes', () => {
	expect(findings.filter((finding) => !isOfFaulty(finding))).toEqual([]);
});

test('it finds what is wrong in a node that was made so', () => {
	const rules = findings.filter(isOfFaulty).flatMap((finding) => / n8n-nodes-base\/(\S+): /.exec(finding)?.[1] ?? []);
	expect(rules.sort()).toEqual([
		'node-param-collection-type-unsorted-items',
		'node-param-default-wrong-for-limit',
		'node-param-description-missing-from-limit',
		'node-param-type-options-missing-from-limit',
	]);
});
