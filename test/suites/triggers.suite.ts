/** Tests of the triggers. */
import { runTogether } from './runTogether';

runTogether(
	'trigger/trigger',
	'trigger/closedAccess',
	'trigger/decisions',
	'trigger/everyCompany',
	'trigger/globalList',
	'trigger/itemFields',
	'trigger/movedRecords',
	'trigger/readingOrder',
	'trigger/reportedEmails',
	'trigger/samples',
	'trigger/state',
	'trigger/personEvents',
	'trigger/watchedEvents',
	'trigger/eventGaps',
	'trigger/simulationEvents',
	'trigger/simulationTree',
	'trigger/unreadCustomers',
	'trigger/jobRows',
	'trigger/property',
	'trigger/eventProperty',
	'trigger/outage',
	'trigger/slow',
);
