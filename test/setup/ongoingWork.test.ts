/** What is on its way from one end of a connection to the other. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { requireValue } from '../n8n-core/nodeFixture';
import { OngoingWork } from './ongoingWork';
import { waitUntil } from './waitUntil';

const work = new OngoingWork();
const server = createServer().listen(0, '127.0.0.1');
const ends: Socket[] = [];
server.on('connection', (socket) => ends.push(socket));
beforeAll(async () => {
	if (!server.listening) await once(server, 'listening');
});
afterAll(() => {
	work.stopWatching();
	for (const end of ends) end.destroy();
	server.close();
});

const connected = async () => {
	const address = server.address();
	if (typeof address !== 'object') throw new Error('The server listens on no port');
	const here = connect(requireValue<AddressInfo>(address).port, '127.0.0.1');
	ends.push(here);
	expect(work.hasDataInTransit()).toBe(true);
	await waitUntil('the connection is there', () => !work.hasDataInTransit());
	return { here, there: requireValue(ends.at(-1)) };
};

test('nothing, once a connection is there and nobody has sent anything', async () => {
	await connected();
	expect(work.hasDataInTransit()).toBe(false);
});

test('what was sent and not read yet', async () => {
	const { here, there } = await connected();
	there.write(Buffer.alloc(3_000_000));
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(work.hasDataInTransit()).toBe(true);
	here.resume();
	await waitUntil('it has come', () => !work.hasDataInTransit());
	expect(here.bytesRead).toBe(3_000_000);
});

test('the end of a connection', async () => {
	const { here, there } = await connected();
	here.on('error', () => {});
	there.destroy();
	await waitUntil('there is one end left', () => there.closed);
	const before = here.closed;
	expect([before, work.hasDataInTransit()]).toEqual([before, !before]);
	here.resume();
	await waitUntil('the other end knows', () => here.closed);
	expect(work.hasDataInTransit()).toBe(false);
});
