/** Tests of retries of every operation. */
import { runTogether } from './runTogether';

runTogether('run/retry');
