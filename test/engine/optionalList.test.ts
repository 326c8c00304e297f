/** A list that only some deployments have, read after the work is done: only Stop is a failure of it. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { readOptionalList } from '../../nodes/shared/operation/optionalList';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { Service } from '../../nodes/shared/transport/service';
import { runNode } from '../n8n-core';
import { answering, closeOdd, sendJson } from '../n8n-core/nodeFixture';

afterEach(closeOdd);

/** Reads such a list in a node's own context. @param answer what the service does with the search */
async function read(answer: (response: Parameters<typeof sendJson>[0], stop: () => void) => void) {
	const controller = new AbortController();
	const { store } = await answering((_request, response) => answer(response, () => controller.abort()));
	const outcomes: unknown[] = [];
	const node: INodeType = {
		description: new SecurityAwarenessAccount().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const service = await Service.open(this);
			const files = { store: async () => await Promise.reject(new Error('No file is expected')) };
			const session = { service, files, timezone: 'UTC', signal: new AbortController().signal, hint: () => undefined };
			const reading = readOptionalList(session, { contract: 'POST /api/scim/search' }, { identity: ['id'] });
			outcomes.push(await reading.catch((error: unknown) => error));
			return [[]];
		},
	};
	// A run that is stopped ends with an error of n8n's own.
	await runNode({ node, parameters: {}, credential: store, signal: controller.signal }).catch(() => undefined);
	return outcomes;
}

test('is given where there is one', async () => {
	expect(await read((response) => sendJson(response, 200, { data: [{ id: 'a' }] }))).toEqual([[{ id: 'a' }]]);
});

test.each([400, 403, 404, 500])('is undefined where the service answers with %i', async (status) => {
	expect(await read((response) => sendJson(response, status, { message: 'No.' }))).toEqual([undefined]);
});

test('fails when the run is stopped', async () => {
	expect(await read((_response, stop) => stop())).toMatchObject([{ details: { cause: 'cancelled' } }]);
});
