/** Tests the import of people from a file: columns, rejected files, waiting for the platform, and repeated imports. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runCase } from '../cases/operationFixture';
import { getHintMessages, getJson } from '../n8n-core/nodeFixture';
import { useRealPauses, useSimulatedDate } from '../setup/testClock';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture } = createDeployedFixture();
useSimulatedDate();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined, beforeResponse: undefined }));

const responseSchema = z.object({ data: z.record(z.unknown()) });

/**
 * Changes the data that the platform returns on one route.
 * @param changeData receives the number of earlier requests to the route and the real data, and returns the changed data
 */
function changeResponses(
	route: string,
	changeData: (earlierRequestCount: number, data: Record<string, unknown>) => unknown,
) {
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, request) => {
			if (request.route !== route) return envelope;
			const earlierRequestCount = fixture.standIn.getRequests(route).length - 1;
			return { status: 'SUCCESS', data: changeData(earlierRequestCount, responseSchema.parse(envelope).data) };
		},
	});
}

const USERS_PATH = '/api/target-users';
const UPLOAD_FILE = `POST ${USERS_PATH}/upload`;
const CREATE_MAPPING = `POST ${USERS_PATH}/create-mapping`;
const READ_MAPPING_JOB = `GET ${USERS_PATH}/mapping-job/{resourceId}`;
const SEARCH_ROWS = `POST ${USERS_PATH}/{transactionId}/search`;
const IMPORT_ROWS = `POST ${USERS_PATH}/{transactionId}/import`;

/** Creates the rows of a file with people. Every twelfth row has no valid address or no phone number. */
const createRows = (count: number) =>
	Array.from({ length: count }, (_, index) => [
		`Person ${index}`,
		index % 24 === 11 ? `person${index}` : `person${index}@harbour.example`,
		index % 24 === 23 ? '' : `+49 30 ${index}`,
	]);

const formatCsv = (columnNames: string[], rows: string[][]) =>
	[columnNames, ...rows].map((row) => row.join(',')).join('\n');

/** Imports a CSV file with these columns and rows. */
async function importFile(columnNames: string[], rows: string[][], parameters: IDataObject = {}, signal?: AbortSignal) {
	return await importContent(Buffer.from(formatCsv(columnNames, rows)), parameters, signal);
}

/** Imports a file with any content. */
async function importContent(content: Buffer, parameters: IDataObject = {}, signal?: AbortSignal) {
	return await runCase(
		fixture,
		{ node: 'TargetUser', operation: 'importFile' },
		{
			parameters: { ...fixture.customer.companyParameters, file: 'data', ...parameters },
			inputFiles: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		},
		signal ? { signal } : {},
	);
}

const COLUMN_NAMES = ['First Name', 'E-MAIL', 'phone_number'];
const listEmails = () => fixture.customer.companyData.users.map(({ email }) => email).sort();

test.each(['={{ [] }}', '={{ "" }}'])(
	'no one is imported if the expression for the target groups found none, as in %s',
	async (targetGroups) => {
		expect(await getFailureMessage(importFile(COLUMN_NAMES, createRows(2), { targetGroups }))).toContain(
			"'Target Group Names or IDs' must have a value, but has none",
		);
		expect(fixture.requests).toEqual([]);
	},
);

test('a file with 60 rows of which 5 are invalid, imported twice, adds 55 people once', async () => {
	const emailsBefore = listEmails();
	const firstImport = await importFile(COLUMN_NAMES, createRows(60));
	const [summary, ...invalidRows] = firstImport.items.map(({ json }) => json);
	expect(summary).toMatchObject({ isSummary: true, rowCount: 60, duplicateCount: 0 });
	expect(summary).toMatchObject({ newUserCount: 55, existingUserCount: 0, invalidUserCount: 5 });
	expect(invalidRows.map(({ isSummary, firstName }) => [isSummary, firstName]).sort()).toEqual(
		[11, 23, 35, 47, 59].map((index) => [false, `Person ${index}`]).sort(),
	);
	for (const { reason } of invalidRows) expect(reason).toMatch(/^(email: It is no|phoneNumber: It is required)/);
	const emailsAfter = listEmails();
	expect(emailsAfter).toHaveLength(emailsBefore.length + 55);

	const secondImport = await importFile(COLUMN_NAMES, createRows(60));
	expect(secondImport.items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 55, invalidUserCount: 5 });
	expect(secondImport.items).toHaveLength(6);
	expect(listEmails()).toEqual(emailsAfter);
	for (const { hints } of [firstImport, secondImport])
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^Invalid rows were not imported\. This applies to Harbour Bakery \(5 of 60 rows: person11 \(email: It is no .*, and 2 more\)\.$/,
			),
		]);
});

