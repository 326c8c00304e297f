/** What each limit refuses and what it leaves: every operation, list and trigger, wherever a node can run. */
import { NodeHelpers, type INodeProperties, type INodePropertyOptions, type INodeType } from 'n8n-workflow';
import { byId } from '../../cases';
import { the } from '../../cases/case';
import { CredentialStore, runNode } from '../../n8n-core';
import { share } from '../../setup/depth';
import { numericId } from '../../stand-in/random';
import { set } from 'lodash';
import { attempt, EMPTY, limits, LISTED } from './attempt';
import { CASES, GuardFixture } from './guardFixture';
import { asToolType, CONTEXTS, pick, poll, run } from './steps';

/** In a sample one of so many operations is tried. */
const ONE_IN = 64;

let fixture: GuardFixture;
beforeAll(async () => {
	fixture = await GuardFixture.open('contract');
});
afterAll(async () => await fixture.close());
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const companies = () => ({
	own: fixture.customer.company,
	other: the(fixture.customer.state.companies.find(({ children }) => children.length > 0)),
});
const ids = () => [companies().own.companyResourceId];
const isScoped = (parameters: object, { node, operation }: (typeof CASES)[number]) =>
	('companyScope' in parameters && parameters.companyScope === 'one') || (node === 'Company' && operation === 'get');
/** A number of a company cannot be compared with a list of IDs. */
const isCheckable = ({ operation }: (typeof CASES)[number]) => operation !== 'getNotifications';

describe.each(share(CASES, 0, ONE_IN).map((found) => ({ ...found, found })))('$node: $operation', ({ found }) => {
	test('an empty list of companies: nothing is asked', async () => {
		for (const context of CONTEXTS)
			for (const company of Object.values(companies())) {
				const { said, arrived } = await attempt(fixture, { ...companies(), settings: EMPTY, found, company, context });
				expect([context, arrived, said.error === undefined]).toEqual([context, [], false]);
			}
	});

	test('reading only: a read works, a write is refused and says why', async () => {
		for (const context of CONTEXTS) {
			const { own } = companies();
			const settings = limits({ what: 'readOnly' });
			const { said, wrong, arrived, prepared } = await attempt(fixture, {
				...{ ...companies(), settings, found, company: own, context },
			});
			expect([context, wrong]).toEqual([context, []]);
			if (fixture.isRead(found)) {
				expect([context, said.error]).toEqual([context, undefined]);
				prepared.expect(said.items.map((json) => ({ json })));
			} else {
				expect([context, arrived]).toEqual([context, []]);
				expect(said.error).toMatch(context === 'plain' ? /What It May Do/ : /What It May Do|agent/i);
			}
		}
	});

	test('agents: what is refused to them works for everybody else', async () => {
		for (const agents of ['nothing', 'readOnly'] as const)
			for (const context of CONTEXTS) {
				const { own } = companies();
				const { said, wrong, arrived } = await attempt(fixture, {
					...{ ...companies(), settings: limits({ agents }), found, company: own, context },
				});
				const told = [agents, context];
				expect([...told, wrong]).toEqual([...told, []]);
				const isRead = fixture.isRead(found);
				if (context === 'plain' || (agents === 'readOnly' && isRead))
					expect([...told, said.error]).toEqual([...told, undefined]);
				else if (agents === 'nothing') expect([...told, arrived]).toEqual([...told, []]);
				if (arrived.length === 0 && !isRead && context !== 'plain') expect(said.error).toMatch(/agent/i);
			}
	});

	test('one company: it is served, another is refused, and it is said which field of the credential refuses', async () => {
		for (const context of CONTEXTS) {
			const { own, other } = companies();
			const given = { settings: LISTED, found, own, other, context };
			const allowed = await attempt(fixture, { ...given, company: own });
			expect([context, allowed.wrong]).toEqual([context, []]);
			const scoped = isScoped(allowed.prepared.parameters, found);
			if (scoped && isCheckable(found) && !(fixture.takesAway(found) && context !== 'plain')) {
				expect([context, allowed.said.error]).toEqual([context, undefined]);
				allowed.prepared.expect(allowed.said.items.map((json) => ({ json })));
			}
			const refused = await attempt(fixture, { ...given, company: other });
			expect([context, refused.wrong]).toEqual([context, []]);
			if (!scoped) continue;
			expect([context, refused.arrived, refused.said.error === undefined]).toEqual([context, [], false]);
			if (!(fixture.takesAway(found) && context !== 'plain'))
				expect(refused.said.error).toMatch(/Only These Companies/);
		}
	});

	test("another company's ID, given by an agent, in every field", async () => {
		const { own, other } = companies();
		const stranger = other.companyResourceId;
		for (const { path, type } of fixture.fields(found).filter((field) => field.type !== 'options')) {
			const value =
				type === 'resourceLocator'
					? byId(stranger)
					: type === 'json'
						? JSON.stringify({ companyId: stranger, companyResourceIdArray: [stranger] })
						: type === 'number'
							? numericId(stranger)
							: stranger;
			const { wrong } = await attempt(fixture, {
				...{ settings: LISTED, found, company: own, own, other, context: 'both', form: 'agent' },
				change: (parameters) => set(structuredClone(parameters), path, type === 'multiOptions' ? [stranger] : value),
			});
			expect([path, wrong]).toEqual([path, []]);
		}
	});
});

