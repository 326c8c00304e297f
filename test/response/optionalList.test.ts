/** A list that only some deployments have, read after the work is done: only Stop is a failure of it. */
import { startFakeServer, closeFakeServers, sendJson } from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import { runWithClient } from '../http/runWithClient';
import { readOptionalList } from '../../nodes/core/pagination/readCompleteList';

afterEach(() => {
	jest.restoreAllMocks();
	closeFakeServers();
});

/** Reads such a list. @param answer what the service does with the search */
async function read(answer: (response: Parameters<typeof sendJson>[0], stop: () => void) => unknown) {
	const controller = new AbortController();
	const { store } = await startFakeServer((_request, response) => answer(response, () => controller.abort()));
	const files = { store: async () => Promise.reject(new Error('No file is expected')) };
	const others = {
		files,
		timezone: 'UTC',
		signal: new AbortController().signal,
		addHint: () => undefined,
	};
	return await runWithClient(
		store,
		async (client) =>
			readOptionalList({ client, ...others }, { endpoint: 'POST /api/scim/search' }, { identity: ['id'] }, 'The list'),
		controller.signal,
	);
}

useSimulatedClock();

test('is given where there is one', async () => {
	expect(await read((response) => sendJson(response, 200, { data: [{ id: 'a' }] }))).toEqual([{ id: 'a' }]);
});

test.each([400, 403, 404, 500])('is undefined where the service answers with %i', async (status) => {
	expect(await read((response) => sendJson(response, status, { message: 'No.' }))).toBeUndefined();
});

test('is asked for again where the service is not ready, as every list is', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	let asked = 0;
	const answer = (response: Parameters<typeof sendJson>[0]) =>
		asked++ === 0 ? sendJson(response, 503, {}) : sendJson(response, 200, { data: [{ id: 'a' }] });
	expect(await read(answer)).toEqual([{ id: 'a' }]);
});

test('fails when the run is stopped', async () => {
	expect(await read((_response, stop) => stop())).toMatchObject({ details: { cause: 'cancelled' } });
});
