/**
 * Reads the interface description of a live deployment in its short notation, completes answers by it, and reports how an
 * answer differs from it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import once from 'lodash/once';
import { isRow } from './http';

/** A field's shape as the notation has it. */
export type Shape =
	| { kind: 'text' | 'int' | 'number' | 'bool' | 'time' | 'any' | 'file' | 'none' }
	| { kind: 'list'; of: Shape }
	| { kind: 'map'; of: Shape }
	| { kind: 'object'; fields: Map<string, Shape> };

/** One operation as it is described. */
export interface Described {
	key: string;
	required: string[];
	/** The fields of the request's body; undefined if it has no body. */
	request?: Shape | undefined;
	data: Shape;
}

const WORDS = new Map<string, Shape>(
	(['text', 'int', 'number', 'bool', 'time', 'any', 'none'] as const).map((kind) => [kind, { kind }]),
);

class Reader {
	private at = 0;

	constructor(private readonly notation: string) {}

	shape(around?: Shape): Shape {
		if (this.take('[the same]')) return { kind: 'list', of: around ?? { kind: 'any' } };
		// Where the description stops.
		if (this.take('{…}')) return { kind: 'any' };
		if (this.take('[')) {
			const of = this.shape(around);
			this.must(']');
			return { kind: 'list', of };
		}
		if (this.take('{')) return this.object();
		if (this.take('map of ')) return { kind: 'map', of: this.shape(around) };
		const word = this.word();
		// A file is written "a file" in answers and "file" in requests.
		const shape: Shape | undefined = word === 'a' || word === 'file' ? { kind: 'file' } : WORDS.get(word);
		if (!shape) throw new Error(`'${word}' is no type in: ${this.notation}`);
		return shape;
	}

	private object(): Shape {
		const fields = new Map<string, Shape>();
		const made: Shape = { kind: 'object', fields };
		do {
			this.spaces();
			const name = this.word();
			fields.set(name, this.take(': ') ? this.shape(made) : { kind: 'text' });
			this.spaces();
		} while (this.take(','));
		this.must('}');
		return made;
	}

	private word(): string {
		const [word = ''] = /^\w+/.exec(this.notation.slice(this.at)) ?? [];
		this.at += word.length;
		return word;
	}

	private spaces(): void {
		while (this.take(' '));
	}

	private take(text: string): boolean {
		const is = this.notation.startsWith(text, this.at);
		if (is) this.at += text.length;
		return is;
	}

	private must(text: string): void {
		if (!this.take(text)) throw new Error(`${text} is missing at ${this.at} in: ${this.notation}`);
	}
}

/** Reads a shape in the notation of the descriptions, and ignores the rest of the text. */
export const readShape = (notation: string): Shape => new Reader(notation).shape();

/** The operations of one of the files beside the contract. */
export function describedIn(file: 'deployment-shapes.md' | 'deployment-beyond.md'): Described[] {
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
					required: required.split(', ').filter(Boolean),
					request: request === undefined ? undefined : readShape(request),
					data: readShape(data),
				},
			];
		});
}

const all = once(() => {
	const entries = [...describedIn('deployment-beyond.md'), ...describedIn('deployment-shapes.md')];
	return new Map(entries.map((entry) => [entry.key, entry]));
});

/** An operation as live deployments describe it; undefined for one that they do not. */
export const description = (key: string): Described | undefined => all().get(key);

/** The shape of a list's rows; an export has those of its search. */
export function rowShape(key: string): Shape | undefined {
	const shape = description(key.replace('/export', ''))?.data;
	const page = shape?.kind === 'object' ? (shape.fields.get('items') ?? shape) : shape;
	const results = page?.kind === 'object' ? (page.fields.get('results') ?? page) : page;
	return results?.kind === 'list' ? results.of : results;
}

/** A value with all fields of its shape: for those that are missing, what stands for nothing. */
export function completed(value: unknown, shape: Shape): unknown {
	switch (shape.kind) {
		case 'list':
			return Array.isArray(value) ? value.map((entry: unknown) => completed(entry, shape.of)) : [];
		case 'object': {
			// Anything else than an object stays, so that it is noticed.
			if (value !== undefined && value !== null && !isRow(value)) return value;
			const given = value ?? {};
			const known = [...shape.fields].map(([name, of]) => [name, completed(given[name], of)]);
			return {
				...Object.fromEntries(known),
				...Object.fromEntries(Object.entries(given).filter(([name]) => !shape.fields.has(name))),
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

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const TESTS: Record<string, (value: unknown) => boolean> = {
	text: (value) => value === null || typeof value === 'string',
	time: (value) => value === null || (typeof value === 'string' && ISO.test(value)),
	int: (value) => value === null || Number.isInteger(value),
	number: (value) => value === null || typeof value === 'number',
	bool: (value) => typeof value === 'boolean',
	any: () => true,
	none: () => true,
	file: () => false,
};

/**
 * The differences between a value and its shape, one sentence each: what is missing, not described, or of another type.
 */
export function departures(value: unknown, shape: Shape, path = 'data', more: readonly string[] = []): string[] {
	switch (shape.kind) {
		case 'list':
			if (!Array.isArray(value)) return [`${path} is no list`];
			return [...new Set(value.flatMap((entry) => departures(entry, shape.of, `${path}[]`, more)))];
		case 'map':
			if (!isRow(value)) return [`${path} is no map`];
			return Object.values(value).flatMap((entry) => departures(entry, shape.of, `${path}.*`, more));
		case 'object': {
			if (!isRow(value)) return [`${path} is no object`];
			const surplus = Object.keys(value).filter((name) => !shape.fields.has(name) && !more.includes(name));
			const inside = [...shape.fields].flatMap(([name, of]) =>
				name in value ? departures(value[name], of, `${path}.${name}`, more) : [`${path}.${name} is missing`],
			);
			return [...surplus.map((name) => `${path}.${name} is not described`), ...inside];
		}
		default:
			return TESTS[shape.kind]?.(value) ? [] : [`${path} is not ${shape.kind}: ${JSON.stringify(value)}`];
	}
}
