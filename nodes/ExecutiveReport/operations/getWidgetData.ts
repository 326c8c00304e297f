import { list } from '../../shared/answer/record';
import { collection } from '../../shared/form/collection';
import { period, periodOf } from '../../shared/form/period';
import { defineOperation } from '../../shared/operation/define';
import { widgetsPicker } from '../../shared/pickers/widget';

export const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	action: 'Get widget data',
	description: 'Get the figures behind widgets of the executive report, for one customer or for every one',
	contract: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: widgetsPicker({ displayName: 'Widget Names or IDs' }),
		reportOptions: collection({ displayName: 'Report Period', button: 'Add Date', fields: period }),
	},
	request: ({ widgets, reportOptions }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodOf(reportOptions) },
	}),
	answer: list({ reads: true }),
});
