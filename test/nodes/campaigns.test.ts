/** Reports on simulations, as resellers need them each night: who did what in which run, on every platform. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { SIMULATORS, type Simulator } from '../stand-in/personality';
import { byId } from '../cases';
import { aJob, everybody, FOLDERS, keysOf, peopleOf, told, VERBS, whoDid } from '../cases/campaigns';
import { operationFixture, PERSONALITIES, runCase, shareOf, type OperationFixture } from '../cases/operationFixture';
import { sample } from '../setup/depth';

const run = async (g: OperationFixture, simulator: Simulator, operation: string, parameters: IDataObject) =>
	await runCase(g, { node: FOLDERS[simulator], operation }, { parameters });
const emailsOf = (items: INodeExecutionData[]) => items.map(({ json }) => String(json.email)).sort();

async function failureOf(ran: Promise<unknown>): Promise<string> {
	return await ran.then(
		() => '(it worked)',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

describe.each(PERSONALITIES)('$named: a run for 500 people', ({ personality }) => {
	const g = operationFixture(personality, { bigJob: true });

	describe.each(shareOf(personality, SIMULATORS))('%s', (simulator) => {
		const bigJob = () => {
			const { resourceId, instanceGroup, people } = g.customer.state.fullReportJob(simulator);
			return { people, parameters: { ...g.customer.scoped, job: byId(`${resourceId}/${instanceGroup}`) } };
		};

		test('full report: 500 rows, of whom 100 opened, 50 clicked, 20 submitted, and 5 clicked without opening', async () => {
			const { people, parameters } = bigJob();
			const { items } = await run(g, simulator, 'fullReport', parameters);
			expect(items).toHaveLength(500);
			expect(new Set(emailsOf(items)).size).toBe(500);
			const count = (test: (json: IDataObject) => boolean) => items.filter(({ json }) => test(json)).length;
			expect({
				opened: count(({ opened }) => opened === true),
				clicked: count(({ clicked }) => clicked === true),
				submitted: count(({ submitted }) => submitted === true),
				onlyClicked: count(({ opened, clicked }) => clicked === true && opened === false),
			}).toEqual({ opened: 100, clicked: 50, submitted: 20, onlyClicked: 5 });
			expect(told(items)).toEqual(
				people.map(({ user, opened, clicked, submitted }) => [user.email, opened, clicked, submitted]).sort(),
			);
			// One list, page by page, and who opened where that is a list of its own: never a request for each person.
			expect(g.asked.length).toBeLessThan(20);
		});

		const MORE_THAN_A_PAGE = shareOf(personality, [1201]);
		for (const count of MORE_THAN_A_PAGE)
			test(`full report: a row for each of ${count} people, more than one page can hold`, async () => {
				const { people, parameters } = bigJob();
				const { resourceId } = g.customer.state.fullReportJob(simulator);
				const campaign = g.customer.holdings.campaigns(simulator).find((each) => each.resourceId === resourceId);
				if (!campaign) throw new Error('The company has no such campaign');
				const emails = Array.from(
					{ length: count },
					(_, at) => `person.${String(at).padStart(4, '0')}@full-report.example`,
				);
				campaign.people = emails.flatMap((email, at) => {
					const like = people[at % people.length];
					return like ? { ...like, user: { ...like.user, email, resourceId: `${like.user.resourceId}-${at}` } } : [];
				});
				const { items } = await run(g, simulator, 'fullReport', parameters);
				expect(emailsOf(items)).toEqual(emails);
			});

		test.each(sample(VERBS, 2))('%s: everybody who did it, once', async (verb) => {
			const { people, parameters } = bigJob();
			const { items } = await run(g, simulator, verb, { ...parameters, returnAll: true });
			expect(emailsOf(items)).toEqual(
				people
					.filter((person) => person[verb])
					.map(({ user }) => user.email)
					.sort(),
			);
			expect(g.asked.length).toBeLessThan(20);
		});
	});
});

const WORDS = ['All', 'Opened', 'Clicked', 'NoResponse', 'Reported', 'AttachmentOpened', 'Replied', 'Submitted'];

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality);
	const isDeployed = personality === 'deployed';

	describe.each(shareOf(personality, SIMULATORS))('%s', (simulator) => {
		const keys = keysOf(simulator);

		test.each(sample(WORDS, 4))('search job users: %s', async (word) => {
			const { parameters, ...job } = aJob(g.customer, simulator);
			const expected =
				word === 'Submitted'
					? await whoDid(g.customer, simulator, 'submitted', job)
					: await peopleOf(g.customer, simulator, word, job);
			g.service.clearLog();
			const searchType = { __rl: true, mode: 'list', value: word };
			const { items } = await run(g, simulator, 'searchJobUsers', { ...parameters, returnAll: true, searchType });
			expect(emailsOf(items)).toEqual(expected.map(({ email }) => String(email)).sort());
			// A live deployment has no search type for who submitted.
			if (isDeployed)
				expect(g.asked.map(({ route, path, status }) => [route, path.includes('/Submitted/'), status])).toEqual([
					[keys.people, false, 200],
				]);
			if (isDeployed && word !== 'Submitted') expect(g.asked[0]?.path).toContain(`/${word}/search/`);
		});

		test('search job users: a word that was typed is taken as it is', async () => {
			const { parameters } = aJob(g.customer, simulator);
			g.service.clearLog();
			const ran = run(g, simulator, 'searchJobUsers', { ...parameters, searchType: byId('Forwarded') });
			// The contract names no words, so its service knows all of them; the other says that it does not know this one.
			if (isDeployed)
				expect(await failureOf(ran)).toMatch(
					/did not accept the input \(400\).*The value 'Forwarded' is not valid for SearchType/,
				);
			else await ran;
			expect(g.asked.filter(({ path }) => path.includes('/Forwarded/search/'))).not.toEqual([]);
			expect(g.asked.length).toBeLessThanOrEqual(3);
		});

		test('the report of a period leaves out tests, unless they are asked for', async () => {
			const [first, second] = g.customer.holdings.campaigns(simulator);
			if (!first || !second) throw new Error('The customer has too few campaigns');
			first.excludeFromReports = true;
			const reported = async (excludeTests: boolean) => {
				const { items } = await run(g, simulator, 'fullReportOfPeriod', {
					...g.customer.scoped,
					period: 'custom',
					excludeTests,
				});
				return new Set(items.map(({ json }) => json.jobResourceId));
			};
			expect(await reported(true)).toEqual(new Set([second.resourceId]));
			expect(await reported(false)).toEqual(new Set([first.resourceId, second.resourceId]));
		});

		test('the report of a period has the runs of that period, and on request only who acted', async () => {
			const { id, group } = aJob(g.customer, simulator);
			const { createTime } = g.customer.holdings.campaigns(simulator).find(({ resourceId }) => resourceId === id) ?? {};
			// A run starts as many days after its campaign was created as its group says.
			const day = new Date(Date.parse(createTime ?? '') + group * 86_400_000);
			const around = (hours: number) => new Date(day.getTime() + hours * 3_600_000).toISOString();
			const period = { period: 'custom', periodStart: around(-1), periodEnd: around(1), excludeTests: false };
			const expected = await everybody(g.customer, simulator, { id, group });
			const { items } = await run(g, simulator, 'fullReportOfPeriod', { ...g.customer.scoped, ...period });
			expect(told(items)).toEqual(expected);
			const active = await run(g, simulator, 'fullReportOfPeriod', {
				...g.customer.scoped,
				...period,
				onlyActive: true,
			});
			expect(told(active.items)).toEqual(expected.filter(([, ...did]) => did.includes(true)));
		});

		test('the report of a period, for every company: a row per person and run, with whose it is', async () => {
			const bakeries = g.customer.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
			const every = { companyScope: 'every', companyFilter: { nameContains: 'bakery', licenceNotExpired: false } };
			const { items } = await run(g, simulator, 'fullReportOfPeriod', {
				...every,
				period: 'custom',
				excludeTests: false,
			});
			const rows = bakeries.flatMap(({ companyResourceId, companyName }) => {
				const sent = g.customer.state
					.of(companyResourceId)
					.campaigns(simulator)
					.filter(({ status }) => status !== 'Scheduled');
				return sent.flatMap(({ resourceId, instanceGroups, userResourceIds }) =>
					instanceGroups.flatMap((group) =>
						userResourceIds.map(() => [companyResourceId, companyName, resourceId, group].join(' ')),
					),
				);
			});
			expect(rows.length).toBeGreaterThan(50);
			expect(
				items
					.map(({ json }) =>
						[json.companyResourceId, json.companyName, json.jobResourceId, json.instanceGroup].join(' '),
					)
					.sort(),
			).toEqual(rows.sort());
		});

		// Where the ID is the campaign's, as the contract can be read, there are people in these lists and no events of one.
		if (!isDeployed)
			test.each(sample(VERBS, 2, 1))(
				'%s by one person: that person, or that there is no such thing, but nobody else',
				async (verb) => {
					const { parameters, ...job } = aJob(g.customer, simulator);
					const [row] = await whoDid(g.customer, simulator, verb, job);
					const person = String(row?.targetUserResourceId);
					const ran = run(g, simulator, verb, { ...parameters, returnAll: true, person: byId(person) });
					const emails = await ran.then(({ items }) => emailsOf(items)).catch((error: unknown) => String(error));
					if (typeof emails === 'string') expect(emails).toMatch(new RegExp(`'${person}'.*\\(404\\)`));
					else expect(new Set(emails)).toEqual(new Set([row?.email]));
				},
			);

		// Platforms differ in whether a campaign's row says that it is a test; if not, no campaign is left out.
		test('a list of campaigns without tests', async () => {
			const all = g.customer.holdings.campaigns(simulator);
			const tests = all.filter(({ excludeFromReports }) => excludeFromReports);
			expect(tests).toHaveLength(1);
			const { items } = await run(g, simulator, 'getMany', {
				...g.customer.scoped,
				returnAll: true,
				excludeTests: true,
			});
			expect(items).toHaveLength(all.length - (isDeployed ? 0 : tests.length));
		});
	});
});

describe('a live deployment: one person', () => {
	const g = operationFixture('deployed');

	/** Somebody in a run who did something, by the row that the people's list has. */
	const somebody = async (simulator: Simulator, counted: string) => {
		const { parameters, ...job } = aJob(g.customer, simulator);
		const people = await peopleOf(g.customer, simulator, 'All', job);
		const row = people.reduce((most, each) => (Number(each[counted] ?? 0) > Number(most[counted] ?? 0) ? each : most));
		expect(Number(row[counted] ?? 1)).toBeGreaterThan(0);
		return { row, parameters: { ...parameters, returnAll: true, person: byId(String(row.resourceId)) } };
	};

	describe.each(sample(SIMULATORS, 1))('%s', (simulator) => {
		test.each(VERBS.filter((verb) => simulator !== 'smishing' || verb !== 'opened'))(
			'%s: the single events, as many as are counted',
			async (verb) => {
				const { row, parameters } = await somebody(simulator, `${verb}Count`);
				for (const form of [undefined, 'paged', 'array'] as const) {
					g.service.setOptions({ eventLists: form });
					g.service.clearLog();
					const { items } = await run(g, simulator, verb, parameters);
					expect(items).toHaveLength(Number(row[`${verb}Count`]));
					for (const { json } of items) {
						expect(Date.parse(String(json[`${verb}Time`]))).not.toBeNaN();
						expect(json.browserName).toMatch(/\w/);
						expect(json.userIpAddressList).toMatch(/^\d+\./);
					}
					const last = items
						.map(({ json }) => String(json[`${verb}Time`]))
						.sort()
						.at(-1);
					expect(last).toBe(row[`last${verb.charAt(0).toUpperCase()}${verb.slice(1)}Time`]);
					expect(g.asked.filter(({ status }) => status === 200)).toHaveLength(1);
					expect(g.asked.filter(({ path }) => !path.endsWith(`/${String(row.resourceId)}`))).toEqual([]);
				}
				g.service.setOptions({ eventLists: undefined });
			},
		);

		test('an ID that is nobody in a run: said as that', async () => {
			const { parameters } = await somebody(simulator, 'clickedCount');
			const said = await failureOf(run(g, simulator, 'clicked', { ...parameters, person: byId('nobodyAtAll1') }));
			expect(said).toContain("'nobodyAtAll1'");
			expect(said).toContain('(404)');
		});
	});

	test('smishing, opened: that the platform does not have the single events of a text message is said as that', async () => {
		const { parameters } = await somebody('smishing', 'clickedCount');
		const said = await failureOf(run(g, 'smishing', 'opened', parameters));
		expect(said).toMatch(/platform|service/i);
		expect(said).toMatch(/does not (have|offer|know|list|tell)/i);
		expect(said).toContain(' (404): The service says');
		expect(said).not.toMatch(/nothing was found with the ID/);
	});
});
