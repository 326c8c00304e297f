/**
 * Tests each row of the table "Every decision" in nodes/core/trigger/README.md: what the trigger does with the record,
 * and what it writes to the log.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TriggerScenario, setUpTreeFixture } from './triggerScenario';
import { DAY, HOUR, type PollingFixture } from './pollingFixture';
import type { TreeRecord } from './treePlatform';

// The companies, as indexes in PARENT_INDEXES (see triggerScenario.ts).
const PARENT = 0;
const CHILD = 1;
const GRANDCHILD = 2;
const OTHER_COMPANY = 3;
const ANOTHER_COMPANY = 4;

type TableRow = [record: string, decision: string, log: string];

const readme = readFileSync(join(__dirname, '../../nodes/core/trigger/README.md'), 'utf8');
const [, section = ''] = readme.split('\n## Every decision\n');
const [sectionText = ''] = section.split('\n## ');
const tableRows = sectionText
	.split('\n')
	.filter((line) => line.startsWith('|'))
	// The first two lines are the column names and the line of dashes below them.
	.slice(2)
	.map((line): TableRow => {
		const [, record = '', decision = '', log = ''] = line.split('|').map((cell) => cell.trim());
		return [record, decision, log];
	});

let fixture: PollingFixture;
setUpTreeFixture((startedFixture) => {
	fixture = startedFixture;
});

/** A scenario after its last poll, and the record about which this poll decided. */
interface TestedRecord {
	scenario: TriggerScenario;
	record: TreeRecord;
}

type ScenarioSettings =
	ConstructorParameters<typeof TriggerScenario> extends [PollingFixture, ...infer Settings] ? Settings : never;

/** Creates a scenario with two records that are an hour old, runs the first poll, and lets an hour pass. */
async function startScenario(...settings: ScenarioSettings): Promise<TriggerScenario> {
	const scenario = new TriggerScenario(fixture, ...settings);
	for (const owner of [OTHER_COMPANY, ANOTHER_COMPANY]) scenario.createRecord(owner, 1);
	await scenario.poll();
	fixture.advanceTime(HOUR);
	return scenario;
}

async function pollRecord(scenario: TriggerScenario, record: TreeRecord): Promise<TestedRecord> {
	await scenario.poll();
	return { scenario, record };
}

/** The options of a trigger that can read the global list. */
const GLOBAL_LIST_OPTIONS = { readEachCompany: false };

