/** Tests of the progress of trainings. */
import { runTogether } from './runTogether';

runTogether('nodes/progress');
