import { list } from '../../shared/answer/record';
import { simplifyField } from '../../shared/answer/simplify';
import { since } from '../../shared/form/field';
import { defineOperation } from '../../shared/operation/define';
import { inPeriod, periodsOf, reportPeriod } from '../../shared/pickers/datePeriod';
import { widgetsPicker } from '../../shared/pickers/widget';
import { rowsOf } from '../points';

export const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	action: 'Get widget data',
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	contract: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: widgetsPicker({ displayName: 'Widget Names or IDs' }),
		reportOptions: reportPeriod,
		simplify: since(1.1, simplifyField),
	},
	request: ({ widgets, reportOptions }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodsOf(reportOptions)[0] },
	}),
	answer: list({ reads: true }),
	perform: async ({ simplify, reportOptions }, { send, session }) => {
		const widgets = await inPeriod(periodsOf(reportOptions), send, session);
		return simplify ? widgets.flatMap(({ json }) => rowsOf(json).map((row) => ({ json: row }))) : widgets;
	},
});
