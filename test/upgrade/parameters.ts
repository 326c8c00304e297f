/**
 * The parts of a node's description that saved workflows depend on: names, defaults and choices; and which of them are
 * broken.
 */
import { difference, groupBy, isEmpty, isEqual } from 'lodash';
import {
	NodeHelpers,
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { z } from 'zod';

const parameter = z.object({
	/** The operations that have it; empty where the node has none. */
	on: z.array(z.string()),
	/** Where its value is kept: "additionalFields.tags". */
	path: z.string(),
	type: z.string(),
	default: z.unknown(),
	/** Of a list to choose from: what may be chosen; of a locator: its modes. */
	choices: z.array(z.unknown()).optional(),
	multiple: z.literal(true).optional(),
	/** Of a number: the least and the greatest that it takes. */
	least: z.number().optional(),
	most: z.number().optional(),
	required: z.literal(true).optional(),
	/** Under which values of others it is there. */
	when: z.unknown().optional(),
});
type Parameter = z.infer<typeof parameter>;

/** What is kept of a published version: of each node, by its name, one of its versions. */
export const recordSchema = z.record(
	z.object({
		typeVersion: z.number(),
		inputs: z.number(),
		outputs: z.number(),
		credentials: z.array(z.string()),
		parameters: z.array(parameter),
	}),
);
export type Recorded = z.infer<typeof recordSchema>;

export type Described = Pick<
	INodeTypeDescription,
	'version' | 'properties' | 'inputs' | 'outputs' | 'credentials' | 'defaultVersion'
>;

/** These decide for which operation a property is there, and are taken out of its conditions. */
const DECIDING = ['operation', 'resource', '@version'];

const choosing = (conditions: IDisplayOptions[keyof IDisplayOptions], isDeciding: boolean) => {
	const kept = Object.entries(conditions ?? {}).filter(([name]) => DECIDING.includes(name) === isDeciding);
	return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

const part = ({ show, hide }: IDisplayOptions, isDeciding: boolean): IDisplayOptions => {
	const [shown, hidden] = [choosing(show, isDeciding), choosing(hide, isDeciding)];
	return { ...(shown ? { show: shown } : {}), ...(hidden ? { hide: hidden } : {}) };
};

const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is { name: string; values: INodeProperties[] } => 'values' in option;

/** A property, and all those inside it, each with its path. */
function* flat(property: INodeProperties, above = ''): Generator<{ path: string; property: INodeProperties }> {
	if (property.type === 'notice') return;
	const path = above + property.name;
	yield { path, property };
	for (const option of property.options ?? []) {
		if (isGroup(option)) for (const inner of option.values) yield* flat(inner, `${path}.${option.name}.`);
		else if (isProperty(option)) yield* flat(option, `${path}.`);
	}
}

function choicesOf({ type, options, modes }: INodeProperties): unknown[] | undefined {
	if (type === 'resourceLocator') return modes?.map(({ name }) => name);
	return type.toLowerCase().endsWith('options')
		? options?.map((option) => ('value' in option ? option.value : undefined))
		: undefined;
}

/** What one version of a node offers to a workflow. */
function parametersOf(description: Described, typeVersion: number): Parameter[] {
	// n8n's own, which its loader adds to every trigger that polls.
	const properties = description.properties.filter(({ name }) => name !== 'pollTimes');
	const isThere = (property: INodeProperties, values: INodeParameters) =>
		NodeHelpers.displayParameter(
			values,
			{ ...property, displayOptions: part(property.displayOptions ?? {}, true) },
			{ typeVersion },
			null,
		);
	const resource = properties.find(({ name }) => name === 'resource')?.default;
	const given: INodeParameters = typeof resource === 'string' ? { resource } : {};
	const choice = properties.find((property) => property.name === 'operation' && isThere(property, given));
	const operations = choice ? (choicesOf(choice) ?? []).map(String) : [];

	const all = properties.flatMap((top) =>
		[...flat(top)].flatMap(({ path, property }) => {
			const isOn = (values: INodeParameters) => isThere(top, values) && isThere(property, values);
			const on = operations.filter((operation) => isOn({ ...given, operation }));
			if (operations.length > 0 ? on.length === 0 : !isOn(given)) return [];
			const when = part(property.displayOptions ?? {}, false);
			return parameter.parse({
				...{ on, path, type: property.type, default: property.default, choices: choicesOf(property) },
				...(property.typeOptions?.multipleValues ? { multiple: true } : {}),
				...{ least: property.typeOptions?.minValue, most: property.typeOptions?.maxValue },
				...(property.required ? { required: true } : {}),
				...(isEmpty(when) ? {} : { when }),
			});
		}),
	);
	// Most operations have the same parameters: each is said once.
	const same = Object.values(groupBy(all, ({ on: _on, ...rest }) => JSON.stringify(rest)));
	return same.flatMap(([first, ...others]) =>
		first ? [{ ...first, on: [first, ...others].flatMap(({ on }) => on) }] : [],
	);
}

const countOf = (connections: Described['inputs'] | Described['outputs']) =>
	Array.isArray(connections) ? connections.length : 1;

/** What is kept of nodes, each as a workflow gets it that is saved now. */
export function recordOf(descriptions: ReadonlyArray<Described & { name: string }>): Recorded {
	return Object.fromEntries(
		descriptions.map((description) => {
			const { name, version, defaultVersion, inputs, outputs, credentials = [] } = description;
			const typeVersion = defaultVersion ?? Math.max(...[version].flat());
			const kept = {
				typeVersion,
				inputs: countOf(inputs),
				outputs: countOf(outputs),
				credentials: credentials.map((each) => each.name),
			};
			return [name, { ...kept, parameters: parametersOf(description, typeVersion) }];
		}),
	);
}

/** Whatever a workflow that was saved with the recorded version would no longer find as it was, as sentences. */
export function broken(recorded: Recorded, descriptions: ReadonlyArray<Described & { name: string }>): string[] {
	return Object.entries(recorded).flatMap(([name, { typeVersion, parameters, ...kept }]) => {
		const description = descriptions.find((each) => each.name === name);
		if (!description) return [`The node ${name} is gone.`];
		if (![description.version].flat().includes(typeVersion)) return [`Version ${typeVersion} of ${name} is gone.`];
		const { typeVersion: _now, parameters: _parameters, ...keptNow } = recordOf([description])[name] ?? {};
		const connections = isEqual(kept, keptNow) ? [] : [`${name} has other inputs, outputs or credentials than it had.`];
		const now = parametersOf(description, typeVersion);
		const operations = new Set(parameters.flatMap(({ on }) => on));
		return [
			...connections,
			...parameters.flatMap((before) =>
				inEach(before, (operation) => changed(before, now, operation)).map((what) => `${name}: ${what}`),
			),
			...now.flatMap((after) =>
				inEach(after, (operation) =>
					operation !== '' && !operations.has(operation) ? [] : newlyRequired(after, parameters, operation),
				).map((what) => `${name}: ${what}`),
			),
		];
	});
}

const inEach = ({ on }: Parameter, look: (operation: string) => string[]): string[] =>
	(on.length > 0 ? on : ['']).flatMap(look);
const matches = (one: Parameter, operation: string) => (other: Parameter) =>
	other.path === one.path && isEqual(other.when, one.when) && (operation === '' || other.on.includes(operation));
const naming = ({ path, when }: Parameter, operation: string) =>
	`the parameter "${path}"${operation === '' ? '' : ` of ${operation}`}${when ? ` (${JSON.stringify(when)})` : ''}`;

/** A hidden parameter can only have its default saved: shown with that as a choice, it means the same. */
const isShownNow = (before: Parameter, after: Parameter) =>
	before.type === 'hidden' && after.type === 'options' && after.choices?.includes(before.default) === true;

const locator = z.object({ mode: z.string(), value: z.union([z.string(), z.number()]) }).strict();

/**
 * A text or a number for which there is a list now: n8n keeps what was saved as it is, takes it for filled in, and shows it
 * in a locator (its editor calls that the legacy mode). So it must still be possible to type it, and the default must mean
 * the same. That the node takes it as before is shown by running it: saved.test.ts.
 */
function isListedNow(before: Parameter, after: Parameter): boolean {
	if (
		!['string', 'number'].includes(before.type) ||
		after.type !== 'resourceLocator' ||
		before.multiple ||
		after.multiple
	)
		return false;
	const given = locator.safeParse(after.default);
	return after.choices?.includes('id') === true && given.success && String(given.data.value) === String(before.default);
}

/**
 * A collection that is no longer offered, but is there all the same: n8n keeps what was saved in a hidden parameter. That
 * the node takes it as before is shown by running it: saved.test.ts.
 */
function isSavedOnly(before: Parameter, now: Parameter[], operation: string): boolean {
	const [top = ''] = before.path.split('.');
	const after = now.find(
		({ path, type, on }) => path === top && type === 'hidden' && (operation === '' || on.includes(operation)),
	);
	return (
		after !== undefined &&
		(before.path !== top || (before.type === 'collection' && isEqual(before.default, after.default)))
	);
}

function changed(before: Parameter, now: Parameter[], operation: string): string[] {
	const after = now.find(matches(before, operation));
	const what = naming(before, operation);
	if (isSavedOnly(before, now, operation)) return [];
	if (!after) return [`${what} is gone, or is there under other conditions.`];
	if (isListedNow(before, after))
		return after.required && !before.required ? [`${what} must be filled in, and was not.`] : [];
	const lost = difference(before.choices ?? [], after.choices ?? before.choices ?? []);
	return [
		...(isEqual(before.default, after.default)
			? []
			: [`${what} has another default: ${JSON.stringify(after.default)}, was ${JSON.stringify(before.default)}.`]),
		...((before.type === after.type || isShownNow(before, after)) && before.multiple === after.multiple
			? []
			: [`${what} is of another type: ${after.type}, was ${before.type}.`]),
		...(lost.length === 0 ? [] : [`${what} has lost ${JSON.stringify(lost)}.`]),
		...((after.least ?? -Infinity) > (before.least ?? -Infinity)
			? [`${what} takes nothing below ${after.least} any more.`]
			: []),
		...((after.most ?? Infinity) < (before.most ?? Infinity)
			? [`${what} takes nothing above ${after.most} any more.`]
			: []),
		...(after.required && !before.required ? [`${what} must be filled in, and was not.`] : []),
	];
}

function newlyRequired(after: Parameter, parameters: Parameter[], operation: string): string[] {
	if (!after.required || parameters.some(matches(after, operation))) return [];
	return [`${naming(after, operation)} is new and must be filled in.`];
}
