/** What the list without a company may be, and what a trigger that is published there gives. */
import { Case, withTrees } from './case';
import { HOUR, type PollingFixture } from './pollingFixture';
import type { Unscoped } from './treeWorld';

let fixture: PollingFixture;
withTrees((made) => void (fixture = made));

const ONE = 'asks one list for all';
const EACH = 'asks each company';

test.each<[world: string, phishing: Unscoped, smishing: Unscoped, said: [string, string], lost: boolean]>([
	["is the reseller's own", 'own', 'own', [EACH, EACH], true],
	['has all', 'all', 'all', [ONE, ONE], false],
	['refuses', 'refused', 'refused', [EACH, EACH], true],
	['differs by kind', 'all', 'own', [ONE, EACH], true],
	['lacks grandchildren', 'without grandchildren', 'without grandchildren', [EACH, EACH], true],
])('where the list without a company %s', async (_, phishing, smishing, [first, second], isLost) => {
	const platform = { unscoped: { phishing, smishing } };
	const made = new Case(fixture, platform, { simulators: ['phishing', 'smishing'] }, {});
	for (const list of ['phishing', 'smishing'])
		// The reseller has tried it, and so have a company, a grandchild, and one more.
		for (const [index, owner] of [null, 3, 2, 4].entries()) made.create(owner, [1, 21, 23, 2][index], list);
	await made.poll();
	const log = made.active.log.join('\n');
	expect(log).toMatch(new RegExp(`phishing campaigns: ${first}`));
	expect(log).toMatch(new RegExp(`smishing campaigns: ${second}`));
	expect(log.includes('does not come')).toBe(isLost);
	expect(made.given).toEqual([]);
	for (let times = 0; times < 4; times++) {
		fixture.pass(15 * 60_000);
		await made.poll();
		expect(made.given).toEqual([]);
	}
	const news = ['phishing', 'smishing'].map((list) => made.create(2, 0, list));
	await made.poll();
	for (const record of news) expect(made.fate(record)).toBe("given as its company's");
	expect(made.given).toHaveLength(2);
});

// Real n8n, default form: three campaigns of the reseller's own started the workflow 20 s after publishing.
test('a kind that only the reseller tried gives nothing, also when another kind has proved its list', async () => {
	const made = new Case(fixture, {}, { simulators: ['phishing', 'smishing'] }, {});
	for (const owner of [3, 4]) made.create(owner, 1);
	for (const hoursAgo of [1, 21, 41]) made.create(null, hoursAgo, 'smishing');
	for (let times = 0; times < 5; times++) {
		await made.poll();
		expect(made.given).toEqual([]);
		fixture.pass(HOUR / 4);
	}
	for (const owner of [3, 4]) made.create(owner, 0, 'smishing');
	await made.poll();
	expect(made.given).toHaveLength(2);
	// Now it is known that its list has the records of all.
	expect(made.active.log.join()).toContain(`smishing campaigns: ${ONE}`);
	await made.poll();
	expect(made.given).toEqual([]);
});
