/** How often a poll reads the credential, which costs n8n 2.x more CPU than a request, and what it notices. */
import { failureOf } from '../n8n-core/nodeFixture';
import { Active, campaignTrigger, idsOf, withBudget } from './pollingFixture';
import { PHISHING, triggerFixture } from './triggerFixture';

const t = triggerFixture();
const SIMULATORS = { simulators: ['phishing', 'smishing', 'quishing'] };

/** Lets each answer take so long, in ms. @param before happens before each of them */
function slowBy(ms: number, before: () => void = () => {}): void {
	const read = performance.now.bind(performance);
	let elapsed = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => read() + elapsed);
	t.service.setOptions({
		beforeAnswer: () => {
			before();
			elapsed += ms;
		},
	});
}

test('once, whatever the number of lists', async () => {
	const active = t.phishing(SIMULATORS);
	await active.poll();
	await active.poll();
	t.service.clearLog();
	const read = jest.spyOn(active.store, 'read');
	expect(await active.poll()).toBeNull();
	expect(t.service.log).toHaveLength(3);
	expect(read).toHaveBeenCalledTimes(1);
	await active.poll();
	expect(read).toHaveBeenCalledTimes(2);
});

test('again after a second', async () => {
	const active = t.phishing({ options: { pageSize: 2 } });
	for (let made = 0; made < 7; made++) t.fixture.create('phishing', 0, made);
	await active.poll();
	t.service.clearLog();
	const read = jest.spyOn(active.store, 'read');
	slowBy(1000);
	await active.poll();
	const pages = t.service.requests(PHISHING).length;
	expect(pages).toBeGreaterThan(4);
	// Two requests may be on their way at once.
	expect(read.mock.calls.length).toBeGreaterThanOrEqual(pages / 2);
});

test('a token that is refused is replaced at once', async () => {
	const active = t.phishing(SIMULATORS);
	await active.poll();
	const id = t.fixture.create('phishing', 0);
	t.service.fault({ kind: 'status-401', times: 1, route: PHISHING });
	expect(idsOf(await active.poll())).toEqual([id]);
	const { token } = active.store;
	t.service.expireTokens();
	expect(await active.poll()).toBeNull();
	expect(active.store.token).not.toEqual(token);
});

test('a credential that is changed meanwhile is noticed after a second', async () => {
	const active = t.phishing({ options: { pageSize: 2 } });
	for (let made = 0; made < 7; made++) t.fixture.create('phishing', 0, made);
	await active.poll();
	slowBy(1000, () => void (active.store.data = { ...active.store.data, clientId: 'another' }));
	t.service.clearLog();
	const { message } = await failureOf(active.poll());
	expect(message).toContain('the credential was changed');
	expect(t.service.log).toHaveLength(1);
});

test('one that could not be read is read again', async () => {
	const active = t.phishing(SIMULATORS);
	await active.poll();
	jest.spyOn(active.store, 'read').mockRejectedValueOnce(new Error('The database is locked'));
	await failureOf(active.poll());
	expect(await active.poll()).toBeNull();
});

describe('at the first poll of a workflow that is published', () => {
	/** In a workflow of its own. */
	const published = () => {
		const { parameters } = t.phishing();
		return new Active(
			withBudget(campaignTrigger(), () => 300_000),
			parameters,
			t.service,
		);
	};

	test('a client that the service does not accept fails it, so that the person sees it', async () => {
		const active = published();
		active.store.data = { ...active.store.data, clientSecret: 'wrong' };
		const { message } = await failureOf(active.poll());
		expect(message).toMatch(/^Could not look for phishing campaigns: .*did not accept the Client ID or Client Secret/);
	});

	test('a token that cannot be issued just now does not', async () => {
		const active = published();
		t.service.fault({ kind: 'status-503', times: 20, route: 'POST /connect/token' });
		expect(await active.poll()).toBeNull();
		expect((await failureOf(active.poll())).message).toMatch(/could not issue a token/);
	});
});
