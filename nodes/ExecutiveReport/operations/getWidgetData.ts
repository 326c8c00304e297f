import { list } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { inPeriod, periodsOf, reportPeriod } from '../../shared/pickers/datePeriod';
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
		reportOptions: reportPeriod,
	},
	request: ({ widgets, reportOptions }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodsOf(reportOptions)[0] },
	}),
	perform: async ({ reportOptions }, { send, session }) => await inPeriod(periodsOf(reportOptions), send, session),
	answer: list({ reads: true }),
});
