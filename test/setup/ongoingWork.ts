import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';

const CHANNELS = ['net.client.socket', 'net.server.socket'];

/** What the process waits for when it has work under way: with files, connections and names, or by its own doing. */
const WORK = /Req|ConnectWrap|WriteWrap|ShutdownWrap|Immediate/;

/** What all streams of node:zlib have in common. */
function zlibPrototype(): Pick<Transform, '_transform'> {
	let found: unknown = createGunzip();
	for (let next = found; next !== Transform.prototype; next = Object.getPrototypeOf(next)) found = next;
	if (!(found instanceof Transform)) throw new Error('A stream of node:zlib is no Transform');
	return found;
}

/** Watches what is under way in this process, from when it is made until `forget`. */
export class OngoingWork {
	private readonly sockets = new Set<Socket>();
	private packing = 0;
	private readonly zlib = zlibPrototype();
	private readonly transform = this.zlib._transform;

	constructor() {
		for (const channel of CHANNELS) subscribe(channel, this.add);
		// Node packs and unpacks in other threads, of which it tells nobody.
		const { transform, count } = this;
		this.zlib._transform = function (this: Transform, chunk, encoding, callback: TransformCallback) {
			count(1);
			const done = () => count(-1);
			// For what cannot be unpacked, Node does not call back: it destroys the stream.
			this.once('close', done);
			transform.call(this, chunk, encoding, (...args) => {
				this.off('close', done);
				done();
				callback(...args);
			});
		};
	}

	forget(): void {
		for (const channel of CHANNELS) unsubscribe(channel, this.add);
		this.zlib._transform = this.transform;
	}

	private readonly count = (more: number) => void (this.packing += more);

	private readonly add = (message: unknown) => {
		const socket: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'socket');
		if (!(socket instanceof Socket)) return;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
	};

	isUnderWay(): boolean {
		return this.packing > 0 || process.getActiveResourcesInfo().some((kind) => WORK.test(kind));
	}

	/**
	 * Whether anything was sent at one end of a connection and has not come to the other, the end of the connection
	 * included: of connections of the process to itself, as between a node and the stand-in service, and of all others.
	 */
	isOnItsWay(): boolean {
		const others = new Map([...this.sockets].map((socket) => [`${socket.remotePort} ${socket.localPort}`, socket]));
		return [...this.sockets].some((socket) => {
			if (socket.connecting) return true;
			const other = others.get(`${socket.localPort} ${socket.remotePort}`);
			return other?.bytesRead !== socket.bytesWritten;
		});
	}
}
