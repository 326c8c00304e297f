/** Tests of responses. */
import { runTogether } from './runTogether';

runTogether('response/conditions', 'response/list', 'response/optionalList', 'response/output', 'response/records');
