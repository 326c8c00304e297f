import type { LoggedRequest } from '../stand-in';

/** What all workloads together came to. */
export class Tally {
	runs = 0;
	/** Runs that ended with an error, as they had to after what went wrong. */
	failures = 0;
	stops = 0;
	polls = 0;
	items = 0;
	requests = 0;
	/** Items that a write was made for, and that the service has. */
	written = 0;
	emitted = 0;
	readonly faults = new Map<string, number>();
	readonly operations = new Set<string>();
	readonly verdicts = { wrong: 0, lost: 0, doubled: 0 };
	/** The slowest Stop, in ms. */
	longestStop = 0;

	count(log: readonly LoggedRequest[]): void {
		this.requests += log.length;
		for (const { fault } of log) if (fault !== undefined) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
	}

	/** Records an error. */
	blame(verdict: keyof Tally['verdicts'], workload: string, what: string): void {
		this.verdicts[verdict]++;
		if (this.verdicts[verdict] <= 20) console.log(`\n${verdict.toUpperCase()} (${workload}): ${what}`);
	}
}
