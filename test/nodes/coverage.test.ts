/** Every row of the contract's section 4 is an operation, and every operation has a case that runs it. */
import { listEndpointKeys } from '../contract/catalogue';
import { KEYS_BEYOND_CONTRACT, CONTRACT_KEYS, isReadKey } from '../contract/keys';
import { loadAllOperations, cases, type ListedOperation } from '../cases';
import { SIMULATORS } from '../stand-in/personality';

/**
 * The errors in a set of keys, as sentences.
 * @param known keys that are allowed although the contract does not have them
 */
function faults(keys: string[], contract: readonly string[], known: readonly string[] = KEYS_BEYOND_CONTRACT): string[] {
	return [
		...contract.filter((key) => !keys.includes(key)).map((key) => `No operation is ${key}`),
		...keys
			.filter((key) => !contract.includes(key) && !known.includes(key))
			.map((key) => `Neither the contract nor docs/facts/deployment-beyond.md has ${key}`),
		...keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `Two operations are ${key}`),
	];
}

const rowsOf = (listed: ListedOperation[]) => listed.flatMap(({ operation }) => operation.endpoint ?? []);

let operations: ListedOperation[];
beforeAll(async () => {
	operations = await loadAllOperations();
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
	expect(found([first, second, ...rest, made])).toEqual([
		`Neither the contract nor docs/facts/deployment-beyond.md has ${made}`,
	]);
	expect(found([first, second, ...rest, made], [made])).toEqual([]);
	expect(found([first, second, ...rest, second])).toEqual([`Two operations are ${second}`]);
});

test('an operation that needs more than the contract is marked as optional, and no other', () => {
	const wrong = operations.filter(
		({ operation }) =>
			operation.isOptional !==
			// The contract may have another way to the same result.
			(listEndpointKeys(operation).some((key) => KEYS_BEYOND_CONTRACT.includes(key)) &&
				!operation.substituteEndpoints.some((key) => CONTRACT_KEYS.includes(key))),
	);
	expect(wrong.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
});

test('an operation of several requests is made of operations that are one each', () => {
	const uses = operations.flatMap(({ operation }) => operation.dependencies ?? []);
	expect(uses).not.toEqual([]);
	expect(uses.filter(({ endpoint }) => endpoint === null)).toEqual([]);
});

test('an operation only reads where none of its requests changes anything', () => {
	const wrong = operations.filter(({ operation }) => operation.isReadOnly !== listEndpointKeys(operation).every(isReadKey));
	expect(wrong.map(({ node, operation }) => `${node} ${operation.value}`)).toEqual([]);
});

test('every operation has one case, and every case an operation', () => {
	const named = (each: { node: string; operation: string }) => `${each.node} ${each.operation}`;
	const names = operations.map(({ node, operation }) => named({ node, operation: operation.value }));
	expect(cases.map(named).sort()).toEqual(names.sort());
	const optional = operations.filter(({ operation }) => operation.isOptional);
	expect(cases.flatMap((each) => (each.isOutsideContract ? [named(each)] : [])).sort()).toEqual(
		optional.map(({ node, operation }) => named({ node, operation: operation.value })).sort(),
	);
});
