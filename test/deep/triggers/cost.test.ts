/** What an idle trigger asks of the service: one request for each kind of list, sweeps over the companies aside. */
import { deepOr, isDeep } from '../../setup/depth';

import { DAY, HOUR, MINUTE } from './deployment';
import { triggerFixtures, type Beginning } from './fixture';

const fixture = triggerFixtures();
const COMPANIES = isDeep ? [500, 50_000] : [500];
const EVERY_MINUTES = 15;

/** Polls an idle trigger that has learnt what it can, and counts. */
async function idle(companies: number, beginning: Beginning, polls: number) {
	const it = fixture({ ...beginning, companies });
	for (const owner of it.platform.companies.keys()) {
		for (const days of [1, 5]) it.create(1, { owner, created: it.clock.now() - days * DAY });
	}
	// A day of polls: whatever has to be learnt is learnt by then.
	for (let passed = 0; passed < 26 * HOUR; passed += EVERY_MINUTES * MINUTE) await it.poll(1, EVERY_MINUTES);
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

const KINDS: Array<[string, Beginning, number]> = [
	['enrollments', { trigger: 'Enrollment' }, 1],
	['enrollments, Status Changed', { trigger: 'Enrollment', parameters: { triggerOn: 'statusChanged' } }, 1],
	['campaigns of two simulators', { parameters: { simulators: ['phishing', 'quishing'], watch: 'campaigns' } }, 2],
];

describe.each(COMPANIES)('%d companies', (companies) => {
	test.each(KINDS)(
		'%s: an idle poll asks once for each kind of list',
		async (name, beginning, kinds) => {
			const polls = 24;
			const { counted, stateBytes, swept } = await idle(companies, beginning, polls);
			const sorted = counted.map(({ all }) => all).sort((a, b) => a - b);
			const cpu = counted.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
			process.stdout.write(
				`${companies} companies, ${name}: ${sorted[0]} to ${sorted.at(-1)} requests an idle poll, ${swept} of companies in ${polls} polls (${(polls * EVERY_MINUTES) / 60} h), ${cpu[Math.floor(polls / 2)]?.toFixed(0)} ms CPU, state ${stateBytes} B\n`,
			);
			expect(counted.map(({ unscoped }) => unscoped)).toEqual(counted.map(() => kinds));
			// In these hours a sweep goes over its share of the companies, twice as fast as it must at the most.
			const share = (polls * EVERY_MINUTES * MINUTE) / DAY;
			expect(swept).toBeLessThanOrEqual(2 * share * companies * kinds + polls);
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
