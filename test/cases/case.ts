/** The parts of every case: the run of one operation, and checks of its result. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { CustomerFixture } from './customerFixture';

/** An output item, as far as cases look at it. */
export interface Item {
	json: IDataObject;
}

export interface InputFile {
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** One run of an operation. */
export interface CaseRun {
	/** Everything but the operation's own name. */
	parameters: IDataObject;
	/** Files of the one input item, by the field they are in. */
	inputFiles?: Record<string, InputFile>;
	/** How many items come out. */
	itemCount: number;
	/** @throws AssertionError where the output is not as the service has it */
	checkItems: (itemCount: Item[]) => void;
	/**
	 * The requests it must send, in any order, without those for tokens; unless given, its own row of the contract, once.
	 */
	requiredRequests?: string[];
	/** Requests it may also send, each at most as often as it is listed: operations that the contract does not have. */
	optionalRequests?: string[];
	/**
	 * Requests that the service may refuse, each at most as often as it is listed, and that are then sent in another
	 * form.
	 */
	rejectedRequests?: string[];
	/** How many records the file holds. */
	fileRowCount?: number;
	/** Values that must not appear anywhere except in the parameters and the output. */
	getSecrets?: (itemCount: Item[]) => string[];
	/** Those of them that are in the parameters. */
	parameterSecrets?: string[];
}

export interface Case {
	/** The node's folder. */
	node: string;
	operation: string;
	/** Whether a file comes out. */
	returnsFile: boolean;
	/** Whether only a live deployment has it, not the contract. */
	isOutsideContract: boolean;
	/**
	 * Creates what the operation needs. To be called directly before it runs, on a service with its initial data.
	 * @param asTool whether an AI agent runs it, which has no files to give
	 */
	prepare: (customer: CustomerFixture, asTool?: boolean) => Promise<CaseRun>;
}

export type JsonObject = Record<string, unknown>;
export type PrepareRun = (customer: CustomerFixture, asTool: boolean) => CaseRun | Promise<CaseRun>;

/** The cases of a node. */
export const defineCases = (
	node: string,
	prepares: Record<string, PrepareRun>,
	{ returnsFile: isFile = false, isOutsideContract: isOutsideContract = false }: Partial<Pick<Case, 'returnsFile' | 'isOutsideContract'>> = {},
): Case[] =>
	Object.entries(prepares).map(([operation, prepare]) => ({
		node,
		operation,
		isFile,
		isBeside: isOutsideContract,
		prepare: async (customer, asTool = false) => prepare(customer, asTool),
	}));

/** The only item's json, of a shape that is needed; the compiler cannot know what a node answers. */
export function expectOnlyItem<T extends z.ZodRawShape>(items: Item[], shape: T) {
	assert.equal(items.length, 1);
	return z.object(shape).passthrough().parse(items[0]?.json);
}

export const nonEmptyTextSchema = z.string().min(1);
export const urlSchema = z.string().url();

/** A value that the test's own data must have. */
export function requireValue<T>(value: T | null | undefined): T {
	assert.ok(value !== undefined && value !== null, 'The test data has no such value');
	return value;
}

const isSameValue = (shown: unknown, value: unknown) =>
	JSON.stringify(shown) === JSON.stringify(value) ||
	(Array.isArray(value) && shown === value.map(String).join(', ')) ||
	// Numbers that services send as text: test/response/numbers.test.ts.
	(typeof shown === 'number' && value === String(shown));

/** Checks that the last request of this kind had these fields, even if the service doesn't save them. */
export function expectSentFields({ standIn: service }: CustomerFixture, key: string, fields: JsonObject): void {
	const body = z.record(z.unknown()).parse(requireValue(service.getRequests(key).at(-1)).body);
	assert.deepEqual(pick(body, Object.keys(fields)), fields);
}

/** What the nodes add to the service's records for the next node: test/run/outputs.test.ts. */
export const ADDED_FIELDS = [
	...(['companyName', 'companyResourceId', 'companyGroupResourceId'] as const),
	...(['jobId', 'enrollmentId', 'targetUserResourceId'] as const),
] as const;

const isAddedField = (name: string) => ADDED_FIELDS.some((each) => each === name);

/** An item without what the nodes add to what the service sent. */
export const omitAddedFields = ({ json }: { json: JsonObject }): JsonObject => omit(json, ADDED_FIELDS);

/** Each item is one of the records, whole or simplified, and each record is there once. */
export function expectRecords(items: Item[], records: JsonObject[]): void {
	assert.ok(records.length > 0, 'The service has nothing to list');
	const left = [...records];
	for (const { json } of items) {
		const fields = Object.entries(json);
		assert.ok(fields.length > 1, `An item without fields: ${JSON.stringify(json)}`);
		const at = left.findIndex((record) =>
			fields.every(([name, value]) => isSameValue(value, record[name]) || (isAddedField(name) && !(name in record))),
		);
		assert.ok(at >= 0, `The service has no such record: ${JSON.stringify(json)}`);
		left.splice(at, 1);
	}
	assert.deepEqual(left, []);
}

/** A list that must equal what a direct request to the service returns. @param search its key, filled in */
export async function createListRun(
	customer: CustomerFixture,
	search: string,
	parameters: IDataObject = {},
	body: object = {},
): Promise<CaseRun> {
	const records = await customer.fetchList(search, body);
	const all = search.startsWith('GET ') ? {} : { returnAll: true };
	return {
		parameters: { ...customer.companyParameters, ...all, ...parameters },
		itemCount: records.length,
		checkItems: (items) => expectRecords(items, records),
	};
}

/** A record that must equal what a direct request to the service returns. */
export async function createRecordRun(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject = {},
	added: JsonObject = {},
): Promise<CaseRun> {
	const data = await customer.fetchData(key);
	const records = z
		.array(z.record(z.unknown()))
		.parse([data].flat())
		.map((record) => ({ ...added, ...record }));
	return {
		parameters: { ...customer.companyParameters, ...parameters },
		itemCount: records.length,
		checkItems: (items) => expectRecords(items, records),
	};
}

/** One record with figures: these in the words of the nodes, and no other field but those that the nodes add. */
export async function createSummaryRun(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject,
	wordsOf: (all: JsonObject) => JsonObject,
): Promise<CaseRun> {
	const data = z.record(z.unknown()).parse(await customer.fetchData(key));
	const inside = Object.values(data).filter((value): value is JsonObject => z.record(z.unknown()).safeParse(value).success);
	const expected = wordsOf(Object.assign({}, ...inside, data) as JsonObject);
	return {
		parameters: { ...customer.companyParameters, ...parameters },
		itemCount: 1,
		checkItems: (items) => assert.deepEqual(omitAddedFields(requireValue(items[0])), expected),
	};
}

/**
 * The same run, for a live deployment that refuses the form of the request that the contract describes.
 * @param key the request that is sent again
 */
export const allowRejection = (customer: CustomerFixture, key: string, run: CaseRun): CaseRun =>
	customer.isDeployed ? { ...run, rejectedRequests: [key] } : run;

interface ExportRunOptions {
	key: string;
	fileName: string;
	/** How many records it holds; unknown, unless given. */
	rowCount?: number;
	parameters?: IDataObject;
	/** What is asked first, to know how many records there are. */
	searchRequest?: string;
	/** What it is of, besides its customer: the name's field in the item, the name, and what the file's name has. */
	subject?: { field: string; name: string; label: string };
	/** What is asked for that name. */
	subjectRequest?: string;
}

/** An export; its file is as long as what the service sent, and named as the service says, with whose it is and of what. */
export function createExportRun(
	customer: CustomerFixture,
	{ key, fileName, rowCount: rows, parameters = {}, searchRequest: search, subject: of, subjectRequest: asked }: ExportRunOptions,
): CaseRun {
	const { standIn: service } = customer;
	const { companyName = '' } = parameters.companyScope ? customer.company : {};
	const labels = [...(fileName.includes(`${companyName}.`) ? [] : [companyName]), ...(of ? [of.label] : [])];
	const named = fileName.replace(/\.\w+$/, (ending) => [...labels.map((label) => `-${label}`), ending].join(''));
	return {
		parameters,
		itemCount: 1,
		...(rows === undefined ? {} : { fileRowCount: rows }),
		requiredRequests: [...(search ? [search] : []), ...(asked ? [asked] : []), key],
		checkItems: (items) => {
			const sent = requireValue(service.getRequests(key).at(-1));
			assert.ok(sent.bytesSent > 0);
			assert.deepEqual(omitAddedFields(requireValue(items[0])), {
				...(of ? { [of.field]: of.name } : {}),
				fileName: named,
				mimeType: 'text/csv',
				bytes: sent.bytesSent,
			});
		},
	};
}

export const hashSha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** @param given secrets of the parameters @param shown those that only the output tells */
export const buildSecrets = (given: string[], shown: (items: Item[]) => string[] = () => []) => ({
	parameterSecrets: given,
	getSecrets: (items: Item[]) => [...given, ...shown(items)],
});
