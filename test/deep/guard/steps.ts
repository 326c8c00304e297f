/** What somebody does with the nodes: runs an operation, opens a list, polls. What they say is kept as texts. */
import { cloneDeepWith } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { z } from 'zod';
import type { InputFile } from '../../cases';
import { byAgent, byItem } from '../../cases/filledIn';
import { itemWith } from '../../cases/operationFixture';
import { callListSearch, callLoadOptions, readBinary, runNode, runPoll, runTool } from '../../n8n-core';
import { textsIn } from '../../n8n-core/texts';
import { asParameters } from '../../n8n-core/shapes';
import { jsonOf } from './contract';
import type { GuardFixture, Method } from './guardFixture';
import type { Said } from './leaks';

/** Where a node runs: by itself; called by an agent with n8n's sign for it; as the type that n8n makes of it for agents; both. */
export const CONTEXTS = ['plain', 'sign', 'type', 'both'] as const;
export type Context = (typeof CONTEXTS)[number];
/** Where the values of a form come from. */
export const FORMS = ['fixed', 'item', 'agent'] as const;
export type Form = (typeof FORMS)[number];

/** A node as n8n makes it of one that agents may use. */
export function asToolType(node: INodeType): INodeType {
	const { description } = node;
	const made: INodeType = Object.create(node, {
		description: { value: { ...description, name: `${description.name}Tool` }, enumerable: true },
	});
	return made;
}

const errorShape = z.object({ message: z.string() }).passthrough();

/** All that a person reads of an error. */
export function textOf(error: unknown): string {
	const { message, description, messages, context } = errorShape.catch({ message: String(error) }).parse(error);
	return [message, description, ...textsIn(messages), ...textsIn(context)].join('\n');
}

/** The name under which a child's record tells whose child it is: an ID, and no record of the parent's. */
const PARENT = 'parentCompanyResourceId';

const withoutParents = (value: unknown): unknown =>
	cloneDeepWith(value, (inner: unknown, name) =>
		name === PARENT ? '' : inner instanceof Date ? inner.toISOString() : undefined,
	);

async function textsOf(items: readonly INodeExecutionData[]): Promise<string[]> {
	const files = items.flatMap((item) =>
		Object.keys(item.binary ?? {}).map(async (name) => await readBinary(item, name)),
	);
	return [
		...items.flatMap(({ json }) => textsIn(withoutParents(json))),
		...items.flatMap(({ binary }) => Object.values(binary ?? {}).map(({ fileName }) => fileName ?? '')),
		...(await Promise.all(files)).map((content) => content.toString()),
	];
}

interface Run {
	node: string;
	operation: string;
	parameters: IDataObject;
	/** What somebody fills in who means well: the first of two items. */
	before?: IDataObject | undefined;
	files?: Record<string, InputFile> | undefined;
	context: Context;
	form: Form;
	continues: boolean;
}

const failed = (error: unknown, given: string): Said => ({
	texts: [textOf(error)],
	items: [],
	error: textOf(error),
	given,
});

/** Items, and what the first says that is there in place of an error. */
function told(items: readonly INodeExecutionData[]): Pick<Said, 'items' | 'error'> {
	const [problem] = items.filter(({ json }) => json.error !== undefined);
	return { items: items.map(({ json }) => json), error: problem && JSON.stringify(problem.json) };
}

/** The items in the text that an agent gets; none if it is no list of items. */
function itemsOf(text: string): IDataObject[] {
	const answered = z.array(z.record(z.unknown()).transform(asParameters)).safeParse(jsonOf(text));
	return answered.data ?? [];
}

/** A form with its values where they come from: n8n has an agent's only where it calls the node as a tool, and items only elsewhere. */
function fill(parameters: IDataObject, form: Form): { parameters: IDataObject; json: IDataObject } {
	if (form === 'fixed') return { parameters, json: {} };
	if (form === 'item') return byItem(parameters);
	const { toolArguments, ...rest } = byAgent(parameters);
	return { ...rest, json: toolArguments };
}

