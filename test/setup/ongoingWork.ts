import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';

const CHANNELS = ['net.client.socket', 'net.server.socket'];

/** What the process waits for when it has work under way: with files, connections and names, or by its own doing. */
const WORK_RESOURCES = /Req|ConnectWrap|WriteWrap|ShutdownWrap|Immediate/;

/** What all streams of node:zlib have in common. */
function getZlibPrototype(): Pick<Transform, '_transform'> {
	let prototype: unknown = createGunzip();
	for (let next = prototype; next !== Transform.prototype; next = Object.getPrototypeOf(next)) prototype = next;
	if (!(prototype instanceof Transform)) throw new Error('A stream of node:zlib is no Transform');
	return prototype;
}

/** Watches what is under way in this process, from when it is made until `forget`. */
export class OngoingWork {
	private readonly sockets = new Set<Socket>();
	private zlibJobs = 0;
	private readonly zlib = getZlibPrototype();
	private readonly originalTransform = this.zlib._transform;

	constructor() {
		for (const channel of CHANNELS) subscribe(channel, this.addSocket);
		// Node packs and unpacks in other threads, of which it tells nobody.
		const { originalTransform: transform, count: changeZlibJobs } = this;
		this.zlib._transform = function (this: Transform, chunk, encoding, callback: TransformCallback) {
			changeZlibJobs(1);
			const finishJob = () => changeZlibJobs(-1);
			// For what cannot be unpacked, Node does not call back: it destroys the stream.
			this.once('close', finishJob);
			originalTransform.call(this, chunk, encoding, (...args) => {
				this.off('close', finishJob);
				finishJob();
				callback(...args);
			});
		};
	}

	stopWatching(): void {
		for (const channel of CHANNELS) unsubscribe(channel, this.addSocket);
		this.zlib._transform = this.originalTransform;
	}

	private readonly changeZlibJobs = (more: number) => void (this.zlibJobs += more);

	private readonly addSocket = (message: unknown) => {
		const socket: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'socket');
		if (!(socket instanceof Socket)) return;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
	};

	hasOngoingWork(): boolean {
		return this.zlibJobs > 0 || process.getActiveResourcesInfo().some((kind) => WORK_RESOURCES.test(kind));
	}

	/**
	 * Whether anything was sent at one end of a connection and has not come to the other, the end of the connection
	 * included: of connections of the process to itself, as between a node and the stand-in service, and of all others.
	 */
	hasDataInTransit(): boolean {
		const socketsByPorts = new Map([...this.sockets].map((socket) => [`${socket.remotePort} ${socket.localPort}`, socket]));
		return [...this.sockets].some((socket) => {
			if (socket.connecting) return true;
			const otherEnd = socketsByPorts.get(`${socket.localPort} ${socket.remotePort}`);
			return otherEnd?.bytesRead !== socket.bytesWritten;
		});
	}
}
