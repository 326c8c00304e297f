/** Helpers for tests against a stand-in that behaves like a live deployment. */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { createOperationFixture, runCase } from '../cases/operationFixture';

/** Finds the test case of an operation. @throws Error if there is none */
export const findCase = (node: string, operation: string): Case => {
	const operationCase = cases.find((candidate) => candidate.node === node && candidate.operation === operation);
	if (!operationCase) throw new Error(`There is no case of ${node} ${operation}`);
	return operationCase;
};

/** Creates a fixture whose stand-in behaves like a live deployment, and functions that run operations against it. */
export function createDeployedFixture() {
	const fixture = createOperationFixture('deployed');
	afterEach(() =>
		fixture.standIn.setOptions({
			hasExtraRoutes: true,
			participantsMode: 'add',
			conditionSupport: 'understood',
			shouldSendInputErrorsAs200: false,
		}),
	);

	const run = (node: string, operation: string, parameters: IDataObject) =>
		runCase(fixture, { node, operation }, { parameters });

	/**
	 * Runs an operation with the parameters of its test case.
	 * @param changePlatform changes the stand-in after the data of the test case was prepared, for example to add a fault
	 */
	async function runPrepared(node: string, operation: string, changePlatform: () => void = () => undefined) {
		const prepared = await findCase(node, operation).prepare(fixture.customer);
		fixture.standIn.clearLog();
		changePlatform();
		const result = await runCase(fixture, { node, operation }, prepared);
		return { ...result, prepared };
	}

	return { fixture, run, runPrepared };
}

/** Returns the error message of a run, or '(it worked)' if the run succeeded. */
export async function getFailureMessage(run: Promise<unknown>): Promise<string> {
	return await run.then(
		() => '(it worked)',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}
