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
export interface Run {
	/** Everything but the operation's own name. */
	parameters: IDataObject;
	/** Files of the one input item, by the field they are in. */
	files?: Record<string, InputFile>;
	/** How many items come out. */
	items: number;
	/** @throws AssertionError where the output is not as the service has it */
	expect: (items: Item[]) => void;
	/**
	 * The requests it must send, in any order, without those for tokens; unless given, its own row of the contract, once.
	 */
	requests?: string[];
	/** Requests it may also send, each at most as often as it is listed: operations that the contract does not have. */
	also?: string[];
	/**
	 * Requests that the service may refuse, each at most as often as it is listed, and that are then sent in another
	 * form.
	 */
	again?: string[];
	/** How many records the file holds. */
	rows?: number;
	/** Values that must not appear anywhere except in the parameters and the output. */
	secrets?: (items: Item[]) => string[];
	/** Those of them that are in the parameters. */
	given?: string[];
}

export interface Case {
	/** The node's folder. */
	node: string;
	operation: string;
	/** Whether a file comes out. */
	isFile: boolean;
	/** Whether only a live deployment has it, not the contract. */
	isBeside: boolean;
	/**
	 * Creates what the operation needs. To be called directly before it runs, on a service with its initial data.
	 * @param asTool whether an AI agent runs it, which has no files to give
	 */
	prepare: (customer: CustomerFixture, asTool?: boolean) => Promise<Run>;
}

export type Row = Record<string, unknown>;
export type Prepare = (customer: CustomerFixture, asTool: boolean) => Run | Promise<Run>;

/** The cases of a node. */
export const casesOf = (
	node: string,
	prepares: Record<string, Prepare>,
	{ isFile = false, isBeside = false }: Partial<Pick<Case, 'isFile' | 'isBeside'>> = {},
): Case[] =>
	Object.entries(prepares).map(([operation, prepare]) => ({
		node,
		operation,
		isFile,
		isBeside,
		prepare: async (customer, asTool = false) => prepare(customer, asTool),
	}));

/** The only item's json, of a shape that is needed; the compiler cannot know what a node answers. */
export function only<T extends z.ZodRawShape>(items: Item[], shape: T) {
	assert.equal(items.length, 1);
	return z.object(shape).passthrough().parse(items[0]?.json);
}

export const isWord = z.string().min(1);
export const isAddress = z.string().url();

/** A value that the test's own data must have. */
export function the<T>(value: T | null | undefined): T {
	assert.ok(value !== undefined && value !== null, 'The test data has no such value');
	return value;
}

const same = (shown: unknown, value: unknown) =>
	JSON.stringify(shown) === JSON.stringify(value) ||
	(Array.isArray(value) && shown === value.map(String).join(', ')) ||
	// Numbers that services send as text: test/response/numbers.test.ts.
	(typeof shown === 'number' && value === String(shown));

/** Checks that the last request of this kind had these fields, even if the service doesn't save them. */
export function checkSent({ service }: CustomerFixture, key: string, fields: Row): void {
	const body = z.record(z.unknown()).parse(the(service.requests(key).at(-1)).body);
	assert.deepEqual(pick(body, Object.keys(fields)), fields);
}

/** What the nodes add to the service's records for the next node: test/run/outputs.test.ts. */
export const ADDED = [
	...(['companyName', 'companyResourceId', 'companyGroupResourceId'] as const),
	...(['jobId', 'enrollmentId', 'targetUserResourceId'] as const),
] as const;

const isAdded = (name: string) => ADDED.some((each) => each === name);

/** An item without what the nodes add to what the service sent. */
export const sentIn = ({ json }: { json: Row }): Row => omit(json, ADDED);

