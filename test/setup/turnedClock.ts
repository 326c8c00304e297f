import { Socket } from 'node:net';
import timers from 'node:timers';
import { OngoingWork } from './ongoingWork';
import { lookForAll } from './waitUntil';

const realTimeout = timers.setTimeout;
const realNow = Date.now;
const epoch = { date: Date.now(), performance: performance.now() };
const work = new OngoingWork();
afterAll(() => work.forget());

/** So many turns of the event loop without any work: then nothing comes any more unless time goes on. */
const QUIET_TURNS = 5;
/** The same while it seems that something is still on its way, as to another process. */
const SILENT_TURNS = 300;

/**
 * Replaces the clock: from now on it does not move while work is in progress in this process, and then jumps to the
 * next moment that something waits for. So a pause of half a minute takes no time, and an answer that takes long on a
 * busy machine is not late. It covers setTimeout, setInterval, Date, performance.now, AbortSignal.timeout and sockets'
 * time-outs.
 * @param from the time to begin with, in ms since 1970
 * @returns restores the machine's clock, and returns the time that was reached
 */
export function startTurnedClock(from = realNow()): () => number {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime', 'performance'],
		now: Math.max(from, realNow()),
	});
	const spies = [fakePerformance(), fakeAbortTimeout(), fakeSocketTimeout()];
	const end = turnWhileQuiet();
	return () => {
		end();
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
export function turnClock(): void {
	let now = 0;
	let stop = () => now;
	beforeEach(() => void (stop = startTurnedClock(now)));
	afterEach(() => void (now = stop()));
}

/** Looks at each turn of the event loop, about every millisecond. @returns ends it */
function turnWhileQuiet(): () => void {
	let isOn = true;
	let quiet = 0;
	const look = async () => {
		if (!isOn) return;
		quiet = work.isUnderWay() ? 0 : quiet + 1;
		if (quiet >= (work.isOnItsWay() ? SILENT_TURNS : QUIET_TURNS)) {
			quiet = 0;
			// The test itself may have waited for this.
			if (!(await lookForAll()) && isOn) jest.advanceTimersToNextTimer();
		}
		realTimeout(() => void look(), 1);
	};
	realTimeout(() => void look(), 1);
	return () => (isOn = false);
}

const fakePerformance = () =>
	jest.spyOn(performance, 'now').mockImplementation(() => epoch.performance + Date.now() - epoch.date);

const fakeAbortTimeout = () =>
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
		return controller.signal;
	});

/** A socket's time-out is Node's own, which fake timers do not reach: an event when so long nothing came or went. */
function fakeSocketTimeout() {
	const pending = new WeakMap<Socket, NodeJS.Timeout>();
	return jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, call) {
		clearTimeout(pending.get(this));
		// Node's agent looks at it when it takes a connection back.
		Reflect.set(this, 'timeout', ms);
		if (call) {
			if (ms === 0) this.off('timeout', call);
			else this.once('timeout', call);
		}
		const wait = (bytesBefore: number) => {
			const timer = setTimeout(() => {
				const bytes = this.bytesRead + this.bytesWritten;
				if (bytes > bytesBefore) wait(bytes);
				else if (!this.destroyed) this.emit('timeout');
			}, ms);
			pending.set(this, timer);
		};
		if (ms > 0) wait(this.bytesRead + this.bytesWritten);
		return this;
	});
}
