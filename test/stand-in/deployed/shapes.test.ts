/**
 * Tests which operations of the contract a live deployment has. That its responses match the interface description, and that requests
 * without a required field are rejected, is tested with the requests of every operation: see test/operations/responseShapes.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomerFixture } from '../../cases';
import { buildStrictSearchBody } from '../../cases/customerFixture';
import { CONTRACT_KEYS } from '../../contract/keys';
import { getProfile } from '../profile';
import { listRoutes } from '../routes';

const SERVED_KEYS = new Set(listRoutes(getProfile('deployed')).map(({ key }) => key));

let customer: CustomerFixture;
beforeAll(async () => {
	customer = await CustomerFixture.start({ profile: 'deployed', companyCount: 40 });
});
afterAll(() => customer.standIn.close());

test('serves every operation of the contract except those that the description calls absent', async () => {
	const contractSection =
		readFileSync(join(__dirname, '../../../docs/facts/deployment-shapes.md'), 'utf8').split('\n## Beside the 85')[0] ??
		'';
	const keys = [...contractSection.matchAll(/^- `(\w+ \S+)`.*$/gm)].map(([line, key = '']) => ({
		key,
		isAbsent: line.includes('not in the document'),
	}));
	expect(keys.filter(({ key }) => !CONTRACT_KEYS.includes(key))).toEqual([]);
	const absentKeys = keys.filter(({ isAbsent }) => isAbsent).map(({ key }) => key);
	expect(absentKeys).toHaveLength(3);
	expect(CONTRACT_KEYS.filter((key) => !SERVED_KEYS.has(key)).sort()).toEqual(absentKeys.sort());
	for (const key of absentKeys) {
		expect((await customer.client.send(key.replace('{resourceId}', 'x'), buildStrictSearchBody(key))).status).toBe(404);
		expect(customer.standIn.log.at(-1)?.route).toBe(key);
	}
});
