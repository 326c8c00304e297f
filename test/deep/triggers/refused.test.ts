/** What a trigger does where the service refuses the list that names no company. */
import { HOUR } from './deployment';
import { all, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true });
const EACH = ['company-2', 'company-1', 'company-0'];
const sorted = (asked: string[]) => [...asked].sort();

describe('a list of all companies', () => {
	test('that is refused twice: each company is asked, from the beginning', async () => {
		const it = fixture({ deployment: { unscoped: 'refused' } });
		it.create(3, { owner: 'company-1', created: it.clock.now() - HOUR });
		await it.poll();
		expect(it.log).not.toMatch(/refuses to be asked without a company/);
		await it.poll();
		expect(it.log).toMatch(/refuses to be asked without a company/);
		expect(sorted([...new Set(it.asked())])).toEqual(sorted(['all', 'companies', ...EACH]));
		const created = it.create(2, { owner: 'company-1' });
		await it.poll(1, 15);
		expect(it.fateOf(created).once).toBe(2);
		expect(it.given.size).toBe(2);
		expect(it.log.match(/from now on/g)).toHaveLength(1);
	});

	test('that is refused once, after it was read, is no reason either', async () => {
		const it = await fixture().learn();
		let refusals = 1;
		it.instead(({ path, company }) =>
			path.endsWith('/search') && !path.startsWith('/api/companies') && company === undefined && refusals-- > 0
				? { status: 403, data: null }
				: undefined,
		);
		const created = it.create(1);
		await it.poll(2);
		expect(it.fateOf(created)).toEqual({ never: 0, once: 1, oftener: 0 });
		expect(it.log).toMatch(/1 of 2 lists could not be read/);
		refusals = 2;
		await it.poll(2);
		expect(it.log).toMatch(/refuses to be asked without a company .*from now on each company is asked/);
	});

	test('that is refused now and then, of records without create times: nothing is lost, given twice or old', async () => {
		const it = await fixture({ deployment: { times: 'none' } }).learn();
		let polls = 0;
		it.instead(({ path, company }) =>
			path.endsWith('/search') && !path.startsWith('/api/companies') && company === undefined && polls % 3 > 0
				? { status: 403, data: null }
				: undefined,
		);
		const created = [];
		for (; polls < 9; polls++) {
			created.push(...it.create(1, { owner: `company-${polls % 3}` }));
			await it.poll(1, 20);
		}
		await it.poll(3, 20);
		expect(it.fateOf(created)).toEqual(all(9));
		expect(it.given.size).toBe(9);
	});

	test('that is refused together with the list of companies is no reason, however often', async () => {
		const it = await fixture().learn();
		let isRefused = true;
		it.instead(() => (isRefused ? { status: 403, data: null } : undefined));
		await it.poll(4, 15);
		isRefused = false;
		const created = it.create(1);
		await it.poll(2);
		expect(it.fateOf(created)).toEqual({ never: 0, once: 1, oftener: 0 });
		expect(it.log).not.toMatch(/from now on each company is asked/);
	});
});

describe.each([403, 404])('all lists of a simulator are refused for some minutes, in the middle (%i)', (status) => {
	const simulators = ['phishing', 'quishing'];
	const usual = { simulators, watch: 'campaigns' };
	/** How many polls pass before the refusal: none, the first comparison, several. */
	const passed = [1, 2, 12];
	const many = [
		['new records', {}],
		['new records, each company asked every minute', { options: { askEachEvery: 1 } }],
		['new records, late by an hour', { options: { lateArrivals: 1 } }],
		['what is first seen', { triggerOn: 'statusChanged', alsoFirstSeen: true }],
	] as const;
	test.each(passed.flatMap((polls) => many.map(([what, more]) => ({ polls, what, more }))))(
		'after $polls polls, $what: nothing old is given, nothing lost, nothing twice',
		async ({ polls, more }) => {
			const it = fixture({ trigger: 'Campaign', parameters: { ...usual, ...more } });
			const made = (list: 'phishing' | 'quishing', hours: number[]) =>
				EACH.flatMap((owner) =>
					hours.flatMap((hour) => it.create(1, { list, owner, created: it.clock.now() - hour * HOUR })),
				);
			const hours = Array.from({ length: 40 }, (_, hour) => hour + 0.5);
			const old = [...made('phishing', hours), ...made('quishing', hours)];
			await it.poll(2, 1);
			const late = [...made('phishing', [0.4, 0.9]), ...made('quishing', [0.4, 0.9])];
			await it.poll(polls, 1);
			let isRefused = true;
			it.instead(({ path }) => (isRefused && /quishing/.test(path) ? { status, data: null } : undefined));
			const created = [...made('phishing', [0]), ...made('quishing', [0])];
			await it.poll(4, 1);
			created.push(...made('phishing', [0]), ...made('quishing', [0]));
			isRefused = false;
			await it.poll(3, 1);
			created.push(...made('phishing', [0, 0.5]), ...made('quishing', [0, 0.5]));
			await it.poll(4, 15);
			expect(it.fateOf(old)).toEqual({ once: 0, oftener: 0, never: 240 });
			expect(it.fateOf(late)).toEqual(all(12));
			expect(it.fateOf(created)).toEqual(all(24));
		},
	);
});

test.each([1, 2, 12])(
	'the list of all leaves out companies for some minutes, after %i polls: nothing old is given, nothing lost, nothing twice',
	async (polls) => {
		const it = fixture({
			trigger: 'Campaign',
			parameters: { simulators: ['phishing', 'quishing'], watch: 'campaigns' },
		});
		const made = (hours: number[]) =>
			EACH.flatMap((owner) => hours.flatMap((hour) => it.create(1, { owner, created: it.clock.now() - hour * HOUR })));
		const old = made(Array.from({ length: 40 }, (_, hour) => hour + 0.5));
		await it.poll(2, 1);
		const created = made([0, 0.3, 9]);
		await it.poll(polls, 1);
		it.answers.deployment.unscoped = 'own';
		for (let poll = 0; poll < 4; poll++) {
			created.push(...made([0, 0.3, 9, 20]));
			await it.poll(1, 1);
		}
		it.answers.deployment.unscoped = 'all';
		await it.poll(3, 1);
		created.push(...made([0, 0.3, 9, 20]));
		await it.poll(5, 15);
		expect(it.fateOf(old)).toEqual({ once: 0, oftener: 0, never: 120 });
		expect(it.fateOf(created)).toEqual(all(created.length));
	},
);
