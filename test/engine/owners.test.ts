/** Records of another company than the one that was asked for, as from a platform that knows another company header. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { hintsOf, jsonOf, nodeFixture, type NodeClass } from '../n8n-core/nodeFixture';
import { deployment, type Given } from '../stand-in/deployment';

const b = nodeFixture({ companies: 1 });
const company = (id: string, children: IDataObject[] = []) => ({
	companyResourceId: id,
	companyName: `Company ${id}`,
	children,
});
const COMPANIES = [company('A', [company('A1')]), company('B'), company('C')];
const ENROLLMENTS = 'POST /api/enrollments/search';
const GROUPS = 'POST /api/target-groups/search/current-company';
const TRAININGS = 'POST /api/trainings/search';
const page = (results: IDataObject[]) => ({ results, totalNumberOfRecords: results.length, totalNumberOfPages: 1 });
/** A record with so many fields that 'Simplified' leaves out whose it is. */
const enrollment = (id: string, companyResourceId?: string): IDataObject => ({
	...{ enrollmentId: id, name: id, trainingName: id, status: 'Sent', startDate: null, dueDate: null, type: 'x' },
	...{ createTime: null, markedAsTest: false, trainingId: id, resourceId: id, category: 'x', level: 'x' },
	...(companyResourceId === undefined ? {} : { companyResourceId }),
});

async function run(node: NodeClass, route: string, rows: Given, parameters: IDataObject = {}, typeVersion?: number) {
	const { store } = await deployment({
		'POST /api/companies/search': { data: page(COMPANIES) },
		[route]: rows,
	});
	const result = await b.run(
		node,
		{ operation: 'getMany', companyScope: 'every', returnAll: true, ...parameters },
		{ store, ...(typeVersion === undefined ? {} : { typeVersion }) },
	);
	const stamps = jsonOf(result.items).map(({ companyResourceId, companyName }) => [companyResourceId, companyName]);
	return { stamps, hints: hintsOf(result).filter((hint) => hint.includes('Company Header Name')) };
}
const one = (value: string) => ({ companyScope: 'one', company: { __rl: true, mode: 'id', value } });
const ofAll = [enrollment('1', 'A1'), enrollment('2', 'B')];

test('a record keeps the company that it names itself, with the name of that company', async () => {
	const { stamps, hints } = await run(SecurityAwarenessEnrollment, ENROLLMENTS, { data: page(ofAll) });
	const own = [
		['A1', 'Company A1'],
		['B', 'Company B'],
	];
	expect(stamps).toEqual([...own, ...own, ...own, ...own]);
	// B's for A, and both for A1, B and C where they are not of it: the record of A1 is rightly in the list of its parent.
	expect(hints).toEqual([
		expect.stringMatching(/^All 4 companies that have results have exactly the same: 2 results\./),
		expect.stringMatching(
			/^5 results name another company than .+: one is of 'Company B' and was returned for 'Company A'\. Your/,
		),
	]);
});

test('a workflow of version 1 has the items that it had, and the hints', async () => {
	const { stamps, hints } = await run(SecurityAwarenessEnrollment, ENROLLMENTS, { data: page(ofAll) }, {}, 1);
	expect(stamps.slice(0, 2)).toEqual([
		['A', 'Company A'],
		['A', 'Company A'],
	]);
	expect(hints).toHaveLength(2);
});

test('One Company: a list that was not read says nothing of child companies', async () => {
	const { stamps, hints } = await run(SecurityAwarenessEnrollment, ENROLLMENTS, { data: page(ofAll) }, one('b'));
	expect(stamps).toEqual([
		['A1', undefined],
		['b', undefined],
	]);
	expect(hints).toEqual([expect.stringMatching(/^1 result names another company .+ may rightly have records/)]);
});

test('records that only have the name of a company get the ID of no other', async () => {
	const groups = page(['A', 'B'].map((id) => ({ resourceId: `group ${id}`, companyName: `company  ${id}` })));
	const every = await run(SecurityAwarenessTargetGroup, GROUPS, { data: groups });
	expect(new Set(every.stamps.map(String))).toEqual(new Set(['A,company  A', 'B,company  B']));
	const single = await run(SecurityAwarenessTargetGroup, GROUPS, { data: groups }, one('B'));
	expect(single.stamps).toEqual([
		[undefined, 'company  A'],
		[undefined, 'company  B'],
	]);
	expect(single.hints).toHaveLength(1);
});

test('the same records for every company: a hint, although no record names a company', async () => {
	const rows = page([enrollment('2'), enrollment('1')]);
	const { stamps, hints } = await run(SecurityAwarenessEnrollment, ENROLLMENTS, ({ company: id }) =>
		id === 'C' ? page([]) : rows,
	);
	expect(new Set(stamps.map(String))).toEqual(new Set(['A,Company A', 'A1,Company A1', 'B,Company B']));
	expect(hints).toEqual([expect.stringMatching(/^All 3 companies that have results .+ 2 results/)]);
});

test.each<[string, NodeClass, string, Given]>([
	[
		'records of its own',
		SecurityAwarenessEnrollment,
		ENROLLMENTS,
		({ company: id }) => page([enrollment(`${id}`, id)]),
	],
	['no records', SecurityAwarenessEnrollment, ENROLLMENTS, { data: page([]) }],
	['records without an ID', SecurityAwarenessTargetGroup, GROUPS, { data: page([{ name: 'All Users' }]) }],
	['what all companies share', SecurityAwarenessTraining, TRAININGS, { data: page([{ trainingId: '1', name: 'x' }]) }],
])('each company has %s: no hint', async (_what, node, route, rows) => {
	expect((await run(node, route, rows)).hints).toEqual([]);
});