const TESTED_RECORD_FACTORIES: Record<string, () => Promise<TestedRecord>> = {
	'not remembered': async () => {
		const scenario = await startScenario();
		return await pollRecord(scenario, scenario.createRecord(OTHER_COMPANY));
	},
	'created before the cutoff': async () => {
		const scenario = await startScenario();
		return await pollRecord(scenario, scenario.createRecord(OTHER_COMPANY, 40));
	},
	remembered: async () => {
		const scenario = await startScenario();
		const record = scenario.createRecord(OTHER_COMPANY);
		await scenario.poll();
		return await pollRecord(scenario, record);
	},
	'without a create time, not remembered': async () => {
		const scenario = await startScenario();
		const record = scenario.createRecord(OTHER_COMPANY);
		record.createdAt = NaN;
		return await pollRecord(scenario, record);
	},
	'with a status other than the remembered one, in Status Changed': async () => {
		const scenario = await startScenario({}, { triggerOn: 'statusChanged' });
		const record = scenario.createRecord(CHILD);
		await scenario.poll();
		record.status = 'Done';
		return await pollRecord(scenario, record);
	},
	"with a status that 'Status Names or IDs' excludes": async () => {
		const scenario = await startScenario({}, { triggerOn: 'statusChanged', statuses: ['Error'] });
		const record = scenario.createRecord(CHILD);
		await scenario.poll();
		record.status = 'Done';
		return await pollRecord(scenario, record);
	},
	'in the first poll': async () => {
		const scenario = new TriggerScenario(fixture);
		return await pollRecord(scenario, scenario.createRecord(CHILD, 1));
	},
	'in the first poll, only in the global list': async () => {
		const scenario = new TriggerScenario(fixture, {}, {}, GLOBAL_LIST_OPTIONS);
		const record = scenario.createRecord(null, 1);
		await scenario.poll();
		const firstPollLog = [...scenario.trigger.log];
		// The decision about the record must stay the same when later polls find out that the global list is complete.
		for (const owner of [OTHER_COMPANY, ANOTHER_COMPANY]) scenario.createRecord(owner);
		for (let times = 0; times < 3; times++) await scenario.poll();
		scenario.trigger.log.push(...firstPollLog);
		return { scenario, record };
	},
	"in the first poll, created after 'Include Existing Since'": async () => {
		const includeExistingSince = new Date(fixture.now - 2 * DAY).toISOString();
		const scenario = new TriggerScenario(fixture, {}, {}, { includeExistingSince });
		return await pollRecord(scenario, scenario.createRecord(CHILD, 47));
	},
	'in the lists of a parent and its child': async () => {
		const scenario = await startScenario({ leadingChildCount: 2 });
		const record = scenario.createRecord(CHILD);
		// This record is also in the list of the grandparent. The list of companies has its company first.
		const deepestRecord = scenario.createRecord(GRANDCHILD);
		await scenario.poll();
		expect(scenario.getDecision(deepestRecord)).toBe(scenario.getDecision(record));
		return { scenario, record };
	},
	"only in the parent's list, every list below was read": async () => {
		const scenario = await startScenario();
		return await pollRecord(scenario, scenario.createRecord(PARENT));
	},
	"only in the parent's list, a list below has several pages": async () => {
		const scenario = await startScenario({}, {}, { readEachCompany: true, pageSize: 1 });
		for (let times = 0; times < 2; times++) scenario.createRecord(CHILD);
		const record = scenario.createRecord(PARENT);
		await scenario.poll();
		return { scenario, record };
	},
	"only in the parent's list, a list below fails": async () => {
		const scenario = await startScenario();
		scenario.platform.failingCompanies.add(CHILD);
		return await pollRecord(scenario, scenario.createRecord(PARENT));
	},
	"only in the parent's list, a list below is refused": async () => {
		const scenario = await startScenario();
		scenario.platform.refusingCompanies.add(CHILD);
		return await pollRecord(scenario, scenario.createRecord(PARENT));
	},
	"only in the parent's list, a list below fails or is refused for an hour": async () => {
		const scenario = await startScenario();
		scenario.platform.refusingCompanies.add(CHILD);
		const record = scenario.createRecord(PARENT);
		await scenario.poll();
		fixture.advanceTime(HOUR);
		return await pollRecord(scenario, record);
	},
	"only in the parent's list, a list below that 'Only Companies' excludes fails or is refused": async () => {
		const scenario = await startScenario({ selectedCompanies: [PARENT] });
		scenario.platform.refusingCompanies.add(CHILD);
		const record = scenario.createRecord(PARENT);
		await scenario.poll();
		fixture.advanceTime(14 * DAY);
		return await pollRecord(scenario, record);
	},
	"only in the parent's list, a list below that 'Only Companies' excludes fails for 15 days": async () => {
		const scenario = await startScenario({ selectedCompanies: [PARENT] });
		scenario.platform.failingCompanies.add(CHILD);
		const record = scenario.createRecord(PARENT);
		await scenario.poll();
		fixture.advanceTime(15 * DAY);
		return await pollRecord(scenario, record);
	},
	"of a child that 'Only Companies' excludes": async () => {
		const scenario = await startScenario({ selectedCompanies: [PARENT] });
		return await pollRecord(scenario, scenario.createRecord(CHILD));
	},
	'only in the complete global list, every company list was read': async () => {
		const scenario = await startScenario({}, {}, GLOBAL_LIST_OPTIONS);
		return await pollRecord(scenario, scenario.createRecord(null));
	},
	'missing from the global list that counts as complete': async () => {
		const scenario = await startScenario(
			{ globalLists: { phishing: 'without grandchildren' } },
			{},
			GLOBAL_LIST_OPTIONS,
		);
		const record = scenario.createRecord(GRANDCHILD);
		await scenario.poll();
		expect(scenario.getDecision(record)).toBe('ignored');
		fixture.advanceTime(12 * HOUR);
		return await pollRecord(scenario, record);
	},
	'of a company that failed for ten days': async () => {
		const scenario = await startScenario();
		scenario.platform.failingCompanies.add(OTHER_COMPANY);
		const record = scenario.createRecord(OTHER_COMPANY);
		await scenario.poll();
		fixture.advanceTime(10 * DAY);
		scenario.createRecord(ANOTHER_COMPANY);
		await scenario.poll();
		scenario.platform.failingCompanies.clear();
		return await pollRecord(scenario, record);
	},
	'after a setting that decides what is watched has changed': async () => {
		const scenario = await startScenario();
		const record = scenario.createRecord(CHILD);
		scenario.trigger.parameters.onlyCompanies = { nameContains: 'in' };
		return await pollRecord(scenario, record);
	},
};

test('each row of the table is tested', () => {
	expect(tableRows.map(([record]) => record)).toEqual(Object.keys(TESTED_RECORD_FACTORIES));
});

const LOG_PATTERNS: Record<string, RegExp> = {
	'': /^$/,
	'which lists are read': /the trigger reads (one list for all companies|the list of each company)/,
	'the company': /(in|out) 1:/,
	'the reason': /without a company|starts over|yet, because the owner is not certain|'Only Companies' excludes/,
};

test.each(tableRows)('a record %s is %s', async (name, expectedDecision, log) => {
	const createTestedRecord = TESTED_RECORD_FACTORIES[name];
	if (!createTestedRecord) throw new Error('This row is not tested');
	const { scenario, record } = await createTestedRecord();
	let decision = scenario.getDecision(record);
	const isOfParent = record.owner === PARENT && expectedDecision.includes('its parent');
	if (isOfParent) decision = decision.replace('for its company', 'for its parent');
	expect(decision).toBe(expectedDecision.replace(', within half a day', ''));
	expect(scenario.trigger.log.join('\n')).toMatch(LOG_PATTERNS[log] ?? /never/);
});
