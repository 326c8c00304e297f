/** Tests the lists of values, such as countries and statuses, on platforms that have only parts of them. */
import type { IDataObject, INodeType } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPersonEventTrigger } from '../../nodes/PersonEventTrigger/SecurityAwarenessPersonEventTrigger.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { ACTIVE_STATUS, createReaderWithActiveStatus } from '../../nodes/domain/pickers/statuses';
import { addEnrollmentId } from '../../nodes/domain/pickers/resourcePickers';
import type { PickerContext } from '../../nodes/core/fields/field';
import { callListSearch, callLoadOptions } from '../n8n-core';
import { closeFakeServers, startFakeServer, type RouteReply } from '../n8n-core/nodeFixture';

afterEach(closeFakeServers);

type Entry = [name: string, value: unknown];

/** Opens a list of one value. @returns the entries, and the requested routes */
async function openList(node: INodeType, method: string, replies: Record<string, RouteReply>) {
	const { credentialStore: credential, requests } = await startFakeServer(replies);
	const parameters = { companyScope: 'own' };
	const { results } = await callListSearch({ node, credential, method, parameters });
	const entries = results.map(({ name, value }): Entry => [name, value]);
	return { entries, routes: requests.map(({ route }) => route) };
}

const company = new SecurityAwarenessCompany();
const COMPANIES_ROUTE = 'POST /api/companies/search';
const TIME_ZONES_ROUTE = 'GET /api/timezone/timezones';
const CODE_TYPES: IDataObject[] = [
	{ id: 3, name: 'Preferred Language' },
	{ id: 7, name: 'Country List' },
	{ id: 8, name: 'Countries of Birth' },
];

test.each<[string, string, Record<string, RouteReply>, Entry[]]>([
	[
		'the first code type with the word in its name',
		'searchCountries',
		{
			'GET /api/codetypes': { data: CODE_TYPES },
			'GET /api/lookups/7': {
				data: [{ resourceId: 'de', displayName: 'Deutschland', text: 'Germany' }, { name: 'No ID' }],
			},
			'GET /api/lookups/8': { data: [{ resourceId: 'x', name: 'Wrong' }] },
		},
		[['Deutschland', 'de']],
	],
	[
		'the companies, if the code type is empty',
		'searchLanguages',
		{
			'GET /api/codetypes': { data: CODE_TYPES },
			'GET /api/lookups/3': { data: [] },
			[COMPANIES_ROUTE]: {
				data: [
					{ companyResourceId: 'c1', preferredLanguageTypeResourceId: 'tr', preferredLanguageTypeName: 'Turkish' },
					{ companyResourceId: 'c2', preferredLanguageTypeResourceId: 'en', preferredLanguageTypeName: 'English' },
					{ companyResourceId: 'c3', preferredLanguageTypeResourceId: 'tr', preferredLanguageTypeName: 'Turkish' },
					{ companyResourceId: 'c4', preferredLanguageTypeResourceId: 'no' },
				],
			},
		},
		[
			['English', 'en'],
			['no', 'no'],
			['Turkish', 'tr'],
		]
			.map(([name = '', value]): Entry => [name, value])
			.sort(([name], [otherName]) => (name < otherName ? -1 : 1)),
	],
	[
		'the form of time zones, whose words are the values',
		'searchTimeFormats',
		{ [TIME_ZONES_ROUTE]: { data: { timeFormats: ['HH:mm', 'hh:mm a', 'HH:mm'], dateFormatList: ['dd.MM.yyyy'] } } },
		[
			['HH:mm', 'HH:mm'],
			['hh:mm a', 'hh:mm a'],
		],
	],
	[
		'the companies, if there is no form of time zones',
		'searchDateFormats',
		{ [COMPANIES_ROUTE]: { data: [{ companyResourceId: 'c1', dateFormat: 'dd.MM.yyyy' }] } },
		[['dd.MM.yyyy', 'dd.MM.yyyy']],
	],
	[
		'the form of time zones, whose time zones have numbers',
		'searchTimeZones',
		{ [TIME_ZONES_ROUTE]: { data: { timeZoneList: [{ id: 11, displayName: '(UTC) Zone' }], dateFormats: ['d'] } } },
		[['(UTC) Zone', '11']],
	],
])('values are read from %s', async (_source, method, replies, expected) => {
	expect((await openList(company, method, replies)).entries).toEqual(expected);
});

test('without a form of time zones, the IANA names are listed, with spaces; the value stays the name', async () => {
	const { entries } = await openList(company, 'searchTimeZones', {});
	expect(entries[0]).toEqual(['UTC', 'UTC']);
	expect(entries).toContainEqual(['America/New York', 'America/New_York']);
	const { entries: personEntries } = await openList(new SecurityAwarenessTargetUser(), 'searchPersonTimeZones', {});
	expect(personEntries.slice(0, 2)).toEqual([
		["Customer's Own", 'customersOwn'],
		['UTC', 'UTC'],
	]);
});

