/** The words of an error, and what n8n does with it besides. */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InvalidInput, ServiceError, type ServiceErrorDetails } from '../../nodes/shared/transport/errors';
import { describeError, toNodeError } from '../../nodes/shared/transport/nodeError';

const node: INode = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };
const purpose = 'get companies';
const failed = (more: Partial<ServiceErrorDetails> = {}) =>
	new ServiceError({
		...{
			reason: 'it rained',
			advice: 'Take an umbrella.',
			cause: 'refused',
			mayHaveBeenApplied: false,
			transient: false,
		},
		...more,
	});

test('input: the field by its names, from the inside out, and how to put it right', () => {
	const labels = (path: string[]) => path.map((name) => name.toUpperCase());
	expect(describeError(new InvalidInput('is odd', ['a', 'b']), { purpose, labels })).toEqual({
		...{ message: "'B' in 'A' is odd", description: "Change 'B' in 'A' and run the node again." },
	});
	expect(describeError(new InvalidInput('is odd', ['a'], 'Do it.'), { purpose, itemIndex: 0 })).toEqual({
		...{ message: "'a' is odd [item 0]", description: 'Do it.' },
	});
	expect(describeError(new InvalidInput('Something is odd'), { purpose })).toEqual({
		...{ message: 'Something is odd', description: 'Change it and run the node again.' },
	});
});

test('the service: what could not be done, for whom, why, and for which item', () => {
	const of = (company: { id: string; name: string }) =>
		describeError(failed(), { purpose, company, itemIndex: 2 }).message;
	expect(of({ id: 'c', name: 'Bakery' })).toBe("Could not get companies for 'Bakery': it rained [item 2]");
	expect(of({ id: 'c', name: '' })).toBe("Could not get companies for 'c': it rained [item 2]");
	expect(describeError(failed({ status: 404 }), { purpose })).toEqual({
		...{ message: 'Could not get companies: it rained', description: 'Take an umbrella.', httpCode: 404 },
	});
	expect(describeError(failed(), { purpose })).not.toHaveProperty('httpCode');
});

test('where access was refused, what is plainer comes first', () => {
	const described = (status: number) =>
		describeError(failed({ status }), { purpose, whenRefused: 'Ask Ann.' }).description;
	expect([described(403), described(404)]).toEqual(['Ask Ann. Take an umbrella.', 'Take an umbrella.']);
	expect(describeError(failed({ status: 403 }), { purpose }).description).toBe('Take an umbrella.');
});

test('anything else: that it could not be done, and what was thrown', () => {
	expect(describeError(new Error('boom'), { purpose, itemIndex: 1 })).toEqual({
		...{ message: 'Could not get companies [item 1]', description: 'boom' },
	});
	expect(describeError('boom', { purpose })).toEqual({ message: 'Could not get companies', description: 'boom' });
});

describe('as an error of n8n', () => {
	test("the service's has its status, and its words stay whatever they contain", () => {
		const thrown = failed({ status: 500, reason: 'ECONNREFUSED of a name' });
		const error = toNodeError(node, thrown, { purpose, itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			...{ message: 'Could not get companies: ECONNREFUSED of a name [item 3]', messages: [], httpCode: '500' },
			...{ description: 'Take an umbrella.', context: { itemIndex: 3 } },
		});
		expect(JSON.stringify(error)).not.toContain('stack trace');
	});

	test("tells n8n's pollers to try again soon, and how long to wait where the service says so", () => {
		const failure = (more: Partial<ServiceErrorDetails>): unknown =>
			Reflect.get(toNodeError(node, failed(more), { purpose }), 'failure');
		expect(failure({ cause: 'rate-limited', retryAfterMs: 5 })).toEqual({ cause: 'rate-limited', retryAfterMs: 5 });
		// What is refused once may be accepted in a moment: n8n would stop polls for half an hour.
		for (const cause of ['credential-invalid', 'configuration-invalid', 'refused'] as const)
			expect(failure({ cause, status: 401 })).toEqual({ cause: 'temporarily-unavailable' });
	});

	test('one of input, and any other, is about the operation', () => {
		for (const [thrown, message] of [
			[new InvalidInput('is odd', ['a']), "'a' is odd"],
			[new Error('boom'), 'Could not get companies'],
		] as const) {
			const error = toNodeError(node, thrown, { purpose });
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe(message);
			expect(error.context.itemIndex).toBeUndefined();
		}
	});

	test('one of n8n stays as it is', () => {
		for (const error of [new NodeOperationError(node, 'x'), new NodeApiError(node, {})])
			expect(toNodeError(node, error, { purpose })).toBe(error);
	});
});
