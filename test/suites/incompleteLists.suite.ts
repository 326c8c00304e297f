/** Tests of lists that the platform sends incompletely. */
import { runTogether } from './runTogether';

runTogether('nodes/incompleteLists', 'nodes/storedLists', 'nodes/lengths');
