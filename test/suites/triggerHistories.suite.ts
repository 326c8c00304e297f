/** Tests of triggers over many polls. */
import { runTogether } from './runTogether';

runTogether('trigger/property', 'trigger/outage', 'trigger/slow');
