/** Tests the option 'Custom API Call'. n8n adds it to 'Resource' and 'Operation', but the node itself can't send such a request. */
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { createNodeFixture, catchNodeError } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 40 });
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

test.each([
	{ operation: CUSTOM_API_CALL },
	{ resource: CUSTOM_API_CALL },
	{ resource: CUSTOM_API_CALL, operation: CUSTOM_API_CALL },
])('%j: the error refers to the HTTP Request node', async (parameters) => {
	const error = await catchNodeError(fixture.run(SecurityAwarenessRole, parameters));
	expect(error.message).toBe("'Operation' cannot be 'Custom API Call'");
	expect(error.description).toContain('HTTP Request node');
	expect(fixture.standIn.log).toEqual([]);
});

test('an unknown operation is one error for all items', async () => {
	const runUnknownOperation = async (count: number) => {
		const items = Array.from({ length: count }, () => ({ json: {} }));
		return await catchNodeError(fixture.run(SecurityAwarenessRole, { operation: 'gone' }, { items }));
	};
	expect((await runUnknownOperation(1)).message).toBe("'Operation' isn't one of the resource 'Role'");
	expect((await runUnknownOperation(2)).message).toBe("'Operation' isn't one of the resource 'Role'");
	expect((await runUnknownOperation(1)).description).toBe('Select an operation from the list.');
	expect(fixture.standIn.log).toEqual([]);
});
