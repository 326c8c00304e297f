/**
 * What is done again and again, each kind of work on a service of its own, and how the service's own log and world tell
 * whether it was done right.
 */
import type { Workload, Ways } from './workload';
import { Cases } from './cases';
import { Reads } from './reads';
import { Writes } from './writes';
import { Triggers } from './triggers';

/** Everything that goes on at once. */
export async function startWorkloads(ways: Ways): Promise<Workload[]> {
	return [
		await Cases.start(ways, 'contract'),
		await Cases.start(ways, 'renamed'),
		await Reads.start(ways, 'contract'),
		await Reads.start(ways, 'renamed'),
		await Writes.start(ways),
		await Triggers.start(ways),
	];
}
