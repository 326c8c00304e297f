/** Tests of secrets. */
import { runTogether } from './runTogether';

runTogether('run/secrets', 'run/secretFields', 'run/secretResponses');
