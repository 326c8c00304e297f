/** Each line of the table in nodes/core/trigger/README.md, tried: what becomes of a record, and whether the log says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TriggerScenario, setUpTreeFixture } from './triggerScenario';
import { DAY, HOUR, type PollingFixture } from './pollingFixture';
import type { TreeRecord } from './treePlatform';

/** See PARENTS. */
const PARENT = 0;
const CHILD = 1;
const OTHER = 3;
const ANOTHER = 4;

const readme = readFileSync(join(__dirname, '../../nodes/core/trigger/README.md'), 'utf8');
const table = readme
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map(([, record = '', is = '', log = '']): [string, string, string] => [record, is, log])
	.filter(([record]) => record !== 'A record' && record !== '---');

let fixture: PollingFixture;
setUpTreeFixture((made) => void (fixture = made));

type Tried = [made: TriggerScenario, record: TreeRecord];
type How = ConstructorParameters<typeof TriggerScenario> extends [PollingFixture, ...infer Rest] ? Rest : never;
/** After the first poll, of a list for all where told. */
async function begun(...how: How): Promise<TriggerScenario> {
	const made = new TriggerScenario(fixture, ...how);
	for (const owner of [OTHER, ANOTHER]) made.createRecord(owner, 1);
	await made.poll();
	fixture.advanceTime(HOUR);
	return made;
}
const after = async (made: TriggerScenario, record: TreeRecord): Promise<Tried> => {
	await made.poll();
	return [made, record];
};
const ONE_LIST = { askEachCompany: false };

const TRIED: Record<string, () => Promise<Tried>> = {
	'that is not remembered': async () => {
		const made = await begun();
		return await after(made, made.createRecord(OTHER));
	},
	'created before watchedFrom': async () => {
		const made = await begun();
		return await after(made, made.createRecord(OTHER, 40));
	},
	'that is remembered': async () => {
		const made = await begun();
		const record = made.createRecord(OTHER);
		await made.poll();
		return await after(made, record);
	},
	'without a create time, not remembered': async () => {
		const made = await begun();
		return await after(made, Object.assign(made.createRecord(OTHER), { created: NaN }));
	},
	'with another status than remembered, in Status Changed': async () => {
		const made = await begun({}, { triggerOn: 'statusChanged' });
		const record = made.createRecord(CHILD);
		await made.poll();
		return await after(made, Object.assign(record, { status: 'Done' }));
	},
	"with a status that 'Only Statuses' leaves out": async () => {
		const made = await begun({}, { triggerOn: 'statusChanged', statuses: ['Error'] });
		const record = made.createRecord(CHILD);
		await made.poll();
		return await after(made, Object.assign(record, { status: 'Done' }));
	},
	'at the first poll': async () => {
		const made = new TriggerScenario(fixture);
		return await after(made, made.createRecord(CHILD, 1));
	},
	'at the first poll, which only the list without a company shows': async () => {
		const made = new TriggerScenario(fixture, {}, {}, ONE_LIST);
		const record = made.createRecord(null, 1);
		await made.poll();
		const said = [...made.trigger.log];
		// Also when it is learnt later that this list has the records of all.
		for (const owner of [OTHER, ANOTHER]) made.createRecord(owner);
		for (let times = 0; times < 3; times++) await made.poll();
		made.trigger.log.push(...said);
		return [made, record];
	},
	"at the first poll, created after 'Emit Existing Since'": async () => {
		const made = new TriggerScenario(
			fixture,
			{},
			{},
			{ emitExistingSince: new Date(fixture.now - 2 * DAY).toISOString() },
		);
		return await after(made, made.createRecord(CHILD, 47));
	},
	'that a parent and its child list': async () => {
		const made = await begun();
		return await after(made, made.createRecord(CHILD));
	},
	'that only the parent lists, all below have answered': async () => {
		const made = await begun();
		return await after(made, made.createRecord(PARENT));
	},
	'that only the parent lists, one below has several pages': async () => {
		const made = await begun({}, {}, { askEachCompany: true, pageSize: 1 });
		for (let times = 0; times < 2; times++) made.createRecord(CHILD);
		const record = made.createRecord(PARENT);
		await made.poll();
		return [made, record];
	},
	'that only the parent lists, one below fails': async () => {
		const made = await begun();
		made.platform.failing.add(CHILD);
		return await after(made, made.createRecord(PARENT));
	},
	'that only the parent lists, one below refuses': async () => {
		const made = await begun();
		made.platform.refusing.add(CHILD);
		return await after(made, made.createRecord(PARENT));
	},
	'that only the parent lists, one below fails or refuses until it has waited an hour': async () => {
		const made = await begun();
		made.platform.refusing.add(CHILD);
		const record = made.createRecord(PARENT);
		await made.poll();
		fixture.advanceTime(HOUR);
		return await after(made, record);
	},
	"that only the parent lists, one below that 'Only Companies' leaves out fails or refuses": async () => {
		const made = await begun({ selectedCompanies: [PARENT] });
		made.platform.refusing.add(CHILD);
		const record = made.createRecord(PARENT);
		await made.poll();
		fixture.advanceTime(14 * DAY);
		return await after(made, record);
	},
	'the same, until it has waited 15 days': async () => {
		const made = await begun({ selectedCompanies: [PARENT] });
		made.platform.failing.add(CHILD);
		const record = made.createRecord(PARENT);
		await made.poll();
		fixture.advanceTime(15 * DAY);
		return await after(made, record);
	},
	"of a child that 'Only Companies' leaves out": async () => {
		const made = await begun({ selectedCompanies: [PARENT] });
		return await after(made, made.createRecord(CHILD));
	},
	'that only the one list for all shows, each company has answered': async () => {
		const made = await begun({}, {}, ONE_LIST);
		return await after(made, made.createRecord(null));
	},
	'that the one list for all lacks': async () => {
		const made = await begun({ globalLists: { phishing: 'without grandchildren' } }, {}, ONE_LIST);
		const record = made.createRecord(2);
		await made.poll();
		expect(made.getDecision(record)).toBe('nothing');
		fixture.advanceTime(12 * HOUR);
		return await after(made, record);
	},
	'of a company that failed for ten days': async () => {
		const made = await begun();
		made.platform.failing.add(OTHER);
		const record = made.createRecord(OTHER);
		await made.poll();
		fixture.advanceTime(10 * DAY);
		made.createRecord(ANOTHER);
		await made.poll();
		made.platform.failing.clear();
		return await after(made, record);
	},
	'after the client, the company or what is watched was changed': async () => {
		const made = await begun();
		const record = made.createRecord(CHILD);
		made.trigger.parameters.onlyCompanies = { nameContains: 'in' };
		return await after(made, record);
	},
};

test('each line is tried', () => {
	expect(table.map(([record]) => record)).toEqual(Object.keys(TRIED));
});

const SAID: Record<string, RegExp> = {
	'': /^$/,
	'says who is asked': /asks (one list for all|each company)/,
	'names the company': /(in|out) 1:/,
	'says so': /without a company|begins anew|must wait|are not given/,
};

test.each(table)('a record %s is %s', async (what, is, log) => {
	const tried = TRIED[what];
	if (!tried) throw new Error('It is not tried');
	const [made, record] = await tried();
	const fate = made
		.getDecision(record)
		.replace(`given as ${made.platform.getCompanyId(PARENT)}'s`, "given as its parent's");
	const isParents = record.owner === PARENT && is.includes("parent's");
	expect(isParents ? fate.replace("its company's", "its parent's") : fate).toBe(is.replace(', within half a day', ''));
	expect(made.trigger.log.join('\n')).toMatch(SAID[log] ?? /never/);
});
