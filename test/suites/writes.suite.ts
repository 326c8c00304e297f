/** Tests of writes that fail. */
import { runTogether } from './runTogether';

runTogether('http/writes');
