import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { packageRoot } from '../../test/n8n-core/package';
import { seeded } from '../../test/stand-in/random';

/** Both from 0 on. */
const position = z.object({ line: z.number(), column: z.number() });
type Position = z.infer<typeof position>;

/** What Stryker's instrumenter says of a mutant. */
const given = z.object({
	id: z.string(),
	fileName: z.string(),
	location: z.object({ start: position, end: position }),
	mutatorName: z.string(),
	replacement: z.string(),
	status: z.string().optional(),
});

/** A small change in one place of a source. */
export interface Mutant {
	/** Its number among all mutants of these sources. */
	id: string;
	/** The source, relative to the package. */
	file: string;
	/** The place; its end is not part of it. */
	location: { start: Position; end: Position };
	/** What kind of change it is, by Stryker's name. */
	kind: string;
	/** The text that takes the place. */
	replacement: string;
}

/** Sources that hold all their mutants, each of which is switched on by its number when the tests run. */
export interface Instrumented {
	files: Array<{ name: string; content: string }>;
	mutants: Mutant[];
}

/** The parts of Babel's NodePath that are used here. */
interface NodePath {
	node: { type: string };
	parent?: { type: string; key?: { type: string; name?: string }; value?: { type: string; value?: unknown } };
}

const SHOWN = new Set(['displayName', 'description', 'placeholder', 'hint', 'action']);

/**
 * Leaves out texts that n8n only shows: each is noticed by the comparison with the pages in docs/, so they would raise
 * the score and say nothing. The name of an operation or a choice is such a text; the name of a parameter, which has no
 * capital in front and no blank, is not. Messages of errors are mutated.
 */
const shownTexts = {
	shouldIgnore({ node, parent }: NodePath): string | undefined {
		if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined;
		if (parent?.type !== 'ObjectProperty' || parent.key?.type !== 'Identifier') return undefined;
		const { name = '' } = parent.key;
		const isTitle = name === 'name' && /^[A-Z]|\s/.test(String(parent.value?.value));
		return SHOWN.has(name) || isTitle ? 'a text that n8n only shows' : undefined;
	},
};

/** Code that runs while a source is loaded is recognised by these two calls; see environment.ts. */
const ENTER = '(globalThis as any).__stryker__?.enter?.();';
const LEAVE = '\n;(globalThis as any).__stryker__?.leave?.();\n';

const silent = () => undefined;
const off = () => false;
const LOG = {
	...{ isTraceEnabled: off, isDebugEnabled: off, isInfoEnabled: off },
	...{ isWarnEnabled: off, isErrorEnabled: off, isFatalEnabled: off },
	...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
};

/**
 * Puts all mutants into the sources that Stryker's instrumenter knows, apart from texts that are only shown.
 * @param files the sources, relative to the package
 */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
	// It is an ES module, which a static import would turn into CommonJS here.
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	const { files: instrumented, mutants } = await new Instrumenter(LOG).instrument(
		files.map((name) => ({ name, mutate: true, content: readFileSync(join(packageRoot, name), 'utf8') })),
		{ plugins: null, excludedMutations: [], ignorers: [shownTexts] },
	);
	return {
		files: instrumented.map(({ name, content }) => ({ name, content: `${ENTER}${content}${LEAVE}` })),
		mutants: z
			.array(given)
			.parse(mutants)
			.filter(({ status }) => status !== 'Ignored')
			.map(({ fileName: file, mutatorName: kind, id, location, replacement }) => ({
				...{ id, file, location, kind, replacement },
			})),
	};
}

/** @returns all of it, in an order that only the seed decides */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
	const next = seeded(`mutants ${seed}`);
	return all
		.map((one) => ({ one, rank: next() }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ one }) => one);
}

/** @returns the source with the mutant in it, as if somebody had typed it */
export function applied(source: string, { location: { start, end }, replacement }: Mutant): string {
	const lines = source.split('\n');
	const indexOf = ({ line, column }: Position) =>
		lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, column);
	return source.slice(0, indexOf(start)) + replacement + source.slice(indexOf(end));
}
