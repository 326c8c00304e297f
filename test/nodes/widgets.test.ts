/** The executive report's widgets, wherever a deployment lists them (contract 4.10; deployment shapes, "Beside the 85"). */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { callLoadOptions } from '../n8n-core';
import { ABSENT, deployment, type Given } from '../stand-in/deployment';
import { closeOdd, failureOf } from '../n8n-core/nodeFixture';

beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	closeOdd();
});

const SEARCH = 'POST /api/executive-report/search';
const METRICS = 'GET /api/executive-report/metrics';
const detail = (id: string) => `GET /api/executive-report/${id}`;
const HOW_TO =
	'This platform does not list its widgets. Leave this empty and run the node: its output has the ID of each widget. Then enter the IDs with an expression.';

/** A report as the deployed search lists it. */
const report = (resourceId: string, name: string): IDataObject => ({
	resourceId,
	companyId: 7,
	name,
	isEditable: true,
	isDeletable: false,
	description: '',
	isSupportManager: false,
});
const widget = (resourceId: string, name: string): IDataObject => ({
	resourceId,
	name,
	description: '',
	widgetType: 'Chart',
	chartType: 'Bar',
	imageUrl: '',
	isSupportManager: true,
});
const REPORTS: Given = { data: [report('report-1', 'Board'), report('report-2', 'Monthly')] };
const OF_METRICS: Given = {
	data: {
		metrics: [
			{ name: 'Phishing', widgets: [widget('w1', 'Clicks'), widget('w2', 'Opens')] },
			{ name: null, widgets: [widget('w3', 'Score')] },
			{ name: 'Empty', widgets: [] },
		],
	},
};
const OF_REPORTS: Record<string, Given> = {
	[detail('report-1')]: {
		data: { ...report('report-1', 'Board'), widgetLayout: '', widgets: [widget('w1', 'Clicks')] },
	},
	[detail('report-2')]: {
		data: { ...report('report-2', 'Monthly'), widgets: [widget('w1', 'Clicks'), widget('w4', 'Trend')] },
	},
};

async function shown(
	routes: Record<string, Given>,
	parameters: IDataObject = { companyScope: 'one', company: { mode: 'id', value: 'customer-1' } },
) {
	const { store, asked } = await deployment(routes);
	const options = callLoadOptions({
		node: new SecurityAwarenessExecutiveReport(),
		credential: store,
		method: 'loadWidgets',
		parameters,
	});
	return { entries: (await options).map(({ name, value }) => [name, value]), asked };
}

test('reports, and metrics: the widgets of each metric, never the reports themselves', async () => {
	const { entries, asked } = await shown({ [SEARCH]: REPORTS, [METRICS]: OF_METRICS, ...OF_REPORTS });
	expect(entries).toEqual([
		['Phishing: Clicks', 'w1'],
		['Phishing: Opens', 'w2'],
		['Score', 'w3'],
	]);
	expect(asked.map(({ route, company }) => `${route} ${company}`)).toEqual([
		`${SEARCH} customer-1`,
		`${METRICS} customer-1`,
	]);
});

test('metrics without any report yet', async () => {
	expect((await shown({ [SEARCH]: { data: [] }, [METRICS]: OF_METRICS })).entries).toHaveLength(3);
});

test.each(ABSENT)('where a platform %s, the widgets of each report, each widget once', async (_how, given) => {
	const { entries, asked } = await shown({ [SEARCH]: REPORTS, ...OF_REPORTS, ...(given ? { [METRICS]: given } : {}) });
	expect(entries).toEqual([
		['Board: Clicks', 'w1'],
		['Monthly: Trend', 'w4'],
	]);
	expect(new Set(asked.map(({ company }) => company))).toEqual(new Set(['customer-1']));
});

test.each(ABSENT)(
	'where a platform %s, and the same of each report: how to find an ID, and no report as a widget',
	async (_how, given) => {
		const { entries, asked } = await shown({
			[SEARCH]: REPORTS,
			...(given ? { [METRICS]: given, [detail('report-1')]: given, [detail('report-2')]: given } : {}),
		});
		expect(entries).toEqual([[HOW_TO, '']]);
		// The first report tells for all of them, unless it answers.
		expect(asked.filter(({ route }) => route.includes('report-2')).length).toBe(0);
	},
);

test('reports that come with their widgets need nothing else', async () => {
	const data = [
		{ ...report('report-1', 'Board'), widgets: [widget('w1', 'Clicks')] },
		{ ...report('report-2', 'Monthly'), widgets: [] },
		{ ...report('report-3', 'Other'), widgets: null },
	];
	const { entries, asked } = await shown({ [SEARCH]: { data }, [METRICS]: OF_METRICS });
	expect(entries).toEqual([['Board: Clicks', 'w1']]);
	expect(asked).toHaveLength(1);
});

test.each(['chartType', 'widgetType', 'widgetId', 'widgetName'])(
	'a search that lists widgets, told by %s, as the contract can be read',
	async (mark) => {
		const { entries, asked } = await shown({
			[SEARCH]: {
				data: [
					{ resourceId: 'a', name: 'A', [mark]: 'a' },
					{ resourceId: 'b', name: 'B' },
				],
			},
			[METRICS]: OF_METRICS,
		});
		expect(entries).toEqual([
			['A', 'a'],
			['B', 'b'],
		]);
		expect(asked).toHaveLength(1);
	},
);

test('records that show neither: widgets, where nothing else is to be had', async () => {
	const data = [
		{ resourceId: 'a', name: 'A' },
		{ resourceId: 'b', name: 'B' },
	];
	expect((await shown({ [SEARCH]: { data } })).entries).toEqual([
		['A', 'a'],
		['B', 'b'],
	]);
	expect((await shown({ [SEARCH]: { data }, [METRICS]: OF_METRICS })).entries).toHaveLength(3);
	expect(
		(await shown({ [SEARCH]: { data }, [detail('a')]: { data: { name: 'A', widgets: [widget('w', 'W')] } } })).entries,
	).toEqual([['A: W', 'w']]);
});

test('of very many reports the first are looked into, and that is said', async () => {
	const many = Array.from({ length: 50 }, (_, at) => `many-${at}`);
	const details = Object.fromEntries(
		many.map((id) => [detail(id), { data: { name: id, widgets: [widget(`w ${id}`, 'W')] } }]),
	);
	const { entries, asked } = await shown({ [SEARCH]: { data: many.map((id) => report(id, id)) }, ...details });
	expect(entries).toEqual([
		...many.slice(0, 20).map((id) => [`${id}: W`, `w ${id}`]),
		['The widgets of 30 more reports are not shown: enter their IDs with an expression', ''],
	]);
	expect(asked).toHaveLength(22);
});

test('trouble that may pass is told, rather than half a list', async () => {
	const { store } = await deployment({ [SEARCH]: REPORTS, ...OF_REPORTS, [detail('report-2')]: { status: 503 } });
	const error = await failureOf(
		callLoadOptions({
			node: new SecurityAwarenessExecutiveReport(),
			credential: store,
			method: 'loadWidgets',
			parameters: { companyScope: 'own' },
		}),
	);
	expect(error.message).toBe('Could not list what can be chosen as widget: the service is having trouble (503)');
});
