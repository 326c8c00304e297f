import type { Produced } from '../../shared/answer/answer';
import { list } from '../../shared/answer/record';
import { simplifyField } from '../../shared/answer/simplify';
import { collection } from '../../shared/form/collection';
import { since } from '../../shared/form/field';
import { period, periodOf } from '../../shared/form/period';
import { defineOperation } from '../../shared/operation/define';
import { widgetsPicker } from '../../shared/pickers/widget';
import { pointsOf } from '../points';

/** The rows of a widget; a widget without figures stays as it is, so that nothing is lost. */
function rowsOf({ json }: Produced): Produced[] {
	const points = pointsOf(json);
	return points.length > 0 ? points.map((point) => ({ json: point })) : [{ json }];
}

export const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	action: 'Get widget data',
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	contract: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: widgetsPicker({ displayName: 'Widget Names or IDs' }),
		reportOptions: collection({ displayName: 'Report Period', button: 'Add Date', fields: period }),
		simplify: since(1.1, simplifyField),
	},
	request: ({ widgets, reportOptions }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodOf(reportOptions) },
	}),
	answer: list({ reads: true }),
	perform: async ({ simplify }, { send }) => {
		const widgets = await send();
		return simplify ? widgets.flatMap(rowsOf) : widgets;
	},
});
