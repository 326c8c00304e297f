/** Tests of the example workflows. */
import { runTogether } from './runTogether';

runTogether('examples/examples', 'examples/queries', 'builder/definitions');
