/**
 * Tests the rows of an imported file. The platform would store even invalid values, so the node cleans such a row or leaves it out. Also tests
 * responses that lack details of the rows.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { hashSha256 } from '../cases/case';
import { runCase } from '../cases/operationFixture';
import { parseBody } from '../n8n-core/nodeFixture';
import { useSimulatedDate } from '../setup/testClock';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture } = createDeployedFixture();
useSimulatedDate();

const USERS_PATH = '/api/target-users';
const UPLOAD_FILE = `POST ${USERS_PATH}/upload`;
const IMPORT_ROWS = `POST ${USERS_PATH}/{transactionId}/import`;
/** The first bytes of an Excel file. The stand-in takes the CSV text after these bytes for the cells of the file. */
const WORKBOOK = Buffer.from('504b0304', 'hex');

/**
 * Imports a file.
 * @param prefix the bytes before the text, for example `WORKBOOK`
 */
async function importFile(text: string, parameters: IDataObject = {}, prefix = Buffer.alloc(0)) {
	const content = Buffer.concat([prefix, Buffer.from(text)]);
	const { items, hints } = await runCase(
		fixture,
		{ node: 'TargetUser', operation: 'importFile' },
		{
			parameters: { ...fixture.customer.companyParameters, file: 'data', ...parameters },
			inputFiles: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		},
	);
	const [summary = {}, ...rows] = items.map(({ json }) => json);
	return { summary, rows, hints: hints.map(({ message }) => message) };
}

/** Returns the email address and the phone number of each person that the import added. */
const listAddedPeople = () =>
	fixture.customer.companyData.users.flatMap(({ email, resourceId }) =>
		email.endsWith('@harbour.example') ? [[email, fixture.customer.world.getNotes(resourceId).phoneNumber]] : [],
	);

const uploadBodySchema = z.object({ files: z.array(z.object({ sha256: z.string() })) });
const listUploadedFiles = () =>
	fixture.standIn.getRequests(UPLOAD_FILE).flatMap(({ body }) => uploadBodySchema.parse(body).files);

const INVALID_PHONE_NUMBERS = ['4.91511E+12', '#N/A', '-', '+49undefined'];
const invalidRows = INVALID_PHONE_NUMBERS.map((phone, index) => `junk${index}@harbour.example,${phone}`);

test.each([
	['CSV', Buffer.alloc(0)],
	['Excel', WORKBOOK],
])('a row with an invalid phone number is listed and not imported: %s', async (_format, prefix) => {
	const text = ['Email,Phone Number', 'ada@harbour.example,+49 30 1234567', ...invalidRows].join('\n');
	const { summary, rows, hints } = await importFile(text, {}, prefix);
	expect(summary).toMatchObject({ isSummary: true, rowCount: 5, invalidUserCount: 4 });
	// The platform counts the rows of an Excel file, which the node can only leave out afterwards.
	expect(hints.join(' ').includes("'newUserCount' and 'existingUserCount' are the platform's counts.")).toBe(
		prefix === WORKBOOK,
	);
	expect(rows.map(({ reason, email, isSummary }) => [reason, email, isSummary])).toEqual(
		INVALID_PHONE_NUMBERS.map((phone, index) => [
			`phoneNumber: '${phone}' is not a phone number`,
			`junk${index}@harbour.example`,
			false,
		]),
	);
	expect(hints.some((hint) => /^Invalid rows were not imported\. .*4 of 5 rows/.test(hint))).toBe(true);
	expect(listAddedPeople()).toEqual([['ada@harbour.example', '+49 30 1234567']]);
	expect(fixture.standIn.getRequests(IMPORT_ROWS)).toHaveLength(1);
});

test('if every row is invalid, nothing is imported and each row is returned', async () => {
	const { summary, rows } = await importFile('First Name,E-MAIL,phone_number\nAda,nobody,1');
	expect([summary, ...rows].map(({ isSummary }) => isSummary)).toEqual([true, false]);
	expect(fixture.standIn.getRequests(IMPORT_ROWS)).toEqual([]);
});

