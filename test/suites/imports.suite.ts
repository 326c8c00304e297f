/** Tests of imports of people from files. */
import { runTogether } from './runTogether';

runTogether('nodes/targetUserImport', 'nodes/targetUserImportRows');
