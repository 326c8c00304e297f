/** What a live deployment does otherwise than the contract reads, and what must come of it all the same. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { CredentialStore, loadCredentialTypes } from '../n8n-core';
import type { FaultKind } from '../stand-in';
import { byId, cases, type Case } from '../cases';
import { FOLDERS, keysOf } from '../cases/campaigns';
import { membersIn } from '../cases/companies';
import { enrolled } from '../cases/enrollments';
import { operationFixture, PERSONALITIES, runCase } from '../cases/operationFixture';

const g = operationFixture('deployed');
afterEach(() => g.service.setOptions({ helpers: true, participants: 'add', inputErrorsAs200: false }));

const caseOf = (node: string, operation: string): Case => {
	const found = cases.find((each) => each.node === node && each.operation === operation);
	if (!found) throw new Error(`There is no case of ${node} ${operation}`);
	return found;
};
const run = async (node: string, operation: string, parameters: IDataObject) =>
	await runCase(g, { node, operation }, { parameters });

/** Runs a case, on a service that something is wrong with since everything was prepared. */
async function runPrepared(node: string, operation: string, spoil: () => void = () => undefined) {
	const prepared = await caseOf(node, operation).prepare(g.customer);
	g.service.clearLog();
	spoil();
	return { ...(await runCase(g, { node, operation }, prepared)), prepared };
}

