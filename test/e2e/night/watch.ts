import { z } from 'zod';

import type { Servers } from '../queue/servers';
import type { Sample } from './chart';
import type { Cluster } from './cluster';

const numberRowsSchema = z.array(z.object({ value: z.coerce.number().nullable() }));
const SELECT_LARGEST_EXECUTION = 'SELECT max(octet_length(data)) AS value FROM execution_data';
const SELECT_DATABASE_SIZE = 'SELECT pg_database_size(current_database()) AS value';

/** Looks at memory and database now and then while a night goes on, and notes what happens. */
export class NightMonitor {
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

	addEvent(what: string): void {
		this.events.push({ at: this.seconds, what });
		console.log(`  ${this.seconds} s: ${what}`);
	}

	async takeSample(): Promise<void> {
		this.samples.push({ at: this.seconds, values: await this.cluster.measureMemory() });
		this.largestExecution = Math.max(this.largestExecution, await this.queryNumber(SELECT_LARGEST_EXECUTION));
		this.largestDatabase = Math.max(this.largestDatabase, await this.queryNumber(SELECT_DATABASE_SIZE));
	}

	private async queryNumber(sql: string): Promise<number> {
		return numberRowsSchema.parse(await this.servers.query(sql))[0]?.value ?? 0;
	}

	/** The most that a worker took, its task runner, and the main process, in megabytes. */
	get peakMemory(): { worker: number; runner: number; main: number } {
		const all = this.samples.flatMap(({ values }) => Object.entries(values));
		const findMaximum = (names: RegExp) => Math.max(0, ...all.filter(([name]) => names.test(name)).map(([, value]) => value));
		return { worker: findMaximum(/^worker-\d+$/), runner: findMaximum(/, runner$/), main: findMaximum(/^main$/) };
	}
}
