/**
 * Stands before the stand-in service and keeps every request as it arrives: raw, before anything has made sense of it.
 */
import { once } from 'node:events';
import { Agent, createServer, request as ask, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';

type Pair = [name: string, value: string];

/** A request as it came in. */
export interface Arrived {
	method: string;
	/** Path and query, undecoded. */
	target: string;
	headers: Pair[];
	body: string;
}

const TOKEN = '/connect/token';

/** Whether somebody asks for a token: that is no business with a company. */
export const isForToken = ({ target }: Arrived): boolean => target === TOKEN;

const pairs = (raw: string[]): Pair[] =>
	raw.flatMap((name, index): Pair[] => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : []));

async function contentOf(request: IncomingMessage): Promise<Buffer> {
	return Buffer.concat(await request.toArray());
}

/** A server that passes everything on, and remembers it. */
export class Front {
	private arrived: Arrived[] = [];
	private readonly agent = new Agent({ keepAlive: true });
	/** How many requests came, those for tokens aside. */
	count = 0;

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	/** @param behind the address of the service */
	static async before(behind: string): Promise<Front> {
		const server = createServer();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = z.object({ port: z.number() }).parse(server.address());
		const front = new Front(server, `http://127.0.0.1:${port}`);
		server.on('request', (request, response) => {
			void contentOf(request).then((body) => {
				front.note(request, body);
				const { hostname, port: portBehind } = new URL(behind);
				const { agent } = front;
				ask({
					...{ hostname, agent, port: portBehind, path: request.url, method: request.method },
					headers: request.headers,
				})
					.on('response', (answer) => {
						response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
						answer.pipe(response);
					})
					.on('error', () => response.destroy())
					.end(body);
			});
		});
		return front;
	}

	private note(request: IncomingMessage, body: Buffer): void {
		const { method = '', url = '', rawHeaders } = request;
		const entry = { method, target: url, headers: pairs(rawHeaders), body: body.toString() };
		this.arrived.push(entry);
		if (!isForToken(entry)) this.count++;
	}

	/** What came since this was last asked, requests for tokens aside. */
	take(): Arrived[] {
		const taken = this.arrived.filter((each) => !isForToken(each));
		this.arrived = [];
		return taken;
	}

	close(): void {
		this.agent.destroy();
		this.server.close().closeAllConnections();
	}
}
