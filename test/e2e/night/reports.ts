/** The files that the night's service sends, which whoever looks at what was saved can make again. */
import { seeded } from '../../stand-in/random';

/** The reports by the path that each is asked for at. */
const PATHS: Record<string, string> = {
	'/api/leaderboard/get-all/export': 'leaderboard',
	'/api/phishing-simulator/phishing-campaign/search/export': 'campaigns',
	'/api/enrollments/search/export': 'enrollments',
};
export const REPORTS = Object.values(PATHS);

/** In bytes. */
const LARGEST = 8_000;
const FILLER = Buffer.from('somebody@example.com,12,passed\n'.repeat(LARGEST / 31 + 1));

export const reportAt = (path: string): string | undefined => PATHS[path];

/** A report of a company: the same for the same two, with a beginning and an end, so that one that was cut is seen. */
export function contentOf(report: string, company: string): Buffer {
	const size = Math.floor(seeded(`${report} ${company}`)() * LARGEST);
	const [head, end] = [`${report},${company}\n`, `\nend of ${report},${company}\n`];
	return Buffer.concat([Buffer.from(head), FILLER.subarray(0, size), Buffer.from(end)]);
}
