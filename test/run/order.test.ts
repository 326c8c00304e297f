/**
 * Items of operations that write are processed one after the other, in their order; those of operations that only read
 * in parallel.
 */
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { toItems, getJson, createNodeFixture, createIndexRecords } from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 40 });
const options = { concurrency: 8 };

test('a write waits for the one before it', async () => {
	b.standIn.setOptions({ latencyMs: 20 });
	const parameters = { operation: 'create', name: '={{ "Group " + $json.index }}', participantsFrom: 'none', options };
	const { items } = await b.run(SecurityAwarenessCompanyGroup, parameters, { items: toItems(...createIndexRecords(5)) });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
	const sent = b.standIn.getRequests('POST /api/company-groups').map(({ body }) => body);
	expect(sent).toMatchObject([0, 1, 2, 3, 4].map((index) => ({ name: `Group ${index}` })));
	expect(b.maxInFlightCount).toBe(1);
});

test('reads do not wait for each other, up to the concurrency', async () => {
	b.standIn.setOptions({ latencyMs: 50 });
	const parameters = {
		operation: 'getMany',
		companyScope: 'own',
		returnAll: false,
		limit: 1,
		options: { concurrency: 3 },
	};
	const { items } = await b.run(SecurityAwarenessTargetGroup, parameters, { items: toItems(...createIndexRecords(6)) });
	expect(getJson(items).length).toBeGreaterThan(0);
	expect(b.maxInFlightCount).toBe(3);
});
