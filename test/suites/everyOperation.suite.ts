/** Tests of every operation in unusual situations. */
import { runTogether } from './runTogether';

runTogether('run/everyOperation', 'run/emptyResponses');
