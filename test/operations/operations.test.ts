/** Every operation, run in n8n's engine against both personalities of the service. */
import { readBinary, runNode } from '../harness';
import { cases } from './cases';
import { ground, itemWith, PERSONALITIES } from './ground';

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = ground(personality);

	test.each(cases)('$node: $operation', async ({ node, operation, isFile, prepare }) => {
		const run = await prepare(g.visitor);
		g.service.clearLog();
		const { items } = await runNode({
			node: g.node(node),
			parameters: { operation, ...run.parameters },
			credential: g.credential,
			items: [await itemWith(run.files)],
		});

		run.expect(items);
		expect(items).toHaveLength(run.items);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(items.map(() => (isFile ? ['data'] : [])));

		const { contract, scope } = g.operation(node, operation);
		// Composites ask side by side.
		expect(g.asked.map(({ route }) => route).sort()).toEqual((run.requests ?? [contract]).sort());
		expect(g.asked.filter(({ route, status }) => route !== 'unknown' && status >= 300)).toEqual([]);
		expect(g.asked.map(({ companyId }) => companyId)).toEqual(g.asked.map(() => (scope === 'credential' ? undefined : g.visitor.companyId)));

		if (run.rows !== undefined) {
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + run.rows);
		}
	});
});
