import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { identityOf } from '../answer/paging';
import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { toJson } from '../transport/envelope';
import { mapBounded } from '../transport/concurrency';
import { readHelper, noteEntry } from './sources';
import { readWholeListing, type Entry, type Filled, type Listing } from './listing';
import { OF_COMPANY, severalOf } from './picker';

/** The names under which an executive report's or widget's identifier was seen. */
export const WIDGET_ID = ['widgetId', 'resourceId', 'id'] as const;
const WIDGET_NAME = ['name', 'widgetName', 'title'] as const;

/** The contract does not say what this lists (4.10): reports, reports with their widgets, or widgets. */
const LISTING: Listing = {
	contract: 'POST /api/executive-report/search',
	body: (searchText) => ({ name: searchText }),
	id: WIDGET_ID,
	name: WIDGET_NAME,
	scoped: true,
};

const REPORT = 'GET /api/executive-report/{resourceId}';
const HOW_TO =
	'This platform does not list its widgets: leave this empty and run the node, and what comes out has the ID of each; give IDs by an expression';

const records = z.array(z.record(z.unknown()));
const group = z.object({ name: z.string().nullish().catch(null), widgets: records }).passthrough();

const entryOf = (widget: IDataObject, of = ''): Entry => {
	const name = identityOf(widget, WIDGET_NAME);
	return { id: identityOf(widget, WIDGET_ID), name: name === undefined ? undefined : of + name };
};

/** The widgets of a report or a metric, each with its name in front; none for what is neither. */
function widgetsOf(data: unknown): Entry[] {
	const parsed = group.safeParse(data);
	if (!parsed.success) return [];
	const { name, widgets } = parsed.data;
	return widgets.map((widget) => entryOf(toJson(widget), name ? `${name}: ` : ''));
}

const has = (names: string[]) => (record: IDataObject) => names.some((name) => name in record);
const isWidget = has(['widgetId', 'widgetName', 'widgetType', 'chartType']);
const isReport = has(['companyId', 'isEditable', 'isDeletable', 'isSupportManager', 'widgetLayout']);

async function ofMetrics(filled: Filled): Promise<Entry[]> {
	const shape = z.object({ metrics: z.array(z.unknown()) });
	const found = await readHelper(filled, { contract: 'GET /api/executive-report/metrics', shape, scoped: true });
	return found?.metrics.flatMap(widgetsOf) ?? [];
}

/** How many reports are looked into, so that opening a list is no flood of requests. */
const MOST_REPORTS = 20;
const AT_ONCE = 4;

async function ofReports(filled: Filled, reports: IDataObject[]): Promise<Entry[]> {
	const ids = reports.flatMap((report) => identityOf(report, WIDGET_ID) ?? []);
	const [first, ...others] = ids;
	const read = async (resourceId: string) =>
		await readHelper(filled, { contract: REPORT, path: { resourceId }, shape: group, scoped: true });
	const one = first === undefined ? undefined : await read(first);
	// Where the first is not to be had, the platform has no such operation, so the others are not tried.
	if (!one) return [];
	const outcomes = await mapBounded(others.slice(0, MOST_REPORTS - 1), AT_ONCE, read);
	const failed = outcomes.find((outcome) => !outcome.ok);
	if (failed && !failed.ok) return await Promise.reject(failed.error);
	const found = [one, ...outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined))].flatMap(widgetsOf);
	const left = ids.length - MOST_REPORTS;
	return left > 0 && found.length > 0
		? [...found, noteEntry(`Those of ${left} more reports are not shown: give their IDs by an expression`)]
		: found;
}

/**
 * The widgets that can be chosen, told apart by what the service answers: where its list holds widgets, those; else the
 * metrics' or the reports' own (deployment shapes: executive-report/metrics, executive-report/{resourceId}).
 */
async function widgetsFor(filled: Filled): Promise<Entry[]> {
	const { records: listed } = await readWholeListing(LISTING, filled, await filled.open());
	const asTheyAre = listed.map((widget) => entryOf(widget));
	if (listed.some(isWidget)) return asTheyAre;
	const inside = listed.flatMap(widgetsOf);
	if (inside.length > 0) return inside;
	const metrics = await ofMetrics(filled);
	if (metrics.length > 0) return metrics;
	const parts = await ofReports(filled, listed);
	if (parts.length > 0) return parts;
	// Without any sign of a report they may well be widgets, as the contract can be read.
	return listed.length > 0 && !listed.some(isReport) ? asTheyAre : [noteEntry(HOW_TO)];
}

/** Chooses several widgets of the executive report (contract 4.10), by report or metric where the platform says of which. */
export const widgetsPicker = (label: Label): Field<string[]> =>
	severalOf({
		...label,
		method: 'loadWidgets',
		thing: 'widget',
		dependsOn: OF_COMPANY,
		entries: async (filled) => {
			const seen = new Set<string>();
			// A widget may stand in several reports.
			return (await widgetsFor(filled)).filter(
				({ id }) => id === undefined || id === '' || (!seen.has(id) && seen.add(id)),
			);
		},
	});
