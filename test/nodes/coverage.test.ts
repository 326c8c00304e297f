/** Tests that every row of the contract's section 4 has an operation, and that every operation has a test case. */
import { listEndpointKeys } from '../contract/catalogue';
import { KEYS_BEYOND_CONTRACT, CONTRACT_KEYS, isReadOnlyKey } from '../contract/keys';
import { loadAllOperations, cases, type ListedOperation } from '../cases';
import { SIMULATORS } from '../stand-in/profile';

/**
 * Compares the endpoint keys of the operations with those of the contract. Returns each difference as a sentence.
 * @param extraKeys keys that are allowed although the contract does not have them
 */
function findFaults(
	keys: string[],
	contract: readonly string[],
	extraKeys: readonly string[] = KEYS_BEYOND_CONTRACT,
): string[] {
	return [
		...contract.filter((key) => !keys.includes(key)).map((key) => `No operation is ${key}`),
		...keys
			.filter((key) => !contract.includes(key) && !extraKeys.includes(key))
			.map((key) => `Neither the contract nor docs/facts/deployment-beyond.md has ${key}`),
		...keys.filter((key, index) => keys.indexOf(key) < index).map((key) => `Two operations are ${key}`),
	];
}

const listEndpoints = (listedOperations: ListedOperation[]) =>
	listedOperations.flatMap(({ operation }) => operation.endpoint ?? []);

let operations: ListedOperation[];
beforeAll(async () => {
	operations = await loadAllOperations();
});

test("the operations match the contract's table: none is missing, duplicated or unknown", () => {
	expect(findFaults(listEndpoints(operations), CONTRACT_KEYS)).toEqual([]);
});

// This is the only test that contains the number of rows. It fails if the table is not read to its end.
test('the table is read completely, and has the same number of operations for each simulator', () => {
	expect(new Set(CONTRACT_KEYS).size).toBe(85);
	const [firstCount, ...otherCounts] = SIMULATORS.map(
		(name) => CONTRACT_KEYS.filter((key) => key.includes(name)).length,
	);
	expect(firstCount).toBeGreaterThan(0);
	expect(otherCounts).toEqual([firstCount, firstCount]);
});

test('a missing, an unknown and a duplicated operation are found', () => {
	const [firstKey = '', secondKey = '', ...otherKeys] = CONTRACT_KEYS;
	const unknownKey = firstKey.replace('POST', 'PATCH').replace('GET', 'PATCH');
	const findContractFaults = (keys: string[], extraKeys: string[] = []) => findFaults(keys, CONTRACT_KEYS, extraKeys);
	expect(findContractFaults([secondKey, ...otherKeys])).toEqual([`No operation is ${firstKey}`]);
	expect(findContractFaults([firstKey, secondKey, ...otherKeys, unknownKey])).toEqual([
		`Neither the contract nor docs/facts/deployment-beyond.md has ${unknownKey}`,
	]);
	expect(findContractFaults([firstKey, secondKey, ...otherKeys, unknownKey], [unknownKey])).toEqual([]);
	expect(findContractFaults([firstKey, secondKey, ...otherKeys, secondKey])).toEqual([
		`Two operations are ${secondKey}`,
	]);
});

test('exactly the operations that need an endpoint outside the contract are marked as optional', () => {
	const faultyOperations = operations.filter(
		({ operation }) =>
			operation.isOutsideContract !==
			// An operation that can use an endpoint of the contract instead doesn't count as outside the contract.
			(listEndpointKeys(operation).some((key) => KEYS_BEYOND_CONTRACT.includes(key)) &&
				!operation.substituteEndpoints.some((key) => CONTRACT_KEYS.includes(key))),
	);
	expect(faultyOperations.map(({ node, key }) => `${node} ${key}`)).toEqual([]);
});

test('an operation with several requests consists of operations with one request each', () => {
	const dependencies = operations.flatMap(({ operation }) => operation.dependencies ?? []);
	expect(dependencies).not.toEqual([]);
	expect(dependencies.filter(({ endpoint }) => endpoint === null)).toEqual([]);
});

test('exactly the operations whose requests change nothing are marked as read-only', () => {
	const faultyOperations = operations.filter(
		({ operation }) => operation.isReadOnly !== listEndpointKeys(operation).every(isReadOnlyKey),
	);
	expect(faultyOperations.map(({ node, key }) => `${node} ${key}`)).toEqual([]);
});

test('every operation has one case, and every case has an operation', () => {
	const formatName = ({ node, operation }: { node: string; operation: string }) => `${node} ${operation}`;
	const names = operations.map(({ node, key }) => formatName({ node, operation: key }));
	expect(cases.map(formatName).sort()).toEqual(names.sort());
	const optionalOperations = operations.filter(({ operation }) => operation.isOutsideContract);
	expect(
		cases
			.filter(({ isOutsideContract }) => isOutsideContract)
			.map(formatName)
			.sort(),
	).toEqual(optionalOperations.map(({ node, key }) => formatName({ node, operation: key })).sort());
});
