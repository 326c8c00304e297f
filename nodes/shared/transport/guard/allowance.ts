import type { Connection } from '../connection';
import type { ContractKey } from '../request';
import type { Guard } from './guard';
import type { Limits } from './limits';

/** What a credential allows, for code that asks before it sends anything. The transport asks again, for each request. */
export class Allowance {
	readonly limits: Limits;

	constructor(
		private readonly guard: Guard,
		private readonly connection: Connection,
	) {
		this.limits = connection.limits;
	}

	/**
	 * Checks before the first of several requests whether all of them are allowed.
	 * @param contracts their contract keys
	 * @throws GuardRefusal
	 */
	checkAll(contracts: readonly ContractKey[]): void {
		this.guard.checkAll(contracts, this.connection);
	}

	/** Whether an operation is allowed at all, for at least one company. @param contract its contract key */
	has(contract: ContractKey): boolean {
		return this.guard.allows(contract, this.connection);
	}

	/** Whether companies are left out of an operation's answers. @param contract its contract key */
	leavesOut(contract: string): boolean {
		return this.guard.isFiltered(contract, this.connection);
	}
}