describe('every company', () => {
	const every = { companyScope: 'every' };
	const scoped = CASES.filter(({ node, operation }) => node !== 'Company' && operation.startsWith('getMany'));

	test.each(share(scoped, 0, ONE_IN / 4))('$node: $operation is asked for each that is listed', async (found) => {
		const wanted = fixture.customer.state.companies.slice(3, 6).map(({ companyResourceId }) => companyResourceId);
		const offers = fixture
			.fields(found)
			.some(({ path, choices }) => path[0] === 'companyScope' && choices.includes('every'));
		if (!offers) return;
		fixture.customer.service.reset();
		fixture.use(LISTED, wanted, '');
		fixture.front.take();
		const step = { context: 'plain', form: 'fixed', continues: false } as const;
		const { items, error } = await run(fixture, { ...found, ...step, parameters: { ...every, returnAll: true } });
		expect(error).toBeUndefined();
		const shown = new Set(items.map(({ companyResourceId }) => companyResourceId));
		expect([...shown].sort()).toEqual([...wanted].sort());
		const asked = fixture.front
			.take()
			.flatMap(({ headers }) => headers.filter(([name]) => name === fixture.known.header));
		expect([...new Set(asked.map(([, id]) => id))].sort()).toEqual([...wanted].sort());
	});

	test('both triggers ask for each that is listed, and for nobody where none is', async () => {
		const wanted = fixture.customer.state.companies.slice(3, 6).map(({ companyResourceId }) => companyResourceId);
		for (const trigger of fixture.triggers) {
			const given = { trigger, parameters: { ...every, triggerOn: 'new' }, staticData: {}, isManual: true };
			fixture.use(LISTED, wanted, '');
			fixture.front.take();
			expect((await poll(fixture, given)).error).toBeUndefined();
			const asked = fixture.front
				.take()
				.flatMap(({ headers }) => headers.filter(([name]) => name === fixture.known.header));
			expect([...new Set(asked.map(([, id]) => id))].sort()).toEqual([...wanted].sort());
			for (const companyScope of ['every', 'own', 'one']) {
				fixture.use(EMPTY, wanted, '');
				const parameters = { triggerOn: 'new', companyScope, company: byId(the(wanted[0])) };
				expect((await poll(fixture, { ...given, parameters })).error).toBeDefined();
				expect(fixture.front.take()).toEqual([]);
			}
		}
	});
});

test('a trigger that is limited later tells the news of those that are left', async () => {
	const { customer, triggers } = fixture;
	const { own } = companies();
	const other = the(customer.state.companies.find(({ companyName }) => companyName === 'Old Mill Bakery'));
	for (const trigger of triggers) {
		customer.service.reset();
		const parameters = { companyScope: 'every', triggerOn: 'new' };
		const given = { trigger, parameters, isManual: false };
		fixture.use(limits({}), ids(), '');
		const { staticData } = await poll(fixture, { ...given, staticData: {} });
		const createTime = new Date().toISOString();
		for (const { companyResourceId } of [own, other]) {
			const holdings = customer.state.of(companyResourceId);
			const news = { createTime, resourceId: `news-of-${companyResourceId}` };
			holdings.enrollments.push({ ...the(holdings.enrollments[0]), ...news });
			holdings.campaigns('phishing').push({ ...the(holdings.campaigns('phishing')[0]), ...news });
		}
		fixture.use(LISTED, ids(), '');
		fixture.front.take();
		const { items, error } = await poll(fixture, { ...given, staticData });
		expect(error).toBeUndefined();
		expect(JSON.stringify(items)).toContain(`news-of-${own.companyResourceId}`);
		expect(JSON.stringify(items)).not.toContain(other.companyResourceId);
		const asked = fixture.front
			.take()
			.flatMap(({ headers }) => headers.filter(([name]) => name === fixture.known.header));
		expect([...new Set(asked.map(([, id]) => id))]).toEqual(ids());
	}
});