test('duplicate rows are imported once, and the node still waits for all rows', async () => {
	const [firstRow = [], secondRow = []] = createRows(2);
	const result = await importFile(COLUMN_NAMES, [firstRow, secondRow, firstRow]);
	expect(getJson(result.items)).toMatchObject([{ rowCount: 3, duplicateCount: 1, newUserCount: 2 }]);
	expect(getHintMessages(result)).toEqual([]);
});

test.each([';', '\t'])('a file with commas is imported even if a column name contains %j', async (separator) => {
	const { items } = await importFile(
		['Email', 'Phone Number', `Note${separator}internal`],
		[['ada@harbour.example', '1', '']],
	);
	expect(getJson(items)).toMatchObject([{ newUserCount: 1 }]);
});

test('columns with any names, as the user entered them', async () => {
	const rows = [
		{ column: 'Wer', field: 'firstName' },
		{ column: 'Adresse', field: 'email' },
		{ column: 'Telefon', field: 'other', fieldName: 'phoneNumber' },
	];
	const { items } = await importFile(['Wer', 'Adresse', 'Telefon'], createRows(3), { columns: { rows } });
	expect(items[0]?.json).toMatchObject({ newUserCount: 3 });
	expect(fixture.customer.companyData.users.at(-1)?.firstName).toBe('Person 2');
});

test.each([
	[
		'by the entered names',
		{ columns: { rows: [createColumn(' e mail', 'email'), createColumn('PHONE NUMBER', 'phoneNumber')] } },
	],
	['automatically', {}],
])('columns with a BOM, spaces and capital letters are found %s', async (_method, parameters) => {
	const { items } = await importFile(['\ufeffE-Mail ', 'Phone  number'], [['ada@harbour.example', '1']], parameters);
	expect(items[0]?.json).toMatchObject({ newUserCount: 1 });
	const [mapping] = fixture.standIn.getRequests(CREATE_MAPPING);
	expect(mapping?.body).toMatchObject({ fieldMappings: [{ fieldName: 'email' }, { fieldName: 'phoneNumber' }] });
});

test('if two columns have similar names, the exact name is preferred', async () => {
	const rows = [createColumn('email', 'email'), createColumn('Phone', 'phoneNumber')];
	const columnNames = ['E-Mail', 'Phone', 'email'];
	await importFile(columnNames, [['old@harbour.example', '1', 'ada@harbour.example']], { columns: { rows } });
	expect(listEmails()).toContain('ada@harbour.example');
	const ambiguousColumns = { columns: { rows: [createColumn('E Mail', 'email'), ...rows.slice(1)] } };
	const message = await getFailureMessage(importFile(columnNames, createRows(1), ambiguousColumns));
	expect(message).toContain("'Columns' names 'E Mail', which matches several columns: 'E-Mail', 'email'");
});

/** Creates a row of the parameter 'Columns'. */
function createColumn(column: string, field: string) {
	return { column, field };
}

