import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';

import { buildReport, REPORT_NAMES } from './reports';
import type { ManifestLine } from './nightTables';

/** The result of a night: the manifest, the reports that the service has sent, and the folder with the files. */
interface NightResult {
	companies: string[];
	lines: ManifestLine[];
	/** How often the service has sent each report, by company and report. Reports that existed before the night are missing. */
	sendCounts: Record<string, number>;
	existingLines: ManifestLine[];
	folder: string;
}

const getReportKey = ({ companyResourceId, report }: Pick<ManifestLine, 'companyResourceId' | 'report'>) =>
	`${companyResourceId} ${report}`;

const summarizeList = (list: string[]) => `${list.length} (${list.slice(0, 3).join(', ')})`;

/** Compares the manifest with the reports that the service has sent, and each file with its report. @returns a sentence for each problem */
export async function findProblems({
	companies,
	lines,
	sendCounts,
	existingLines,
	folder,
}: NightResult): Promise<string[]> {
	const expectedKeys = companies.flatMap((company) => REPORT_NAMES.map((report) => `${company} ${report}`));
	const expectedKeySet = new Set(expectedKeys);
	const lineCounts = countBy(lines, getReportKey);
	const existingKeys = new Set(existingLines.map(getReportKey));
	const existingLineCounts = countBy(existingLines, ({ companyResourceId }) => companyResourceId);
	const isOfCompleteCompany = ({ companyResourceId }: ManifestLine) =>
		existingLineCounts[companyResourceId] === REPORT_NAMES.length;
	const files = await readdir(folder);
	const filesInManifest = new Set(lines.map(({ file }) => file));
	const wrongFiles: string[] = [];
	for (const batch of chunk(lines, 200))
		await Promise.all(
			batch.map(async ({ companyResourceId, report, file, bytes }) => {
				const content = await readFile(join(folder, file)).catch(() => undefined);
				if (!content?.equals(buildReport(report, companyResourceId)) || bytes !== content.length) wrongFiles.push(file);
			}),
		);
	const problems: Array<[string, string[]]> = [
		['without a line', expectedKeys.filter((key) => !lineCounts[key])],
		['with several lines', Object.keys(lineCounts).filter((key) => (lineCounts[key] ?? 0) > 1)],
		['of nobody', Object.keys(lineCounts).filter((key) => !expectedKeySet.has(key))],
		['never sent by the service', expectedKeys.filter((key) => !sendCounts[key] && !existingKeys.has(key))],
		[
			'fetched of companies that had all their lines',
			existingLines
				.filter(isOfCompleteCompany)
				.map(getReportKey)
				.filter((key) => sendCounts[key]),
		],
		['whose file is not what was sent', wrongFiles],
		['without a line, but with a file', files.filter((file) => !filesInManifest.has(file))],
	];
	return problems
		.filter(([, list]) => list.length > 0)
		.map(([problem, list]) => `Reports ${problem}: ${summarizeList(list)}.`);
}
