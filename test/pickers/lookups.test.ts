/** The lists that a live deployment has beside the contract: chosen from there, typed where there is none. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationFixture, PERSONALITIES, type OperationFixture } from '../cases/operationFixture';
import { LOOKUPS, type Lookup } from './lookups';
import { open, print, sorted, tell } from './open';

const formOf = (g: OperationFixture, { fields, isScoped }: Pick<Lookup, 'fields' | 'isScoped'>): IDataObject => ({
	...(isScoped ? g.customer.scoped : {}),
	...fields?.(g.customer),
});

/** Whoever opens the list is told how to give the value without it: by the mode of the field, or in another field. */
async function isTyped(g: OperationFixture, lookup: Lookup, named: string): Promise<void> {
	const shown = await open(g, lookup, formOf(g, lookup));
	tell(named, lookup, shown);
	if (lookup.otherwise) {
		expect(sorted(shown)).toEqual(sorted(lookup.otherwise(g.customer)));
		return;
	}
	expect(shown.map(({ value }) => value)).toEqual(['']);
	expect(shown[0]?.name).toMatch(
		/^This platform does not list .*(choose 'By ID' and enter|enter (it|them|their IDs) in '[A-Z])/,
	);
}

afterAll(print);

describe.each(PERSONALITIES.filter(({ personality }) => personality !== 'deployed'))(
	'$named',
	({ personality, named }) => {
		const g = operationFixture(personality);

		test.each(LOOKUPS)('$node, $method: there is no such list', async (lookup) => {
			await lookup.make?.(g.customer);
			await isTyped(g, lookup, named);
		});
	},
);

describe('a live deployment', () => {
	const g = operationFixture('deployed');
	afterEach(() => g.service.setOptions({ helpers: true }));

	test.each(LOOKUPS)('$node, $method: all there is, with names', async (lookup) => {
		await lookup.make?.(g.customer);
		const expected = await lookup.entries(g.customer);
		expect(expected.length).toBeGreaterThan(0);
		g.service.clearLog();
		const shown = await open(g, lookup, formOf(g, lookup));
		tell('a live deployment', lookup, shown);
		expect(sorted(shown)).toEqual(sorted(expected));
		expect(g.asked.map(({ route, companyId }) => `${route} ${companyId}`)).toEqual(
			lookup.helpers.map((route) => `${route} ${lookup.isScoped ? g.customer.companyId : undefined}`),
		);
	});

	test.each(LOOKUPS.filter(({ several }) => !several))('$node, $method: search', async (lookup) => {
		await lookup.make?.(g.customer);
		const [first] = await lookup.entries(g.customer);
		const word = first?.name.slice(0, 3).toUpperCase() ?? '';
		const shown = await open(g, lookup, formOf(g, lookup), word);
		expect(shown.map(({ value }) => value)).toContain(first?.value);
		expect(shown.filter(({ name }) => !name.toUpperCase().includes(word))).toEqual([]);
		expect(await open(g, lookup, formOf(g, lookup), 'there is no such thing')).toEqual([]);
	});

	test.each(LOOKUPS)('$node, $method: switched off', async (lookup) => {
		await lookup.make?.(g.customer);
		g.service.setOptions({ helpers: false });
		await isTyped(g, lookup, 'a live deployment without these lists');
	});

	test.each(LOOKUPS)('$node, $method: not allowed', async (lookup) => {
		await lookup.make?.(g.customer);
		for (const route of lookup.helpers) g.service.fault({ route, kind: 'forbidden-company', times: Infinity });
		await isTyped(g, lookup, 'a live deployment that refuses these lists');
	});

	test('widgets: where no list of them is, it says how to find an ID', async () => {
		g.service.setOptions({ helpers: false });
		const shown = await open(g, { node: 'ExecutiveReport', method: 'loadWidgets', several: true }, g.customer.scoped);
		tell('a live deployment without these lists', { node: 'ExecutiveReport', method: 'loadWidgets' }, shown);
		expect(shown.map(({ value }) => value)).toEqual(['']);
		expect(shown[0]?.name).toContain('This platform does not list its widgets');
		// The IDs of reports are no IDs of widgets.
		const reports = await g.customer.list('POST /api/executive-report/search');
		expect(shown.filter(({ value }) => reports.some(({ resourceId }) => resourceId === value))).toEqual([]);
	});

	test('widgets: without the list of metrics, those of the reports', async () => {
		g.service.fault({ route: 'GET /api/executive-report/metrics', kind: 'forbidden-company', times: Infinity });
		const [report] = (await g.customer.list('POST /api/executive-report/search')).slice(-1);
		const widgets = z
			.object({ widgets: z.array(z.object({ resourceId: z.string(), name: z.string() })) })
			.parse(await g.customer.ask(`GET /api/executive-report/${String(report?.resourceId)}`)).widgets;
		const shown = await open(g, { node: 'ExecutiveReport', method: 'loadWidgets', several: true }, g.customer.scoped);
		expect(new Set(shown.map(({ value }) => value))).toEqual(new Set(widgets.map(({ resourceId }) => resourceId)));
		for (const { resourceId, name } of widgets)
			expect(shown.find(({ value }) => value === resourceId)?.name).toContain(name);
	});

	// 0 is a survey; which other numbers there are is told at run time, if at all.
	test.each(['searchTrainingTypes', 'searchTrainingTypeNumbers'])(
		'training types (%s) are no statuses of exams or of people',
		async (method) => {
			const { ExamStatus, UserStatus } = z
				.record(z.array(z.object({ displayName: z.string() })))
				.parse(await g.customer.ask('GET /api/training-reports/form-details'));
			const statuses = [...(ExamStatus ?? []), ...(UserStatus ?? [])].map(({ displayName }) => displayName);
			const shown = await open(g, { node: 'TrainingReport', method }, g.customer.scoped);
			tell('a live deployment', { node: 'TrainingReport', method }, shown);
			expect(statuses.length).toBeGreaterThan(0);
			expect(shown.filter(({ name }) => statuses.some((status) => name.endsWith(status)))).toEqual([]);
			if (shown.some(({ value }) => value !== ''))
				expect(shown.filter(({ name }) => /survey/i.test(name))).not.toEqual([]);
		},
	);
});
