import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';

import { buildReport, REPORT_NAMES } from './reports';
import type { ManifestLine } from './nightTables';

/** The state after a night, and what it is compared with. */
interface NightResult {
	companyIds: string[];
	manifestLines: ManifestLine[];
	/** How often the service has sent each report, by `<company ID> <report name>`. Reports that weren't sent are missing. */
	sendCountsByReport: Record<string, number>;
	/** The lines that the manifest had before the night. */
	existingLines: ManifestLine[];
	/** The folder with the saved reports. */
	filesFolder: string;
}

const getReportKey = ({ companyResourceId, report }: Pick<ManifestLine, 'companyResourceId' | 'report'>) =>
	`${companyResourceId} ${report}`;

const summarizeList = (list: string[]) => `${list.length} (${list.slice(0, 3).join(', ')})`;

/** Compares the manifest and the saved files with the reports that the service has sent. @returns a sentence for each problem */
export async function findProblems({
	companyIds,
	manifestLines,
	sendCountsByReport,
	existingLines,
	filesFolder,
}: NightResult): Promise<string[]> {
	const expectedKeys = companyIds.flatMap((companyId) => REPORT_NAMES.map((report) => `${companyId} ${report}`));
	const expectedKeySet = new Set(expectedKeys);
	const lineCountsByReport = countBy(manifestLines, getReportKey);
	const existingKeys = new Set(existingLines.map(getReportKey));
	const existingLineCountsByCompany = countBy(existingLines, ({ companyResourceId }) => companyResourceId);
	const isFromCompleteCompany = ({ companyResourceId }: ManifestLine) =>
		existingLineCountsByCompany[companyResourceId] === REPORT_NAMES.length;
	const files = await readdir(filesFolder);
	const filesInManifest = new Set(manifestLines.map(({ file }) => file));
	const wrongFiles: string[] = [];
	for (const batch of chunk(manifestLines, 200))
		await Promise.all(
			batch.map(async ({ companyResourceId, report, file, bytes }) => {
				const content = await readFile(join(filesFolder, file)).catch(() => undefined);
				if (!content?.equals(buildReport(report, companyResourceId)) || bytes !== content.length) wrongFiles.push(file);
			}),
		);
	const problems: Array<[string, string[]]> = [
		['without a line', expectedKeys.filter((key) => !lineCountsByReport[key])],
		['with several lines', Object.keys(lineCountsByReport).filter((key) => (lineCountsByReport[key] ?? 0) > 1)],
		['of nobody', Object.keys(lineCountsByReport).filter((key) => !expectedKeySet.has(key))],
		['never sent by the service', expectedKeys.filter((key) => !sendCountsByReport[key] && !existingKeys.has(key))],
		[
			'fetched of companies that had all their lines',
			existingLines
				.filter(isFromCompleteCompany)
				.map(getReportKey)
				.filter((key) => sendCountsByReport[key]),
		],
		['whose file is not what was sent', wrongFiles],
		['without a line, but with a file', files.filter((file) => !filesInManifest.has(file))],
	];
	return problems
		.filter(([, list]) => list.length > 0)
		.map(([problem, list]) => `Reports ${problem}: ${summarizeList(list)}.`);
}
