/** Builds the reports that a night's stand-in service sends. The check after the night builds them again to compare them with the files. */
import { createRandom } from '../../stand-in/random';

/** The names of the reports, by the path at which the service sends them. */
const REPORT_NAMES_BY_PATH: Record<string, string> = {
	'/api/leaderboard/get-all/export': 'leaderboard',
	'/api/phishing-simulator/phishing-campaign/search/export': 'campaigns',
	'/api/enrollments/search/export': 'enrollments',
};
export const REPORT_NAMES = Object.values(REPORT_NAMES_BY_PATH);

const MAX_REPORT_BYTES = 8_000;
const FILLER = Buffer.from('somebody@example.com,12,passed\n'.repeat(MAX_REPORT_BYTES / 31 + 1));

/** Returns the name of the report at a path, or undefined if there is none. */
export const findReportName = (path: string): string | undefined => REPORT_NAMES_BY_PATH[path];

/** Builds a report of a company. The content only depends on the arguments. The first and last lines show whether a file is complete. */
export function buildReport(reportName: string, companyId: string): Buffer {
	const size = Math.floor(createRandom(`${reportName} ${companyId}`)() * MAX_REPORT_BYTES);
	const firstLine = `${reportName},${companyId}\n`;
	const lastLine = `\nend of ${reportName},${companyId}\n`;
	return Buffer.concat([Buffer.from(firstLine), FILLER.subarray(0, size), Buffer.from(lastLine)]);
}

/**
 * The path at which a node requests the number of records before the export (contract 2.16). Here, the response is the same for
 * every company.
 */
export const COUNT_PATH = '/api/phishing-simulator/phishing-campaign/search';
const countPage = { pageNumber: 1, pageSize: 1, totalNumberOfPages: 3, totalNumberOfRecords: 3 };
const campaignRecord = {
	resourceId: 'dd2f694b-2b5c-753d-7998-47918feb5be7',
	name: 'Password Expiry',
	status: 'Running',
};
const envelope = { status: 'success', message: null, validationMessages: null };
/** The response at `COUNT_PATH`: a page with one of three records. */
export const COUNT_RESPONSE = Buffer.from(
	JSON.stringify({ data: { ...countPage, results: [campaignRecord] }, ...envelope }),
);
