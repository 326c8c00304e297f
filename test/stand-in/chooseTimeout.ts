import type { FaultKind } from './faults';

/** The kinds of faults after which a node waits until its timeout. */
export const SLOW_FAULT_KINDS: readonly FaultKind[] = ['stall', 'stall-body', 'undecodable'];

/**
 * Chooses the value of a node's option 'Timeout', in s. After a slow fault it is the shortest possible, because the tests wait for it.
 * Otherwise it is long, so that no request on a busy machine reaches it.
 */
export const chooseTimeout = (kind: FaultKind | undefined): number =>
	kind !== undefined && SLOW_FAULT_KINDS.includes(kind) ? 1 : 60;
