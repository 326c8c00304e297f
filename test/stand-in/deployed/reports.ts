import { z } from 'zod';
import { check, dateTime, found, int32, missing } from '../envelope';
import { beside, ok, reading, type Call, type Route, type Row } from '../http';
import { arrange } from '../paging';
import { between, numericId, seeded, shortId } from '../random';
import { ordered, period, points, usersOf } from '../routes/leaderboard';
import { person, phoneNumber } from './lists';

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

function reportsOf({ home }: Call): Row[] {
	const { companyResourceId } = home.company;
	return REPORTS.map((name) => ({
		...{
			resourceId: shortId(`report ${companyResourceId} ${name}`),
			companyId: numericId(companyResourceId),
			name,
			isEditable: true,
			isDeletable: true,
		},
		...{ description: `${name} of the company`, isSupportManager: false },
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
		...{
			resourceId,
			companyId,
			name,
			companyName: call.home.company.companyName,
			description,
			dateCreated: '2025-12-01T08:00:00.000Z',
			widgetLayout: null,
		},
		widgets: widgets.map((widget) => filled(widget, call)),
		...{ datePeriod: 'LastYear', dateRange: null, startDate: null, endDate: null, isSupportManager },
	};
}

const widgetBody = z.object({ widgetIds: z.array(z.string()).nullish(), ...period }).passthrough();

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

const board = z
	.object({
		datePeriod: z.string().nullish(),
		startDate: dateTime.nullish(),
		endDate: dateTime.nullish(),
		filter: z.unknown(),
		pagination: z
			.object({
				pageNumber: int32.min(1),
				pageSize: int32.min(1),
				orderBy: z.string().nullish(),
				ascending: z.boolean().nullish(),
			})
			.nullish(),
	})
	.passthrough();

/** The leaderboard's export as JSON: a plain list, each row of which has the total number of rows. */
function getAll(call: Call): Row[] {
	const asked = check(board, call.json);
	ordered(asked);
	const users = usersOf(call).map((user) => ({ user, score: points(user) }));
	const rows = users
		.sort((one, other) => other.score - one.score)
		.map(({ user, score }, at) => ({
			...{
				rank: at + 1,
				targetUserResourceId: user.resourceId,
				...person(user),
				preferredLanguage: user.language,
				phoneNumber: phoneNumber(user),
			},
			...{ points: score, performance: score / 50, totalRowCount: users.length },
		}));
	return arrange(
		rows,
		{ id: 'targetUserResourceId', name: 'email', text: ['email', 'firstName', 'lastName'] },
		asked.filter,
		asked.pagination ?? {},
		false,
	);
}

const choices = (values: readonly string[]): Row[] =>
	values.map((value) => ({ text: value.replace(/(?<=.)(?=[A-Z])/g, ' '), value, extraDatas: [] }));

const FORM: Row = {
	gamificationActionTypes: choices(['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted']),
	gamificationProductTypes: choices(['Phishing', 'Smishing', 'Quishing', 'Training']),
	gamificationScenarioDifficultyTypes: choices(['Easy', 'Medium', 'Hard']),
	gamificationTrainingCategories: choices(['Basics', 'Advanced', 'Compliance']),
};

/** Executive reports, and what is beside the leaderboard's exports. */
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
		beside({ ...body, key: 'POST /api/leaderboard/get-all', handle: (call) => ok(getAll(call)) }),
		beside(reading('GET /api/leaderboard/form-details', () => FORM)),
	];
}
