/** Tests of every operation, and the tables of operations. */
import { runTogether } from './runTogether';

runTogether('nodes/operations', 'nodes/coverage', 'nodes/descriptions', 'nodes/deployedRequests');
