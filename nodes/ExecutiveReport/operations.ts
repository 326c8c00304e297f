import { list } from '../shared/answer/record';
import { simplifyField } from '../shared/answer/output';
import { text } from '../shared/form/fields';
import { periodBody, reportPeriod } from '../shared/form/period';
import { optionsOf } from '../shared/operation/form';
import { defineOperation } from '../shared/operation/operation';
import { platformMultiPicker } from '../shared/pickers/platformLists';
import { rowsOf } from './points';

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Executive Reports',
	description: 'List the executive reports and their widgets, all of them or by name',
	contract: 'POST /api/executive-report/search',
	scope: 'company',
	fields: {
		name: text({
			displayName: 'Name',
			description: 'Only reports with this name; leave it empty for all',
			placeholder: 'e.g. Risk',
		}),
	},
	request: ({ name }) => ({ body: { name: name === '' ? null : name } }),
	answer: list({ reads: true }),
});

const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	contract: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: platformMultiPicker('widgets', { displayName: 'Widget Names or IDs' }),
		simplify: simplifyField,
		...optionsOf(reportPeriod),
	},
	request: ({ widgets, options }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodBody(options) },
	}),
	answer: list({ reads: true }),
	perform: async ({ simplify }, { send }) => {
		const widgets = await send();
		return simplify ? widgets.flatMap(({ json }) => rowsOf(json).map((row) => ({ json: row }))) : widgets;
	},
});

export const operations = [getMany, getWidgetData];