test('known values are listed if the platform lists none', async () => {
	const report = new SecurityAwarenessTrainingReport();
	const readExamStatuses = async (data: unknown) =>
		(await openList(report, 'searchExamStatuses', { 'GET /api/training-reports/form-details': { data } })).entries;
	expect(await readExamStatuses({ examStatuses: [] })).toEqual([
		['First Attempt', 'FirstAttempt'],
		['Passed Any Attempt', 'PassedAnyAttempt'],
		['Failed Any Attempt', 'FailedAnyAttempt'],
	]);
	expect(await readExamStatuses({ examStatuses: [{ id: 4, name: 'Passed' }] })).toEqual([['Passed', 'Passed']]);
});

test.each<[string, IDataObject[], Entry[]]>([
	['without any record', [], [['Active', '1']]],
	[
		'of inactive records',
		[{ statusId: 2, statusName: 'Passive' }],
		[
			['Passive', '2'],
			['Active', '1'],
		],
	],
	['whose active status has another name', [{ statusId: 1, statusName: 'Enabled' }], [['Enabled', '1']]],
	[
		'without names',
		[{ statusId: 1 }, { statusId: 3 }],
		[
			['Active', '1'],
			['3', '3'],
		],
	],
])('the statuses of a list %s include the active one', async (_list, clients, expected) => {
	const replies = { 'POST /api/companies/clients/search': { data: clients } };
	const { entries } = await openList(new SecurityAwarenessApiClient(), 'searchClientStatuses', replies);
	expect(entries).toEqual(expected);
});

test('the active status is added after statuses with a name, and before those without', async () => {
	const statuses = [
		{ id: '5', name: '5' },
		{ id: '2', name: 'Passive' },
	];
	const read = createReaderWithActiveStatus(() => Promise.resolve(statuses));
	expect(await read({} as PickerContext)).toEqual([statuses[1], ACTIVE_STATUS, statuses[0]]);
});

test('the schedules of a simulation are read from the form of its simulator', async () => {
	const { entries, routes } = await openList(new SecurityAwarenessPhishingCampaign(), 'searchScheduleTypes', {
		'GET /api/phishing-simulator/phishing-campaign/form-details': {
			data: {
				scheduleTypes: [
					{ text: 'Now', value: 1 },
					{ text: 'Later', value: 2 },
				],
				distributionTypes: [{ text: 'Random', value: 9 }],
			},
		},
	});
	expect(entries).toEqual([
		['Now', '1'],
		['Later', '2'],
	]);
	expect(routes).toEqual(['GET /api/phishing-simulator/phishing-campaign/form-details']);
});

test('each widget of the metrics is listed once, with the name of its group', async () => {
	const widget = { resourceId: 'w1', name: 'Clicks' };
	const { credentialStore: credential, requests } = await startFakeServer({
		'GET /api/executive-report/metrics': {
			data: {
				metrics: [
					{ name: 'Risk', widgets: [widget, { resourceId: 'w2', name: 'Reports' }] },
					{ name: 'Also', widgets: [widget] },
					{ widgets: null },
				],
			},
		},
	});
	const options = { node: new SecurityAwarenessExecutiveReport(), credential, parameters: { companyScope: 'own' } };
	const entries = await callLoadOptions({ ...options, method: 'loadWidgets' });
	expect(entries.map(({ name }) => name)).toEqual(['Risk: Clicks', 'Risk: Reports']);
	expect(requests.map(({ route }) => route)).toEqual(['GET /api/executive-report/metrics']);
});

test('without a list of action types, the notice in the list names the words that are accepted', async () => {
	const { credentialStore: credential } = await startFakeServer({});
	const node = new SecurityAwarenessPersonEventTrigger();
	const options = { node, credential, parameters: { companyScope: 'every' } };
	const entries = await callLoadOptions({ ...options, method: 'loadActionTypes' });
	expect(entries.map(({ name }) => name)).toEqual([
		expect.stringContaining('In an expression, enter Opened, Clicked, Submitted, Reported, or an ID.'),
	]);
});

test('an enrollment has enrollmentId, whatever name the platform gives to the ID', () => {
	expect(Object.entries(addEnrollmentId({ name: 'A', id: 5 }))).toEqual(
		Object.entries({ enrollmentId: '5', name: 'A', id: 5 }),
	);
	expect(addEnrollmentId({ resourceId: 'r', id: 5 })).toMatchObject({ enrollmentId: 'r' });
	expect(addEnrollmentId({ enrollmentId: 7, resourceId: 'r' })).toEqual({ enrollmentId: 7, resourceId: 'r' });
	expect(addEnrollmentId({ name: 'A' })).toEqual({ name: 'A' });
});
