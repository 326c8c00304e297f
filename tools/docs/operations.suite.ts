/**
 * Runs every operation, and checks with the same runs that the docs pages, the output schemas and n8n's search words are up to date
 * with the nodes.
 */
import { z } from 'zod';
import { runTogether } from '../../test/suites/runTogether';
import { buildCodex, listVerbs } from './codex';
import { findDifferences, generateFiles } from './files';
import { buildOutputSchema } from './output';
import { documentRecords, type Documentation, type NodeDocumentation } from './run';

runTogether(
	'operations/compareRequests',
	'operations/everyOperation',
	'operations/everyKind',
	'run/emptyResponses',
	'run/retry',
	'nodes/coverage',
	'nodes/descriptions',
);

describe('generated files', () => {
	let documentation: Documentation;
	beforeAll(async () => {
		documentation = await documentRecords();
	});

	test('npm run generate has nothing to write', () => {
		expect(findDifferences(documentation).map(({ path }) => path)).toEqual([]);
	});

	const listRuns = () =>
		documentation.nodes.flatMap(({ folder, operations }) =>
			operations.map((run) => ({ ...run, title: `${folder}: ${run.key}` })),
		);

	test("IDs come after all readable fields, and the customer's name comes first", () => {
		const isId = (name: string) => /(^id|I[dD])(s|List|Array)?$/.test(name);
		const isWrong = (names: string[]) =>
			names.slice(names.findIndex(isId)).some((name) => names.some(isId) && !isId(name)) ||
			names.indexOf('companyName') > 0;
		const wrongRuns = listRuns().filter(({ items }) =>
			[...items, buildOutputSchema(items).properties].some((fields) => isWrong(Object.keys(fields))),
		);
		expect(wrongRuns.map(({ title }) => title)).toEqual([]);
	});

	test('every reading operation with more than ten output fields lets users select fields', () => {
		const wideRuns = listRuns().filter(({ items }) => items.some((item) => Object.keys(item).length > 10));
		const wrongRuns = wideRuns
			.filter(({ operation }) => operation.isReadOnly && !('output' in operation.fields))
			// The fields of a survey's answers aren't known in advance and are passed through (deployment behaviour, "Training reports").
			.filter(({ title }) => title !== 'TrainingReport: enrolledUser.getInteractions')
			// These operations compute all fields themselves. Their options decide how much they output.
			.filter(({ title }) => !['TargetGroup: checkReadiness', 'TargetUser: compareWithList'].includes(title))
			.filter(({ title }) => !title.startsWith('HumanRisk: '));
		expect(wideRuns.length).toBeGreaterThan(20);
		expect(wrongRuns.map(({ title }) => title)).toEqual([]);
	});

	test('the action of a removed operation disappears from the search words, and other words stay', () => {
		const { nodes } = documentation;
		const [node] = nodes;
		if (!node) throw new Error('There are no nodes');
		const verbs = listVerbs(nodes);
		const [action = ''] = node.operations.map(({ operation }) => operation.action);
		const readAliases = (documentedNode: NodeDocumentation) =>
			z.object({ alias: z.array(z.string()) }).parse(JSON.parse(buildCodex(documentedNode, verbs, ''))).alias;
		expect(readAliases({ ...node, operations: node.operations.slice(1) })).toEqual(
			readAliases(node).filter((word) => word !== action),
		);
		expect(readAliases({ ...node, operations: [] }).length).toBeGreaterThan(0);
	});

	test('the generated files contain no secret', () => {
		const secrets = documentation.nodes.flatMap(({ operations }) => operations.flatMap((run) => run.secrets));
		const contents = [...generateFiles(documentation).values()];
		expect(secrets.length).toBeGreaterThan(10);
		expect(contents.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
	});
});
