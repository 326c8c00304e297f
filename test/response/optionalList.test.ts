/** Tests `readOptionalList`, which reads lists that only some platforms have. It fails only if the run was stopped. */
import { startFakeServer, closeFakeServers, sendJson } from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import { runWithClient } from '../http/runWithClient';
import { readOptionalList } from '../../nodes/core/pagination/readCompleteList';

afterEach(() => {
	jest.restoreAllMocks();
	closeFakeServers();
});

type FakeResponse = Parameters<typeof sendJson>[0];

/** Reads an optional list. @param respond responds to the request, or stops the run */
async function readOptionalListFromServer(respond: (response: FakeResponse, stop: () => void) => unknown) {
	const stopController = new AbortController();
	const { credentialStore } = await startFakeServer((_request, response) =>
		respond(response, () => stopController.abort()),
	);
	return await runWithClient(
		credentialStore,
		(client) =>
			readOptionalList(
				{ client, addHint: () => undefined },
				{ endpoint: 'POST /api/scim/search' },
				{ identity: ['id'] },
				'The list',
			),
		stopController.signal,
	);
}

useSimulatedDate();

test('an optional list is returned if the platform has it', async () => {
	expect(await readOptionalListFromServer((response) => sendJson(response, 200, { data: [{ id: 'a' }] }))).toEqual([
		{ id: 'a' },
	]);
});

test.each([400, 403, 404, 500])('an optional list is undefined if the platform responds with %i', async (status) => {
	expect(
		await readOptionalListFromServer((response) => sendJson(response, status, { message: 'No.' })),
	).toBeUndefined();
});

test('an optional list is requested again if the platform is not ready, as every list is', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	let requestCount = 0;
	const respond = (response: FakeResponse) => {
		requestCount++;
		if (requestCount === 1) return sendJson(response, 503, {});
		return sendJson(response, 200, { data: [{ id: 'a' }] });
	};
	expect(await readOptionalListFromServer(respond)).toEqual([{ id: 'a' }]);
});

test('reading an optional list fails if the run is stopped', async () => {
	expect(await readOptionalListFromServer((_response, stop) => stop())).toMatchObject({
		details: { cause: 'cancelled' },
	});
});
