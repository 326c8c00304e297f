/** Tests of secrets, AI agents and the credential. */
import { runTogether } from './runTogether';

runTogether(
	'run/secrets',
	'run/secretFields',
	'run/secretResponses',
	'run/aiTools',
	'run/agentRights',
	'run/agentValues',
	'credentials/credential',
	'credentials/readOnly',
);
