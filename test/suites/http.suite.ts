/** Tests of requests. */
import { runTogether } from './runTogether';

runTogether(
	'http/endpoints',
	'http/errorCauses',
	'http/faults',
	'http/networkErrors',
	'http/redirects',
	'http/requestVariants',
	'http/token',
);
