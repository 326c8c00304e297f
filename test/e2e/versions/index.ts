import { installN8n } from '../../real-n8n/installN8n';
import { runStep } from '../../real-n8n/steps';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../real-n8n/versions';
import { cases } from '../../cases';
import { PROFILE_NAMES } from '../../stand-in/profile';
import type { TestPart } from '../part';
import { checkInN8n } from './checkInN8n';
import { runTestSuite } from './runTestSuite';

export const versions: TestPart = {
	title: 'Every operation and both triggers in the oldest and the newest n8n',
	run: async (context) => {
		const checkLists = [];
		for (const version of [OLDEST_VERSION, NEWEST_VERSION]) {
			const checkList = await checkInN8n(version, context, cases, PROFILE_NAMES);
			const installation = await installN8n(runStep, version);
			await checkList.runCheck("the package's tests on its core", () =>
				runTestSuite(installation, context.resultsFolder),
			);
			checkLists.push(checkList);
		}
		return {
			table: checkLists.flatMap(({ table }) => table),
			failures: checkLists.flatMap(({ failures }) => failures),
		};
	},
};
