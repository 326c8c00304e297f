/** A list that only some deployments have, read after the work is done: only Stop is a failure of it. */
import { answering, closeOdd, sendJson } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';
import { inNode } from '../http/inNode';
import { readOptionalList } from '../../nodes/core/pagination/readList';

afterEach(() => {
	jest.restoreAllMocks();
	closeOdd();
});

/** Reads such a list. @param answer what the service does with the search */
async function read(answer: (response: Parameters<typeof sendJson>[0], stop: () => void) => unknown) {
	const controller = new AbortController();
	const { store } = await answering((_request, response) => answer(response, () => controller.abort()));
	const files = { store: async () => Promise.reject(new Error('No file is expected')) };
	const others = {
		files,
		timezone: 'UTC',
		signal: new AbortController().signal,
		hint: () => undefined,
	};
	return await inNode(
		store,
		async (service) =>
			readOptionalList({ service, ...others }, { endpoint: 'POST /api/scim/search' }, { identity: ['id'] }, 'The list'),
		controller.signal,
	);
}

turnClock();

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
