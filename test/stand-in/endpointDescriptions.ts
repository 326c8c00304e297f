/**
 * Reads the interface description of live deployments in its short notation, completes responses to match it, and reports
 * how a response differs from it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import once from 'lodash/once';
import { isJsonObject } from './http';

/** The type of a value, as the notation can describe it. */
export type Shape =
	| { kind: 'text' | 'int' | 'number' | 'bool' | 'time' | 'any' | 'file' | 'none' }
	| { kind: 'list'; itemShape: Shape }
	| { kind: 'map'; itemShape: Shape }
	| { kind: 'object'; fields: Map<string, Shape> };

/** One operation as the documents describe it. */
export interface EndpointDescription {
	key: string;
	/** The names of the body fields that a request must have. */
	requiredFields: string[];
	/** The shape of the request body; undefined if the request has no body. */
	requestShape?: Shape | undefined;
	/** The shape of the data in a response. */
	dataShape: Shape;
}

const SHAPES_BY_WORD = new Map<string, Shape>(
	(['text', 'int', 'number', 'bool', 'time', 'any', 'none'] as const).map((kind) => [kind, { kind }]),
);

/** Parses one shape in the notation. */
class ShapeReader {
	private position = 0;

	constructor(private readonly notation: string) {}

	/**
	 * Reads the shape at the current position.
	 * @param parentShape the shape that `[the same]` refers to
	 */
	readNextShape(parentShape?: Shape): Shape {
		if (this.skipText('[the same]')) return { kind: 'list', itemShape: parentShape ?? { kind: 'any' } };
		// The notation omits the inner fields here, so any value is valid.
		if (this.skipText('{…}')) return { kind: 'any' };
		if (this.skipText('[')) {
			const itemShape = this.readNextShape(parentShape);
			this.requireText(']');
			return { kind: 'list', itemShape };
		}
		if (this.skipText('{')) return this.readObject();
		if (this.skipText('map of ')) return { kind: 'map', itemShape: this.readNextShape(parentShape) };
		const word = this.readWord();
		// The notation writes a file as "a file" in responses and as "file" in requests.
		const shape: Shape | undefined = word === 'a' || word === 'file' ? { kind: 'file' } : SHAPES_BY_WORD.get(word);
		if (!shape) throw new Error(`'${word}' is no type in: ${this.notation}`);
		return shape;
	}

	private readObject(): Shape {
		const fields = new Map<string, Shape>();
		const objectShape: Shape = { kind: 'object', fields };
		do {
			this.skipSpaces();
			const name = this.readWord();
			fields.set(name, this.skipText(': ') ? this.readNextShape(objectShape) : { kind: 'text' });
			this.skipSpaces();
		} while (this.skipText(','));
		this.requireText('}');
		return objectShape;
	}

	private readWord(): string {
		const [word = ''] = /^\w+/.exec(this.notation.slice(this.position)) ?? [];
		this.position += word.length;
		return word;
	}

	private skipSpaces(): void {
		while (this.skipText(' '));
	}

	private skipText(text: string): boolean {
		const isPresent = this.notation.startsWith(text, this.position);
		if (isPresent) this.position += text.length;
		return isPresent;
	}

	private requireText(text: string): void {
		if (!this.skipText(text)) throw new Error(`${text} is missing at ${this.position} in: ${this.notation}`);
	}
}

/** Parses a shape in the notation of the descriptions. Text after the shape is ignored. */
export function readShape(notation: string): Shape {
	return new ShapeReader(notation).readNextShape();
}

