import { simplifyField } from '../core/response/outputFields';
import { plainList, record } from '../core/response/recordResponse';
import { mustHaveValue } from '../core/fields/field';
import { text } from '../core/fields/fieldTypes';
import { periodBody, executivePeriod } from '../core/fields/period';
import { optionsOf } from '../core/operation/operationFields';
import { defineOperation } from '../core/operation/defineOperation';
import { platformMultiPicker } from '../domain/pickers/platformLists';
import { report } from './executiveReportFields';
import { rowsOf } from './widgetRows';
import { scheduleOperations } from './scheduledReportOperations';

const get = defineOperation({
	value: 'get',
	name: 'Get Executive Report',
	description: 'Get one executive report with its widgets and what they show',
	endpoint: 'GET /api/executive-report/{resourceId}',
	scope: 'company',
	fields: { report },
	request: ({ report: resourceId }) => ({ path: { resourceId } }),
	answer: record({
		known: {
			id: ['resourceId'],
			simplified: [
				'companyName',
				'name',
				'description',
				'dateCreated',
				'datePeriod',
				'startDate',
				'endDate',
				'widgets',
				'resourceId',
			],
			others: ['companyId', 'dateRange', 'isSupportManager', 'widgetLayout'],
		},
	}),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Executive Reports',
	description: 'List the executive reports and their widgets, all of them or by name',
	endpoint: 'POST /api/executive-report/search',
	scope: 'company',
	fields: {
		name: mustHaveValue(
			text({
				displayName: 'Name',
				description: 'Only reports with this name; leave it empty for all',
				placeholder: 'e.g. Risk',
			}),
		),
	},
	request: ({ name }) => ({ body: { name: name === '' ? null : name } }),
	answer: plainList(),
});

const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	endpoint: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: mustHaveValue(
			platformMultiPicker('widgets', {
				displayName: 'Widget Names or IDs',
				description: 'The figures that the report has',
			}),
		),
		simplify: simplifyField,
		...optionsOf(executivePeriod),
	},
	request: ({ widgets, options }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodBody(options) },
	}),
	answer: plainList(),
	perform: async ({ simplify }, { send }) => {
		const widgets = await send();
		return simplify ? widgets.flatMap(({ json }) => rowsOf(json).map((row) => ({ json: row }))) : widgets;
	},
});

export const operations = [get, getMany, getWidgetData, ...scheduleOperations];