test('an address is imported without the characters that copying added; all other cells are unchanged', async () => {
	const { summary } = await importFile(
		[
			'\ufeffEmail,Name of the Department,"Phone Number"',
			`mailto:ada@harbour.example,"Bread, ""sour"" ",'+49 30 1`,
			`'b\u200bob@harbour.example,"Cakes\r\nand pies",+49 30 2`,
			'cy@harbour.example,"""Sour"" dough",+49 30 3',
			'',
		].join('\r\n'),
		{
			columns: {
				rows: [
					{ column: 'Email', field: 'email' },
					{ column: 'Phone Number', field: 'phoneNumber' },
					{ column: 'Name of the Department', field: 'department' },
				],
			},
		},
	);
	expect(summary).toMatchObject({ rowCount: 3, newUserCount: 3 });
	expect(listAddedPeople()).toEqual([
		['ada@harbour.example', '+49 30 1'],
		['bob@harbour.example', '+49 30 2'],
		['cy@harbour.example', '+49 30 3'],
	]);
	const departments = fixture.customer.companyData.users.slice(-3).map(({ department }) => department);
	expect(departments).toEqual(['Bread, "sour" ', 'Cakes\r\nand pies', '"Sour" dough']);
});

test('the address of a manager is cleaned, too, and the file is uploaded unchanged if there is nothing to clean', async () => {
	const header = 'Email,Phone Number,Manager Email\n';
	await importFile(`${header}ada@harbour.example,1,mailto:boss@harbour.example\n`);
	const cleanFile = `${header}bob@harbour.example,1,boss@harbour.example\n`;
	await importFile(cleanFile);
	expect(listUploadedFiles().map(({ sha256 }) => sha256)).toEqual(
		[`Email,Phone Number,Manager Email\r\nada@harbour.example,1,boss@harbour.example\r\n`, cleanFile].map((text) =>
			hashSha256(Buffer.from(text)),
		),
	);
});

test('a copied address in an Excel file is listed, because the node cannot change it', async () => {
	const { rows } = await importFile('Email,Phone Number\nmailto:ada@harbour.example,1', {}, WORKBOOK);
	expect(rows).toMatchObject([
		{ reason: "email: 'mailto:ada@harbour.example' has characters that are not part of the address" },
	]);
	expect(fixture.standIn.getRequests(IMPORT_ROWS)).toEqual([]);
});

test('the rows of an Excel file are read in large pages', async () => {
	const rows = Array.from({ length: 101 }, (_, index) => `row${index}@harbour.example,+49 30 ${index}`);
	const { summary } = await importFile(['Email,Phone Number', ...rows].join('\n'), {}, WORKBOOK);
	expect(summary).toMatchObject({ rowCount: 101, newUserCount: 101 });
	const sizes = fixture.standIn
		.getRequests(`POST ${USERS_PATH}/{transactionId}/search`)
		.map((request) => parseBody(request).pageSize);
	expect(sizes.filter((size) => size !== 1)).toEqual([500]);
});

const createCsv = (column: string, values: string[]) =>
	[
		'Email,Phone Number,' + column,
		...values.map((value, index) => `p${index}@harbour.example,+49 30 ${index},${value}`),
	].join('\n');

