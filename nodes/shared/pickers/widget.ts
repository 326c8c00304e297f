import type { Label } from '../fields/basic';
import type { Field } from '../fields/field';
import { severalPicker } from './picker';

/** The names under which an executive report's or widget's identifier was seen. */
export const WIDGET_ID = ['widgetId', 'resourceId', 'id'] as const;

/** Chooses several widgets of the executive report (contract 4.10). */
export const widgetsPicker = (label: Label): Field<string[]> =>
	severalPicker({
		...label,
		method: 'loadWidgets',
		thing: 'widget',
		listing: {
			contract: 'POST /api/executive-report/search',
			body: (searchText) => ({ name: searchText }),
			id: WIDGET_ID,
			name: ['name', 'widgetName', 'title'],
			scoped: true,
		},
	});
