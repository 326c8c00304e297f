/** Tests which lists a trigger reads, and which records it emits, for each kind of global list that platforms have. */
import { TriggerScenario, setUpTreeFixture } from './triggerScenario';
import { HOUR, type PollingFixture } from './pollingFixture';
import type { GlobalListKind } from './treePlatform';

let fixture: PollingFixture;
setUpTreeFixture((startedFixture) => {
	fixture = startedFixture;
});

const READS_GLOBAL_LIST_MESSAGE = 'one list for all companies';
const READS_COMPANY_LISTS_MESSAGE = 'the list of each company';

interface GlobalListCase {
	name: string;
	phishing: GlobalListKind;
	smishing: GlobalListKind;
	phishingLog: string;
	smishingLog: string;
	areRecordsMissed: boolean;
}

test.each<GlobalListCase>([
	{
		name: "contains the reseller's own records",
		phishing: 'own',
		smishing: 'own',
		phishingLog: READS_COMPANY_LISTS_MESSAGE,
		smishingLog: READS_COMPANY_LISTS_MESSAGE,
		areRecordsMissed: true,
	},
	{
		name: 'contains all records',
		phishing: 'all',
		smishing: 'all',
		phishingLog: READS_GLOBAL_LIST_MESSAGE,
		smishingLog: READS_GLOBAL_LIST_MESSAGE,
		areRecordsMissed: false,
	},
	{
		name: 'is refused',
		phishing: 'refused',
		smishing: 'refused',
		phishingLog: READS_COMPANY_LISTS_MESSAGE,
		smishingLog: READS_COMPANY_LISTS_MESSAGE,
		areRecordsMissed: true,
	},
	{
		name: 'differs between the watched lists',
		phishing: 'all',
		smishing: 'own',
		phishingLog: READS_GLOBAL_LIST_MESSAGE,
		smishingLog: READS_COMPANY_LISTS_MESSAGE,
		areRecordsMissed: true,
	},
	{
		name: 'lacks the records of grandchildren',
		phishing: 'without grandchildren',
		smishing: 'without grandchildren',
		phishingLog: READS_COMPANY_LISTS_MESSAGE,
		smishingLog: READS_COMPANY_LISTS_MESSAGE,
		areRecordsMissed: true,
	},
])('the global list $name', async ({ phishing, smishing, phishingLog, smishingLog, areRecordsMissed }) => {
	const traits = { globalLists: { phishing, smishing } };
	const scenario = new TriggerScenario(fixture, traits, { simulators: ['phishing', 'smishing'] }, {});
	for (const list of ['phishing', 'smishing']) {
		// The owners are the reseller, a company, a grandchild and another company.
		scenario.createRecord(null, 1, list);
		scenario.createRecord(3, 21, list);
		scenario.createRecord(2, 23, list);
		scenario.createRecord(4, 2, list);
	}
	await scenario.poll();
	const log = scenario.trigger.log.join('\n');
	expect(log).toMatch(new RegExp(`phishing campaigns, the trigger reads ${phishingLog}`));
	expect(log).toMatch(new RegExp(`smishing campaigns, the trigger reads ${smishingLog}`));
	expect(log.includes('none of these lists are missed')).toBe(areRecordsMissed);
	expect(scenario.emittedItems).toEqual([]);
	for (let times = 0; times < 4; times++) {
		fixture.advanceTime(15 * 60_000);
		await scenario.poll();
		expect(scenario.emittedItems).toEqual([]);
	}
	const newRecords = ['phishing', 'smishing'].map((list) => scenario.createRecord(2, 0, list));
	await scenario.poll();
	for (const record of newRecords) expect(scenario.getDecision(record)).toBe('emitted for its company');
	expect(scenario.emittedItems).toHaveLength(2);
});

// This test reproduces a bug: 20 s after a workflow with the default settings was published, three old campaigns of the
// reseller itself started it.
test("a list with only the reseller's records emits nothing, even if the global list of another kind is complete", async () => {
	const scenario = new TriggerScenario(fixture, {}, { simulators: ['phishing', 'smishing'] }, {});
	for (const owner of [3, 4]) scenario.createRecord(owner, 1);
	for (const hoursAgo of [1, 21, 41]) scenario.createRecord(null, hoursAgo, 'smishing');
	for (let times = 0; times < 5; times++) {
		await scenario.poll();
		expect(scenario.emittedItems).toEqual([]);
		fixture.advanceTime(HOUR / 4);
	}
	for (const owner of [3, 4]) scenario.createRecord(owner, 0, 'smishing');
	await scenario.poll();
	expect(scenario.emittedItems).toHaveLength(2);
	// The two new records prove that the global list of smishing campaigns is complete.
	expect(scenario.trigger.log.join()).toContain(`smishing campaigns, the trigger reads ${READS_GLOBAL_LIST_MESSAGE}`);
	await scenario.poll();
	expect(scenario.emittedItems).toEqual([]);
});
