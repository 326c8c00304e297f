import { installN8n } from '../../real-n8n/install';
import { showStep as step } from '../../real-n8n/steps';
import { NEWEST, OLDEST } from '../../real-n8n/versions';
import { cases } from '../../cases';
import { PERSONALITY_NAMES } from '../../stand-in/personality';
import type { Part } from '../part';
import { checkInN8n } from './inN8n';
import { suiteRuns } from './suite';

export const versions: Part = {
	title: 'Every operation and both triggers in the oldest and the newest n8n',
	run: async (tools) => {
		const sheets = [];
		for (const version of [OLDEST, NEWEST]) {
			const sheet = await checkInN8n(version, tools, cases, PERSONALITY_NAMES);
			const installation = await installN8n(step, version);
			await sheet.note("the package's tests on its core", () => suiteRuns(installation, tools.results));
			sheets.push(sheet);
		}
		return { table: sheets.flatMap(({ table }) => table), failures: sheets.flatMap(({ failures }) => failures) };
	},
};
