/**
 * The clock of the tests. Pauses of the nodes take no time, because `replaceClock.ts` replaces `nodes/core/http/clock` in every
 * test file. The timeouts of requests and the delays of the stand-in are real.
 */
import type * as clock from '../../nodes/core/http/clock';
import { throwIfAborted } from '../../nodes/core/http/abort';

const realClock = jest.requireActual<typeof clock>('../../nodes/core/http/clock');

/** The durations in ms of the pauses since the current test began. */
export const pauses: number[] = [];
let arePausesReal = false;
let isDateSimulated = false;
let areTimeoutsSimulated = false;
let simulatedTimeouts: Array<{ time: number; controller: AbortController }> = [];

/** Forgets the pauses and timeouts of the previous test. `replaceClock.ts` calls it before each test. */
export function resetClock(): void {
	pauses.length = 0;
	arePausesReal = false;
	areTimeoutsSimulated = false;
	simulatedTimeouts = [];
}

/** Makes the nodes really wait until the current test ends. It is for tests that stop a run during a pause. */
export function useRealPauses(): void {
	arePausesReal = true;
}

/** Makes the nodes' timeouts depend on the simulated date until the current test ends. It is for tests of long timeouts. */
export function useSimulatedTimeouts(): void {
	areTimeoutsSimulated = true;
}

/** Records a pause and advances the simulated date instead of waiting. @throws RequestError if `signal` is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	pauses.push(ms);
	if (arePausesReal) return realClock.pause(ms, signal);
	throwIfAborted(signal);
	advanceDate(ms);
	// Like a real pause, this lets other work continue first.
	await new Promise(setImmediate);
	throwIfAborted(signal);
}

/** Returns a signal that is aborted after `ms`: see `useSimulatedTimeouts`. */
export function createTimeoutSignal(ms: number): AbortSignal {
	if (!areTimeoutsSimulated) return realClock.createTimeoutSignal(ms);
	const controller = new AbortController();
	simulatedTimeouts.push({ time: Date.now() + ms, controller });
	return controller.signal;
}

/** Everything that Jest's fake timers can replace, except Date. */
const NOT_SIMULATED = [
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'requestAnimationFrame',
	'cancelAnimationFrame',
	'requestIdleCallback',
	'cancelIdleCallback',
	'setImmediate',
	'clearImmediate',
	'setInterval',
	'clearInterval',
	'setTimeout',
	'clearTimeout',
] as const;

/**
 * Simulates `Date` in each test of a file. The simulated date only advances during pauses, and when a test calls `advanceDate`. It
 * continues from test to test, so that timestamps from an earlier test are always in the past.
 */
export function useSimulatedDate(): void {
	let simulatedTime = 0;
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: [...NOT_SIMULATED], now: Math.max(simulatedTime, Date.now()) });
		isDateSimulated = true;
	});
	afterEach(() => {
		simulatedTime = Date.now();
		isDateSimulated = false;
		jest.useRealTimers();
	});
}

/** Advances the simulated date, if the test file uses one. */
export function advanceDate(ms: number): void {
	if (!isDateSimulated) return;
	jest.advanceTimersByTime(ms);
	for (const { time, controller } of simulatedTimeouts)
		if (time <= Date.now()) controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
}
