import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { identityOf } from '../answer/paging';
import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { toJson } from '../transport/envelope';
import { counted } from '../transport/counted';
import { mapBounded } from '../transport/concurrency';
import { rethrow } from '../transport/errors';
import { readOptionalOperation, noteEntry } from './sources';
import { readWholeListing, type Entry, type Filled, type Listing } from './listing';
import { COMPANY_FIELDS, multiPicker } from './picker';

/** The fields that may have the ID of an executive report or a widget. */
export const WIDGET_ID = ['widgetId', 'resourceId', 'id'] as const;
const WIDGET_NAME = ['name', 'widgetName', 'title'] as const;

/** The contract does not say what this search lists (4.10): reports, reports with their widgets, or widgets. */
const LISTING: Listing = {
	contract: 'POST /api/executive-report/search',
	body: (searchText) => ({ name: searchText }),
	id: WIDGET_ID,
	name: WIDGET_NAME,
	scoped: true,
};

const REPORT = 'GET /api/executive-report/{resourceId}';
const NO_WIDGETS_TEXT =
	'This platform does not list its widgets. Leave this empty and run the node: its output has the ID of each widget. Then enter the IDs with an expression.';

const records = z.array(z.record(z.unknown()));
const group = z.object({ name: z.string().nullish().catch(null), widgets: records }).passthrough();

const entryOf = (widget: IDataObject, of = ''): Entry => {
	const name = identityOf(widget, WIDGET_NAME);
	return { id: identityOf(widget, WIDGET_ID), name: name === undefined ? undefined : of + name };
};

/** The widgets of a report or a metric, each with the name of the report or metric before its own; none for other data. */
function widgetsOf(data: unknown): Entry[] {
	const parsed = group.safeParse(data);
	if (!parsed.success) return [];
	const { name, widgets } = parsed.data;
	return widgets.map((widget) => entryOf(toJson(widget), name ? `${name}: ` : ''));
}

const has = (names: string[]) => (record: IDataObject) => names.some((name) => name in record);
const isWidget = has(['widgetId', 'widgetName', 'widgetType', 'chartType']);
const isReport = has(['companyId', 'isEditable', 'isDeletable', 'isSupportManager', 'widgetLayout']);

async function widgetsOfMetrics(filled: Filled): Promise<Entry[]> {
	const shape = z.object({ metrics: z.array(z.unknown()) });
	const found = await readOptionalOperation(filled, {
		contract: 'GET /api/executive-report/metrics',
		shape,
		scoped: true,
	});
	return found?.metrics.flatMap(widgetsOf) ?? [];
}

/** How many reports are read at most, so that opening a list does not send too many requests. */
const MAX_REPORTS = 20;
const PARALLEL_READS = 4;

async function widgetsOfReports(filled: Filled, reports: IDataObject[]): Promise<Entry[]> {
	const ids = reports.flatMap((report) => identityOf(report, WIDGET_ID) ?? []);
	const [first, ...others] = ids;
	const read = async (resourceId: string) =>
		await readOptionalOperation(filled, { contract: REPORT, path: { resourceId }, shape: group, scoped: true });
	const one = first === undefined ? undefined : await read(first);
	// If the first report cannot be read, the platform has no such operation, so the others are not tried.
	if (!one) return [];
	const outcomes = await mapBounded(others.slice(0, MAX_REPORTS - 1), PARALLEL_READS, read);
	const failed = outcomes.find((outcome) => !outcome.ok);
	if (failed && !failed.ok) return await rethrow(failed.error);
	const found = [one, ...outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined))].flatMap(widgetsOf);
	const notRead = ids.length - MAX_REPORTS;
	return notRead > 0 && found.length > 0
		? [
				...found,
				noteEntry(
					`The widgets of ${counted(notRead, 'more report')} are not shown: enter their IDs with an expression`,
				),
			]
		: found;
}

/**
 * The widgets that can be chosen: those in the service's list if it has any; else those of the metrics, else those of the
 * reports (deployment shapes: executive-report/metrics, executive-report/{resourceId}).
 */
async function widgetsFor(filled: Filled): Promise<Entry[]> {
	const { records: listed } = await readWholeListing(LISTING, filled, await filled.open());
	const listedEntries = listed.map((widget) => entryOf(widget));
	if (listed.some(isWidget)) return listedEntries;
	const inside = listed.flatMap(widgetsOf);
	if (inside.length > 0) return inside;
	const metrics = await widgetsOfMetrics(filled);
	if (metrics.length > 0) return metrics;
	const parts = await widgetsOfReports(filled, listed);
	if (parts.length > 0) return parts;
	// If no record looks like a report, they are taken as widgets, which the contract allows.
	return listed.length > 0 && !listed.some(isReport) ? listedEntries : [noteEntry(NO_WIDGETS_TEXT)];
}

/**
 * The field that chooses several widgets of the executive report (contract 4.10), with the report or metric in front if
 * known.
 */
export const widgetsPicker = (label: Label): Field<string[]> =>
	multiPicker({
		...label,
		method: 'loadWidgets',
		thing: 'widget',
		dependsOn: COMPANY_FIELDS,
		entries: async (filled) => {
			const seen = new Set<string>();
			// A widget may be part of several reports.
			return (await widgetsFor(filled)).filter(
				({ id }) => id === undefined || id === '' || (!seen.has(id) && seen.add(id)),
			);
		},
	});
