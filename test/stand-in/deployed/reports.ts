import { z } from 'zod';
import { check, found, missing } from '../envelope';
import { beside, ok, reading, type Call, type Route, type Row } from '../http';
import { between, numericId, seeded, shortId } from '../random';
import { ordered, period } from '../routes/leaderboard';

const WIDGETS: Record<string, readonly string[]> = {
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

const widgetsOf = (names: readonly string[]): Widget[] =>
	names.map((name, at) => ({
		resourceId: shortId(`widget ${name}`),
		name,
		description: `Shows: ${name}`,
		chartType: at % 2 === 0 ? 'Bar' : 'Line',
		widgetType: 'Chart',
	}));

const ALL_WIDGETS = Object.values(WIDGETS).flatMap(widgetsOf);

const METRICS: Row = {
	metrics: Object.entries(WIDGETS).map(([name, names]) => ({
		name,
		widgets: widgetsOf(names).map((widget) => ({
			...widget,
			imageUrl: `https://cdn.awareness.example/widgets/${widget.resourceId}.png`,
			isSupportManager: false,
		})),
	})),
};

/** A widget with what it shows of the company that is acted for. */
function filled(widget: Widget, { home }: Call): Row {
	const next = seeded(`${widget.name} ${home.company.companyResourceId}`);
	const value = (label: string): Row => ({ value: between(next, 0, 100), label, name: widget.name, annotations: null });
	const shown = {
		date: '2026-01-01T00:00:00.000Z',
		dataObject: null,
		values: ['Q1', 'Q2'].map(value),
		tableValues: [{ Q1: 1 }],
		tableDefinitions: [{ label: 'Quarter 1', name: 'Q1' }],
	};
	return { ...widget, widgetDatas: [shown] };
}

const REPORTS = ['Board Report', 'Monthly Overview'] as const;

/** The executive reports of a company. */
export function reportsOf({ home }: Call): Row[] {
	const { companyResourceId } = home.company;
	return REPORTS.map((name) => ({
		resourceId: shortId(`report ${companyResourceId} ${name}`),
		companyId: numericId(companyResourceId),
		name,
		isEditable: true,
		isDeletable: true,
		description: `${name} of the company`,
		isSupportManager: false,
	}));
}

/** A report with its widgets and what these show. */
function report(call: Call): Row {
	const { resourceId, companyId, name, description, isSupportManager } = found(
		reportsOf(call).find((entry) => entry.resourceId === call.params.resourceId),
		'executive report',
	);
	const widgets = name === REPORTS[0] ? ALL_WIDGETS.slice(0, 3) : ALL_WIDGETS;
	return {
		resourceId,
		companyId,
		name,
		companyName: call.home.company.companyName,
		description,
		dateCreated: '2025-12-01T08:00:00.000Z',
		widgetLayout: null,
		widgets: widgets.map((widget) => filled(widget, call)),
		datePeriod: 'LastYear',
		dateRange: null,
		startDate: null,
		endDate: null,
		isSupportManager,
	};
}

/** The periods have numbers (deployment activity, 3). */
const datePeriod = z.union([z.string(), z.number().int().min(0).max(5)]).nullish();
const widgetBody = z.object({ widgetIds: z.array(z.string()).nullish(), ...period, datePeriod }).passthrough();

function widgetDatas(call: Call): Row[] {
	const asked = check(widgetBody, call.json);
	ordered(asked);
	const ids = asked.widgetIds ?? ALL_WIDGETS.map(({ resourceId }) => resourceId);
	return ids.map((id) => {
		const widget = ALL_WIDGETS.find(({ resourceId }) => resourceId === id);
		if (!widget) throw missing(`widget ${id}`);
		return filled(widget, call);
	});
}

/** Executive reports. */
export function reportRoutes(): Route[] {
	const path = '/api/executive-report';
	const body = { access: 'any', takes: 'json' } as const;
	return [
		{
			...body,
			key: `POST ${path}/search`,
			handle(call) {
				const { name } = check(z.object({ name: z.string().nullish() }).passthrough(), call.json);
				return ok(
					reportsOf(call).filter((entry) =>
						String(entry.name)
							.toLowerCase()
							.includes((name ?? '').toLowerCase()),
					),
				);
			},
		},
		{ ...body, key: `POST ${path}/get-widget-datas`, handle: (call) => ok(widgetDatas(call)) },
		beside(reading(`GET ${path}/metrics`, () => METRICS)),
		beside(reading(`GET ${path}/{resourceId}`, report)),
	];
}
