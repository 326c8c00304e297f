/** Tests executive reports: widgets without a selection, the recipients of a schedule, and what its record shows. */
import type { IDataObject } from 'n8n-workflow';
import { toListLocator } from '../cases/customerFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, findCase, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
const READ_SCHEDULE = 'GET /api/report-scheduling/{resourceId}';

test.each([true, false])(
	'without selected widgets, the data of all widgets is returned: Simplify %s',
	async (simplify) => {
		const widgets = await fixture.customer.fetchList('POST /api/executive-report/get-widget-datas', {
			widgetIds: null,
		});
		const { items } = await run('ExecutiveReport', 'getWidgetData', {
			...fixture.customer.companyParameters,
			simplify,
		});
		const idField = simplify ? 'widgetId' : 'resourceId';
		const returnedIds = new Set(getJson(items).map((json) => json[idField]));
		expect(returnedIds).toEqual(new Set(widgets.map(({ resourceId }) => resourceId)));
		expect(items.length === widgets.length).toBe(!simplify);
	},
);

describe('the recipients of a new schedule', () => {
	const create = async (emailAddresses: string, additionalFields: IDataObject) => {
		const { parameters } = await findCase('ExecutiveReport', 'scheduledReport.create').prepare(fixture.customer);
		fixture.standIn.clearLog();
		await run('ExecutiveReport', 'scheduledReport.create', { ...parameters, emailAddresses, additionalFields });
		return requireValue(fixture.customer.companyData.schedules?.at(-1));
	};

	test('email addresses can be separated by semicolons', async () => {
		const schedule = await create('ceo@customer.example; cfo@customer.example;cio@customer.example', {});
		expect(schedule.emailAddresses).toEqual(['ceo@customer.example', 'cfo@customer.example', 'cio@customer.example']);
	});

	test.each(['managerEmails', 'targetGroupResourceIds'] as const)('can be only %s', async (field) => {
		const { resourceId } = requireValue(fixture.customer.companyData.targetGroups[0]);
		const recipient = field === 'managerEmails' ? 'lead@customer.example' : resourceId;
		const schedule = await create('', { [field]: [recipient] });
		expect(schedule).toMatchObject({ emailAddresses: [], [field]: [recipient] });
	});

	test('must not be missing', async () => {
		const message = await getFailureMessage(create('', {}));
		expect(message).toContain("'Email Addresses' must not be empty if the report has no other recipients");
		expect(message).toContain("add managers or target groups in 'Additional Fields'");
		expect(fixture.requests).toEqual([]);
	});
});

/** Changes fields in the record of each schedule until the test ends. */
const changeSchedule = (fields: IDataObject) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			const response = envelope as { data: object };
			return route === READ_SCHEDULE ? { ...response, data: { ...response.data, ...fields } } : envelope;
		},
	});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

test('the request that deletes a schedule has the type of its report', async () => {
	const { parameters } = await findCase('ExecutiveReport', 'scheduledReport.delete').prepare(fixture.customer);
	changeSchedule({ reportTypeId: 5 });
	await run('ExecutiveReport', 'scheduledReport.delete', parameters).catch(() => undefined);
	expect(fixture.requests.map(({ method, path }) => `${method} ${path}`).at(-1)).toMatch(/^DELETE .*\/5$/);
});

test('a schedule that is switched has the name that the form remembers if its record cannot be read', async () => {
	const { parameters } = await findCase('ExecutiveReport', 'scheduledReport.turnOnOrOff').prepare(fixture.customer);
	const { value } = parameters.scheduledReport as IDataObject;
	fixture.standIn.addFault({ route: READ_SCHEDULE, kind: 'status', status: 403, times: Infinity });
	const scheduledReport = toListLocator(String(value), 'Monthly Review');
	const { items } = await run('ExecutiveReport', 'scheduledReport.turnOnOrOff', { ...parameters, scheduledReport });
	expect(getJson(items)).toMatchObject([{ name: 'Monthly Review', result: 'turnedOn' }]);
});

test('an update keeps an empty list of recipients that the record shows as null', async () => {
	const { parameters } = await findCase('ExecutiveReport', 'scheduledReport.update').prepare(fixture.customer);
	changeSchedule({ managerEmails: null, targetGroupResourceIds: null });
	await run('ExecutiveReport', 'scheduledReport.update', parameters);
	const [request] = fixture.standIn.getRequests('PUT /api/report-scheduling/{resourceId}');
	expect(request?.body).toMatchObject({ name: 'Renamed', managerEmails: [], targetGroupResourceIds: [] });
});
