/** What the list without a company may be, and what a trigger that is published there gives. */
import { TriggerScenario, setUpTreeFixture } from './triggerScenario';
import { HOUR, type PollingFixture } from './pollingFixture';
import type { GlobalListKind } from './treePlatform';

let fixture: PollingFixture;
setUpTreeFixture((made) => void (fixture = made));

const ONE = 'asks one list for all';
const EACH = 'asks each company';

test.each<[world: string, phishing: GlobalListKind, smishing: GlobalListKind, said: [string, string], lost: boolean]>([
	["is the reseller's own", 'own', 'own', [EACH, EACH], true],
	['has all', 'all', 'all', [ONE, ONE], false],
	['refuses', 'refused', 'refused', [EACH, EACH], true],
	['differs by kind', 'all', 'own', [ONE, EACH], true],
	['lacks grandchildren', 'without grandchildren', 'without grandchildren', [EACH, EACH], true],
])('where the list without a company %s', async (_, phishing, smishing, [first, second], isLost) => {
	const platform = { unscoped: { phishing, smishing } };
	const made = new TriggerScenario(fixture, platform, { simulators: ['phishing', 'smishing'] }, {});
	for (const list of ['phishing', 'smishing'])
		// The reseller has tried it, and so have a company, a grandchild, and one more.
		for (const [index, owner] of [null, 3, 2, 4].entries()) made.createRecord(owner, [1, 21, 23, 2][index], list);
	await made.poll();
	const log = made.trigger.log.join('\n');
	expect(log).toMatch(new RegExp(`phishing campaigns: ${first}`));
	expect(log).toMatch(new RegExp(`smishing campaigns: ${second}`));
	expect(log.includes('does not come')).toBe(isLost);
	expect(made.emittedItems).toEqual([]);
	for (let times = 0; times < 4; times++) {
		fixture.advanceTime(15 * 60_000);
		await made.poll();
		expect(made.emittedItems).toEqual([]);
	}
	const news = ['phishing', 'smishing'].map((list) => made.createRecord(2, 0, list));
	await made.poll();
	for (const record of news) expect(made.getDecision(record)).toBe("given as its company's");
	expect(made.emittedItems).toHaveLength(2);
});

// Real n8n, default form: three campaigns of the reseller's own started the workflow 20 s after publishing.
test('a kind that only the reseller tried gives nothing, also when another kind has proved its list', async () => {
	const made = new TriggerScenario(fixture, {}, { simulators: ['phishing', 'smishing'] }, {});
	for (const owner of [3, 4]) made.createRecord(owner, 1);
	for (const hoursAgo of [1, 21, 41]) made.createRecord(null, hoursAgo, 'smishing');
	for (let times = 0; times < 5; times++) {
		await made.poll();
		expect(made.emittedItems).toEqual([]);
		fixture.advanceTime(HOUR / 4);
	}
	for (const owner of [3, 4]) made.createRecord(owner, 0, 'smishing');
	await made.poll();
	expect(made.emittedItems).toHaveLength(2);
	// Now it is known that its list has the records of all.
	expect(made.trigger.log.join()).toContain(`smishing campaigns: ${ONE}`);
	await made.poll();
	expect(made.emittedItems).toEqual([]);
});