/** Runs an operation. */
export async function run(fixture: GuardFixture, step: Run): Promise<Said> {
	const { node: folder, operation, parameters, before, files = {}, context, form, continues } = step;
	const plain = fixture.node(folder);
	const node = context === 'type' || context === 'both' ? asToolType(plain) : plain;
	const isCalled = context === 'sign' || context === 'both';
	const filled = fill(parameters, form === 'fixed' ? 'fixed' : isCalled ? 'agent' : 'item');
	const options = {
		node,
		parameters: { operation, ...filled.parameters },
		credential: fixture.store,
		...(continues ? { onError: 'continueRegularOutput' as const } : {}),
	};
	const given = JSON.stringify([parameters, before]);
	try {
		if (isCalled) {
			const text = await runTool({ ...options, toolArguments: filled.json });
			const items = itemsOf(text).map((json) => ({ json }));
			const texts = items.length > 0 ? await textsOf(items) : [text];
			return { ...told(items), texts, given };
		}
		const first = before && form === 'item' ? [await itemWith(files, { ...filled.json, ...byItem(before).json })] : [];
		const items = [...first, await itemWith(files, filled.json)];
		const { items: out, hints } = await runNode({ ...options, items });
		const texts = [...(await textsOf(out)), ...hints.map(({ message }) => message)];
		return { ...told(out), texts, given };
	} catch (error) {
		return failed(error, given);
	}
}

/** Pages of a list that are turned. */
const PAGES = 5;

/** Opens a list as the editor does, page after page. @param from where it goes on @returns also where it would go on */
export async function pick(
	fixture: GuardFixture,
	{ node, method, isOptions }: Method,
	parameters: IDataObject,
	filter?: string,
	from?: string,
): Promise<Said & { token: string | undefined }> {
	const options = { node: fixture.node(node), parameters, credential: fixture.store, method };
	const given = JSON.stringify([parameters, filter]);
	const said: IDataObject[] = [];
	let token = from;
	let last: string | undefined;
	try {
		if (isOptions)
			said.push(...(await callLoadOptions(options)).map(({ name, value }) => ({ name, value: String(value) })));
		for (let page = 0; !isOptions && page < PAGES; page++) {
			const asked = {
				...(token === undefined ? {} : { paginationToken: token }),
				...(filter === undefined ? {} : { filter }),
			};
			const { results, paginationToken } = await callListSearch({ ...options, ...asked });
			said.push(...results.map(({ name, value }) => ({ name, value: String(value) })));
			if (typeof paginationToken !== 'string') break;
			token = last = paginationToken;
		}
		// What cannot be listed is told in the list, as an entry without a value.
		const problem = isOptions && said.length === 1 && said[0]?.value === '' ? said[0].name : undefined;
		return {
			texts: textsIn(said),
			items: said,
			error: problem === undefined ? undefined : String(problem),
			given,
			token: last,
		};
	} catch (error) {
		return { ...failed(error, given), token: last };
	}
}

/** One poll of a trigger. */
export async function poll(
	fixture: GuardFixture,
	step: { trigger: INodeType; parameters: IDataObject; staticData: IDataObject; isManual: boolean },
): Promise<Said & { staticData: IDataObject }> {
	const { trigger, parameters, staticData, isManual } = step;
	const given = JSON.stringify(parameters);
	try {
		const options = { node: trigger, parameters, credential: fixture.store, staticData };
		const { items, staticData: after } = await runPoll({ ...options, mode: isManual ? 'manual' : 'trigger' });
		const out = items ?? [];
		return {
			texts: await textsOf(out),
			items: out.map(({ json }) => json),
			error: undefined,
			given,
			staticData: after,
		};
	} catch (error) {
		return { ...failed(error, given), staticData };
	}
}
