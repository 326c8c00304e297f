import { OWNER } from '../../real-n8n/testEnvironment';
import { openEditor } from '../../real-n8n/browser';
import { startDemoServer } from '../../real-n8n/demoServer';
import { installDebianPrograms } from '../debian';
import type { TestPart, TestPartReport } from '../part';
import { getPicturePath, FIRST_HOUR_STEPS } from './firstHour';

/** A new user's first hour with the package in a real browser. Screenshots of each step are in the results folder. */
export const browser: TestPart = {
	title: "A new user's first hour in a browser, with screenshots of each step",
	run: async ({ resultsFolder, startEnvironment, cleanups }) => {
		await installDebianPrograms(['chromium'], resultsFolder);
		const demoServer = await startDemoServer();
		cleanups.push(demoServer.close);
		const environment = await startEnvironment('n8n', { profile: 'deployed', env: demoServer.n8nSettings });
		const { page, editor, close } = await openEditor(environment.n8n.url, OWNER);
		cleanups.push(close);

		const report: TestPartReport = { table: [], failures: [] };
		for (const [title, step] of Object.entries(FIRST_HOUR_STEPS)) {
			if (!title.includes(process.env.STEP ?? '')) continue;
			const startedAt = Date.now();
			const takePicture = async (name: string) => editor.takePicture(getPicturePath(resultsFolder, name));
			const result = await step({ ...environment, demoServer, editor, takePicture, resultsFolder }).catch(
				async (error: unknown) => {
					const file = `failed-${report.failures.length + 1}`;
					await page.screenshot({ path: getPicturePath(resultsFolder, file) });
					report.failures.push(`${title}: ${error instanceof Error ? error.message : String(error)} (${file}.png)`);
					return 'FAILED';
				},
			);
			report.table.push({ step: title, seen: result, seconds: Math.round((Date.now() - startedAt) / 1000) });
			console.log(`  ${result === 'FAILED' ? '✗' : '✓'} ${title}: ${result}`);
		}
		return report;
	},
};
