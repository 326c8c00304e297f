import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';

import { buildReport, REPORTS } from './reports';
import type { ManifestLine } from './tables';

/** What a night came to, as the service and the folder have it. */
interface NightResult {
	companies: string[];
	lines: ManifestLine[];
	/** How often the service sent each report, by company and report; none for those that were there before. */
	sendCounts: Record<string, number>;
	existingLines: ManifestLine[];
	folder: string;
}

const getKey = ({ companyResourceId, report }: Pick<ManifestLine, 'companyResourceId' | 'report'>) =>
	`${companyResourceId} ${report}`;

const summarizeList = (list: string[]) => `${list.length} (${list.slice(0, 3).join(', ')})`;

/** Compares the manifest with the service's count, and each file with what the service sent. @returns what is wrong */
export async function findProblems({ companies, lines, sendCounts: fetched, existingLines: before, folder }: NightResult): Promise<string[]> {
	const wanted = companies.flatMap((company) => REPORTS.map((report) => `${company} ${report}`));
	const known = new Set(wanted);
	const counts = countBy(lines, getKey);
	const there = new Set(before.map(getKey));
	const linesOf = countBy(before, ({ companyResourceId }) => companyResourceId);
	const isWhole = ({ companyResourceId }: ManifestLine) => linesOf[companyResourceId] === REPORTS.length;
	const files = await readdir(folder);
	const named = new Set(lines.map(({ file }) => file));
	const cut: string[] = [];
	for (const some of chunk(lines, 200))
		await Promise.all(
			some.map(async ({ companyResourceId, report, file, bytes }) => {
				const content = await readFile(join(folder, file)).catch(() => undefined);
				if (!content?.equals(buildReport(report, companyResourceId)) || bytes !== content.length) cut.push(file);
			}),
		);
	const wrong: Array<[string, string[]]> = [
		['without a line', wanted.filter((key) => !counts[key])],
		['with several lines', Object.keys(counts).filter((key) => (counts[key] ?? 0) > 1)],
		['of nobody', Object.keys(counts).filter((key) => !known.has(key))],
		['never sent by the service', wanted.filter((key) => !fetched[key] && !there.has(key))],
		[
			'fetched of companies that had all their lines',
			before
				.filter(isWhole)
				.map(getKey)
				.filter((key) => fetched[key]),
		],
		['whose file is not what was sent', cut],
		['without a line, but with a file', files.filter((file) => !named.has(file))],
	];
	return wrong.filter(([, list]) => list.length > 0).map(([what, list]) => `Reports ${what}: ${summarizeList(list)}.`);
}
