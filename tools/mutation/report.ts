import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { packageRoot } from '../../test/n8n-core/package';
import { applied, type Mutant } from './mutants';
import type { Verdict } from './trial';

const isDetected = ({ status }: Verdict) => status === 'killed' || status === 'timed out';

/** The share of mutants that a test noticed, in percent. */
export const scoreOf = (verdicts: readonly Verdict[]): number =>
	verdicts.length === 0 ? 100 : (100 * verdicts.filter(isDetected).length) / verdicts.length;

/** "nodes/shared/form" for what is in it, "nodes/<Resource>" for all that is below a resource's folder. */
function folderOf({ file }: Mutant): string {
	const [top = '', folder = '', room = ''] = dirname(file).split('/');
	return [top, ...(folder === '' ? [] : [folder]), ...(folder === 'shared' ? [room] : [])].join('/');
}

/** The lines that differ: as they are, and with the mutant. */
function change(mutant: Mutant): string[] {
	const source = readFileSync(join(packageRoot, mutant.file), 'utf8');
	const { start, end } = mutant.location;
	const before = source.split('\n').slice(start.line, end.line + 1);
	const removed = end.line - start.line;
	const added = mutant.replacement.split('\n').length - 1;
	const after = applied(source, mutant)
		.split('\n')
		.slice(start.line, end.line + 1 - removed + added);
	const shorten = (lines: string[]) => (lines.length > 3 ? [...lines.slice(0, 2), '\t…'] : lines);
	return [
		...shorten(before).map((line) => `    - ${line.trim()}`),
		...shorten(after).map((line) => `    + ${line.trim()}`),
	];
}

/** A mutant in one line: where it is, and what kind of change. */
export const titleOf = ({ file, location, kind }: Mutant): string => `${file}:${location.start.line + 1} ${kind}`;

/** The mutants that no test noticed, each with its change. */
export function survivors(verdicts: readonly Verdict[]): string {
	const lines = verdicts
		.filter((verdict) => !isDetected(verdict))
		.sort((a, b) => titleOf(a.mutant).localeCompare(titleOf(b.mutant), 'en', { numeric: true }))
		.flatMap(({ mutant, status, files: { shown, of } }) => [
			`${titleOf(mutant)}: ${status === 'uncovered' ? 'no test runs through it' : `${shown} of ${of} test files passed`}`,
			...change(mutant),
		]);
	return lines.join('\n');
}

/** The score by folder and of all, as a table in Markdown. */
export function scores(verdicts: readonly Verdict[]): string {
	const row = (name: string, of: readonly Verdict[]) => {
		const count = (status: Verdict['status']) => of.filter((verdict) => verdict.status === status).length;
		const cells = [count('killed'), count('timed out'), count('survived'), count('uncovered')];
		return `| ${name} | ${of.length} | ${cells.join(' | ')} | ${scoreOf(of).toFixed(0)} % |`;
	};
	const folders = [...new Set(verdicts.map(({ mutant }) => folderOf(mutant)))].sort();
	return [
		'| Folder | Mutants | Killed | Timed out | Survived | Uncovered | Score |',
		'|---|---:|---:|---:|---:|---:|---:|',
		...folders.map((folder) =>
			row(
				folder,
				verdicts.filter(({ mutant }) => folderOf(mutant) === folder),
			),
		),
		row('All', verdicts),
	].join('\n');
}
