/**
 * Runs the case of each operation once per profile, and keeps what the run has shown. Everything that holds for every operation is
 * checked with these records, so that no other test has to run all operations again.
 */
import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { cases, type Case, type CaseRun } from '../cases';
import { runCase, type OperationFixture } from '../cases/operationFixture';
import type { Operation } from '../../nodes/core/operation/defineOperation';
import type { LoggedRequest, ProfileName, StandIn } from '../stand-in';
import { isJsonObject } from '../stand-in/http';

/** A request, and the data that the stand-in sends in the envelope of its response, without the changes of a test. */
export interface RecordedResponse {
	request: LoggedRequest;
	data: unknown;
}

/** The requests, responses and output of a case that has run. */
export interface OperationRecord {
	testCase: Case;
	operation: Operation;
	/** The case run, with the parameters that were really used. */
	run: CaseRun;
	/** The requests of the run, without token requests. */
	requests: LoggedRequest[];
	responses: RecordedResponse[];
	items: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** The secrets in the parameters and the output. */
	secrets: string[];
}

const recordsByProfile: Record<ProfileName, OperationRecord[]> = { contract: [], deployed: [] };

/** Returns the record of an operation. @throws Error if its case has not run yet with this profile */
export function getRecord(profile: ProfileName, node: string, key: string): OperationRecord {
	const record = recordsByProfile[profile].find(({ testCase }) => testCase.node === node && testCase.operation === key);
	if (!record) throw new Error(`The case of ${node} ${key} has not run`);
	return record;
}

/** Finds the case of an operation. @throws Error if there is none */
export function findCase(node: string, key: string): Case {
	const foundCase = cases.find((testCase) => testCase.node === node && testCase.operation === key);
	if (!foundCase) throw new Error(`${node}, ${key}: there is no case in test/cases`);
	return foundCase;
}

/** How a recorded run differs from the plain run of its case. */
interface RecordOptions {
	/** Returns the parameters of the run. */
	changeParameters?: (parameters: IDataObject) => IDataObject;
	/** Changes the data of each response. It is also used while the case is prepared. */
	changeData?: (data: unknown) => unknown;
	/** Called after the case was prepared, directly before the operation runs. */
	onPrepared?: (run: CaseRun) => void;
}

/** Keeps each response of a stand-in, until `transformEnvelope` is set to undefined. @returns a list that grows with each response */
export function recordResponses(
	standIn: StandIn,
	changeData: (data: unknown) => unknown = (data) => data,
): RecordedResponse[] {
	const responses: RecordedResponse[] = [];
	standIn.setOptions({
		transformEnvelope: (envelope, request) => {
			responses.push({ request, data: isJsonObject(envelope) ? envelope.data : undefined });
			if (!isJsonObject(envelope) || !('data' in envelope)) return envelope;
			return { ...envelope, data: changeData(envelope.data) };
		},
	});
	return responses;
}

/**
 * Resets the stand-in, runs a case, and keeps the record.
 * @throws Error if the operation fails
 */
export async function recordCase(
	fixture: OperationFixture,
	testCase: Case,
	{ changeParameters, changeData, onPrepared }: RecordOptions = {},
): Promise<OperationRecord> {
	const { standIn } = fixture;
	standIn.reset();
	const responses = recordResponses(standIn, changeData);
	const prepared = await testCase.prepare(fixture.customer);
	const run = { ...prepared, parameters: changeParameters?.(prepared.parameters) ?? prepared.parameters };
	onPrepared?.(run);
	standIn.clearLog();
	responses.length = 0;
	const { items, hints } = await runCase(fixture, testCase, run);
	standIn.setOptions({ transformEnvelope: undefined });
	const record: OperationRecord = {
		testCase,
		operation: fixture.getOperation(testCase.node, testCase.operation),
		run,
		requests: fixture.requests,
		responses,
		items,
		hints,
		secrets: run.getSecrets?.(items) ?? [],
	};
	recordsByProfile[fixture.customer.profile.name].push(record);
	return record;
}
