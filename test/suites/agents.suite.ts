/** Tests of nodes as tools of AI agents. */
import { runTogether } from './runTogether';

runTogether('run/aiTools', 'run/agentRights', 'run/agentValues', 'credentials/credential', 'credentials/readOnly');
