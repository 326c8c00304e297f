/** What the tests with a live deployment share: its service, and runs of cases against it. */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

export const caseOf = (node: string, operation: string): Case => {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	return found;
};

/** A service that acts as a live deployment, and runs against it. */
export function deployedRuns() {
	const g = createOperationFixture('deployed');
	afterEach(() =>
		g.standIn.setOptions({ hasExtraRoutes: true, participantsMode: 'add', conditionSupport: 'understood', reportsInputErrorsAs200: false }),
	);

	const run = async (node: string, operation: string, parameters: IDataObject) =>
		runCase(g, { node, operation }, { parameters });

	/** Runs a case, on a service that something is wrong with since everything was prepared. */
	async function runPrepared(node: string, operation: string, spoil: () => void = () => undefined) {
		const prepared = await caseOf(node, operation).prepare(g.customer);
		g.standIn.clearLog();
		spoil();
		return { ...(await runCase(g, { node, operation }, prepared)), prepared };
	}

	return { g, run, runPrepared };
}

export async function failureOf(ran: Promise<unknown>): Promise<string> {
	return await ran.then(
		() => '(it worked)',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}
