/** What an idle trigger asks of the service: one request for each kind of list, sweeps over the companies aside. */
import { deepOr, isDeep } from '../../setup/depth';

import { DAY, HOUR, MINUTE } from './deployment';
import { triggerFixtures, type Beginning } from './fixture';

const fixture = triggerFixtures();
const COMPANIES = isDeep ? [500, 50_000] : [500];
const EVERY_MINUTES = 15;
const LEARNING_REQUESTS = 6;

/** Polls an idle trigger that has learnt what it can, and counts. */
async function idle(companies: number, { isEmpty, ...beginning }: Kind, polls: number) {
	const it = fixture({ ...beginning, companies });
	const lists = beginning.trigger === 'Enrollment' ? (['enrollment'] as const) : (['phishing', 'quishing'] as const);
	for (const owner of isEmpty ? [] : it.platform.companies.keys()) {
		for (const list of lists) {
			for (const days of [1, 5]) it.create(1, { list, owner, created: it.clock.now() - days * DAY });
		}
	}
	// Whatever has to be learnt is learnt within a day, and for no more than a few requests for each company.
	const learning = LEARNING_REQUESTS * companies * Math.max(1, lists.length);
	for (let passed = 0; passed < 26 * HOUR && it.server.requests.length < learning; passed += EVERY_MINUTES * MINUTE) {
		await it.poll(1, EVERY_MINUTES);
	}
	expect(it.server.requests.length).toBeLessThan(learning);
	it.server.requests = [];
	const counted = [];
	for (let poll = 0; poll < polls; poll++) {
		const before = it.server.requests.length;
		const cpu = process.cpuUsage();
		await it.poll(1, EVERY_MINUTES);
		const { user, system } = process.cpuUsage(cpu);
		const requests = it.server.requests.slice(before);
		const unscoped = requests.filter(
			({ company, path }) => company === undefined && !path.startsWith('/api/companies'),
		);
		counted.push({ all: requests.length, unscoped: unscoped.length, cpuMs: (user + system) / 1000 });
	}
	const { requests } = it.server;
	const stateBytes = it.polls.at(-1)?.stateBytes ?? Infinity;
	return { counted, stateBytes, swept: requests.filter(({ company }) => company !== undefined).length, log: it.log };
}

/** What is watched. */
interface Kind extends Beginning {
	/** No company has any record yet. */
	isEmpty?: boolean;
}

const KINDS: Array<[string, Kind, number]> = [
	['enrollments', { trigger: 'Enrollment' }, 1],
	['enrollments, Status Changed', { trigger: 'Enrollment', parameters: { triggerOn: 'statusChanged' } }, 1],
	['enrollments of which there are none yet', { trigger: 'Enrollment', isEmpty: true }, 1],
	['campaigns of two simulators', { parameters: { simulators: ['phishing', 'quishing'], watch: 'campaigns' } }, 2],
];

describe.each(COMPANIES)('%d companies', (companies) => {
	test.each(KINDS)(
		'%s: an idle poll asks once for each kind of list',
		async (name, kind, kinds) => {
			// A day: a sweep gets round in the lateness window, which is that, and there are two of them.
			const polls = 96;
			const { counted, stateBytes, swept, log } = await idle(companies, kind, polls);
			expect(log).toBe('');
			const sorted = counted.map(({ all }) => all).sort((a, b) => a - b);
			const cpu = counted.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
			process.stdout.write(
				`${companies} companies, ${name}: ${sorted[0]} to ${sorted.at(-1)} requests an idle poll, ${swept} of companies in ${polls} polls (${(polls * EVERY_MINUTES) / 60} h), ${cpu[Math.floor(polls / 2)]?.toFixed(0)} ms CPU, state ${stateBytes} B\n`,
			);
			// A sweep reads the list of all once more, to compare.
			for (const { unscoped, all } of counted) expect(all > kinds ? kinds : unscoped).toBe(kinds);
			expect(sorted[Math.floor(polls / 4)]).toBe(kinds);
			// In this time each company is asked once, and no more than three times, for each kind of list.
			expect(swept).toBeGreaterThanOrEqual(companies * kinds);
			expect(swept).toBeLessThanOrEqual(3.2 * companies * kinds);
			expect(stateBytes).toBeLessThanOrEqual(Math.min(256 * companies * kinds, 512 * 1024));
		},
		deepOr(1_800_000, 120_000),
	);
});

test('500 companies, a new enrollment: found and given at the next poll, to its owner', async () => {
	const it = fixture({ trigger: 'Enrollment', companies: 500 });
	for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - DAY });
	await it.poll(4, EVERY_MINUTES);
	const created = it.create(2, { owner: 'company-321' });
	const items = await it.poll(1, EVERY_MINUTES);
	expect(it.fateOf(created)).toEqual({ once: 2, oftener: 0, never: 0 });
	expect(items.map(({ json }) => json.companyResourceId)).toEqual(['company-321', 'company-321']);
});

test.each([0, 3, 12, 19, 40])('a list of 5 new and %d old records: an idle poll asks once', async (old) => {
	const it = fixture({ trigger: 'Enrollment', parameters: { companyScope: 'own' }, deployment: { unscoped: 'own' } });
	for (let days = 0; days < old; days++) it.create(1, { created: it.clock.now() - (days + 3) * DAY });
	it.create(5);
	await it.poll(3);
	it.asked();
	await it.poll(4);
	expect(it.asked()).toEqual(['all', 'all', 'all', 'all']);
	const created = it.create(1);
	await it.poll(3);
	expect(it.fateOf(created)).toEqual({ once: 1, oftener: 0, never: 0 });
});
