/** Tests of reports and files. */
import { runTogether } from './runTogether';

runTogether(
	'response/files',
	'response/fileName',
	'nodes/progress',
	'nodes/activePeople',
	'nodes/humanRisk',
	'nodes/humanRiskIncomplete',
	'nodes/humanRiskOptions',
	'nodes/humanRiskPeriods',
	'nodes/humanRiskUnknown',
	'nodes/activity',
	'nodes/clicked',
	'nodes/executiveReport',
	'nodes/leaderboard',
	'nodes/leaderboardRows',
	'nodes/usersWithTimeline',
	'nodes/summaries',
	'nodes/totals',
	'nodes/training',
	'nodes/widgetRows',
);
