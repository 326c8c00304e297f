import { simplifyField } from '../core/response/outputFields';
import { plainListResponse, recordResponse } from '../core/response/recordResponse';
import { rejectEmptyExpression } from '../core/fields/field';
import { textField } from '../core/fields/fieldTypes';
import { buildPeriodBody, executivePeriodFields } from '../core/fields/period';
import { createOptionsBlock } from '../core/operation/operationFields';
import { defineOperation } from '../core/operation/defineOperation';
import { platformMultiPicker } from '../domain/pickers/platformLists';
import { executiveReportField } from './executiveReportField';
import { toWidgetRows } from './widgetRows';

const getReportOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get executive report',
	description: 'Get an executive report with the figures of its widgets (charts and tables)',
	endpoint: 'GET /api/executive-report/{resourceId}',
	scope: 'company',
	fields: { report: executiveReportField },
	request: ({ report: resourceId }) => ({ path: { resourceId } }),
	response: recordResponse({
		outputFields: {
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
			additional: ['companyId', 'dateRange', 'isSupportManager', 'widgetLayout'],
		},
	}),
});

const getManyReportsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many executive reports',
	description: 'List the executive reports of a customer',
	endpoint: 'POST /api/executive-report/search',
	scope: 'company',
	fields: {
		name: rejectEmptyExpression(
			textField({
				displayName: 'Name',
				description: 'Only return reports with this name. Leave empty to return all reports of the customer.',
				placeholder: 'e.g. Risk',
			}),
		),
	},
	request: ({ name }) => ({ body: { name: name === '' ? null : name } }),
	response: plainListResponse(),
});

const getWidgetDataOperation = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	action: 'Get executive report widget data',
	description: 'Get the figures of executive report widgets (charts and tables) as rows for a spreadsheet',
	outputNote:
		"With 'Simplify', each item is one figure of a chart or table. For example, 'widgetName' is Clicks by Department, 'series' is Clicked, 'point' is Sales, and 'value' is 12.",
	endpoint: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: rejectEmptyExpression(
			platformMultiPicker('widgets', {
				displayName: 'Widget Names or IDs',
				description: 'The charts and tables of executive reports to get figures for',
			}),
		),
		simplify: simplifyField,
		...createOptionsBlock(executivePeriodFields),
	},
	request: ({ widgets, options }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...buildPeriodBody(options) },
	}),
	response: plainListResponse(),
	perform: async ({ simplify }, { send }) => {
		const widgets = await send();
		if (!simplify) return widgets;
		const rows = widgets.flatMap(({ json }) => toWidgetRows(json));
		return rows.map((json) => ({ json }));
	},
});

/** The operations on executive reports. The node's properties list their forms in this order. */
export const executiveReportOperations = [getReportOperation, getManyReportsOperation, getWidgetDataOperation];