describe('the end of the check', () => {
	test.each([5, 2])('the check can end although the platform counts 3 rows and the file has %d', async (rowCount) => {
		changeResponses(UPLOAD_FILE, (_earlierRequestCount, data) => ({ ...data, rowCount }));
		const { items, hints } = await importFile(COLUMN_NAMES, createRows(3));
		expect(items[0]?.json).toMatchObject({ rowCount, newUserCount: 3 });
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain(`The file has ${rowCount} rows, but the platform counts 3 as new`);
		expect(listEmails()).toContain('person2@harbour.example');
	});

	test.each([
		['they count duplicates', [4, 4, 9, 10]],
		['they leave out duplicates', [4, 4, 9, 9]],
	])('without a status, the check ends when the counts add up and %s', async (_condition, checkedCounts) => {
		fixture.standIn.addFault({ route: READ_MAPPING_JOB, kind: 'status', status: 404 });
		changeResponses(SEARCH_ROWS, (earlierRequestCount, { items }) => ({
			items,
			newUserCount: checkedCounts[earlierRequestCount],
		}));
		const rows = createRows(9);
		const result = await importFile(COLUMN_NAMES, [...rows, ...rows.slice(0, 1)]);
		expect(fixture.standIn.getRequests(SEARCH_ROWS)).toHaveLength(checkedCounts.length);
		expect(getJson(result.items)).toMatchObject([
			{ rowCount: 10, duplicateCount: 1, newUserCount: checkedCounts.at(-1) },
		]);
		expect(getHintMessages(result)).toEqual([]);
		expect(listEmails()).toContain('person8@harbour.example');
	});

	test('the check continues while its job has an unknown status', async () => {
		changeResponses(READ_MAPPING_JOB, (earlierRequestCount) => ({
			status: earlierRequestCount < 5 ? 'HalfWay' : 'COMPLETED',
		}));
		await importFile(COLUMN_NAMES, createRows(3));
		const routes = fixture.standIn.log
			.map(({ route }) => route)
			.filter((route) => [READ_MAPPING_JOB, SEARCH_ROWS, IMPORT_ROWS].includes(route));
		expect(routes.slice(0, 7)).toEqual([...Array<string>(6).fill(READ_MAPPING_JOB), SEARCH_ROWS]);
		expect(routes.at(-1)).toBe(IMPORT_ROWS);
	});

	test.each([
		['the platform has no job', CREATE_MAPPING, { resourceId: 'nobody' }],
		['its job has no status', READ_MAPPING_JOB, { progress: 30 }],
		['its job is empty', READ_MAPPING_JOB, {}],
		['its job is null', READ_MAPPING_JOB, null],
	])('the check ends when the counts add up if %s', async (_condition, route, data) => {
		changeResponses(route, () => data);
		await importFile(COLUMN_NAMES, createRows(60));
		expect(fixture.standIn.getRequests(READ_MAPPING_JOB)).toHaveLength(1);
		expect(listEmails()).toContain('person58@harbour.example');
	});
});

