/** Tests of files. */
import { runTogether } from './runTogether';

runTogether('response/files', 'response/fileName');
