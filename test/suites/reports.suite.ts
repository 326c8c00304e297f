/** Tests of training reports and leaderboards. */
import { runTogether } from './runTogether';

runTogether(
	'nodes/activity',
	'nodes/clicked',
	'nodes/leaderboard',
	'nodes/leaderboardRows',
	'nodes/summaries',
	'nodes/totals',
	'nodes/training',
	'nodes/widgetRows',
);
