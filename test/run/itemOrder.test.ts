/** Tests that writes run one after the other in the order of the items, and that reads run in parallel. */
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { toItems, getJson, createNodeFixture, createIndexRecords } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 40 });
const options = { concurrency: 8 };

test('a write waits for the one before it', async () => {
	fixture.standIn.setOptions({ latencyMs: 20 });
	const parameters = { operation: 'create', name: '={{ "Group " + $json.index }}', membersFrom: 'none', options };
	const { items } = await fixture.run(SecurityAwarenessCompanyGroup, parameters, {
		items: toItems(...createIndexRecords(5)),
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
	const sentBodies = fixture.standIn.getRequests('POST /api/company-groups').map(({ body }) => body);
	expect(sentBodies).toMatchObject([0, 1, 2, 3, 4].map((index) => ({ name: `Group ${index}` })));
	expect(fixture.maxInFlightCount).toBe(1);
});

test('reads run in parallel, up to the concurrency', async () => {
	fixture.standIn.setOptions({ latencyMs: 50 });
	const parameters = {
		operation: 'getMany',
		companyScope: 'own',
		returnAll: false,
		limit: 1,
		options: { concurrency: 3 },
	};
	const { items } = await fixture.run(SecurityAwarenessTargetGroup, parameters, {
		items: toItems(...createIndexRecords(6)),
	});
	expect(getJson(items).length).toBeGreaterThan(0);
	expect(fixture.maxInFlightCount).toBe(3);
});
