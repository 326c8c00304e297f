/** Tests of operations in unusual situations. */
import { runTogether } from './runTogether';

runTogether('operations/everyKind', 'run/emptyResponses', 'run/retry');
