/** Tests of requests and their responses. */
import { runTogether } from './runTogether';

runTogether(
	'http/endpoints',
	'http/errorCauses',
	'http/failedPages',
	'http/faults',
	'http/networkErrors',
	'http/redirects',
	'http/requestVariants',
	'http/token',
	'response/conditions',
	'response/list',
	'response/optionalList',
	'response/output',
	'response/plainValues',
	'response/recordResponses',
	'response/records',
	'nodes/incompleteLists',
	'nodes/storedLists',
	'nodes/lengths',
);
