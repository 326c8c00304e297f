/** Tests of live deployments, and operations that send several requests. */
import { runTogether } from './runTogether';

runTogether('nodes/deployed', 'nodes/deployedRequests', 'nodes/platformValues', 'nodes/composites');
