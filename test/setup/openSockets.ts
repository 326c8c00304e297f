import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

const CHANNELS = ['net.client.socket', 'net.server.socket'];

/** The connections of this process to itself, as between a node and the stand-in service: both ends of each. */
export class OpenSockets {
	private readonly open = new Set<Socket>();

	constructor() {
		for (const channel of CHANNELS) subscribe(channel, this.add);
	}

	/** Looks after new ones no longer. */
	forget(): void {
		for (const channel of CHANNELS) unsubscribe(channel, this.add);
	}

	private readonly add = (message: unknown) => {
		const socket: unknown = typeof message === 'object' && message !== null && Reflect.get(message, 'socket');
		if (!(socket instanceof Socket)) return;
		this.open.add(socket);
		socket.once('close', () => this.open.delete(socket));
	};

	/** Whether anything was sent at one end and has not come to the other, the end of a connection included. */
	isAnythingOnItsWay(): boolean {
		const received = new Map([...this.open].map((socket) => [`${socket.remotePort} ${socket.localPort}`, socket]));
		return [...this.open].some((socket) => {
			if (socket.connecting) return true;
			const other = received.get(`${socket.localPort} ${socket.remotePort}`);
			return other?.bytesRead !== socket.bytesWritten;
		});
	}
}
