/** Builds the reports that the night's service sends. The check of a night builds them again and compares them with the files. */
import { createRandom } from '../../stand-in/random';

/** The names of the reports, by the path of the request. */
const REPORTS_BY_PATH: Record<string, string> = {
	'/api/leaderboard/get-all/export': 'leaderboard',
	'/api/phishing-simulator/phishing-campaign/search/export': 'campaigns',
	'/api/enrollments/search/export': 'enrollments',
};
/** The names of all reports. */
export const REPORT_NAMES = Object.values(REPORTS_BY_PATH);

const MAX_REPORT_BYTES = 8_000;
const FILLER = Buffer.from('somebody@example.com,12,passed\n'.repeat(MAX_REPORT_BYTES / 31 + 1));

/** Returns the name of the report at a path, or undefined if there is none. */
export const findReportName = (path: string): string | undefined => REPORTS_BY_PATH[path];

/** Builds a report of a company. Every call returns the same content. The first and last lines show whether a file is complete. */
export function buildReport(report: string, company: string): Buffer {
	const size = Math.floor(createRandom(`${report} ${company}`)() * MAX_REPORT_BYTES);
	const head = `${report},${company}\n`;
	const end = `\nend of ${report},${company}\n`;
	return Buffer.concat([Buffer.from(head), FILLER.subarray(0, size), Buffer.from(end)]);
}

/** The path at which a node requests the number of records before the export (contract 2.16). Here it is the same for every company. */
export const COUNT_PATH = '/api/phishing-simulator/phishing-campaign/search';
const page = { pageNumber: 1, pageSize: 1, totalNumberOfPages: 3, totalNumberOfRecords: 3 };
const record = { resourceId: 'dd2f694b-2b5c-753d-7998-47918feb5be7', name: 'Password Expiry', status: 'Running' };
const envelope = { status: 'success', message: null, validationMessages: null };
/** The response at `COUNT_PATH`: a page with one of three records. */
export const COUNT_RESPONSE = Buffer.from(JSON.stringify({ data: { ...page, results: [record] }, ...envelope }));
