import { Socket } from 'node:net';
import timers from 'node:timers';
import { OngoingWork } from './ongoingWork';
import { runPendingChecks } from './waitUntil';

const realSetTimeout = timers.setTimeout;
const realNow = Date.now;
const startTimes = { date: Date.now(), performance: performance.now() };
const work = new OngoingWork();
afterAll(() => work.stopWatching());

/** The number of event loop turns without work after which the process counts as idle. */
const QUIET_TURNS = 5;
/**
 * The number of such turns while a connection has data in transit, or seems to because its other end is in another
 * process.
 */
const QUIET_TURNS_WITH_DATA_IN_TRANSIT = 300;

/**
 * Replaces the clock with a simulated one. It stands still while this process works, and jumps to the next timer when the process is
 * idle. So a pause of half a minute takes no time, and a slow response on a busy machine doesn't cause a timeout. It replaces
 * setTimeout, setInterval, Date, performance.now, AbortSignal.timeout and the timeouts of sockets.
 * @param startTime the earliest start time, in milliseconds since 1970
 * @returns a function that restores the real clock and returns the simulated time at the end
 */
export function startSimulatedClock(startTime = realNow()): () => number {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime', 'performance'],
		now: Math.max(startTime, realNow()),
	});
	const spies = [fakePerformance(), fakeAbortTimeout(), fakeSocketTimeout()];
	const stopAdvancing = advanceWhileIdle();
	return () => {
		stopAdvancing();
		const now = Date.now();
		jest.useRealTimers();
		for (const spy of spies) spy.mockRestore();
		return now;
	};
}

/**
 * Uses a simulated clock in each test of a file. The simulated time continues from test to test, so that timestamps from an earlier
 * test are always in the past.
 */
export function useSimulatedClock(): void {
	let simulatedTime = 0;
	let stopClock = () => simulatedTime;
	beforeEach(() => {
		stopClock = startSimulatedClock(simulatedTime);
	});
	afterEach(() => {
		simulatedTime = stopClock();
	});
}

/** Checks about every millisecond whether the process is idle, and advances the clock if it is. @returns a function that stops this */
function advanceWhileIdle(): () => void {
	let isActive = true;
	let quietTurns = 0;
	const advanceIfIdle = async () => {
		if (!isActive) return;
		quietTurns = work.hasOngoingWork() ? 0 : quietTurns + 1;
		if (quietTurns >= (work.hasDataInTransit() ? QUIET_TURNS_WITH_DATA_IN_TRANSIT : QUIET_TURNS)) {
			quietTurns = 0;
			// If a condition that `waitUntil` is waiting for has become true, the test continues first. Time doesn't advance yet.
			if (!(await runPendingChecks()) && isActive) jest.advanceTimersToNextTimer();
		}
		scheduleCheck();
	};
	const scheduleCheck = () => {
		realSetTimeout(() => {
			advanceIfIdle().catch(console.error);
		}, 1);
	};
	scheduleCheck();
	return () => {
		isActive = false;
	};
}

const fakePerformance = () =>
	jest.spyOn(performance, 'now').mockImplementation(() => startTimes.performance + Date.now() - startTimes.date);

const fakeAbortTimeout = () =>
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
		return controller.signal;
	});

/** Simulates the timeout of inactive sockets with a fake timer, because Jest's fake timers don't replace Node's internal one. */
function fakeSocketTimeout() {
	const pendingTimers = new WeakMap<Socket, NodeJS.Timeout>();
	return jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, callback) {
		clearTimeout(pendingTimers.get(this));
		// Node's HTTP agent reads this property when a connection becomes free again.
		Reflect.set(this, 'timeout', ms);
		if (callback) {
			if (ms === 0) this.off('timeout', callback);
			else this.once('timeout', callback);
		}
		const waitForSilence = (bytesBefore: number) => {
			const timer = setTimeout(() => {
				const bytes = this.bytesRead + this.bytesWritten;
				if (bytes > bytesBefore) waitForSilence(bytes);
				else if (!this.destroyed) this.emit('timeout');
			}, ms);
			pendingTimers.set(this, timer);
		};
		if (ms > 0) waitForSilence(this.bytesRead + this.bytesWritten);
		return this;
	});
}
