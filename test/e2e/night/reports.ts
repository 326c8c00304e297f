/** The files that the night's service sends, which whoever looks at what was saved can make again. */
import { createRandom } from '../../stand-in/random';

/** The reports by the path that each is asked for at. */
const REPORTS_BY_PATH: Record<string, string> = {
	'/api/leaderboard/get-all/export': 'leaderboard',
	'/api/phishing-simulator/phishing-campaign/search/export': 'campaigns',
	'/api/enrollments/search/export': 'enrollments',
};
export const REPORTS = Object.values(REPORTS_BY_PATH);

/** In bytes. */
const MAX_REPORT_BYTES = 8_000;
const FILLER = Buffer.from('somebody@example.com,12,passed\n'.repeat(MAX_REPORT_BYTES / 31 + 1));

export const findReport = (path: string): string | undefined => REPORTS_BY_PATH[path];

/** A report of a company: the same for the same two, with a beginning and an end, so that one that was cut is seen. */
export function buildReport(report: string, company: string): Buffer {
	const size = Math.floor(createRandom(`${report} ${company}`)() * MAX_REPORT_BYTES);
	const head = `${report},${company}\n`;
	const end = `\nend of ${report},${company}\n`;
	return Buffer.concat([Buffer.from(head), FILLER.subarray(0, size), Buffer.from(end)]);
}

/** Before this export the number of records is asked for (contract 2.16), which is the same for each company here. */
export const COUNT_PATH = '/api/phishing-simulator/phishing-campaign/search';
const page = { pageNumber: 1, pageSize: 1, totalNumberOfPages: 3, totalNumberOfRecords: 3 };
const record = { resourceId: 'dd2f694b-2b5c-753d-7998-47918feb5be7', name: 'Password Expiry', status: 'Running' };
const envelope = { status: 'success', message: null, validationMessages: null };
export const COUNT_RESPONSE = Buffer.from(JSON.stringify({ data: { ...page, results: [record] }, ...envelope }));