/** Each item is one of the records, whole or simplified, and each record is there once. */
export function areRecords(items: Item[], records: Row[]): void {
	assert.ok(records.length > 0, 'The service has nothing to list');
	const left = [...records];
	for (const { json } of items) {
		const fields = Object.entries(json);
		assert.ok(fields.length > 1, `An item without fields: ${JSON.stringify(json)}`);
		const at = left.findIndex((record) =>
			fields.every(([name, value]) => same(value, record[name]) || (isAdded(name) && !(name in record))),
		);
		assert.ok(at >= 0, `The service has no such record: ${JSON.stringify(json)}`);
		left.splice(at, 1);
	}
	assert.deepEqual(left, []);
}

/** A list that must equal what a direct request to the service returns. @param search its key, filled in */
export async function lists(
	customer: CustomerFixture,
	search: string,
	parameters: IDataObject = {},
	body: object = {},
): Promise<Run> {
	const records = await customer.list(search, body);
	const all = search.startsWith('GET ') ? {} : { returnAll: true };
	return {
		parameters: { ...customer.scoped, ...all, ...parameters },
		items: records.length,
		expect: (items) => areRecords(items, records),
	};
}

/** A record that must equal what a direct request to the service returns. */
export async function shows(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject = {},
	added: Row = {},
): Promise<Run> {
	const data = await customer.ask(key);
	const records = z
		.array(z.record(z.unknown()))
		.parse([data].flat())
		.map((record) => ({ ...added, ...record }));
	return {
		parameters: { ...customer.scoped, ...parameters },
		items: records.length,
		expect: (items) => areRecords(items, records),
	};
}

/** One record with figures: these in the words of the nodes, and no other field but those that the nodes add. */
export async function figures(
	customer: CustomerFixture,
	key: string,
	parameters: IDataObject,
	wordsOf: (all: Row) => Row,
): Promise<Run> {
	const data = z.record(z.unknown()).parse(await customer.ask(key));
	const inside = Object.values(data).filter((value): value is Row => z.record(z.unknown()).safeParse(value).success);
	const expected = wordsOf(Object.assign({}, ...inside, data) as Row);
	return {
		parameters: { ...customer.scoped, ...parameters },
		items: 1,
		expect: (items) => assert.deepEqual(sentIn(the(items[0])), expected),
	};
}

/**
 * The same run, for a live deployment that refuses the form of the request that the contract describes.
 * @param key the request that is sent again
 */
export const refusedOnce = (customer: CustomerFixture, key: string, run: Run): Run =>
	customer.isDeployed ? { ...run, again: [key] } : run;

interface FileRun {
	key: string;
	fileName: string;
	/** How many records it holds; unknown, unless given. */
	rows?: number;
	parameters?: IDataObject;
	/** What is asked first, to know how many records there are. */
	search?: string;
	/** What it is of, besides its customer: the name's field in the item, the name, and what the file's name has. */
	of?: { field: string; name: string; label: string };
	/** What is asked for that name. */
	asked?: string;
}

/** An export; its file is as long as what the service sent, and named as the service says, with whose it is and of what. */
export function file(
	customer: CustomerFixture,
	{ key, fileName, rows, parameters = {}, search, of, asked }: FileRun,
): Run {
	const { service } = customer;
	const { companyName = '' } = parameters.companyScope ? customer.company : {};
	const labels = [...(fileName.includes(`${companyName}.`) ? [] : [companyName]), ...(of ? [of.label] : [])];
	const named = fileName.replace(/\.\w+$/, (ending) => [...labels.map((label) => `-${label}`), ending].join(''));
	return {
		parameters,
		items: 1,
		...(rows === undefined ? {} : { rows }),
		requests: [...(search ? [search] : []), ...(asked ? [asked] : []), key],
		expect: (items) => {
			const sent = the(service.requests(key).at(-1));
			assert.ok(sent.bytesSent > 0);
			assert.deepEqual(sentIn(the(items[0])), {
				...(of ? { [of.field]: of.name } : {}),
				fileName: named,
				mimeType: 'text/csv',
				bytes: sent.bytesSent,
			});
		},
	};
}

export const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** @param given secrets of the parameters @param shown those that only the output tells */
export const secret = (given: string[], shown: (items: Item[]) => string[] = () => []) => ({
	given,
	secrets: (items: Item[]) => [...given, ...shown(items)],
});
