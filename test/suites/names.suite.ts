/** Tests of records that are entered by name. */
import { runTogether } from './runTogether';

runTogether('pickers/byName', 'pickers/namesAtCustomers', 'pickers/otherCustomers');
