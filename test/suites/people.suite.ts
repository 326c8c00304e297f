/** Tests of people, target groups, and users of the platform. */
import { runTogether } from './runTogether';

runTogether(
	'nodes/targetUser',
	'nodes/targetUserRows',
	'nodes/targetUserComparison',
	'nodes/targetGroup',
	'nodes/targetGroupMembers',
	'nodes/maskedPeople',
	'nodes/writtenNames',
	'nodes/systemUser',
	'nodes/apiClient',
	'nodes/enrollmentUpdate',
	'nodes/reportedEmail',
);
