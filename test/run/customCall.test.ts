/** n8n puts "Custom API Call" behind the entries of Resource and of Operation: it is for its HTTP Request node. */
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { createNodeFixture, catchNodeError } from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 40 });
const CUSTOM = '__CUSTOM_API_CALL__';

test.each([{ operation: CUSTOM }, { resource: CUSTOM }, { resource: CUSTOM, operation: CUSTOM }])(
	'%j: says where to make one',
	async (parameters) => {
		const error = await catchNodeError(b.run(SecurityAwarenessRole, parameters));
		expect(error.message).toBe("'Operation' cannot be 'Custom API Call'");
		expect(error.description).toContain('HTTP Request node');
		expect(b.standIn.log).toEqual([]);
	},
);

test('an operation that there is not: said once, of all items', async () => {
	const failed = async (count: number) => {
		const items = Array.from({ length: count }, () => ({ json: {} }));
		return await catchNodeError(b.run(SecurityAwarenessRole, { operation: 'gone' }, { items }));
	};
	expect((await failed(1)).message).toBe("'Operation' is not one of this node");
	expect((await failed(2)).message).toBe("'Operation' is not one of this node");
	expect((await failed(1)).description).toBe('Choose an operation from the list.');
	expect(b.standIn.log).toEqual([]);
});
