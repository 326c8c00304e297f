import { Socket } from 'node:net';
import timers from 'node:timers';
import { OngoingWork } from './ongoingWork';
import { runPendingChecks } from './waitUntil';

const realSetTimeout = timers.setTimeout;
const realNow = Date.now;
const startTimes = { date: Date.now(), performance: performance.now() };
const work = new OngoingWork();
afterAll(() => work.stopWatching());

/** So many turns of the event loop without any work: then nothing comes any more unless time goes on. */
const QUIET_TURNS = 5;
/** The same while it seems that something is still on its way, as to another process. */
const QUIET_TURNS_WITH_DATA_IN_TRANSIT = 300;

/**
 * Replaces the clock: from now on it does not move while work is in progress in this process, and then jumps to the
 * next moment that something waits for. So a pause of half a minute takes no time, and an answer that takes long on a
 * busy machine is not late. It covers setTimeout, setInterval, Date, performance.now, AbortSignal.timeout and sockets'
 * time-outs.
 * @param from the time to begin with, in ms since 1970
 * @returns restores the machine's clock, and returns the time that was reached
 */
export function startSimulatedClock(from = realNow()): () => number {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime', 'performance'],
		now: Math.max(from, realNow()),
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
 * Replaces the clock for each test of a file. The time continues from test to test, so that what a test has remembered
 * is in the past.
 */
export function useSimulatedClock(): void {
	let now = 0;
	let stop = () => now;
	beforeEach(() => void (stop = startSimulatedClock(now)));
	afterEach(() => void (now = stop()));
}

/** Looks at each turn of the event loop, about every millisecond. @returns ends it */
function advanceWhileIdle(): () => void {
	let isActive = true;
	let quietTurns = 0;
	const checkTurn = async () => {
		if (!isActive) return;
		quietTurns = work.hasOngoingWork() ? 0 : quietTurns + 1;
		if (quietTurns >= (work.hasDataInTransit() ? QUIET_TURNS_WITH_DATA_IN_TRANSIT : QUIET_TURNS)) {
			quietTurns = 0;
			// The test itself may have waited for this.
			if (!(await runPendingChecks()) && isActive) jest.advanceTimersToNextTimer();
		}
		realSetTimeout(() => void checkTurn(), 1);
	};
	realSetTimeout(() => void checkTurn(), 1);
	return () => (isActive = false);
}

const fakePerformance = () =>
	jest.spyOn(performance, 'now').mockImplementation(() => startTimes.performance + Date.now() - startTimes.date);

const fakeAbortTimeout = () =>
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
		return controller.signal;
	});

/** A socket's time-out is Node's own, which fake timers do not reach: an event when so long nothing came or went. */
function fakeSocketTimeout() {
	const pendingTimers = new WeakMap<Socket, NodeJS.Timeout>();
	return jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, callback) {
		clearTimeout(pendingTimers.get(this));
		// Node's agent looks at it when it takes a connection back.
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