async function failureOf(ran: Promise<unknown>): Promise<string> {
	return await ran.then(
		() => '(it worked)',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

const refuse = (route: string, kind: FaultKind) => () => g.service.fault({ route, kind, times: Infinity });
const switchOff = () => g.service.setOptions({ helpers: false });
/** Ways in which a helper call is not to be had. */
const WITHOUT = (route: string): Array<[named: string, spoil: () => void]> => [
	['switched off', switchOff],
	['not allowed', refuse(route, 'forbidden-company')],
	['broken', refuse(route, 'status-500')],
];

describe('lists of jobs, which cannot be sorted by the time they were created', () => {
	const { jobs } = keysOf('phishing');
	const more = () => ({ ...g.customer.scoped, returnAll: true });

	test.each([
		['one after the other', 1],
		['several at once', 8],
	])('our own order gives way, once for a whole run, and the person is told: %s', async (_named, concurrency) => {
		const every = {
			companyScope: 'every',
			companyFilter: { licenceNotExpired: false },
			returnAll: true,
			options: { concurrency },
		};
		const { items, hints } = await run(FOLDERS.phishing, 'getManyJobs', every);
		expect(new Set(items.map(({ json }) => json.companyResourceId)).size).toBe(g.customer.state.companies.length);
		const refused = g.service.requests(jobs).filter(({ status }) => status === 400);
		// Those that were under way when the first was refused cannot know it.
		expect(refused.length).toBeGreaterThan(0);
		expect(refused.length).toBeLessThanOrEqual(concurrency);
		expect(hints.map(({ message }) => message).join(' ')).toMatch(/sort|order/i);
	});

	test('an order that a person chose stays their error', async () => {
		expect(
			await failureOf(
				run(FOLDERS.phishing, 'getManyJobs', { ...more(), sort: { by: 'CreateTime', direction: 'descending' } }),
			),
		).toMatch(/did not accept the input \(400\).*The OrderBy field is not valid: CreateTime/);
		const { items } = await run(FOLDERS.phishing, 'getManyJobs', { ...more(), sort: { by: 'Name' } });
		const names = items.map(({ json }) => String(json.name));
		expect(names).toEqual([...names].sort());
		expect(names.length).toBeGreaterThan(1);
	});

	test("a person's own mistake is not hidden by what is tried instead: the first refusal is told, after two further tries at most", async () => {
		const filterGroups = JSON.stringify([
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Nonsense', Operator: 'eq', Value: '1' }], FilterGroups: [] },
		]);
		const said = await failureOf(run(FOLDERS.phishing, 'getMany', { ...more(), filters: { filterGroups } }));
		expect(said).toContain("The filter field 'Nonsense' is not known.");
		expect(g.asked.length).toBeLessThanOrEqual(3);
	});
});

describe('SCIM: a token, and nothing else', () => {
	const made = () => g.customer.holdings.scim.find(({ name }) => name === 'Entra ID');

	test.each<[string, FaultKind]>([
		['broken', 'status-500'],
		['not allowed', 'forbidden-company'],
		['no list', 'wrong-shape'],
	])('creation, and the search for its ID is %s: the token is not lost', async (_named, kind) => {
		const { items } = await runPrepared('ScimIntegration', 'create', refuse('POST /api/scim/search', kind));
		expect(items.map(({ json }) => json.token)).toEqual([made()?.token]);
		expect(g.customer.holdings.scim).toHaveLength(2);
	});

	test('creation among many: the ID is of the one with that name', async () => {
		const [seeded] = g.customer.holdings.scim;
		if (!seeded) throw new Error('The customer has no SCIM integration');
		for (let at = 0; at < 150; at++)
			g.customer.holdings.scim.push({ ...seeded, resourceId: `other${at}`, name: `Entra ID ${at}` });
		const { items } = await runPrepared('ScimIntegration', 'create');
		expect(items.map(({ json }) => json.resourceId)).toEqual([made()?.resourceId]);
	});

	test('a renewed token stands at the top of the item', async () => {
		const { items } = await runPrepared('ScimIntegration', 'revokeToken');
		expect(items.map(({ json }) => [json.token, 'results' in json])).toEqual([
			[g.customer.holdings.scim[0]?.token, false],
		]);
	});
});

describe('company groups: a count of the companies, and a list of them beside the contract', () => {
	const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';
	const group = () => g.customer.state.groups[1];

	test.each(WITHOUT(MEMBERS))('get: the list is %s, and the group comes all the same', async (_named, spoil) => {
		const { items } = await runPrepared('CompanyGroup', 'get', spoil);
		expect(items.map(({ json }) => [json.resourceId, json.name, json.companyCount])).toEqual([
			[group()?.resourceId, group()?.name, group()?.companyResourceIdArray.length],
		]);
	});

	test.each(WITHOUT(MEMBERS))(
		'replace participants: the list is %s, and the write is not repeated',
		async (_named, spoil) => {
			const { items } = await runPrepared('CompanyGroup', 'replaceParticipants', spoil);
			expect(items).toHaveLength(1);
			expect(g.service.requests('PUT /api/company-groups/{resourceId}/participants')).toHaveLength(1);
		},
	);

	/** All that a person sees of a run. */
	const seen = ({ items, hints }: Awaited<ReturnType<typeof runPrepared>>) =>
		JSON.stringify([items.map(({ json }) => json), hints]);

	test('replace participants: where they are only added, it is said who stayed', async () => {
		const before = group()?.companyResourceIdArray ?? [];
		const result = await runPrepared('CompanyGroup', 'replaceParticipants');
		const wanted = String(result.prepared.parameters.participantIds).split(',');
		const stayed = g.customer.state.companies.filter(
			({ companyResourceId }) => before.includes(companyResourceId) && !wanted.includes(companyResourceId),
		);
		expect(stayed.length).toBeGreaterThan(1);
		for (const { companyName, companyResourceId } of stayed)
			expect(
				[companyName, companyResourceId].filter((word) => seen(result).includes(JSON.stringify(word).slice(1, -1))),
			).not.toEqual([]);
		expect(seen(result)).toMatch(/stay|still|remain|not removed|added/i);
	});

	test('replace participants: where they are replaced, nobody stayed', async () => {
		g.service.setOptions({ participants: 'replace' });
		const result = await runPrepared('CompanyGroup', 'replaceParticipants');
		expect(seen(result)).not.toMatch(/stay|still|remain|not removed/i);
		expect(
			membersIn(result.items)
				.map(({ companyResourceId }) => companyResourceId)
				.sort(),
		).toEqual([...(group()?.companyResourceIdArray ?? [])].sort());
	});
});

describe('surveys, which are told apart by a type', () => {
	const SURVEY = 2;
	const typed = { reportOptions: { trainingType: 0 } };

	test.each([
		['without a type', {}, 2],
		['with its type', typed, 1],
	])('summary, %s', async (_named, options, tries) => {
		const { id, parameters } = enrolled(g.customer, SURVEY);
		const { items } = await run('TrainingReport', 'getSummary', { ...parameters, ...options });
		expect(items.map(({ json }) => [json.trainingTypeName, json.name])).toEqual([
			['Survey', g.customer.holdings.enrollments.find(({ resourceId }) => resourceId === id)?.name],
		]);
		expect(g.asked.map(({ query }) => query.trainingType).at(-1)).toBe('0');
		expect(g.asked).toHaveLength(tries);
	});

	test.each([
		['without a type', {}],
		['with its type', typed],
	])('interactions, %s: the answers come with fields that nobody lists', async (_named, options) => {
		const { id, parameters } = enrolled(g.customer, SURVEY);
		const people = await g.customer.list(`POST /api/training-reports/${id}/users/search`, { trainingType: 0 });
		const user = people.find(({ status }) => status === 'Completed');
		const { items } = await run('TrainingReport', 'getInteractions', {
			...parameters,
			targetUser: byId(String(user?.targetUserResourceId)),
			...options,
		});
		expect(items.length).toBeGreaterThan(1);
		for (const { json } of items) expect([json.questionText, json.answerText]).toEqual(['How useful was it?', 'Very']);
	});

	test('users of a training, without a type', async () => {
		const { id, parameters } = enrolled(g.customer, 0);
		const { items } = await run('TrainingReport', 'getUsers', { ...parameters, returnAll: true });
		const people = await g.customer.list(`POST /api/training-reports/${id}/users/search`);
		expect(items.map(({ json }) => json.email).sort()).toEqual(people.map(({ email }) => email).sort());
	});

	test('the type of an e-mail event reaches the service', async () => {
		const { parameters } = enrolled(g.customer, 0);
		const [user] = g.customer.holdings.users;
		await run('TrainingReport', 'getInteractions', {
			...parameters,
			targetUser: byId(user?.resourceId ?? ''),
			reportOptions: { emailEventType: 'Opened' },
		});
		expect(g.asked[0]?.query).toEqual({ emailEventType: 'Opened' });
	});
});

describe('a second header with the company', () => {
	const inEnrollments = () => g.asked.filter(({ path }) => path.startsWith('/api/enrollments'));

	test.each(cases.filter(({ node }) => node === 'Enrollment'))('Enrollment: $operation', async ({ operation }) => {
		await runPrepared('Enrollment', operation);
		expect(inEnrollments().length).toBeGreaterThan(0);
		for (const { headers } of inEnrollments()) expect(headers['x-ir-company-id']).toBe(g.customer.companyId);
	});

	test('its name is a setting of the credential', async () => {
		const [type] = await loadCredentialTypes();
		const setting = type?.properties.find(({ default: value }) => /^x-ir-company-id$/i.test(String(value)));
		expect(setting?.displayName).toMatch(/header/i);
		// It is there once more settings are asked for.
		const shown = Object.fromEntries(Object.keys(setting?.displayOptions?.show ?? {}).map((name) => [name, true]));
		const { parameters } = await caseOf('Enrollment', 'send').prepare(g.customer);
		g.service.clearLog();
		const credential = new CredentialStore({
			...g.customer.credential(),
			...shown,
			[setting?.name ?? '']: 'X-Other-Company-Id',
		});
		await runCase(g, { node: 'Enrollment', operation: 'send' }, { parameters }, { credential });
		expect(inEnrollments()).toHaveLength(1);
		for (const { headers } of inEnrollments())
			expect([headers['x-other-company-id'], headers['x-ir-company-id']]).toEqual([g.customer.companyId, undefined]);
	});
});

describe('what is sent', () => {
	test('the timeline of a user has no filter, so none is sent', async () => {
		await runPrepared('Leaderboard', 'exportUserTimeline');
		expect(Object.keys(z.record(z.unknown()).parse(g.asked[0]?.body))).not.toContain('filter');
	});

	test("a reseller's first company, all of it chosen from the platform's own lists", async () => {
		const first = async (key: string, pick: (data: unknown) => unknown) => String(pick(await g.customer.ask(key)));
		const kinds = z
			.array(z.object({ id: z.number(), name: z.string() }))
			.parse(await g.customer.ask('GET /api/codetypes'));
		const codeOf = async (kind: RegExp) => {
			const { id } = kinds.find(({ name }) => kind.test(name)) ?? { id: 0 };
			return await first(
				`GET /api/lookups/${id}`,
				(data) => z.array(z.object({ resourceId: z.string() })).parse(data)[1]?.resourceId,
			);
		};
		const licenseTypeResourceId = await first(
			'GET /api/lookups/licenses',
			(data) =>
				z.object({ licenses: z.array(z.object({ resourceId: z.string() })) }).parse(data).licenses[1]?.resourceId,
		);
		const chosen = {
			industryResourceId: await codeOf(/^industry/i),
			countryResourceId: await codeOf(/^country/i),
			licensePeriodTypeResourceId: await codeOf(/^license period/i),
			preferredLanguageTypeResourceId: await codeOf(/language/i),
		};
		const { items } = await run('Company', 'create', {
			...{
				name: 'First',
				industry: byId(chosen.industryResourceId),
				country: byId(chosen.countryResourceId),
				licenseType: byId(licenseTypeResourceId),
			},
			...{
				licensePeriodType: byId(chosen.licensePeriodTypeResourceId),
				numberOfUsers: 5,
				timeZone: byId('Europe/Istanbul'),
				dateFormat: byId('yyyy-MM-dd'),
				timeFormat: byId('12h'),
			},
			additionalFields: { preferredLanguage: byId(chosen.preferredLanguageTypeResourceId) },
		});
		const id = z.object({ resourceId: z.string() }).parse(items[0]?.json).resourceId;
		expect(g.customer.state.companyDetails[id]).toMatchObject({
			...chosen,
			timeZoneId: 'Europe/Istanbul',
			dateFormat: 'yyyy-MM-dd',
			timeFormat: '12h',
		});
		expect(
			g.customer.state.companies.find(({ companyResourceId }) => companyResourceId === id)?.licenseTypeResourceId,
		).toBe(licenseTypeResourceId);
	});
});

describe('words of the envelope', () => {
	test.each([400, 200])(
		'INPUT_ERROR in PascalCase with a %i is a refusal, in its own words, and nothing is made',
		async (status) => {
			g.service.setOptions({ inputErrorsAs200: status === 200 });
			const { parameters } = await caseOf('ApiClient', 'create').prepare(g.customer);
			const clients = g.customer.holdings.clients.length;
			expect(await failureOf(run('ApiClient', 'create', { ...parameters, roles: ['no-such-role'] }))).toContain(
				'Role is invalid',
			);
			expect(g.customer.holdings.clients).toHaveLength(clients);
		},
	);

	test('a sort and a filter that are refused with a 200 are replaced as well', async () => {
		g.service.setOptions({ inputErrorsAs200: true });
		const jobs = await run(FOLDERS.quishing, 'getManyJobs', { ...g.customer.scoped, returnAll: true });
		expect(jobs.items.length).toBeGreaterThan(1);
		const clients = await run('ApiClient', 'getMany', { ...g.customer.scoped, returnAll: true });
		expect(clients.items.length).toBeGreaterThan(0);
	});

	test('what broke in the service, told in PascalCase, is told on', async () => {
		g.service.fault({ route: 'GET /api/roles', kind: 'status-500', times: Infinity });
		const said = await failureOf(run('Role', 'getMany', g.customer.scoped));
		expect(said).toContain('(500)');
		expect(said).toContain('An unexpected error occurred.');
	});
});

describe('without anything that is beside the contract', () => {
	// What a group's companies are is told above.
	test.each(cases.filter(({ node }) => !['Account', 'CompanyGroup'].includes(node)))(
		'$node: $operation',
		async ({ node, operation }) => {
			const { items, prepared } = await runPrepared(node, operation, switchOff);
			prepared.expect(items);
			expect(items).toHaveLength(prepared.items);
		},
	);
});

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const other = operationFixture(personality);
	const runOther = async (node: string, operation: string, parameters: IDataObject) =>
		(await runCase(other, { node, operation }, { parameters })).items.map(({ json }) => json);

	test('companies due for renewal: from today to the last day, the first to end first', async () => {
		const DAY = 86_400_000;
		const today = Date.parse(new Date().toISOString().slice(0, 10));
		const { companies } = other.customer.state;
		const ends = [-1, 0, 5, 30, 31];
		for (const [at, days] of ends.entries()) {
			const company = companies[at];
			if (company) company.licenseEndDate = new Date(today + days * DAY + DAY / 2).toISOString();
		}
		const items = await runOther('Company', 'getMany', { show: 'renewal', renewalWithinDays: 30, returnAll: true });
		expect(items.map(({ companyName }) => companyName)).toEqual(
			companies.slice(1, 4).map(({ companyName }) => companyName),
		);
	});

	// Where the list says what is a test, it is left out; a live deployment's list does not say it.
	test('enrollments without tests', async () => {
		const { enrollments } = other.customer.holdings;
		const tests = enrollments.filter(({ markedAsTest }) => markedAsTest);
		expect(tests).toHaveLength(1);
		const items = await runOther('Enrollment', 'getMany', {
			...other.customer.scoped,
			returnAll: true,
			excludeTests: true,
		});
		expect(items).toHaveLength(enrollments.length - (personality === 'deployed' ? 0 : 1));
	});

	test('surveys only', async () => {
		const items = await runOther('Enrollment', 'getMany', {
			...other.customer.scoped,
			returnAll: true,
			enrollmentType: 'Survey',
		});
		expect(items.map(({ type, name }) => [type, name])).toEqual(
			other.customer.holdings.enrollments.filter(({ type }) => type === 'Survey').map(({ type, name }) => [type, name]),
		);
	});
});
