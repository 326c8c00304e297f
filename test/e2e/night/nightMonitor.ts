import { z } from 'zod';

import type { Servers } from '../queue/servers';
import type { NightEvent, Sample } from './chart';
import type { Cluster } from './cluster';

const numberRowsSchema = z.array(z.object({ value: z.coerce.number().nullable() }));
const SELECT_LARGEST_EXECUTION = 'SELECT max(octet_length(data)) AS value FROM execution_data';
const SELECT_DATABASE_SIZE = 'SELECT pg_database_size(current_database()) AS value';

/** Samples the memory of all processes and the size of the database during a night, and records events. */
export class NightMonitor {
	private readonly startedAt = Date.now();
	readonly samples: Sample[] = [];
	readonly events: NightEvent[] = [];
	/** The size of the largest execution data so far, in bytes. */
	largestExecution = 0;
	/** The largest size that the database has had so far, in bytes. */
	largestDatabase = 0;

	constructor(
		private readonly cluster: Cluster,
		private readonly servers: Servers,
	) {}

	/** The time since the start of the night, in seconds. */
	get seconds(): number {
		return Math.round((Date.now() - this.startedAt) / 1000);
	}

	addEvent(description: string): void {
		this.events.push({ seconds: this.seconds, description });
		console.log(`  ${this.seconds} s: ${description}`);
	}

	async takeSample(): Promise<void> {
		this.samples.push({ seconds: this.seconds, values: await this.cluster.measureMemory() });
		this.largestExecution = Math.max(this.largestExecution, await this.queryNumber(SELECT_LARGEST_EXECUTION));
		this.largestDatabase = Math.max(this.largestDatabase, await this.queryNumber(SELECT_DATABASE_SIZE));
	}

	private async queryNumber(sql: string): Promise<number> {
		return numberRowsSchema.parse(await this.servers.query(sql))[0]?.value ?? 0;
	}

	/** The peak memory of any worker, of any task runner, and of the main process, in megabytes. */
	get peakMemory(): { worker: number; runner: number; main: number } {
		const allValues = this.samples.flatMap(({ values }) => Object.entries(values));
		const findMaximum = (namePattern: RegExp) =>
			Math.max(0, ...allValues.filter(([name]) => namePattern.test(name)).map(([, value]) => value));
		return { worker: findMaximum(/^worker-\d+$/), runner: findMaximum(/, runner$/), main: findMaximum(/^main$/) };
	}
}
