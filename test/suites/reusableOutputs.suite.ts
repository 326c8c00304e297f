/** Tests of outputs as the input of other operations. */
import { runTogether } from './runTogether';

runTogether('run/reusableOutputs');
