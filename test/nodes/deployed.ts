/** What the tests with a live deployment share: its service, and runs of cases against it. */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

export const findCase = (node: string, operation: string): Case => {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	return found;
};

/** A service that acts as a live deployment, and runs against it. */
export function createDeployedFixture() {
	const fixture = createOperationFixture('deployed');
	afterEach(() =>
		fixture.standIn.setOptions({ hasExtraRoutes: true, participantsMode: 'add', conditionSupport: 'understood', reportsInputErrorsAs200: false }),
	);

	const run = async (node: string, operation: string, parameters: IDataObject) =>
		runCase(fixture, { node, operation }, { parameters });

	/** Runs a case, on a service that something is wrong with since everything was prepared. */
	async function runPrepared(node: string, operation: string, spoil: () => void = () => undefined) {
		const prepared = await findCase(node, operation).prepare(fixture.customer);
		fixture.standIn.clearLog();
		spoil();
		return { ...(await runCase(fixture, { node, operation }, prepared)), prepared };
	}

	return { fixture, run, runPrepared };
}

export async function getFailureMessage(ran: Promise<unknown>): Promise<string> {
	return await ran.then(
		() => '(it worked)',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}
