import assert from 'node:assert/strict';
import { cases, CustomerFixture, allOperations, type Listed } from '../cases';
import type { PersonalityName } from '../stand-in';
import { shown, Workload, type Ways } from './workload';

/** Every operation, in an order that is new each time. */
export class Cases extends Workload {
	private order: typeof cases = [];

	private constructor(
		name: string,
		ways: Ways,
		customer: CustomerFixture,
		private readonly listed: Listed[],
	) {
		super(name, ways, customer);
	}

	static async start(ways: Ways, personality: PersonalityName): Promise<Cases> {
		const customer = await CustomerFixture.start({ personality, companies: 40 });
		return new Cases(
			personality === 'deployed' ? 'operations, as deployed' : 'operations, as the contract has them',
			ways,
			customer,
			await allOperations(),
		);
	}

	async round(): Promise<void> {
		if (this.order.length === 0)
			this.order = cases
				.map((each) => ({ each, at: this.next() }))
				.sort((one, other) => one.at - other.at)
				.map(({ each }) => each);
		const chosen = this.order.pop();
		const operation = this.listed.find(
			({ node, operation: { value } }) => node === chosen?.node && value === chosen.operation,
		)?.operation;
		if (!chosen || !operation) throw new Error('An operation is missing');
		const title = `${chosen.node}: ${chosen.operation}`;
		this.service.reset();
		const prepared = await chosen.prepare(this.customer);
		const parameters = { operation: chosen.operation, ...prepared.parameters };
		const { report, log } = await this.run(
			{ node: chosen.node, parameters, items: [{ json: {}, files: prepared.files }], onError: 'stopWorkflow' },
			40,
		);
		this.tally.operations.add(title);
		const isWrite = !operation.reads;
		const landed = (prepared.requests ?? [operation.contract]).map((route) => ({
			route,
			times: log.filter((entry) => entry.route === route && entry.landed).length,
		}));
		if (isWrite)
			for (const { route, times } of landed)
				if (times > 1) this.blame('doubled', `${title}: ${route} landed ${times} times\n${shown(log)}`);
		if (report.failure) {
			this.judgeFailure({ ...report.failure, message: `${title}: ${report.failure.message}` }, log, isWrite);
			return;
		}
		try {
			prepared.expect(report.items);
			assert.equal(report.items.length, prepared.items);
			if (chosen.isFile) {
				const sent = log.findLast(({ sha256 }) => sha256 !== undefined);
				assert.deepEqual(report.files, [{ bytes: sent?.bytesSent, sha256: sent?.sha256 }]);
			}
		} catch (error) {
			this.blame(
				isWrite && landed.every(({ times }) => times === 0) ? 'lost' : 'wrong',
				`${title}: ${String(error)}\n${shown(log)}`,
			);
		}
	}
}