test.each<[column: string, inactiveValues: string[]]>([
	['Status', ['DEPROVISIONED', 'Disabled', 'Deactivated', 'inactive', 'Guest', 'Suspended']],
	['User type', ['guest']],
	['Status [READ ONLY]', ['Suspended']],
	['accountEnabled', ['false', 'FALSE', 'No', '0']],
	['Employee Status', ['Inactive (on leave)', 'Disabled since May', 'guest: external']],
	['userType', ['Guest User']],
	['USERTYPE', ['Guest']],
	['Is Disabled', ['Yes', 'yes: since May', '1']],
	['Account disabled', ['TRUE']],
	['accountstatus', ['Disabled']],
	['userstatus', ['Disabled']],
	['isactive', ['No', '0']],
])(
	'people whom the column %s marks as inactive are listed and not imported, unless the option includes them',
	async (column, inactiveValues) => {
		const activeValues = /disabled/i.test(column) ? ['false', 'No', '0', ''] : ['Active', 'Member', 'True', ''];
		const text = createCsv(column, [...inactiveValues, ...activeValues]);
		const { summary, rows, hints } = await importFile(text);
		expect(summary).toMatchObject({
			rowCount: inactiveValues.length + 4,
			newUserCount: 4,
			skippedUserCount: inactiveValues.length,
		});
		expect(rows).toMatchObject(
			inactiveValues.map((value, index) => ({ reason: `${column}: ${value}`, email: `p${index}@harbour.example` })),
		);
		expect(hints.join()).toContain("To import them, turn on 'Include Inactive People'.");
		expect(listAddedPeople()).toHaveLength(4);
		// With the option, the import adds the people that the first import left out.
		const options = { includeInactive: true };
		const secondImport = await importFile(text, { options });
		expect(secondImport.summary).toMatchObject({ newUserCount: inactiveValues.length, existingUserCount: 4 });
		expect([secondImport.rows, secondImport.hints]).toEqual([[], []]);
		expect(listAddedPeople()).toHaveLength(inactiveValues.length + 4);
	},
);

test.each([
	['MFA Status', ['Disabled', 'inactive']],
	['onPremisesSyncEnabled', ['False', 'No']],
	['Inactive', ['False', 'No']],
	['Status', ['Guesthouse manager', 'Not inactive']],
	['Status of Laptop', ['Disabled', 'Inactive']],
	['Licence Status', ['Suspended', 'Inactive']],
	['E-Mail Status', ['Disabled', 'Deactivated']],
	['Mailbox Status', ['Inactive', 'Suspended']],
	['Password Status', ['Disabled', 'Inactive']],
	['Device Status', ['Disabled', 'Inactive']],
	['2SV Enabled', ['False', 'No']],
	['Archive Status', ['Disabled', 'Inactive']],
	['Forwarding Enabled', ['False', 'No']],
])('a column with another meaning does not mark anybody as inactive: %s', async (column, values) => {
	const { summary } = await importFile(createCsv(column, values));
	expect(summary).toMatchObject({ newUserCount: 2 });
	expect(summary.skippedUserCount).toBeUndefined();
});

test('if every row is left out, nothing is uploaded and all rows are listed', async () => {
	const { summary, rows } = await importFile(createCsv('Status', ['Disabled', 'Guest']));
	expect(summary).toMatchObject({ isSummary: true, rowCount: 2, newUserCount: 0, skippedUserCount: 2 });
	expect(rows).toHaveLength(2);
	expect(fixture.standIn.getRequests(UPLOAD_FILE)).toEqual([]);
});

test('an Excel file with a status column is refused, because the node cannot read the column', async () => {
	const text = createCsv('Status', ['Active']);
	const message = await getFailureMessage(importFile(text, {}, WORKBOOK));
	expect(message).toContain("'Input Data Field Name' has the column 'Status'");
	expect(message).toContain("turn on 'Include Inactive People'");
	expect(message).toContain("save the file as 'CSV UTF-8 (Comma delimited)'");
	expect(fixture.standIn.getRequests(IMPORT_ROWS)).toEqual([]);
	const { summary } = await importFile(text, { options: { includeInactive: true } }, WORKBOOK);
	expect(summary).toMatchObject({ newUserCount: 1 });
});

