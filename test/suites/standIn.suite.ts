/** Tests of the stand-in and the harness. */
import { runTogether } from './runTogether';

runTogether(
	'stand-in/deployed/behaviour',
	'stand-in/deployed/shapes',
	'stand-in/faults',
	'stand-in/service',
	'n8n-core/contexts',
);
