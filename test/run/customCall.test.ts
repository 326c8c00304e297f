/** n8n puts "Custom API Call" behind the entries of Resource and of Operation: it is for its HTTP Request node. */
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { createNodeFixture, catchNodeError } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 40 });
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

test.each([{ operation: CUSTOM_API_CALL }, { resource: CUSTOM_API_CALL }, { resource: CUSTOM_API_CALL, operation: CUSTOM_API_CALL }])(
	'%j: says where to make one',
	async (parameters) => {
		const error = await catchNodeError(fixture.run(SecurityAwarenessRole, parameters));
		expect(error.message).toBe("'Operation' cannot be 'Custom API Call'");
		expect(error.description).toContain('HTTP Request node');
		expect(fixture.standIn.log).toEqual([]);
	},
);

test('an operation that there is not: said once, of all items', async () => {
	const runUnknownOperation = async (count: number) => {
		const items = Array.from({ length: count }, () => ({ json: {} }));
		return await catchNodeError(fixture.run(SecurityAwarenessRole, { operation: 'gone' }, { items }));
	};
	expect((await runUnknownOperation(1)).message).toBe("'Operation' is not one of this node");
	expect((await runUnknownOperation(2)).message).toBe("'Operation' is not one of this node");
	expect((await runUnknownOperation(1)).description).toBe('Choose an operation from the list.');
	expect(fixture.standIn.log).toEqual([]);
});
