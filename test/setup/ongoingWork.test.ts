/** Tests of `hasDataInTransit`: data that one end of a connection has sent and the other end hasn't received yet. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { requireValue } from '../n8n-core/nodeFixture';
import { OngoingWork } from './ongoingWork';
import { waitUntil } from './waitUntil';

const work = new OngoingWork();
const server = createServer().listen(0, '127.0.0.1');
const sockets: Socket[] = [];
server.on('connection', (socket) => sockets.push(socket));
beforeAll(async () => {
	if (!server.listening) await once(server, 'listening');
});
afterAll(() => {
	work.stopWatching();
	for (const socket of sockets) socket.destroy();
	server.close();
});

const connectToServer = async () => {
	const address = server.address();
	if (typeof address !== 'object') throw new Error('The server listens on no port');
	const clientSocket = connect(requireValue<AddressInfo>(address).port, '127.0.0.1');
	sockets.push(clientSocket);
	expect(work.hasDataInTransit()).toBe(true);
	await waitUntil('the connection is there', () => !work.hasDataInTransit());
	return { clientSocket, serverSocket: requireValue(sockets.at(-1)) };
};

test('nothing is in transit on a new connection', async () => {
	await connectToServer();
	expect(work.hasDataInTransit()).toBe(false);
});

test('data that was sent and not read yet is in transit', async () => {
	const { clientSocket, serverSocket } = await connectToServer();
	serverSocket.write(Buffer.alloc(3_000_000));
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(work.hasDataInTransit()).toBe(true);
	clientSocket.resume();
	await waitUntil('the data has arrived', () => !work.hasDataInTransit());
	expect(clientSocket.bytesRead).toBe(3_000_000);
});

test('the end of a connection is in transit until the other end knows it', async () => {
	const { clientSocket, serverSocket } = await connectToServer();
	clientSocket.on('error', () => {});
	serverSocket.destroy();
	await waitUntil('there is one end left', () => serverSocket.closed);
	const wasClosed = clientSocket.closed;
	expect(work.hasDataInTransit()).toBe(!wasClosed);
	clientSocket.resume();
	await waitUntil('the other end knows', () => clientSocket.closed);
	expect(work.hasDataInTransit()).toBe(false);
});
