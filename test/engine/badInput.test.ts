/**
 * Input that cannot be sent: named in an error before anything leaves, and no other item suffers.
 * PRINT=1 npx jest test/nodes/badInput prints the table.
 */
import { set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { storeBinary } from '../n8n-core';
import { sample } from '../setup/depth';
import { nodeFixture, failedItem, failureOf, isFailed, textOf, the, type NodeClass } from '../n8n-core/nodeFixture';

interface Operation {
	node: NodeClass;
	/** Parameters that work. */
	good: () => IDataObject;
}

const b = nodeFixture({ companies: 40 });
const companyId = () => the(b.service.state.companies[0]).companyResourceId;
const groupId = () => the(b.service.state.groups[0]).resourceId;

const getCompany: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({ operation: 'get', company: { mode: 'id', value: companyId() } }),
};
const getCompanies: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		operation: 'getMany',
		limit: 3,
		show: 'all',
		filters: { condition: 'AND', filterGroups: '[]' },
		sort: { by: 'Name' },
		options: { pageSize: 10, timeout: 9 },
	}),
};
const getRecent: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({ operation: 'getMany', show: 'recent', createdWithinDays: 3 }),
};
const exportPage: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		operation: 'export',
		format: 'csv',
		allPages: false,
		pageNumber: 1,
		pageSize: 3,
		binaryPropertyName: 'data',
	}),
};
const createCompany: Operation = {
	node: SecurityAwarenessCompany,
	good: () => ({
		...{
			operation: 'create',
			name: 'New',
			country: 'c',
			licensePeriodType: 'p',
			numberOfUsers: 1,
			dateFormat: 'd',
			timeFormat: 't',
		},
		...{
			industry: { mode: 'id', value: 'i' },
			licenseType: { mode: 'id', value: 'l' },
			timeZone: { mode: 'id', value: 'UTC' },
		},
		additionalFields: {
			logo: 'data',
			moreFields: '{}',
			licenseStartDate: '2026-01-01',
			licenseEndDate: '2026-02-01',
			websiteUrl: '',
		},
	}),
};
const createGroup: Operation = {
	node: SecurityAwarenessCompanyGroup,
	good: () => ({
		operation: 'create',
		name: 'New',
		participantsFrom: 'id',
		participantIds: companyId(),
		additionalFields: { moreFields: '{}' },
	}),
};
const replaceParticipants: Operation = {
	node: SecurityAwarenessCompanyGroup,
	good: () => ({
		operation: 'replaceParticipants',
		companyGroup: { mode: 'id', value: groupId() },
		participantsFrom: 'list',
		participantList: [companyId()],
	}),
};
const targetGroups: Operation = {
	node: SecurityAwarenessTargetGroup,
	good: () => ({ operation: 'getMany', companyScope: 'one', company: { mode: 'id', value: companyId() } }),
};
const leaderboard: Operation = {
	node: SecurityAwarenessLeaderboard,
	good: () => ({ operation: 'export', companyScope: 'own', reportOptions: { startDate: '2026-01-01' } }),
};

type Row = [input: string, operation: Operation, field: string, bad: unknown, message: string];