describe('the lists of the editor', () => {
	test('companies: those that are listed, whoever they are below and whoever is below them', async () => {
		const { companies: all } = fixture.customer.state;
		const parents = all.filter(({ children }) => children.length > 0);
		const lowest = the(all.find((each) => each.children.length === 0 && !fixture.customer.state.tree.includes(each)));
		const wanted = [the(parents[0]), lowest, companies().own].map(({ companyResourceId }) => companyResourceId).sort();
		fixture.use(LISTED, wanted, companies().other.companyResourceId);
		const methods = fixture.methods.filter((each) => each.method.endsWith('Companies'));
		for (const method of share(methods, 0, ONE_IN / 4)) {
			const { items, error } = await pick(fixture, method, {});
			expect(error).toBeUndefined();
			expect(items.map(({ value }) => value).sort()).toEqual(wanted);
		}
		const step = { node: 'Company', context: 'plain', form: 'fixed', continues: false } as const;
		const listed = await run(fixture, { ...step, operation: 'getMany', parameters: { returnAll: true } });
		expect(listed.items.map(({ companyResourceId }) => companyResourceId).sort()).toEqual(wanted);
		expect(JSON.stringify(listed.items.map(({ children }) => children ?? []))).toBe('[[],[],[]]');
		const first = { returnAll: false, limit: 1, sort: { by: 'Name', direction: 'descending' } };
		const one = await run(fixture, { ...step, operation: 'getMany', parameters: first });
		expect(one.items).toHaveLength(1);
		const { items } = await run(fixture, { ...step, operation: 'getTotalActiveUsers', parameters: {} });
		expect(items).toEqual([expect.objectContaining({ companyCount: wanted.length })]);
	});

	test('no list asks for anything where no company is listed', async () => {
		for (const method of share(fixture.methods, 0, ONE_IN / 2)) {
			fixture.use(EMPTY, ids(), '');
			fixture.front.take();
			for (const companyScope of ['one', 'own', 'every'])
				await pick(fixture, method, { companyScope, company: byId(the(ids()[0])) });
			expect([method.method, fixture.front.take()]).toEqual([method.method, []]);
		}
	});
});

test('credentials side by side, of the same client: each has its own limit', async () => {
	const { other } = companies();
	const stores = [limits({}), LISTED, limits({ what: 'readOnly' })].map((settings) => {
		fixture.use(settings, ids(), other.companyResourceId);
		return new CredentialStore(structuredClone(fixture.store.data));
	});
	const every = { operation: 'getMany', companyScope: 'every', returnAll: true };
	const user = { firstName: 'Zoë', lastName: 'Old', email: 'zoe@old.example', phoneNumber: '1' };
	const created = { operation: 'create', companyScope: 'one', company: byId(other.companyResourceId), ...user };
	const asked = async (credential: CredentialStore) => {
		const { items } = await runNode({ node: fixture.node('TargetGroup'), parameters: every, credential });
		const node = fixture.node('SystemUser');
		const write = runNode({ node, parameters: created, credential }).then(Boolean, () => false);
		return [new Set(items.map(({ json }) => json.companyResourceId)).size, await write];
	};
	const all = fixture.customer.state.companies.length;
	const results = await Promise.all(stores.map(asked));
	expect(results).toEqual([
		[all, true],
		[1, false],
		[all, false],
	]);
});

/** The operations that a node offers, as n8n shows them. */
function offered(node: INodeType): unknown[] {
	const { usableAsTool, ...description } = node.description;
	const isTool = description.name.endsWith('Tool');
	const replaced = isTool && typeof usableAsTool === 'object' ? usableAsTool.replacements : {};
	const shown = { ...description, ...replaced };
	const values = { resource: shown.properties.find(({ name }) => name === 'resource')?.default };
	const isShown = (entry: INodeProperties | INodePropertyOptions) =>
		NodeHelpers.displayParameter(values, entry, { typeVersion: 1 }, shown);
	return shown.properties
		.filter((property) => property.name === 'operation' && isShown(property))
		.flatMap(({ options = [] }) =>
			options.flatMap((entry) => ('value' in entry && isShown(entry) ? [entry.value] : [])),
		);
}

test('an agent is not offered to delete, everybody else is', () => {
	for (const found of CASES.filter((each) => fixture.keys(each).some((key) => key.startsWith('DELETE ')))) {
		const node = fixture.node(found.node);
		expect(offered(node)).toContain(found.operation);
		expect(offered(asToolType(node))).not.toContain(found.operation);
		expect(offered(asToolType(node)).length).toBeGreaterThan(0);
	}
});
