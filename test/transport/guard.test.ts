/**
 * Every operation with a limited credential. What was sent is read from the stand-in service: a refused operation sends
 * nothing, not even a request for a token.
 */
import { omit } from 'lodash';
import { CredentialStore, runTool } from '../n8n-core';
import { cases, type Case, type Run } from '../cases';
import { operationFixture, PERSONALITIES, runCase, shareOf, type OperationFixture } from '../cases/operationFixture';
import { RULES } from '../../nodes/shared/transport/guard/rules';

type Limits = Record<string, string | boolean>;

const limited = (g: OperationFixture, limits: Limits) => new CredentialStore({ ...g.customer.credential(), ...limits });

/** What the operation of a case does, by the requests that its run sends. */
const rulesOf = ({ node, operation }: Case, run: Run, g: OperationFixture) => {
	const { contract, steps } = g.operation(node, operation);
	const keys = [contract, ...(steps ?? []).map((step) => step.contract), ...(run.requests ?? [])];
	return keys.flatMap((key) => (key === null ? [] : (RULES.get(key) ?? [])));
};

/** Runs a case after its preparation, and expects what is right for it. */
async function expectRefused(g: OperationFixture, ran: Promise<unknown>, words: RegExp): Promise<void> {
	const error: unknown = await ran.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	const text = error instanceof Error ? error.message : String(error);
	expect(text).toMatch(words);
	expect(text).toMatch(/^Could not .+: /);
	for (const { companyName, companyResourceId } of g.customer.state.companies) {
		if (companyName) expect(text).not.toContain(companyName);
		expect(text).not.toContain(companyResourceId);
	}
	expect(g.service.log).toEqual([]);
}

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality);
	const some = shareOf(personality, cases, 4);

	async function prepared(each: Case, asTool = false): Promise<Run> {
		const run = await each.prepare(g.customer, asTool);
		g.service.clearLog();
		return run;
	}

	test.each(some)('read only: $node $operation', async (each) => {
		const run = await prepared(each);
		const ran = runCase(g, each, run, { credential: limited(g, { whatItMayDo: 'readOnly' }) });
		if (!g.operation(each.node, each.operation).reads)
			return await expectRefused(g, ran, /credential only allows reading.*'What It May Do' is 'Read Only'/s);
		const { items } = await ran;
		run.expect(items);
		expect(g.asked.filter(({ route }) => RULES.get(route)?.effect !== 'read')).toEqual([]);
	});

	test.each(some)('its own company: $node $operation', async (each) => {
		const { operation } = each;
		const run = await prepared(each);
		const store = limited(g, { onlyTheseCompanies: true, companyIds: g.customer.companyId });
		// The platform's number of a company cannot be compared with its ID, so it is refused.
		const parameters = omit(run.parameters, 'reportOptions.companyId');
		const ran = runCase(g, each, { ...run, parameters }, { credential: store });
		const rules = rulesOf(each, run, g);
		if (rules.some(({ binding }) => ['none', 'members'].includes(binding)))
			return await expectRefused(g, ran, /'Only These Companies' is on/);
		if (rules.some(({ binding }) => binding === 'own')) {
			// Whose the credential is can only be known from its token.
			await expect(ran).rejects.toThrow(
				/is not known to be one that the credential may be used for|it names no company/,
			);
			return expect(g.asked).toEqual([]);
		}
		const { items } = await ran;
		// The cases of lists of companies expect others too; guardCompanies.test.ts has those.
		if (!rules.some(({ binding }) => binding === 'list') && operation !== 'checkAccess') run.expect(items);
		expectOnly(g, [g.customer.companyId]);
	});

	test.each(some)('another company: $node $operation', async (each) => {
		const run = await prepared(each);
		const other = g.customer.state.companies.find(
			({ companyResourceId }) => companyResourceId !== g.customer.companyId,
		);
		const store = limited(g, { onlyTheseCompanies: true, companyIds: other?.companyResourceId ?? '' });
		await runCase(g, each, run, { credential: store }).catch((error: unknown) => {
			if (!/is on|No company matches/.test(String(error))) throw error;
		});
		expectOnly(g, [other?.companyResourceId ?? '']);
		expect(g.asked.filter(({ landed }) => landed)).toEqual([]);
	});

	test.each(some)('a filter left empty: $node $operation', async (each) => {
		const run = await prepared(each);
		for (const companyIds of ['', ' , \n', '*', `${g.customer.companyId}, a/b`]) {
			const store = limited(g, { onlyTheseCompanies: true, companyIds });
			await expectRefused(
				g,
				runCase(g, each, run, { credential: store }),
				/'Company IDs' is empty or has something in it/,
			);
		}
	});

	test.each(some)('agents: $node $operation', async (each) => {
		const run = await prepared(each, true);
		const call = async (limits: Limits) =>
			await runTool({
				node: g.node(each.node),
				parameters: { operation: each.operation, ...run.parameters },
				credential: limited(g, limits),
			});
		await expectRefused(g, call({ agents: 'nothing' }), /credential is not for AI agents/);
		const rules = rulesOf(each, run, g);
		if (rules.some(({ effect }) => effect === 'delete'))
			await expectRefused(g, call({}), /an AI agent may not delete or revoke anything/);
		else if (g.operation(each.node, each.operation).reads) await call({ agents: 'readOnly' });
		else await expectRefused(g, call({ agents: 'readOnly' }), /allows AI agents only to read/);
		expect(g.asked.filter(({ landed }) => landed)).toEqual([]);
	});
});

/** Every request named one of these companies, or was the list of companies. */
function expectOnly(g: OperationFixture, ids: string[]): void {
	for (const { route, companyId, path } of g.asked) {
		const rule = RULES.get(route);
		if (rule?.binding === 'list') continue;
		expect({ route, named: companyId ?? decodeURIComponent(path.split('/').at(-1) ?? '') }).toEqual({
			route,
			named: ids[0],
		});
	}
}
