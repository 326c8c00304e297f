/** Tests of requests. */
import { runTogether } from './runTogether';

runTogether('http/endpoints', 'http/errorCauses', 'http/networkErrors', 'http/redirects', 'http/token', 'http/faults');
