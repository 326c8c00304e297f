/** n8n puts "Custom API Call" behind the entries of Resource and of Operation: it is for its HTTP Request node. */
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { nodeFixture, failureOf } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
const CUSTOM = '__CUSTOM_API_CALL__';

test.each([{ operation: CUSTOM }, { resource: CUSTOM }, { resource: CUSTOM, operation: CUSTOM }])(
	'%j: says where to make one',
	async (parameters) => {
		const error = await failureOf(b.run(SecurityAwarenessRole, parameters));
		expect(error.message).toBe("'Operation' cannot be 'Custom API Call'");
		expect(error.description).toContain('HTTP Request node');
		expect(b.service.log).toEqual([]);
	},
);

test('a workflow that was saved without a resource runs as it did', async () => {
	const { items } = await b.run(SecurityAwarenessRole, { operation: 'getMany', companyScope: 'own' });
	expect(items.length).toBeGreaterThan(0);
});