/** Reads the descriptions of all operations in a file. */
export function readDescriptions(file: 'deployment-shapes.md' | 'deployment-beyond.md'): EndpointDescription[] {
	const text = readFileSync(join(__dirname, '../../docs/facts', file), 'utf8');
	return text
		.split(/\n(?=- `)/)
		.slice(1)
		.flatMap((entry) => {
			const [, key] = /^- `(.*?)`/.exec(entry) ?? [];
			const [, data] = /\n {2}- data: (.*)/.exec(entry) ?? [];
			const [, request] = /\n {2}- request(?: \(multipart\))?: (.*)/.exec(entry) ?? [];
			const [, required = ''] = /; required: (.*)/.exec(entry) ?? [];
			if (key === undefined || data === undefined) return [];
			return [
				{
					key,
					requiredFields: required.split(', ').filter(Boolean),
					requestShape: request === undefined ? undefined : readShape(request),
					dataShape: readShape(data),
				},
			];
		});
}

const loadDescriptions = once(() => {
	const entries = [...readDescriptions('deployment-beyond.md'), ...readDescriptions('deployment-shapes.md')];
	return new Map(entries.map((entry) => [entry.key, entry]));
});

/** Returns the description of an operation of live deployments; undefined if there is none. */
export function getDescription(key: string): EndpointDescription | undefined {
	return loadDescriptions().get(key);
}

/** Returns the shape of a list's rows. An export has the same rows as its search. */
export function getRowShape(key: string): Shape | undefined {
	const shape = getDescription(key.replace('/export', ''))?.dataShape;
	const page = shape?.kind === 'object' ? (shape.fields.get('items') ?? shape) : shape;
	const results = page?.kind === 'object' ? (page.fields.get('results') ?? page) : page;
	return results?.kind === 'list' ? results.itemShape : results;
}

/** Returns a copy of a value with all fields of its shape. Missing fields get an empty value. */
export function completeValue(value: unknown, shape: Shape): unknown {
	switch (shape.kind) {
		case 'list':
			return Array.isArray(value) ? value.map((entry: unknown) => completeValue(entry, shape.itemShape)) : [];
		case 'object': {
			// A value of another type is kept, so that listDifferences reports it.
			if (value !== undefined && value !== null && !isJsonObject(value)) return value;
			const presentFields = value ?? {};
			const describedFields = [...shape.fields].map(([name, fieldShape]) => [
				name,
				completeValue(presentFields[name], fieldShape),
			]);
			return {
				...Object.fromEntries(describedFields),
				...Object.fromEntries(Object.entries(presentFields).filter(([name]) => !shape.fields.has(name))),
			};
		}
		case 'map':
			return value ?? {};
		case 'bool':
			return value ?? false;
		case 'int':
		case 'number':
			return value === undefined ? 0 : value;
		default:
			return value ?? null;
	}
}

const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const VALUE_CHECKS: Record<string, (value: unknown) => boolean> = {
	text: (value) => value === null || typeof value === 'string',
	time: (value) => value === null || (typeof value === 'string' && ISO_DATE_TIME.test(value)),
	int: (value) => value === null || Number.isInteger(value),
	number: (value) => value === null || typeof value === 'number',
	bool: (value) => typeof value === 'boolean',
	any: () => true,
	none: () => true,
	file: () => false,
};

/**
 * Lists the differences between a value and its shape, one sentence each: missing fields, undocumented fields, and values
 * of another type.
 * @param extraNames the names of undocumented fields that are accepted
 */
export function listDifferences(
	value: unknown,
	shape: Shape,
	path = 'data',
	extraNames: readonly string[] = [],
): string[] {
	switch (shape.kind) {
		case 'list':
			if (!Array.isArray(value)) return [`${path} is no list`];
			return [...new Set(value.flatMap((entry) => listDifferences(entry, shape.itemShape, `${path}[]`, extraNames)))];
		case 'map':
			if (!isJsonObject(value)) return [`${path} is no map`];
			return Object.values(value).flatMap((entry) => listDifferences(entry, shape.itemShape, `${path}.*`, extraNames));
		case 'object': {
			if (!isJsonObject(value)) return [`${path} is no object`];
			const undocumentedNames = Object.keys(value).filter(
				(name) => !shape.fields.has(name) && !extraNames.includes(name),
			);
			const fieldDifferences = [...shape.fields].flatMap(([name, fieldShape]) =>
				name in value
					? listDifferences(value[name], fieldShape, `${path}.${name}`, extraNames)
					: [`${path}.${name} is missing`],
			);
			return [...undocumentedNames.map((name) => `${path}.${name} is not described`), ...fieldDifferences];
		}
		default:
			return VALUE_CHECKS[shape.kind]?.(value) ? [] : [`${path} is not ${shape.kind}: ${JSON.stringify(value)}`];
	}
}