describe('errors before anybody is imported', () => {
	afterEach(() => expect(fixture.standIn.getRequests(IMPORT_ROWS)).toEqual([]));

	test.each<[string, IDataObject[], string]>([
		['no column for the address', [{ column: 'A', field: 'phoneNumber' }], "'Columns' must have a column for Email"],
		[
			'two columns for one field',
			[
				{ column: 'A', field: 'email' },
				{ column: 'B', field: 'email' },
			],
			"'Columns' must have one column for Email, but has 'A', 'B'",
		],
	])('%s: the file is not uploaded', async (_fault, rows, message) => {
		expect(await getFailureMessage(importFile(COLUMN_NAMES, createRows(3), { columns: { rows } }))).toContain(message);
		expect(fixture.standIn.getRequests(UPLOAD_FILE)).toEqual([]);
	});

	test('no column with a name for phone numbers', async () => {
		const message = await getFailureMessage(importFile(['First Name', 'Email', 'Handy'], createRows(3)));
		expect(message).toContain("'Columns' must have a column for Phone Number");
		expect(message).toContain("The file has the columns 'First Name', 'Email', 'Handy'.");
		expect(fixture.standIn.getRequests(`POST ${USERS_PATH}/create-mapping`)).toEqual([]);
	});

	test('a column that the file does not have', async () => {
		const rows = [
			{ column: 'E-MAIL', field: 'email' },
			{ column: 'Mobile', field: 'phoneNumber' },
		];
		const message = await getFailureMessage(importFile(COLUMN_NAMES, createRows(3), { columns: { rows } }));
		expect(message).toContain("'Columns' names 'Mobile', which the file does not have");
	});

	test('a file without rows', async () => {
		expect(await getFailureMessage(importFile(COLUMN_NAMES, []))).toContain("'Input Data Field Name' has no rows");
	});

	test.each([
		['its job', READ_MAPPING_JOB, { status: 'ERROR', message: 'The sheet is protected.' }],
		[
			'the check',
			SEARCH_ROWS,
			{ status: 'INPUT_ERROR', message: 'The sheet is protected.', items: null, newUserCount: 0 },
		],
	])("%s has failed: the error is returned at once, with the platform's message", async (_job, route, data) => {
		changeResponses(route, () => data);
		const startedAt = Date.now();
		const message = await getFailureMessage(importFile(COLUMN_NAMES, createRows(3)));
		expect(message).toContain('the platform could not check the rows: The sheet is protected.');
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});

	const germanCsv = formatCsv(['Vorname', 'Email', 'Phone Number'], [['Jürgen', 'j@harbour.example', '1']]);
	test.each([
		["Windows' own encoding", Buffer.from(germanCsv, 'latin1'), "isn't in UTF-8"],
		['UTF-16', Buffer.from(`\ufeff${germanCsv}`, 'utf16le'), 'UTF-16'],
		['UTF-16 without a BOM', Buffer.from(germanCsv, 'utf16le'), 'UTF-16'],
		['semicolons', Buffer.from(germanCsv.replaceAll(',', ';')), 'separated by semicolons'],
		['semicolons and quotes', Buffer.from(`"Name, first";"Email"\n${germanCsv}`), 'separated by semicolons'],
		['tabs', Buffer.from(germanCsv.replaceAll(',', '\t')), 'separated by tabs'],
	])('a file with %s is not uploaded, and the error says what to do', async (_format, content, fault) => {
		const message = await getFailureMessage(importContent(content));
		expect(message).toMatch(/^'Input Data Field Name' (contains|has) /);
		expect(message).toContain(fault);
		expect(message).toContain("save the file as 'CSV UTF-8 (Comma delimited)' or as an Excel workbook");
		expect(fixture.standIn.getRequests(UPLOAD_FILE)).toEqual([]);
	});

	test.each(['504b0304', 'd0cf11e0'])('an Excel file (%s) is uploaded unchanged', async (firstBytes) => {
		await getFailureMessage(importContent(Buffer.from(`${firstBytes}00ff003b`, 'hex')));
		expect(fixture.standIn.getRequests(UPLOAD_FILE)).toHaveLength(1);
	});

	test('if the platform does not finish, the node stops after the timeout, and the error names the transaction', async () => {
		changeResponses(READ_MAPPING_JOB, () => ({ status: 'Processing' }));
		const startedAt = Date.now();
		const message = await getFailureMessage(
			importFile(COLUMN_NAMES, createRows(3), { options: { importTimeout: 60 } }),
		);
		const waitedSeconds = (Date.now() - startedAt) / 1000;
		expect(waitedSeconds).toBeGreaterThanOrEqual(60);
		expect(waitedSeconds).toBeLessThan(70);
		expect(message).toContain(
			"the platform has not checked all 3 rows within 60 seconds; the last status was 'Processing'",
		);
		expect(message).toContain(`The transaction ID is '${getTransactionId()}'.`);
		expect(fixture.standIn.getRequests(READ_MAPPING_JOB).length).toBeLessThan(20);
	});

	test('stopping the execution ends the wait at once', async () => {
		useRealPauses();
		const abortController = new AbortController();
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route === READ_MAPPING_JOB) setTimeout(() => abortController.abort(), 100);
				return envelope;
			},
		});
		const startedAt = Date.now();
		const message = await getFailureMessage(importFile(COLUMN_NAMES, createRows(3), {}, abortController.signal));
		expect(message).toMatch(/cancel|stopped/i);
		expect(Date.now() - startedAt).toBeLessThan(1000);
		expect(fixture.standIn.getRequests(READ_MAPPING_JOB)).toHaveLength(1);
	});

	test('an upload that the platform no longer knows has expired', async () => {
		let wasReset = false;
		fixture.standIn.setOptions({
			beforeResponse: () => {
				if (wasReset || fixture.standIn.getRequests(SEARCH_ROWS).length !== 1) return;
				wasReset = true;
				fixture.standIn.reset();
			},
		});
		const message = await getFailureMessage(importFile(COLUMN_NAMES, createRows(3)));
		expect(message).toMatch(/the upload '\w+' has expired \(404\)/);
		expect(message).toContain('Run the node again with the same file');
	});
});

/** Returns the transaction ID of the upload. There must be only one upload. */
function getTransactionId() {
	return fixture.standIn.getRequests(`GET ${USERS_PATH}/upload/{transactionId}`)[0]?.path.split('/').at(-1) ?? '';
}

test('if the response to an import is lost, the next run finds the people who were added', async () => {
	const countBefore = listEmails().length;
	fixture.standIn.addFault({ route: IMPORT_ROWS, kind: 'reset-after', times: 1 });
	const message = await getFailureMessage(importFile(COLUMN_NAMES, createRows(3)));
	expect(message).toContain('Run the node again with the same file. People who exist already are not added twice.');
	const { items } = await importFile(COLUMN_NAMES, createRows(3));
	expect(items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 3 });
	expect(listEmails()).toHaveLength(countBefore + 3);
});