test('a row with a word for a missing value in any of its columns is listed and not imported', async () => {
	const columns = {
		firstName: 'First Name',
		lastName: 'Last Name',
		department: 'Department',
		managerFirstName: 'Manager First Name',
		managerLastName: 'Manager Last Name',
		managerEmail: 'Manager Email',
	};
	const fields = Object.keys(columns);
	const filledRows = fields.map((field, index) =>
		[`p${index}@harbour.example`, '+49301', ...fields.map((name) => (name === field ? 'undefined' : 'Null'))].join(),
	);
	const validRow = ['bo@harbour.example', '+49302', ...fields.map(() => 'Null')].join();
	const text = [['Email', 'Phone Number', ...Object.values(columns)].join(), ...filledRows, validRow].join('\n');
	const { summary, rows } = await importFile(text);
	expect(summary).toMatchObject({ newUserCount: 1, invalidUserCount: fields.length });
	expect(rows.map(({ reason }) => reason)).toEqual(
		fields.map((field) => `${field}: 'undefined' is a word for a missing value`),
	);
	expect(listAddedPeople()).toEqual([['bo@harbour.example', '+49302']]);
});

describe('responses that lack details', () => {
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
	const setResponse = (route: string, data: IDataObject) =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, request) => (request.route === route ? { status: 'SUCCESS', data } : envelope),
		});

	test('an invalid row without a reason is listed, and a hint says that other invalid rows are not listed', async () => {
		const row = { resourceId: 'r1', email: 'ada@harbour.example', validationDetail: [{ code: 5 }] };
		setResponse(`POST ${USERS_PATH}/{transactionId}/search`, {
			status: 'Completed',
			items: { results: [row], totalNumberOfRecords: 1, totalNumberOfPages: 1 },
			newUserCount: 0,
			existingUserCount: 0,
			invalidUserCount: 2,
		});
		const text = ['Email,Phone Number', ...[1, 2, 3].map((index) => `p${index}@harbour.example,1`)].join('\n');
		const { summary, rows, hints } = await importFile(text);
		expect(summary).toMatchObject({ rowCount: 3, newUserCount: 0, invalidUserCount: 2 });
		expect(rows).toMatchObject([{ reason: 'the platform gave no reason', email: 'ada@harbour.example' }]);
		expect(hints).toContain('The platform counts 2 invalid rows, but gives reasons for 1.');
	});

	test('the node waits while the list of the rows says that the check is running, even if its job has ended', async () => {
		const route = `POST ${USERS_PATH}/{transactionId}/search`;
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, request) => {
				const isRunning = request.route === route && fixture.standIn.getRequests(route).length < 4;
				return isRunning
					? { status: 'SUCCESS', data: { status: 'Processing', items: null, newUserCount: 0 } }
					: envelope;
			},
		});
		const { summary } = await importFile('Email,Phone Number\nada@harbour.example,1');
		expect(fixture.standIn.getRequests(route)).toHaveLength(4);
		expect(summary).toMatchObject({ newUserCount: 1 });
	});

	const FILE = 'Email,Mobile\nada@harbour.example,+49 30 1';

	test('if the names of the columns of an Excel file are not known, the entered columns are used', async () => {
		setResponse(`GET ${USERS_PATH}/upload/{transactionId}`, { fileType: 'excel' });
		const rows = [
			{ column: 'Email', field: 'email' },
			{ column: 'Mobile', field: 'phoneNumber' },
		];
		await importFile(FILE, { columns: { rows } }, WORKBOOK);
		expect(listAddedPeople()).toEqual([['ada@harbour.example', '+49 30 1']]);
	});

	test('if the names of the columns of an Excel file are not known and none were entered, the error says so', async () => {
		setResponse(`GET ${USERS_PATH}/upload/{transactionId}`, { fileType: 'excel' });
		const message = await getFailureMessage(importFile(FILE, {}, WORKBOOK));
		expect(message).toContain("'Columns' must have a column for ");
		expect(message).toContain("The names of the file's columns are not known.");
		expect(fixture.standIn.getRequests(IMPORT_ROWS)).toEqual([]);
	});
});
