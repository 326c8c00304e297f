import { OWNER } from '../../real-n8n/stage';
import { openEditor } from '../../real-n8n/browser';
import { debianPrograms } from '../debian';
import type { Part, Report } from '../part';
import { pathOf, STEPS } from './hour';

/** The newcomer's hour in a real browser; a picture of each step is in the results. */
export const browser: Part = {
	title: "The newcomer's hour in a browser, a picture of each step",
	run: async ({ results, stage, cleanups }) => {
		await debianPrograms(['chromium'], results);
		const there = await stage('n8n', { personality: 'deployed' });
		const { page, editor, close } = await openEditor(there.n8n.url, OWNER);
		cleanups.push(close);

		const report: Report = { table: [], failures: [] };
		for (const [title, step] of Object.entries(STEPS)) {
			if (!title.includes(process.env.STEP ?? '')) continue;
			const began = Date.now();
			const picture = async (name: string) => editor.picture(pathOf(results, name));
			const seen = await step({ ...there, editor, picture, results }).catch(async (error: unknown) => {
				const file = `failed-${report.failures.length + 1}`;
				await page.screenshot({ path: pathOf(results, file) });
				report.failures.push(`${title}: ${error instanceof Error ? error.message : String(error)} (${file}.png)`);
				return 'FAILED';
			});
			report.table.push({ step: title, seen, seconds: Math.round((Date.now() - began) / 1000) });
			console.log(`  ${seen === 'FAILED' ? '✗' : '✓'} ${title}: ${seen}`);
		}
		return report;
	},
};
