/** Tests of simulations and resending. */
import { runTogether } from './runTogether';

runTogether(
	'simulations/bots',
	'simulations/campaign',
	'simulations/jobPeople',
	'simulations/launch',
	'simulations/launchForm',
	'run/resend',
	'run/resendRecipients',
	'run/resendStates',
	'run/resendTwice',
	'run/unknownPeopleCount',
	'run/writeReports',
);
