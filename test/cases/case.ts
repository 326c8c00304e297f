/** The building blocks of cases: how one operation is run, and how its result is checked. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { requireValue } from '../n8n-core/schemas';
import type { JsonObject } from '../stand-in/http';
import type { CustomerFixture } from './customerFixture';

/** The part of an output item that cases read. */
export interface Item {
	json: IDataObject;
}

/** A file of the input item. */
export interface InputFile {
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** One run of an operation, with the expected requests and result. */
export interface CaseRun {
	/** The node parameters, except the operation. */
	parameters: IDataObject;
	/** The files of the input item, by binary field. */
	inputFiles?: Record<string, InputFile>;
	/** The number of output items. */
	itemCount: number;
	/**
	 * Checks the output items.
	 * @throws AssertionError if they differ from the data of the stand-in
	 */
	checkItems: (items: Item[]) => void;
	/**
	 * The requests that the operation must send, in any order, without token requests. The default is one request to its
	 * own endpoint.
	 */
	requiredRequests?: string[];
	/** Further requests that the operation can send, each at most as often as it is listed. */
	optionalRequests?: string[];
	/**
	 * Requests that the stand-in can reject, each at most as often as it is listed. The node then sends them again as
	 * another request variant.
	 */
	rejectedRequests?: string[];
	/** The number of records in the output file. */
	fileRowCount?: number;
	/** Returns the secrets, which may appear only in the parameters and the output. */
	getSecrets?: (items: Item[]) => string[];
	/** The secrets that are part of the parameters. */
	parameterSecrets?: string[];
}

/** A test case: one operation, and how to run it. */
export interface Case {
	/** The folder of the node, such as 'TargetGroup'. */
	node: string;
	/** The key of the operation, such as 'getMany' or 'campaignJob.getMany' (see `formatOperationKey`). */
	operation: string;
	/** True if the operation returns a file. */
	hasFileOutput: boolean;
	/** True if only live deployments have the operation, not the contract. */
	isOutsideContract: boolean;
	/**
	 * Creates the data that the operation needs. It must be called directly before the operation runs, on a stand-in with
	 * its initial data.
	 * @param isTool true if an AI agent runs the operation; agents have no input files
	 */
	prepare: (customer: CustomerFixture, isTool?: boolean) => Promise<CaseRun>;
}

export type { JsonObject };

/** A function that creates the data an operation needs, and describes the run of the operation. */
export type PrepareRun = (customer: CustomerFixture, isTool: boolean) => CaseRun | Promise<CaseRun>;

/**
 * Defines the cases of a node.
 * @param prepareByOperation the function that prepares each operation's run, by the key of the operation
 */
export function defineCases(
	node: string,
	prepareByOperation: Record<string, PrepareRun>,
	options: Partial<Pick<Case, 'hasFileOutput' | 'isOutsideContract'>> = {},
): Case[] {
	const { hasFileOutput = false, isOutsideContract = false } = options;
	return Object.entries(prepareByOperation).map(([operation, prepare]) => ({
		node,
		operation,
		hasFileOutput,
		isOutsideContract,
		prepare: async (customer, isTool = false) => prepare(customer, isTool),
	}));
}

/**
 * Checks that there is exactly one item, and parses its JSON.
 * @returns the JSON with the types of `shape`
 * @throws AssertionError or ZodError
 */
export function expectOnlyItem<T extends z.ZodRawShape>(items: Item[], shape: T) {
	assert.equal(items.length, 1);
	return z.object(shape).passthrough().parse(items[0]?.json);
}

/** The schema of a text that is not empty. */
export const nonEmptyTextSchema = z.string().min(1);
/** The schema of an ISO time that is at most ten minutes old. */
export const currentTimeSchema = z
	.string()
	.datetime({ offset: true })
	.refine((time) => Math.abs(Date.now() - Date.parse(time)) < 600_000);
/** The schema of an absolute URL. */
export const urlSchema = z.string().url();

export { requireValue };

const isSameValue = (itemValue: unknown, recordValue: unknown) =>
	JSON.stringify(itemValue) === JSON.stringify(recordValue) ||
	(Array.isArray(recordValue) && itemValue === recordValue.map(String).join(', ')) ||
	// Some numbers are sent as texts.
	(typeof itemValue === 'number' && recordValue === String(itemValue));

/** Checks the body fields of the last request to an endpoint. It is for fields that the stand-in does not save. */
export function expectSentFields({ standIn }: CustomerFixture, key: string, fields: JsonObject): void {
	const body = z.record(z.unknown()).parse(requireValue(standIn.getRequests(key).at(-1)).body);
	assert.deepEqual(pick(body, Object.keys(fields)), fields);
}

/**
 * The fields that nodes add to the platform's records so that the next node can use them.
 * test/operations/reusedIds.ts checks them.
 */
export const ADDED_FIELDS = [
	'companyName',
	'companyResourceId',
	'companyGroupResourceId',
	'jobId',
	'enrollmentId',
	'targetUserResourceId',
] as const;

function isAddedField(name: string): boolean {
	return ADDED_FIELDS.some((field) => field === name);
}

/** Returns an item's JSON without the fields that nodes add. */
export function omitAddedFields({ json }: { json: JsonObject }): JsonObject {
	return omit(json, ADDED_FIELDS);
}

/**
 * Checks that there is exactly one item for each record. An item can lack fields of its record.
 * @throws AssertionError
 */
export function expectRecords(items: Item[], records: JsonObject[]): void {
	assert.ok(records.length > 0, 'The service has nothing to list');
	const remainingRecords = [...records];
	for (const { json } of items) {
		const fields = Object.entries(json);
		assert.ok(fields.length > 1, `An item without fields: ${JSON.stringify(json)}`);
		const index = remainingRecords.findIndex((record) =>
			fields.every(([name, value]) => isSameValue(value, record[name]) || (isAddedField(name) && !(name in record))),
		);
		assert.ok(index >= 0, `The service has no such record: ${JSON.stringify(json)}`);
		remainingRecords.splice(index, 1);
	}
	assert.deepEqual(remainingRecords, []);
}

/**
 * Creates the run of an operation that lists records. The items must match the response to a direct request.
 * @param searchKey the key of the list, with its path filled in
 * @param body further body fields of the direct request
 */
export async function createListRun(
	customer: CustomerFixture,
	searchKey: string,
	parameters: IDataObject = {},
	body: object = {},
): Promise<CaseRun> {
	const records = await customer.fetchList(searchKey, body);
	const paging = searchKey.startsWith('GET ') ? {} : { returnAll: true };
	return {
		parameters: { ...customer.companyParameters, ...paging, ...parameters },
		itemCount: records.length,
		checkItems: (items) => expectRecords(items, records),
	};
}

/**
 * Creates the run of an operation that gets a record. The items must match the response to a direct request.
 * @param addedFields fields that the items have in addition to the response
 */
export async function createRecordRun(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject = {},
	addedFields: JsonObject = {},
): Promise<CaseRun> {
	const data = await customer.fetchData(key);
	const records = z
		.array(z.record(z.unknown()))
		.parse([data].flat())
		.map((record) => ({ ...addedFields, ...record }));
	return {
		parameters: { ...customer.companyParameters, ...parameters },
		itemCount: records.length,
		checkItems: (items) => expectRecords(items, records),
	};
}

/**
 * Creates the run of an operation that returns one summary.
 * @param toSummary returns the expected summary; its argument has the fields of the response and of all objects nested
 * in it
 */
export async function createSummaryRun(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject,
	toSummary: (fields: JsonObject) => JsonObject,
): Promise<CaseRun> {
	const data = z.record(z.unknown()).parse(await customer.fetchData(key));
	const nestedObjects = Object.values(data).filter(
		(value): value is JsonObject => z.record(z.unknown()).safeParse(value).success,
	);
	const expectedSummary = toSummary(Object.assign({}, ...nestedObjects, data) as JsonObject);
	return {
		parameters: { ...customer.companyParameters, ...parameters },
		itemCount: 1,
		checkItems: (items) => assert.deepEqual(omitAddedFields(requireValue(items[0])), expectedSummary),
	};
}

/**
 * Allows a live deployment to reject the request variant of the contract.
 * @param key the method and path of the request that the node then sends in another variant
 */
export function allowRejection(customer: CustomerFixture, key: string, run: CaseRun): CaseRun {
	return customer.isDeployed ? { ...run, rejectedRequests: [key] } : run;
}

/** The requests and the expected file of an export. */
interface ExportRunOptions {
	/** The key of the export. */
	key: string;
	/** The file name that the stand-in sends. */
	fileName: string;
	/** The number of records in the file; undefined if it is not known. */
	rowCount?: number;
	parameters?: IDataObject;
	/** The request that reads the number of records before the export. */
	searchRequest?: string;
	/**
	 * The record that the file is about, such as an enrollment: its name, the item field that contains the name, and the
	 * text for it in the file name.
	 */
	subject?: { field: string; name: string; label: string };
	/** The request that reads the name of that record. */
	subjectRequest?: string;
}

/**
 * Creates the run of an operation that exports a file. The file must have as many bytes as the stand-in sent, and its
 * name must contain the customer and the subject.
 */
export function createExportRun(customer: CustomerFixture, options: ExportRunOptions): CaseRun {
	const { key, fileName, rowCount, parameters = {}, searchRequest, subject, subjectRequest } = options;
	const { standIn } = customer;
	const { companyName = '' } = parameters.companyScope ? customer.company : {};
	const labels: string[] = [];
	if (!fileName.includes(`${companyName}.`)) labels.push(String(companyName));
	if (subject) labels.push(subject.label);
	const expectedName = fileName.replace(/\.\w+$/, (ending) => [...labels.map((label) => `-${label}`), ending].join(''));
	const run: CaseRun = {
		parameters,
		itemCount: 1,
		requiredRequests: [searchRequest, subjectRequest, key].filter((request) => request !== undefined),
		checkItems: (items) => {
			const request = requireValue(standIn.getRequests(key).at(-1));
			assert.ok(request.bytesSent > 0);
			const expectedFile: JsonObject = { fileName: expectedName, mimeType: 'text/csv', bytes: request.bytesSent };
			if (subject) expectedFile[subject.field] = subject.name;
			assert.deepEqual(omitAddedFields(requireValue(items[0])), expectedFile);
		},
	};
	if (rowCount !== undefined) run.fileRowCount = rowCount;
	return run;
}

export function hashSha256(content: Buffer): string {
	return createHash('sha256').update(content).digest('hex');
}

/**
 * Builds the secret fields of a run.
 * @param parameterSecrets the secrets in the parameters
 * @param getOutputSecrets returns the secrets that only the output contains
 */
export function buildSecrets(
	parameterSecrets: string[],
	getOutputSecrets: (items: Item[]) => string[] = () => [],
): Pick<CaseRun, 'parameterSecrets' | 'getSecrets'> {
	return {
		parameterSecrets,
		getSecrets: (items) => [...parameterSecrets, ...getOutputSecrets(items)],
	};
}
