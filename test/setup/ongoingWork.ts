import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';

const SOCKET_CHANNELS = ['net.client.socket', 'net.server.socket'];

/** Matches the active resources of Node that mean ongoing work: file operations, connections, DNS lookups and setImmediate. */
const WORK_RESOURCE_PATTERN = /Req|ConnectWrap|WriteWrap|ShutdownWrap|Immediate/;

/** Returns the prototype that all streams of node:zlib share. */
function getZlibPrototype(): Pick<Transform, '_transform'> {
	let prototype: unknown = createGunzip();
	for (let ancestor = prototype; ancestor !== Transform.prototype; ancestor = Object.getPrototypeOf(ancestor))
		prototype = ancestor;
	if (!(prototype instanceof Transform)) throw new Error('A stream of node:zlib is no Transform');
	return prototype;
}

/** Watches the ongoing work of this process, from its creation until `stopWatching`. */
export class OngoingWork {
	private readonly sockets = new Set<Socket>();
	private zlibJobs = 0;
	private readonly zlibPrototype = getZlibPrototype();
	private readonly originalTransform = this.zlibPrototype._transform;

	constructor() {
		for (const channel of SOCKET_CHANNELS) subscribe(channel, this.addSocket);
		// Node compresses and decompresses in other threads, and doesn't list this work as an active resource.
		const { originalTransform, changeZlibJobs } = this;
		this.zlibPrototype._transform = function (this: Transform, chunk, encoding, callback: TransformCallback) {
			changeZlibJobs(1);
			const finishJob = () => changeZlibJobs(-1);
			// If data can't be decompressed, Node destroys the stream instead of calling the callback.
			this.once('close', finishJob);
			originalTransform.call(this, chunk, encoding, (...args) => {
				this.off('close', finishJob);
				finishJob();
				callback(...args);
			});
		};
	}

	stopWatching(): void {
		for (const channel of SOCKET_CHANNELS) unsubscribe(channel, this.addSocket);
		this.zlibPrototype._transform = this.originalTransform;
	}

	private readonly changeZlibJobs = (change: number) => {
		this.zlibJobs += change;
	};

	private readonly addSocket = (message: unknown) => {
		const socket: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'socket');
		if (!(socket instanceof Socket)) return;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
	};

	/** Returns true if the process compresses or decompresses data, or waits for a file, a connection or a DNS lookup. */
	hasOngoingWork(): boolean {
		return this.zlibJobs > 0 || process.getActiveResourcesInfo().some((type) => WORK_RESOURCE_PATTERN.test(type));
	}

	/**
	 * Returns true if one end of a connection has sent data that the other end hasn't received yet, or has closed a connection that
	 * is still open at the other end. Connections to other processes always count, because their other end is unknown.
	 */
	hasDataInTransit(): boolean {
		const socketsByPorts = new Map(
			[...this.sockets].map((socket) => [`${socket.remotePort} ${socket.localPort}`, socket]),
		);
		return [...this.sockets].some((socket) => {
			if (socket.connecting) return true;
			const otherEnd = socketsByPorts.get(`${socket.localPort} ${socket.remotePort}`);
			return otherEnd?.bytesRead !== socket.bytesWritten;
		});
	}
}
