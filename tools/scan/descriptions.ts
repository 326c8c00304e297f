/** Runs n8n's lint on the node descriptions as n8n loads them. `npm run scan` runs this in addition to the lint of the sources. */
import { join, relative } from 'node:path';
import { cloneDeepWith, isEqual } from 'lodash';
import type { INodeTypeDescription } from 'n8n-workflow';
import { loadNode, manifest, PACKAGE_ROOT, toSourcePath } from '../../test/n8n-core/package';
import { findScanFaults } from '../../test/rules/findScanFaults';
import {
	createField,
	wrapInCollection,
	createNodeType,
	createOperationProperty,
	createResourceProperty,
} from '../../test/rules/inventedNode';

/** The path of an invented node with mistakes. The lint must find them, which shows that it works. */
const FAULTY_NODE_PATH = join(PACKAGE_ROOT, 'nodes', 'Thing', 'SecurityAwarenessThing.node.ts');
const EXPECTED_FAULTS = [
	'node-param-collection-type-unsorted-items',
	'node-param-default-wrong-for-limit',
	'node-param-description-missing-from-limit',
	'node-param-type-options-missing-from-limit',
];

/** Removes remarks in parentheses at the end of actions. They are for AI models, and the lint's rules are for texts in n8n's menus. */
const removeAgentRemarks = (description: INodeTypeDescription): INodeTypeDescription =>
	// Only texts change, so the result has the same type. lodash's types don't express that.
	cloneDeepWith(description, (value: unknown, key) =>
		key === 'action' && typeof value === 'string' ? value.replace(/ \(.*\)$/, '') : undefined,
	) as INodeTypeDescription;

function buildFaultyDescription() {
	const names = ['E', 'D', 'C', 'B', 'A'];
	const unsortedOptions = names.map((displayName) => createField({ displayName, name: displayName.toLowerCase() }));
	const limit = createField({ displayName: 'Limit', name: 'limit', type: 'number', default: 10 });
	const more = { ...wrapInCollection(createField()), displayName: 'More', options: unsortedOptions };
	return createNodeType([createResourceProperty(), createOperationProperty(), limit, more]).description;
}

async function checkDescriptions(): Promise<void> {
	const nodes = await Promise.all(
		manifest.n8n.nodes.map(async (builtPath) => ({
			file: toSourcePath(builtPath),
			description: removeAgentRemarks((await loadNode(builtPath)).description),
		})),
	);
	const findings = await findScanFaults([...nodes, { file: FAULTY_NODE_PATH, description: buildFaultyDescription() }]);
	// One of the faulty node's findings is about package.json, which doesn't list the node.
	const isOfFaultyNode = (finding: string) => finding.includes(relative(PACKAGE_ROOT, FAULTY_NODE_PATH));
	const faults = findings.filter((finding) => !isOfFaultyNode(finding));
	const faultRules = findings
		.filter(isOfFaultyNode)
		.flatMap((finding) => / n8n-nodes-base\/(\S+): /.exec(finding)?.[1] ?? []);
	if (!isEqual(faultRules.sort(), EXPECTED_FAULTS))
		faults.push(`the lint found ${faultRules.join(', ') || 'nothing'} in a faulty node`);
	for (const fault of faults) console.error(`  descriptions ${fault}`);
	console.log(`descriptions of ${nodes.length} nodes: ${faults.length} errors and warnings`);
	process.exitCode = faults.length > 0 ? 1 : 0;
}

checkDescriptions().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
