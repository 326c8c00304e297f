import { simplifyField } from '../shared/answer/output';
import { pages } from '../shared/answer/pages';
import { list, record } from '../shared/answer/record';
import { mustHaveValue } from '../shared/form/field';
import { locatorValue, text } from '../shared/form/fields';
import { executivePeriod, periodBody } from '../shared/form/period';
import { optionsOf } from '../shared/operation/form';
import { defineOperation } from '../shared/operation/operation';
import { platformMultiPicker, platformPicker } from '../shared/pickers/platformLists';
import { parseId } from '../shared/transport/request';
import { rowsOf } from './points';

const report = {
	...platformPicker('executiveReports', { displayName: 'Executive Report', required: true }),
	parse: (raw: unknown) => parseId(locatorValue(raw)),
};

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
				...['resourceId', 'name', 'companyName', 'description', 'dateCreated'],
				...['datePeriod', 'startDate', 'endDate', 'widgets'],
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
	answer: list(),
});

const getWidgetData = defineOperation({
	value: 'getWidgetData',
	name: 'Get Widget Data',
	description: "Get the executive report's figures as rows for a sheet: widget, series, point, value",
	endpoint: 'POST /api/executive-report/get-widget-datas',
	scope: 'companies',
	fields: {
		widgets: mustHaveValue(platformMultiPicker('widgets', { displayName: 'Widget Names or IDs' })),
		simplify: simplifyField,
		...optionsOf(executivePeriod),
	},
	request: ({ widgets, options }) => ({
		body: { widgetIds: widgets.length > 0 ? widgets : null, ...periodBody(options) },
	}),
	answer: list(),
	perform: async ({ simplify }, { send }) => {
		const widgets = await send();
		return simplify ? widgets.flatMap(({ json }) => rowsOf(json).map((row) => ({ json: row }))) : widgets;
	},
});

const getScheduledReports = defineOperation({
	value: 'getScheduledReports',
	name: 'Get Many Scheduled Reports',
	description: 'List the reports that the platform sends by itself, how often, and when next',
	endpoint: 'POST /api/report-scheduling/search',
	scope: 'companies',
	answer: pages({ identity: ['resourceId'] }),
});

export const operations = [get, getMany, getScheduledReports, getWidgetData];
