/**
 * Every row of the contract's section 4 is an operation, and every operation has a case that runs it.
 * PRINT=1 npx jest test/nodes/coverage prints the table.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../n8n-core/package';
import { keysOf } from '../contract/catalogue';
import { BESIDE_KEYS, CONTRACT_KEYS, isRead } from '../contract/keys';
import { allOperations, cases, type Listed } from '../cases';
import { SIMULATORS } from '../stand-in/personality';

/**
 * The errors in a set of keys, as sentences.
 * @param known keys that are allowed although the contract does not have them
 */
function faults(keys: string[], contract: readonly string[], known: readonly string[] = BESIDE_KEYS): string[] {
	return [
		...contract.filter((key) => !keys.includes(key)).map((key) => `No operation is ${key}`),
		...keys
			.filter((key) => !contract.includes(key) && !known.includes(key))
			.map((key) => `The contract has no ${key}, and the stand-in service does not mark it as beside the contract`),
		...keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `Two operations are ${key}`),
	];
}

const rowsOf = (listed: Listed[]) => listed.flatMap(({ operation }) => operation.contract ?? []);

let operations: Listed[];
beforeAll(async () => {
	operations = await allOperations();
});

test("the operations are the contract's table: none is missing, doubled or unknown", () => {
	expect(faults(rowsOf(operations), CONTRACT_KEYS)).toEqual([]);
});

// The only place that says how many there are: it notices a table that is not read to its end.
test('the table is read to its end, and has as many operations for each simulator', () => {
	expect(new Set(CONTRACT_KEYS).size).toBe(85);
	const [one, ...others] = SIMULATORS.map((name) => CONTRACT_KEYS.filter((key) => key.includes(name)).length);
	expect(one).toBeGreaterThan(0);
	expect(others).toEqual([one, one]);
});

test('a missing, an unknown and a doubled operation are found', () => {
	const [first = '', second = '', ...rest] = CONTRACT_KEYS;
	const made = first.replace('POST', 'PATCH').replace('GET', 'PATCH');
	const found = (keys: string[], known: string[] = []) => faults(keys, CONTRACT_KEYS, known);
	expect(found([second, ...rest])).toEqual([`No operation is ${first}`]);
	expect(found([first, second, ...rest, made])).toEqual([expect.stringContaining(`The contract has no ${made}, and`)]);
	expect(found([first, second, ...rest, made], [made])).toEqual([]);
	expect(found([first, second, ...rest, second])).toEqual([`Two operations are ${second}`]);
});

test('an operation that is not in the contract is marked as optional, and no other', () => {
	const wrong = operations.filter(
		({ operation: { contract, isOptional } }) => isOptional !== (contract !== null && BESIDE_KEYS.includes(contract)),
	);
	expect(wrong.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
});

test('an operation of several requests is made of operations that are one each', () => {
	const steps = operations.flatMap(({ operation }) => operation.steps ?? []);
	expect(steps).not.toEqual([]);
	expect(steps.filter(({ contract }) => contract === null)).toEqual([]);
});

test('an operation only reads where none of its requests changes anything', () => {
	const wrong = operations.filter(({ operation }) => operation.reads !== keysOf(operation).every(isRead));
	expect(wrong.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
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
		return [node, rowsOf(own).length, own.length - rowsOf(own).length, middle(lines), Math.max(0, ...lines) || ''].join(
			' | ',
		);
	});
	// The simulators share theirs.
	const all = [...nodes.flatMap(files), ...sources('nodes/shared/campaign')].map(linesOf);
	const total = summed([...sources('nodes'), ...sources('credentials')].map(linesOf));
	const table = [
		'| Node | Keys | Ours | Lines of a file: median | Most |\n|---|---|---|---|---|',
		...rows.map((row) => `| ${row} |`),
		`| All | ${rowsOf(operations).length} | ${operations.length - rowsOf(operations).length} | ${middle(all)} | ${Math.max(...all)} |`,
		'',
		`${summed(all)} lines for ${operations.length} operations: ${(summed(all) / operations.length).toFixed(1)} each.`,
		`${total} lines in nodes/ and credentials/, without output schemas.`,
	];
	process.stdout.write(`${table.join('\n')}\n`);
});
