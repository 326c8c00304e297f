/** Lists of companies with a credential that may be used for some of them only: what comes back, and what it tells. */
import type { IDataObject } from 'n8n-workflow';
import { callListSearch, callLoadOptions, CredentialStore } from '../n8n-core';
import { operationFixture, PERSONALITIES, runCase, type OperationFixture } from '../cases/operationFixture';
import { byId } from '../cases';

const limited = (g: OperationFixture, ids: string[], more: IDataObject = {}) =>
	new CredentialStore({
		...g.customer.credential(),
		onlyTheseCompanies: true,
		companyIds: ids.join(', '),
		...(typeof more.enrollmentHeaderName === 'string' ? { enrollmentHeaderName: more.enrollmentHeaderName } : {}),
	});

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality, { companies: 120 });

	/** A company with children, one of its children, and a company of the last page without any. */
	function family() {
		const { companies } = g.customer.state;
		const parent = companies.find(({ children }) => children.length > 0);
		const child = parent?.children[0];
		const last = companies.findLast(
			({ companyResourceId, children }) =>
				children.length === 0 &&
				!companies.some((each) => each.children.some((one) => one.companyResourceId === companyResourceId)),
		);
		if (!parent || !child || !last) throw new Error('The stand-in has no such companies');
		return { parent: parent.companyResourceId, child: child.companyResourceId, last: last.companyResourceId };
	}

	async function listed(ids: string[], parameters: IDataObject = {}) {
		g.service.clearLog();
		const run = await runCase(
			g,
			{ node: 'Company', operation: 'getMany' },
			{ parameters: { returnAll: true, output: 'raw', ...parameters } },
			{ credential: limited(g, ids) },
		);
		return { ...run, jsons: run.items.map(({ json }) => json) };
	}

	const nothingOfOthers = (told: unknown, allowed: string[]) => {
		const text = JSON.stringify(told);
		for (const { companyResourceId, companyName } of g.customer.state.companies) {
			if (allowed.includes(companyResourceId)) continue;
			expect(text).not.toContain(companyResourceId);
			if (companyName) expect(text).not.toContain(`"${companyName}"`);
		}
	};

	test('a search gives the companies that are listed, from all pages, and says nothing of others', async () => {
		const { parent, last } = family();
		const { jsons, hints, messages } = await listed([last, parent], { options: { pageSize: 25 } });
		expect(jsons.map(({ companyResourceId }) => companyResourceId).sort()).toEqual([last, parent].sort());
		nothingOfOthers(jsons, [last, parent]);
		expect(hints).toEqual([]);
		expect(messages).toEqual([]);
		expect(g.asked.length).toBeGreaterThan(3);
	});

	test('a child comes without its parent, a parent without its child', async () => {
		const { parent, child } = family();
		for (const splitChildren of [true, false]) {
			const own = await listed([child], { splitChildren });
			expect(own.jsons.map(({ companyResourceId }) => companyResourceId)).toEqual([child]);
			nothingOfOthers(own.jsons, [child]);
			const above = await listed([parent], { splitChildren });
			expect(above.jsons.map(({ companyResourceId }) => companyResourceId)).toEqual([parent]);
			nothingOfOthers(above.jsons, [parent]);
			const both = await listed([parent, child], { splitChildren });
			nothingOfOthers(both.jsons, [parent, child]);
			expect(JSON.stringify(both.jsons)).toContain(child);
			expect(both.jsons).toHaveLength(splitChildren ? 2 : 1);
		}
	});

	test('a limit is one of the companies that are listed', async () => {
		const { parent, last, child } = family();
		const ids = [parent, last, child];
		const { jsons } = await listed(ids, { returnAll: false, limit: 2, options: { pageSize: 10 } });
		expect(jsons).toHaveLength(2);
		for (const { companyResourceId } of jsons) expect(ids).toContain(companyResourceId);
	});

	test('a company that the service does not list is not there, without a word on how many others are', async () => {
		const { jsons, hints } = await listed(['no-such-company']);
		expect(jsons).toEqual([]);
		nothingOfOthers(hints, []);
		expect(JSON.stringify(hints)).not.toMatch(/\d/);
	});

	test('the sum of users is that of the listed companies', async () => {
		const { parent, last } = family();
		const { items } = await runCase(
			g,
			{ node: 'Company', operation: 'getTotalActiveUsers' },
			{ parameters: {} },
			{ credential: limited(g, [parent, last]) },
		);
		const users = g.customer.state.companies
			.filter(({ companyResourceId }) => [parent, last].includes(companyResourceId))
			.map(({ monthlyActiveUserCount }) => Number(monthlyActiveUserCount));
		expect(items[0]?.json).toMatchObject({
			totalMonthlyActiveUserCount: users.reduce((sum, each) => sum + each, 0),
			companyCount: 2,
		});
	});

	test('Every Company means these', async () => {
		const { parent, child, last } = family();
		g.service.clearLog();
		const { items } = await runCase(
			g,
			{ node: 'TargetGroup', operation: 'getMany' },
			{ parameters: { companyScope: 'every', returnAll: true } },
			{ credential: limited(g, [last, child]) },
		);
		const named = g.asked.filter(({ route }) => route !== 'POST /api/companies/search');
		expect(new Set(named.map(({ companyId }) => companyId))).toEqual(new Set([last, child]));
		expect(named.length).toBeGreaterThan(1);
		nothingOfOthers(
			items.map(({ json }) => json),
			[last, child],
		);
		expect(named.some(({ companyId }) => companyId === parent)).toBe(false);
	});

	test('lists in the editor have these only, in one go', async () => {
		const { parent, last } = family();
		const options = { node: g.node('TargetGroup'), parameters: {}, credential: limited(g, [parent, last]) };
		const { results, paginationToken } = await callListSearch({ ...options, method: 'searchCompanies' });
		expect(results.map(({ value }) => value).sort()).toEqual([parent, last].sort());
		expect(paginationToken).toBeUndefined();
		const members = await callLoadOptions({ ...options, node: g.node('CompanyGroup'), method: 'loadCompanies' });
		expect(members.map(({ value }) => value).sort()).toEqual([parent, last].sort());
	});

	test('a company is shown without its parent and its children, another one not at all', async () => {
		const { parent, child } = family();
		const get = async (id: string) =>
			await runCase(
				g,
				{ node: 'Company', operation: 'get' },
				{ parameters: { company: byId(id), output: 'raw' } },
				{ credential: limited(g, [parent]) },
			);
		const { items } = await get(parent);
		expect(JSON.stringify(items[0]?.json)).toContain(parent);
		nothingOfOthers(items[0]?.json, [parent]);
		expect(Object.keys(items[0]?.json ?? {}).filter((name) => /^(parent|child)/i.test(name))).toEqual([]);
		g.service.clearLog();
		const variants = [
			child,
			parent.toUpperCase(),
			` ${child} `,
			`${parent}%00`,
			`%${parent}`,
			'my',
			'MY',
			`${parent},${child}`,
		];
		for (const id of variants.filter((each) => each !== parent))
			await expect(get(id)).rejects.toThrow(/'Only These Companies' is on/);
		expect(g.asked).toEqual([]);
	});

	test("the credential's own company is one of them only if its token says so", async () => {
		const { companyAdmin } = g.service.clients;
		const own =
			g.customer.state.clients.find(({ clientId }) => clientId === companyAdmin.clientId)?.companyResourceId ?? '';
		const admin = (companyIds: string) =>
			new CredentialStore({ ...g.customer.credential('companyAdmin'), onlyTheseCompanies: true, companyIds });
		const run = async (credential: CredentialStore, node: string, operation: string, parameters: IDataObject = {}) => {
			g.service.clearLog();
			return await runCase(g, { node, operation }, { parameters }, { credential });
		};
		const scope = { companyScope: 'own', returnAll: true };
		expect((await run(admin(own), 'TargetGroup', 'getMany', scope)).items.length).toBeGreaterThan(0);
		expect((await run(admin(own), 'Company', 'getOwn', { output: 'raw' })).items).toHaveLength(1);
		for (const store of [admin(family().last), limited(g, [g.customer.state.reseller.companyResourceId])]) {
			await expect(run(store, 'TargetGroup', 'getMany', scope)).rejects.toThrow(/it names no company/);
			expect(g.asked).toEqual([]);
			await expect(run(store, 'Company', 'getOwn')).rejects.toThrow(/about the credential's own company/);
			expect(g.asked).toEqual([]);
			const [access] = (await run(store, 'Account', 'checkAccess')).items;
			if (store.data.companyIds !== g.customer.state.reseller.companyResourceId)
				expect(access?.json).toMatchObject({ companyResourceId: null, companyName: null });
		}
	});
});
