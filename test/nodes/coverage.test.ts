/**
 * Every row of the contract's section 4 is an operation, and every operation has a case that runs it.
 * PRINT=1 npx jest test/nodes/coverage prints the table.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../n8n-core/package';
import { contractKeys } from '../rules/files';
import { allOperations, cases, type Listed } from '../cases';

/** What is wrong with a set of keys, as sentences. */
function faults(keys: string[], contract: Set<string>): string[] {
	return [
		...[...contract].filter((key) => !keys.includes(key)).map((key) => `No operation is ${key}`),
		...keys.filter((key) => !contract.has(key)).map((key) => `The contract has no ${key}`),
		...keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `Two operations are ${key}`),
	];
}

const keysOf = (operations: Listed[]) => operations.flatMap(({ operation }) => operation.contract ?? []);

let operations: Listed[];
beforeAll(async () => {
	operations = await allOperations();
});

test("the operations are the contract's table: none is missing, doubled or unknown", () => {
	expect(faults(keysOf(operations), contractKeys())).toEqual([]);
});

test('the table has 67 rows, nine of which stand for three simulators: 85 operations', () => {
	const keys = [...contractKeys()];
	expect(keys).toHaveLength(85);
	expect(keys.filter((key) => !/smishing|quishing/.test(key))).toHaveLength(67);
	expect(
		['phishing', 'smishing', 'quishing'].map((simulator) => keys.filter((key) => key.includes(simulator)).length),
	).toEqual([9, 9, 9]);
});

test('a missing, an unknown and a doubled operation are found', () => {
	const [first = '', second = '', ...rest] = keysOf(operations);
	const made = first.replace('POST', 'PATCH').replace('GET', 'PATCH');
	expect(faults([second, ...rest], contractKeys())).toEqual([`No operation is ${first}`]);
	expect(faults([first, second, ...rest, made], contractKeys())).toEqual([`The contract has no ${made}`]);
	expect(faults([first, second, ...rest, second], contractKeys())).toEqual([`Two operations are ${second}`]);
});

test('ours are ten, each made of operations of the contract', () => {
	const ours = operations.filter(({ operation }) => operation.contract === null);
	expect(ours.map(({ node, operation }) => `${node} ${operation.value}`).sort()).toEqual([
		'Account checkAccess',
		'ApiClient provision',
		'Company getTotalActiveUsers',
		'Enrollment createAndSend',
		'PhishingCampaign fullReport',
		'PhishingCampaign fullReportOfPeriod',
		'QuishingCampaign fullReport',
		'QuishingCampaign fullReportOfPeriod',
		'SmishingCampaign fullReport',
		'SmishingCampaign fullReportOfPeriod',
	]);
	const steps = ours.flatMap(({ operation }) => operation.steps ?? []);
	expect(steps.filter(({ contract }) => contract === null)).toEqual([]);
});

test('every operation has one case, and every case an operation', () => {
	const named = (each: { node: string; operation: string }) => `${each.node} ${each.operation}`;
	const names = operations.map(({ node, operation }) => named({ node, operation: operation.value }));
	expect(cases.map(named).sort()).toEqual(names.sort());
});

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length;
const sources = (folder: string) =>
	readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(packageRoot, folder, name));

afterAll(() => {
	if (!process.env.PRINT) return;
	const files = (node: string) =>
		sources(join('nodes', node, 'operations')).filter((file) => !file.endsWith('index.ts'));
	const summed = (lines: number[]) => lines.reduce((sum, count) => sum + count, 0);
	const middle = (lines: number[]) => [...lines].sort((one, other) => one - other)[Math.floor(lines.length / 2)] ?? '';
	const nodes = [...new Set(operations.map(({ node }) => node))];
	const rows = nodes.map((node) => {
		const own = operations.filter((each) => each.node === node);
		const lines = files(node).map(linesOf);
		return [node, keysOf(own).length, own.length - keysOf(own).length, middle(lines), Math.max(0, ...lines) || ''].join(
			' | ',
		);
	});
	// The simulators share theirs.
	const all = [...nodes.flatMap(files), ...sources('nodes/shared/campaign')].map(linesOf);
	const total = summed([...sources('nodes'), ...sources('credentials')].map(linesOf));
	const table = [
		'| Node | Keys | Ours | Lines of a file: median | Most |\n|---|---|---|---|---|',
		...rows.map((row) => `| ${row} |`),
		`| All | ${keysOf(operations).length} | ${operations.length - keysOf(operations).length} | ${middle(all)} | ${Math.max(...all)} |`,
		'',
		`${summed(all)} lines for ${operations.length} operations: ${(summed(all) / operations.length).toFixed(1)} each.`,
		`${total} lines in nodes/ and credentials/, without output schemas.`,
	];
	process.stdout.write(`${table.join('\n')}\n`);
});
