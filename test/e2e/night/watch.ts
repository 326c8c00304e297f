import { z } from 'zod';

import type { Servers } from '../queue/servers';
import type { Sample } from './chart';
import type { Cluster } from './cluster';

const oneNumber = z.array(z.object({ value: z.coerce.number().nullable() }));
const EXECUTION = 'SELECT max(octet_length(data)) AS value FROM execution_data';
const DATABASE = 'SELECT pg_database_size(current_database()) AS value';

/** Looks at memory and database now and then while a night goes on, and notes what happens. */
export class Watch {
	private readonly began = Date.now();
	readonly samples: Sample[] = [];
	readonly events: Array<{ at: number; what: string }> = [];
	/** In bytes. */
	largestExecution = 0;
	largestDatabase = 0;

	constructor(
		private readonly cluster: Cluster,
		private readonly servers: Servers,
	) {}

	get seconds(): number {
		return Math.round((Date.now() - this.began) / 1000);
	}

	note(what: string): void {
		this.events.push({ at: this.seconds, what });
		console.log(`  ${this.seconds} s: ${what}`);
	}

	async look(): Promise<void> {
		this.samples.push({ at: this.seconds, values: await this.cluster.memory() });
		this.largestExecution = Math.max(this.largestExecution, await this.number(EXECUTION));
		this.largestDatabase = Math.max(this.largestDatabase, await this.number(DATABASE));
	}

	private async number(sql: string): Promise<number> {
		return oneNumber.parse(await this.servers.query(sql))[0]?.value ?? 0;
	}

	/** The most that a worker took, its task runner, and the main process, in megabytes. */
	get memory(): { worker: number; runner: number; main: number } {
		const all = this.samples.flatMap(({ values }) => Object.entries(values));
		const most = (names: RegExp) => Math.max(0, ...all.filter(([name]) => names.test(name)).map(([, value]) => value));
		return { worker: most(/^worker-\d+$/), runner: most(/, runner$/), main: most(/^main$/) };
	}
}
