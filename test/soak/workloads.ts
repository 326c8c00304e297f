/**
 * The kinds of operations that run repeatedly, each with its own service, and how the service's log and data show
 * whether they were right.
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
		await Cases.start(ways, 'deployed'),
		await Reads.start(ways, 'contract'),
		await Reads.start(ways, 'deployed'),
		await Writes.start(ways),
		await Triggers.start(ways),
	];
}
