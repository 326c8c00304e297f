import { OWNER } from '../../real-n8n/stage';
import { openEditor } from '../../real-n8n/browser';
import { installDebianPrograms } from '../debian';
import type { Part, PartReport } from '../part';
import { getPicturePath, STEPS } from './hour';

/** The newcomer's hour in a real browser; a picture of each step is in the results. */
export const browser: Part = {
	title: "The newcomer's hour in a browser, a picture of each step",
	run: async ({ results, startEnvironment: stage, cleanups }) => {
		await installDebianPrograms(['chromium'], results);
		const environment = await stage('n8n', { personality: 'deployed' });
		const { page, editor, close } = await openEditor(environment.n8n.url, OWNER);
		cleanups.push(close);

		const report: PartReport = { table: [], failures: [] };
		for (const [title, step] of Object.entries(STEPS)) {
			if (!title.includes(process.env.STEP ?? '')) continue;
			const startedAt = Date.now();
			const takePicture = async (name: string) => editor.takePicture(getPicturePath(results, name));
			const result = await step({ ...environment, editor, takePicture: takePicture, results }).catch(async (error: unknown) => {
				const file = `failed-${report.failures.length + 1}`;
				await page.screenshot({ path: getPicturePath(results, file) });
				report.failures.push(`${title}: ${error instanceof Error ? error.message : String(error)} (${file}.png)`);
				return 'FAILED';
			});
			report.table.push({ step: title, seen: result, seconds: Math.round((Date.now() - startedAt) / 1000) });
			console.log(`  ${result === 'FAILED' ? '✗' : '✓'} ${title}: ${result}`);
		}
		return report;
	},
};
