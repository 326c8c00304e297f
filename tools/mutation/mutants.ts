import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../test/n8n-core/package';
import { seeded } from '../../test/stand-in/random';

/** A small change of one place in the sources, which a good test notices. */
export interface Mutant {
	/** Its number among all mutants of this state of the sources. */
	id: string;
	/** The source, relative to the package. */
	file: string;
	/** Lines and columns from 0 on; the end is not part of it. */
	location: { start: { line: number; column: number }; end: { line: number; column: number } };
	/** What kind of change it is, as Stryker calls it. */
	kind: string;
	/** The text that takes the place. */
	replacement: string;
}

/** A source with all its mutants in it, each switched on by its id while the tests run. */
export interface Instrumented {
	files: Array<{ name: string; content: string }>;
	mutants: Mutant[];
}

/** The parts of Babel's NodePath that are looked at here. */
interface Path {
	node: { type: string; key?: { type: string; name?: string }; value?: { type: string; value?: unknown } };
	parent?: Path['node'];
}

/** What n8n shows and nothing reads. */
const TEXTS = new Set(['displayName', 'description', 'placeholder', 'hint', 'action']);

/**
 * Texts that n8n only shows. Each would be killed by the one comparison of the pages in docs/, so they would only raise
 * the score. The name of an operation or an option is such a text, the name of a parameter is not: that has no capitals
 * in front and no spaces. Messages of errors are no such texts, and are mutated.
 */
const shownTexts = {
	shouldIgnore({ node, parent }: Path): string | undefined {
		if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined;
		if (parent?.type !== 'ObjectProperty' || parent.key?.type !== 'Identifier') return undefined;
		const { name = '' } = parent.key;
		const isTitle = name === 'name' && /^[A-Z]|\s/.test(String(parent.value?.value));
		return TEXTS.has(name) || isTitle ? 'a text that n8n only shows' : undefined;
	},
};

/**
 * What a source runs while it is loaded counts for every test of the test file, whichever loaded it: environment.ts has
 * these two functions.
 */
const ENTER = '(globalThis as any).__stryker__?.enter?.();';
const LEAVE = '\n;(globalThis as any).__stryker__?.leave?.();\n';

const silent = () => undefined;
const log = { isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false, isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false, trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent };

/**
 * @param files the sources, relative to the package
 * @returns the same with every mutant that Stryker's instrumenter knows, but for shown texts
 */
export async function instrument(files: string[]): Promise<Instrumented> {
	const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(join(packageRoot, name), 'utf8') }));
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	const result = await new Instrumenter(log).instrument(sources, {
		plugins: null,
		excludedMutations: [],
		ignorers: [shownTexts],
	});
	return {
		files: result.files.map(({ name, content }) => ({ name, content: `${ENTER}${content}${LEAVE}` })),
		mutants: result.mutants
			.filter(({ status }) => status !== 'Ignored')
			.map(({ id, fileName, location, mutatorName, replacement }) => ({
				id,
				file: fileName,
				location,
				kind: mutatorName,
				replacement,
			})),
	};
}

/** @returns all of it in an order that only the seed decides */
export function shuffled<T>(all: readonly T[], seed: string): T[] {
	const next = seeded(`mutants ${seed}`);
	return all
		.map((one) => ({ one, rank: next() }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ one }) => one);
}

/** @returns the source with the change made by hand, as it would be in an editor */
export function applied(source: string, { location: { start, end }, replacement }: Mutant): string {
	const lines = source.split('\n');
	const at = ({ line, column }: typeof start) => lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, column);
	return source.slice(0, at(start)) + replacement + source.slice(at(end));
}
