/** Every operation, run in n8n's engine against every personality of the service. */
import { readBinary } from '../harness';
import { cases } from './cases';
import { askedOtherwise } from './cases/asked';
import { ground, PERSONALITIES, runCase } from './ground';

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = ground(personality);

	test.each(cases)('$node: $operation', async (each) => {
		const { node, operation, isFile } = each;
		const run = await each.prepare(g.visitor);
		g.service.clearLog();
		const { items } = await runCase(g, each, run);

		run.expect(items);
		expect(items).toHaveLength(run.items);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(items.map(() => (isFile ? ['data'] : [])));

		const { contract, scope } = g.operation(node, operation);
		expect(askedOtherwise(g.asked, { ...run, requests: run.requests ?? [contract ?? ''] })).toEqual({ missing: [], unexpected: [], refused: [] });
		expect(g.asked.map(({ companyId }) => companyId)).toEqual(g.asked.map(() => (scope === 'credential' ? undefined : g.visitor.companyId)));

		if (run.rows !== undefined) {
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + run.rows);
		}
	});
});
