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
	name: 'Get Executive Report',
	description: 'Get one executive report with its widgets and what they show',
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
	name: 'Get Many Executive Reports',
	description: 'List the executive reports and their widgets, all of them or by name',
	endpoint: 'POST /api/executive-report/search',
	scope: 'company',
	fields: {
		name: rejectEmptyExpression(
			textField({
				displayName: 'Name',
				description: 'Only reports with this name; leave it empty for all',
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
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	endpoint: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: rejectEmptyExpression(
			platformMultiPicker('widgets', {
				displayName: 'Widget Names or IDs',
				description: 'The figures that the report has',
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