const long = (length: number) => 'x'.repeat(length);
const badIds: Array<[string, unknown, string]> = [
	['empty', '', 'must not be empty'],
	['blank', '   ', 'must not be empty'],
	['missing', null, 'must not be empty'],
	['../x', '../x', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['..', '..', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['a/b', 'a/b', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['a\\b', 'a\\b', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['a?b', 'a?b', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['a#b', 'a#b', 'is not an ID: it must not have / \\ ? # or be dots only'],
	['with a line break', 'a\nb', 'must not have line breaks or control characters'],
	['with a line break at its end', 'a\r\n', 'must not have line breaks or control characters'],
	['with NUL', 'a\u0000', 'must not have line breaks or control characters'],
	['with a line separator', 'a\u2028b', 'must not have line breaks or control characters'],
	['of 257 characters', long(257), 'must have at most 256 characters, but has 257'],
	['that is a list', ['a'], 'must be an ID'],
];

const perItem: Row[] = [
	...badIds.map(([input, bad, message]): Row => [
		`Company ID ${input}`,
		getCompany,
		'company.value',
		bad,
		`'Company' ${message}`,
	]),
	...badIds.map(([input, bad, message]): Row => [
		`Company to act for ${input}`,
		targetGroups,
		'company.value',
		bad,
		`'Company' ${message}`,
	]),
	[
		'Company to act for with letters a header cannot carry',
		targetGroups,
		'company.value',
		'aΩ',
		"'Company' must have only letters, digits and signs that a header can carry (ASCII)",
	],
	[
		'Company Group ID a/b',
		replaceParticipants,
		'companyGroup.value',
		'a/b',
		"'Company Group' is not an ID: it must not have / \\ ? # or be dots only",
	],
	[
		'a participant ../x',
		createGroup,
		'participantIds',
		'good,../x',
		"'Company IDs' is not an ID: it must not have / \\ ? # or be dots only",
	],
	[
		'a participant of 257 characters',
		createGroup,
		'participantIds',
		long(257),
		"'Company IDs' must have at most 256 characters, but has 257",
	],
	['participants: none', createGroup, 'participantIds', '', "'Company IDs' must name at least one company"],
	[
		'participants: an empty list',
		replaceParticipants,
		'participantList',
		[],
		"'Company Names or IDs' must name at least one company",
	],
	...(
		[
			[0, "'0'"],
			[-1, "'-1'"],
			[1.5, "'1.5'"],
			['text', "'text'"],
			['', 'empty'],
			[null, 'empty'],
		] as const
	).map(([bad, shown]): Row => [
		`Limit ${JSON.stringify(bad)}`,
		getCompanies,
		'limit',
		bad,
		`'Limit' must be a whole number of at least 1, but is ${shown}`,
	]),
	[
		'Page Size 1001',
		getCompanies,
		'options.pageSize',
		1001,
		"'Page Size' in 'Options' must be a whole number from 1 to 1000, but is '1001'",
	],
	['Page 0 of an export', exportPage, 'pageNumber', 0, "'Page' must be a whole number of at least 1, but is '0'"],
	[
		'Page Size empty in an export',
		exportPage,
		'pageSize',
		null,
		"'Page Size' must be a whole number from 1 to 1000, but is empty",
	],
	[
		'Created Within Days empty',
		getRecent,
		'createdWithinDays',
		null,
		"'Created Within Days' must be a whole number from 1 to 36500, but is empty",
	],
	['Group name empty', createGroup, 'name', '', "'Name' must not be empty"],
	['Group name blank', createGroup, 'name', '  ', "'Name' must not be empty"],
	['Group name of 65 characters', createGroup, 'name', long(65), "'Name' must have 1 to 64 characters, but has 65"],
	['Company name empty', createCompany, 'name', null, "'Name' must not be empty"],
	['Company name of 65 characters', createCompany, 'name', long(65), "'Name' must have 1 to 64 characters, but has 65"],
	['Name that is an object', createGroup, 'name', { a: 1 }, "'Name' must be text"],
	[
		'Number of Users -1',
		createCompany,
		'numberOfUsers',
		-1,
		"'Number of Users' must be a whole number from 0 to 2147483647, but is '-1'",
	],
	[
		'Website URL of 2001 characters',
		createCompany,
		'additionalFields.websiteUrl',
		long(2001),
		"'Website URL' in 'Additional Fields' must have 0 to 2000 characters, but has 2001",
	],
	[
		'Filter Groups: no JSON',
		getCompanies,
		'filters.filterGroups',
		'Condition = AND',
		"'Filter Groups (JSON)' in 'Filters' must be JSON, but is not: ",
	],
	[
		'Filter Groups: cut JSON',
		getCompanies,
		'filters.filterGroups',
		'[{"Condition":',
		"'Filter Groups (JSON)' in 'Filters' must be JSON, but is not: ",
	],
	[
		'Filter Groups: a number',
		getCompanies,
		'filters.filterGroups',
		'5',
		"'Filter Groups (JSON)' in 'Filters' must be a list of groups, each an object",
	],
	[
		'Filter Groups: null in it',
		getCompanies,
		'filters.filterGroups',
		'[{"FilterItems":[{"Value":null}]}]',
		"'Filter Groups (JSON)' in 'Filters' must not have null in it, because the service refuses it",
	],
	[
		'Condition XOR',
		getCompanies,
		'filters.condition',
		'XOR',
		"'Condition' in 'Filters' must be one of 'AND', 'OR', but is 'XOR'",
	],
	[
		'Sort by an unknown field',
		getCompanies,
		'sort.by',
		'Nope',
		"'By' in 'Sort' must be one of 'CreateTime', 'Name', 'RenewalDate', but is 'Nope'",
	],
	[
		'Show: unknown',
		getCompanies,
		'show',
		'some',
		"'Show' must be one of 'all', 'expired', 'overLimit', 'recent', 'renewal', but is 'some'",
	],
	['Format pdf', exportPage, 'format', 'pdf', "'Format' must be one of 'csv', 'excel', but is 'pdf'"],
	['Output field empty', exportPage, 'binaryPropertyName', '', "'Put Output File in Field' must not be empty"],
	[
		'Logo: no such file',
		createCompany,
		'additionalFields.logo',
		'logo',
		"'Logo Input Data Field Name' in 'Additional Fields' names 'logo', but the item has no file of that name",
	],
	[
		'Additional Fields: no JSON',
		createCompany,
		'additionalFields.moreFields',
		'{a}',
		"'Additional Fields (JSON)' in 'Additional Fields' must be JSON, but is not: ",
	],
	[
		'Additional Fields: a list',
		createGroup,
		'additionalFields.moreFields',
		'[1]',
		"'Additional Fields (JSON)' in 'Additional Fields' must be a JSON object",
	],
	[
		'Additional Fields: null in a form',
		createCompany,
		'additionalFields.moreFields',
		'{"a":null}',
		"'Additional Fields (JSON)' in 'Additional Fields' must not have an object or null under 'a'",
	],
	[
		'License End Date: no date',
		createCompany,
		'additionalFields.licenseEndDate',
		'soon',
		"'License End Date' in 'Additional Fields' must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is 'soon'",
	],
	[
		'License End Date before the start',
		createCompany,
		'additionalFields.licenseEndDate',
		'2025-12-31',
		"'License End Date' in 'Additional Fields' must not be before the start date",
	],
	[
		'Start Date: the 30th of February',
		leaderboard,
		'reportOptions.startDate',
		'2026-02-30',
		"'Start Date' in 'Report Period' must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is '2026-02-30'",
	],
	[
		'Company Scope: unknown',
		targetGroups,
		'companyScope',
		'some',
		"'Company Scope' must be one of 'own', 'every', 'one', but is 'some'",
	],
	[
		"a company picked, but Company Scope is Credential's Own",
		targetGroups,
		'companyScope',
		'own',
		"'Company' is filled in, but 'Company Scope' is 'Credential's Own', which uses no company",
	],
	[
		'a company picked, but Company Scope is Every Company',
		targetGroups,
		'companyScope',
		'every',
		"'Company' is filled in, but 'Company Scope' is 'Every Company', which uses no company",
	],
];

/** What is one for the whole run, so that every item shares the failure. */
const perRun: Row[] = [
	[
		'Concurrency 0',
		getCompanies,
		'options.concurrency',
		0,
		"'Concurrency' in 'Options' must be a whole number from 1 to 20, but is '0'",
	],
	[
		'Concurrency 1000',
		getCompanies,
		'options.concurrency',
		1000,
		"'Concurrency' in 'Options' must be a whole number from 1 to 20, but is '1000'",
	],
	[
		'Timeout 0',
		createGroup,
		'options.timeout',
		0,
		"'Timeout' in 'Options' must be a whole number from 1 to 3600, but is '0'",
	],
	['Operation: unknown', getCompanies, 'operation', 'fly', "'Operation' is not one of this node"],
];

const credentials: Array<[input: string, credential: IDataObject, message: string]> = [
	...(
		[
			['empty', '  ', 'is empty'],
			['without scheme', 'awareness.example.com', 'must begin with https://'],
			['with another scheme', 'ftp://awareness.example.com', 'must begin with https://'],
			['without host', 'https://', 'is not a web address'],
			['with a path', 'https://awareness.example.com/app', 'must not have a path'],
			['with a path below /api', 'https://awareness.example.com/api/v1', 'must not have a path'],
			['with a query', 'https://awareness.example.com/?a=b', 'must not have a path'],
			[
				'with user and password',
				'https://user:password@awareness.example.com',
				'must not hold a user name or password',
			],
			[
				'http on another host',
				'http://awareness.example.com',
				'must begin with https://, because over http:// others can read your data on the way',
			],
			[
				'http on a host that only begins like this machine',
				'http://127.0.0.1.example.com',
				'must begin with https://, because over http:// others can read your data on the way',
			],
			['with a line break', 'https://awareness.\nexample.com', 'is not a web address'],
		] as const
	).map(([input, serverUrl, message]): [string, IDataObject, string] => [
		`Base URL ${input}`,
		{ serverUrl },
		`'Base URL' ${message}`,
	]),
	...(
		[
			['with a line break', 'X-A\r\nX-Evil: 1'],
			['with NUL', 'X-A\u0000'],
			['with a blank', 'X A'],
			['with a colon', 'X-A:'],
			['with an umlaut', 'X-Fïrma'],
		] as const
	).map(([input, companyHeaderName]): [string, IDataObject, string] => [
		`Company Header Name ${input}`,
		{ companyHeaderName },
		"'Company Header Name' must be a header name: letters, digits and hyphens only, with no blanks or line breaks",
	]),
];

const printed: Array<[input: string, message: string]> = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Input | Message |', '|---|---|', ...printed.map(([input, message]) => `| ${input} | ${message} |`)].join('\n')}\n`,
		);
});

/** The parameters with a bad value in one place: always, or for the items that say so. */
function withBad(good: IDataObject, field: string, bad: unknown, always: boolean): IDataObject {
	const value: unknown = field
		.split('.')
		.reduce<unknown>(
			(from, key) => (typeof from === 'object' && from !== null && key in from ? Reflect.get(from, key) : undefined),
			good,
		);
	// n8n's expressions take no raw line separator.
	const code = JSON.stringify(bad).replace(/\u2028/g, '\\u2028');
	return set(
		structuredClone(good),
		field,
		`={{ ${always ? '' : `!$json.bad ? ${JSON.stringify(value ?? null)} : `}${code} }}`,
	);
}

/** A message as far as the table has it: after a colon come the JSON parser's words, which differ between versions of Node. */
const beginning = (message: string, expected: string) =>
	expected.endsWith(': ') ? message.slice(0, expected.length) : message;

async function items(...bad: boolean[]) {
	const file = await storeBinary(Buffer.from('file'), { fileName: 'f.png', mimeType: 'image/png' });
	return bad.map((isBad) => ({ json: { bad: isBad }, binary: { data: file } }));
}

test.each([...perItem, ...perRun])(
	'%s: said before anything is asked, not even for a token',
	async (input, { node, good }, field, bad, message) => {
		const parameters =
			field === 'operation' ? { ...good(), operation: textOf(bad) } : withBad(good(), field, bad, true);
		const error = await failureOf(b.run(node, parameters, { store: b.newStore(), items: await items(true) }));
		expect(b.service.log).toEqual([]);
		expect(beginning(error.message, message)).toBe(message);
		expect(error.description).toMatch(/\w/);
		printed.push([input, error.message]);
	},
);

// What is said of a row was told above, so a sample has a quarter of them here.
test.each(sample(perItem, Math.ceil(perItem.length / 4)))(
	'%s: the other items are unharmed',
	async (_input, { node, good }, field, bad, message) => {
		const parameters = withBad(good(), field, bad, false);
		const some = await items(false, true, false);
		const alone = await b.run(node, parameters, { items: some.slice(0, 1) });
		const requests = b.asked.length;
		b.service.clearLog();
		const result = await b.run(node, parameters, { items: some, onError: 'continueRegularOutput' });
		const [first, ...others] = result.items.filter(isFailed);
		expect(beginning(failedItem(first).message.replace(/ \[item 1\]$/, ''), message)).toBe(message);
		expect(failedItem(first).message).toMatch(/ \[item 1\]$/);
		expect(first?.pairedItem).toEqual({ item: 1 });
		expect(others).toEqual([]);
		for (const item of [0, 2])
			expect(result.items.filter((each) => JSON.stringify(each.pairedItem) === `{"item":${item}}`)).toHaveLength(
				alone.items.length,
			);
		expect(b.asked).toHaveLength(2 * requests);
	},
);

test.each(credentials)('%s: said before anything is asked', async (input, credential, message) => {
	const error = await failureOf(
		b.run(getCompany.node, getCompany.good(), { store: b.newStore('reseller', credential) }),
	);
	expect(b.service.log).toEqual([]);
	expect(error.message).toBe(message);
	expect(error.description).toContain('Open the credential to change it.');
	printed.push([input, error.message]);
});
