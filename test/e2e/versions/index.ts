import { installN8n } from '../../real-n8n/installN8n';
import { runStep } from '../../real-n8n/steps';
import { NEWEST, OLDEST } from '../../real-n8n/versions';
import { cases } from '../../cases';
import { PROFILE_NAMES } from '../../stand-in/profile';
import type { Part } from '../part';
import { checkInN8n } from './checkInN8n';
import { runTestSuite } from './runTestSuite';

export const versions: Part = {
	title: 'Every operation and both triggers in the oldest and the newest n8n',
	run: async (context) => {
		const checkLists = [];
		for (const version of [OLDEST, NEWEST]) {
			const checkList = await checkInN8n(version, context, cases, PROFILE_NAMES);
			const installation = await installN8n(runStep, version);
			await checkList.run("the package's tests on its core", () => runTestSuite(installation, context.results));
			checkLists.push(checkList);
		}
		return {
			table: checkLists.flatMap(({ table }) => table),
			failures: checkLists.flatMap(({ failures }) => failures),
		};
	},
};
