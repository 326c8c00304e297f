import { z } from 'zod';
import { parseWithSchema, requireFound, createNotFoundError } from '../envelope';
import { markOutsideContract, okResponse, defineReadRoute, type RouteCall, type Route, type JsonObject } from '../http';
import { drawInteger, makeNumericId, createRandom, makeShortId } from '../random';
import { checkPeriodOrder, periodFields } from '../routes/leaderboard';

const WIDGET_NAMES_BY_METRIC: Record<string, readonly string[]> = {
	Risk: ['Security Score', 'Phishing Prone Percentage'],
	Behaviour: ['Top Reporters', 'Campaign Trend', 'Most Clicked Scenarios'],
	Training: ['Training Completion'],
};

interface Widget {
	resourceId: string;
	name: string;
	description: string;
	chartType: string;
	widgetType: string;
}

const buildWidgets = (widgetNames: readonly string[]): Widget[] =>
	widgetNames.map((name, index) => ({
		resourceId: makeShortId(`widget ${name}`),
		name,
		description: `Shows: ${name}`,
		chartType: index % 2 === 0 ? 'Bar' : 'Line',
		widgetType: 'Chart',
	}));

const ALL_WIDGETS = Object.values(WIDGET_NAMES_BY_METRIC).flatMap(buildWidgets);

const METRICS: JsonObject = {
	metrics: Object.entries(WIDGET_NAMES_BY_METRIC).map(([name, names]) => ({
		name,
		widgets: buildWidgets(names).map((widget) => ({
			...widget,
			imageUrl: `https://cdn.awareness.example/widgets/${widget.resourceId}.png`,
			isSupportManager: false,
		})),
	})),
};

/** Returns a copy of a widget with the data of the company that the request names. */
function addWidgetData(widget: Widget, { companyData }: RouteCall): JsonObject {
	const random = createRandom(`${widget.name} ${companyData.company.companyResourceId}`);
	const buildPoint = (label: string): JsonObject => ({
		value: drawInteger(random, 0, 100),
		label,
		name: widget.name,
		annotations: null,
	});
	const widgetData = {
		date: '2026-01-01T00:00:00.000Z',
		dataObject: null,
		values: ['Q1', 'Q2'].map(buildPoint),
		tableValues: [{ Q1: 1 }],
		tableDefinitions: [{ label: 'Quarter 1', name: 'Q1' }],
	};
	return { ...widget, widgetDatas: [widgetData] };
}

const REPORT_NAMES = ['Board Report', 'Monthly Overview'] as const;

/** Lists the executive reports of a company. */
export function listReports({ companyData }: RouteCall): JsonObject[] {
	const { companyResourceId } = companyData.company;
	return REPORT_NAMES.map((name) => ({
		resourceId: makeShortId(`report ${companyResourceId} ${name}`),
		companyId: makeNumericId(companyResourceId),
		name,
		isEditable: true,
		isDeletable: true,
		description: `${name} of the company`,
		isSupportManager: false,
	}));
}

/** Builds the record of a report with its widgets and their data. */
function buildReport(call: RouteCall): JsonObject {
	const { resourceId, companyId, name, description, isSupportManager } = requireFound(
		listReports(call).find((entry) => entry.resourceId === call.params.resourceId),
		'executive report',
	);
	const widgets = name === REPORT_NAMES[0] ? ALL_WIDGETS.slice(0, 3) : ALL_WIDGETS;
	return {
		resourceId,
		companyId,
		name,
		companyName: call.companyData.company.companyName,
		description,
		dateCreated: '2025-12-01T08:00:00.000Z',
		widgetLayout: null,
		widgets: widgets.map((widget) => addWidgetData(widget, call)),
		datePeriod: 'LastYear',
		dateRange: null,
		startDate: null,
		endDate: null,
		isSupportManager,
	};
}

/** The schema of a period, given by its name or its number (deployment activity 3). */
const datePeriodSchema = z.union([z.string(), z.number().int().min(0).max(5)]).nullish();
const widgetSchema = z
	.object({ widgetIds: z.array(z.string()).nullish(), ...periodFields, datePeriod: datePeriodSchema })
	.passthrough();

function buildWidgetData(call: RouteCall): JsonObject[] {
	const body = parseWithSchema(widgetSchema, call.json);
	checkPeriodOrder(body);
	const ids = body.widgetIds ?? ALL_WIDGETS.map(({ resourceId }) => resourceId);
	return ids.map((id) => {
		const widget = ALL_WIDGETS.find(({ resourceId }) => resourceId === id);
		if (!widget) throw createNotFoundError(`widget ${id}`);
		return addWidgetData(widget, call);
	});
}

export function reportRoutes(): Route[] {
	const path = '/api/executive-report';
	const routeDefaults = { access: 'any', bodyType: 'json' } as const;
	return [
		{
			...routeDefaults,
			key: `POST ${path}/search`,
			handle(call) {
				const { name } = parseWithSchema(z.object({ name: z.string().nullish() }).passthrough(), call.json);
				const searchText = (name ?? '').toLowerCase();
				return okResponse(listReports(call).filter((report) => String(report.name).toLowerCase().includes(searchText)));
			},
		},
		{ ...routeDefaults, key: `POST ${path}/get-widget-datas`, handle: (call) => okResponse(buildWidgetData(call)) },
		markOutsideContract(defineReadRoute(`GET ${path}/metrics`, () => METRICS)),
		markOutsideContract(defineReadRoute(`GET ${path}/{resourceId}`, buildReport)),
	];
}
