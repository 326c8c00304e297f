/** Tests of resending, and reports of what a write did. */
import { runTogether } from './runTogether';

runTogether(
	'run/resend',
	'run/resendRecipients',
	'run/resendStates',
	'run/resendTwice',
	'run/unknownPeopleCount',
	'run/writeReports',
);
