/** Functions that run in parallel, and waiting for a free slot. */
import { runTogether, Semaphore } from '../../nodes/shared/transport/concurrency';
import { ServiceError } from '../../nodes/shared/transport/errors';
describe('works that run side by side', () => {
	const slow = async (signal: AbortSignal, log: string[]) => {
		await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
		await new Promise((resolve) => setTimeout(resolve, 20));
		log.push('ended');
		throw new Error('stopped');
	};

	test('give their results, each in its place', async () => {
		const results: [number, string] = await runTogether([
			async () => await Promise.resolve(1),
			async () => await Promise.resolve('two'),
		]);
		expect(results).toEqual([1, 'two']);
	});

	test('are stopped and awaited when one of them fails, and its error is told', async () => {
		const log: string[] = [];
		const run = runTogether([
			async (signal) => await slow(signal, log),
			async () => await Promise.reject(new Error('the first')),
			async (signal) => await slow(signal, log),
		]);
		await expect(run).rejects.toThrow('the first');
		expect(log).toEqual(['ended', 'ended']);
	});

	test('are stopped by whoever waits for them', async () => {
		const outer = new AbortController();
		const run = runTogether([async (signal) => await slow(signal, [])], outer.signal);
		outer.abort();
		await expect(run).rejects.toThrow('stopped');
	});

	test('a turn that nobody waits for any more is not taken, and none is lost', async () => {
		const slots = new Semaphore(1);
		let open = () => {};
		const first = slots.use(async () => await new Promise<void>((resolve) => (open = resolve)));
		const stop = new AbortController();
		const second = slots.use(async () => await Promise.resolve('second'), [stop.signal]);
		const third = slots.use(async () => await Promise.resolve('third'));
		stop.abort();
		await expect(second).rejects.toThrow(ServiceError);
		await expect(slots.use(async () => await Promise.resolve(), [stop.signal])).rejects.toThrow(ServiceError);
		open();
		await first;
		expect(await third).toBe('third');
		expect(await slots.use(async () => await Promise.resolve('fourth'))).toBe('fourth');
	});
});
