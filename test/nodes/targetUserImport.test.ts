/** The import of people from a file: what a person notices beyond the case. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runCase } from '../cases/operationFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture } = createDeployedFixture();
useSimulatedClock();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined, beforeResponse: undefined }));

const answer = z.object({ data: z.record(z.unknown()) });

/** Changes what the service answers on one route. @param data gets how often it was asked before, and its own data */
function answers(route: string, data: (asked: number, there: Record<string, unknown>) => unknown) {
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, request) =>
			request.route === route
				? { status: 'SUCCESS', data: data(fixture.standIn.getRequests(route).length - 1, answer.parse(envelope).data) }
				: envelope,
	});
}

const PATH = '/api/target-users';
const UPLOAD = `POST ${PATH}/upload`;
const MAPPING = `POST ${PATH}/create-mapping`;
const JOB = `GET ${PATH}/mapping-job/{resourceId}`;
const ROWS = `POST ${PATH}/{transactionId}/search`;
const IMPORT = `POST ${PATH}/{transactionId}/import`;

/** People as a file has them; every twelfth has no address, or no number. */
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => [
		`Person ${index}`,
		index % 24 === 11 ? `person${index}` : `person${index}@harbour.example`,
		index % 24 === 23 ? '' : `+49 30 ${index}`,
	]);

const csvOf = (names: string[], lines: string[][], sign = ',') =>
	[names, ...lines].map((line) => line.join(sign)).join('\n');

async function importFile(names: string[], lines: string[][], more: IDataObject = {}, signal?: AbortSignal) {
	return await importContent(Buffer.from(csvOf(names, lines)), more, signal);
}

async function importContent(content: Buffer, more: IDataObject = {}, signal?: AbortSignal) {
	return await runCase(
		fixture,
		{ node: 'TargetUser', operation: 'importFile' },
		{
			parameters: { ...fixture.customer.companyParameters, file: 'data', ...more },
			inputFiles: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		},
		signal ? { signal } : {},
	);
}

const NAMES = ['First Name', 'E-MAIL', 'phone_number'];
const addresses = () => fixture.customer.companyData.users.map(({ email }) => email).sort();

test('60 rows of which 5 are not valid, twice: 55 people, none of them twice', async () => {
	const before = addresses();
	const first = await importFile(NAMES, people(60));
	const [summary, ...invalid] = first.items.map(({ json }) => json);
	expect(summary).toMatchObject({ isSummary: true, rowCount: 60, duplicateCount: 0 });
	expect(summary).toMatchObject({ newUserCount: 55, existingUserCount: 0, invalidUserCount: 5 });
	expect(invalid.map(({ isSummary, firstName }) => [isSummary, firstName]).sort()).toEqual(
		[11, 23, 35, 47, 59].map((index) => [false, `Person ${index}`]).sort(),
	);
	for (const { reason } of invalid) expect(reason).toMatch(/^(email: It is no|phoneNumber: It is required)/);
	const after = addresses();
	expect(after).toHaveLength(before.length + 55);

	const second = await importFile(NAMES, people(60));
	expect(second.items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 55, invalidUserCount: 5 });
	expect(second.items).toHaveLength(6);
	expect(addresses()).toEqual(after);
	for (const { hints } of [first, second])
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^Rows that are not valid were not imported\. This is so for Harbour Bakery \(5 of 60 rows: person11 \(email: It is no .*, and 2 more\)\.$/,
			),
		]);
});

test('rows that are there twice count once, and are waited for all the same', async () => {
	const [one = [], other = []] = people(2);
	const { items } = await importFile(NAMES, [one, other, one]);
	expect(items.map(({ json }) => json)).toMatchObject([{ rowCount: 3, duplicateCount: 1, newUserCount: 2 }]);
});

test('columns of any name, as a person entered them', async () => {
	const rows = [
		{ column: 'Wer', field: 'firstName' },
		{ column: 'Adresse', field: 'email' },
		{ column: 'Telefon', field: 'other', fieldName: 'phoneNumber' },
	];
	const { items } = await importFile(['Wer', 'Adresse', 'Telefon'], people(3), { columns: { rows } });
	expect(items[0]?.json).toMatchObject({ newUserCount: 3 });
	expect(fixture.customer.companyData.users.at(-1)?.firstName).toBe('Person 2');
});

test.each([
	['by hand', { columns: { rows: [column(' e mail', 'email'), column('PHONE NUMBER', 'phoneNumber')] } }],
	['by themselves', {}],
])('columns with a BOM, blanks and capital letters, found %s', async (_how, more) => {
	const { items } = await importFile(['\ufeffE-Mail ', 'Phone  number'], [['ada@harbour.example', '1']], more);
	expect(items[0]?.json).toMatchObject({ newUserCount: 1 });
	const [mapping] = fixture.standIn.getRequests(MAPPING);
	expect(mapping?.body).toMatchObject({ fieldMappings: [{ fieldName: 'email' }, { fieldName: 'phoneNumber' }] });
});

test('of two columns that are alike the one of exactly the name is meant', async () => {
	const rows = [column('email', 'email'), column('Phone', 'phoneNumber')];
	const names = ['E-Mail', 'Phone', 'email'];
	await importFile(names, [['old@harbour.example', '1', 'ada@harbour.example']], { columns: { rows } });
	expect(addresses()).toContain('ada@harbour.example');
	const alike = { columns: { rows: [column('E Mail', 'email'), ...rows.slice(1)] } };
	const message = await getFailureMessage(importFile(names, people(1), alike));
	expect(message).toContain("'Columns' names 'E Mail', which may be 'E-Mail', 'email'");
});

function column(name: string, field: string) {
	return { column: name, field };
}

describe('a check that is over', () => {
	test('is over, although the platform counts fewer rows than the file has lines', async () => {
		answers(UPLOAD, (_asked, there) => ({ ...there, rowCount: 5 }));
		const { items, hints } = await importFile(NAMES, people(3));
		expect(items[0]?.json).toMatchObject({ rowCount: 5, newUserCount: 3 });
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain('counts 5 rows in the file, and 3 that are new');
		expect(addresses()).toContain('person2@harbour.example');
	});

	test('is not over while its job has a status that nobody knows', async () => {
		answers(JOB, (asked) => ({ status: asked < 5 ? 'HalfWay' : 'COMPLETED' }));
		await importFile(NAMES, people(3));
		const routes = fixture.standIn.log.map(({ route }) => route).filter((route) => [JOB, ROWS, IMPORT].includes(route));
		expect(routes.slice(0, 7)).toEqual([...Array<string>(6).fill(JOB), ROWS]);
		expect(routes.at(-1)).toBe(IMPORT);
	});

	test.each([
		['the platform has no job', MAPPING, { resourceId: 'nobody' }],
		['its job does not tell', JOB, { progress: 30 }],
		['its job is empty', JOB, {}],
		['its job is null', JOB, null],
	])('is over when the counts add up, where %s', async (_case, route, data) => {
		answers(route, () => data);
		await importFile(NAMES, people(60));
		expect(fixture.standIn.getRequests(JOB)).toHaveLength(1);
		expect(addresses()).toContain('person58@harbour.example');
	});
});

describe('refused before anybody is imported', () => {
	afterEach(() => expect(fixture.standIn.getRequests(IMPORT)).toEqual([]));

	test.each<[string, IDataObject[], string]>([
		['no column for the address', [{ column: 'A', field: 'phoneNumber' }], "'Columns' must have a column for Email"],
		[
			'two for one field',
			[
				{ column: 'A', field: 'email' },
				{ column: 'B', field: 'email' },
			],
			"'Columns' must have one column for Email, but has 'A', 'B'",
		],
	])('%s: not even uploaded', async (_named, rows, message) => {
		expect(await getFailureMessage(importFile(NAMES, people(3), { columns: { rows } }))).toContain(message);
		expect(fixture.standIn.getRequests(UPLOAD)).toEqual([]);
	});

	test('no column whose name says that it has the numbers', async () => {
		const message = await getFailureMessage(importFile(['First Name', 'Email', 'Handy'], people(3)));
		expect(message).toContain("'Columns' must have a column for Phone Number");
		expect(message).toContain("The columns of the file are 'First Name', 'Email', 'Handy'.");
		expect(fixture.standIn.getRequests(`POST ${PATH}/create-mapping`)).toEqual([]);
	});

	test('a column that the file does not have', async () => {
		const rows = [
			{ column: 'E-MAIL', field: 'email' },
			{ column: 'Mobile', field: 'phoneNumber' },
		];
		const message = await getFailureMessage(importFile(NAMES, people(3), { columns: { rows } }));
		expect(message).toContain("'Columns' names 'Mobile', which the file does not have");
	});

	test('a file without rows', async () => {
		expect(await getFailureMessage(importFile(NAMES, []))).toContain("'Input Data Field Name' has no rows");
	});

	test.each([
		['its job', JOB, { status: 'ERROR', message: 'The sheet is protected.' }],
		['the check', ROWS, { status: 'ERROR', message: 'The sheet is protected.', items: null, newUserCount: 0 }],
	])('%s has failed: that is said at once, in its words', async (_who, route, data) => {
		answers(route, () => data);
		const began = Date.now();
		const message = await getFailureMessage(importFile(NAMES, people(3)));
		expect(message).toContain('the platform could not check the rows: The sheet is protected.');
		expect(Date.now() - began).toBeLessThan(10_000);
	});

	const german = csvOf(['Vorname', 'Email', 'Phone Number'], [['Jürgen', 'j@harbour.example', '1']]);
	test.each([
		["Windows' own encoding", Buffer.from(german, 'latin1'), 'is not in UTF-8'],
		['UTF-16', Buffer.from(`\ufeff${german}`, 'utf16le'), 'UTF-16'],
		['UTF-16 without a mark', Buffer.from(german, 'utf16le'), 'UTF-16'],
		['semicolons', Buffer.from(german.replaceAll(',', ';')), 'separated by semicolons'],
		['semicolons and quotes', Buffer.from(`"Name, first";"Email"\n${german}`), 'separated by semicolons'],
		['tabs', Buffer.from(german.replaceAll(',', '\t')), 'separated by tabs'],
	])('a file with %s: not even uploaded, and what to do is said', async (_what, content, complaint) => {
		const message = await getFailureMessage(importContent(content));
		expect(message).toMatch(/^'Input Data Field Name' (holds|has) /);
		expect(message).toContain(complaint);
		expect(message).toContain("save it as 'CSV UTF-8 (Comma delimited)' or as an Excel workbook");
		expect(fixture.standIn.getRequests(UPLOAD)).toEqual([]);
	});

	test.each(['504b0304', 'd0cf11e0'])('an Excel file (%s) is uploaded as it is', async (begin) => {
		await getFailureMessage(importContent(Buffer.from(`${begin}00ff003b`, 'hex')));
		expect(fixture.standIn.getRequests(UPLOAD)).toHaveLength(1);
	});

	test('the platform does not get ready: gives up after the time-out, and names the transaction', async () => {
		answers(JOB, () => ({ status: 'Processing' }));
		const began = Date.now();
		const message = await getFailureMessage(importFile(NAMES, people(3), { options: { importTimeout: 60 } }));
		const waited = (Date.now() - began) / 1000;
		expect(waited).toBeGreaterThanOrEqual(60);
		expect(waited).toBeLessThan(70);
		expect(message).toContain(
			"the platform has not checked all 3 rows within 60 seconds; its last word was 'Processing'",
		);
		expect(message).toContain(`The transaction is '${transactionOf()}'.`);
		expect(fixture.standIn.getRequests(JOB).length).toBeLessThan(20);
	});

	test('Stop ends the wait at once', async () => {
		const stop = new AbortController();
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route === JOB) setTimeout(() => stop.abort(), 100);
				return envelope;
			},
		});
		const began = Date.now();
		const message = await getFailureMessage(importFile(NAMES, people(3), {}, stop.signal));
		expect(message).toMatch(/cancel|stopped/i);
		expect(Date.now() - began).toBeLessThan(1000);
		expect(fixture.standIn.getRequests(JOB)).toHaveLength(1);
	});

	test('an upload that the platform does not know any more has expired', async () => {
		let asked = 0;
		fixture.standIn.setOptions({
			beforeResponse: () => {
				if (fixture.standIn.getRequests(ROWS).length === 1 && asked++ === 0) fixture.standIn.reset();
			},
		});
		const message = await getFailureMessage(importFile(NAMES, people(3)));
		expect(message).toMatch(/the upload '\w+' has expired \(404\)/);
		expect(message).toContain('Run the node again with the same file');
	});
});

/** The transaction of the only upload. */
function transactionOf() {
	return fixture.standIn.getRequests(`GET ${PATH}/upload/{transactionId}`)[0]?.path.split('/').at(-1) ?? '';
}

test('every row is invalid: nothing is imported, and each is told', async () => {
	const { items } = await importFile(NAMES, [['Ada', 'nobody', '1']]);
	expect(items.map(({ json }) => json.isSummary)).toEqual([true, false]);
	expect(fixture.standIn.getRequests(IMPORT)).toEqual([]);
});

test('an import whose answer is lost: the next run finds those who are there', async () => {
	const before = addresses().length;
	fixture.standIn.addFault({ route: IMPORT, kind: 'reset-after', times: 1 });
	const message = await getFailureMessage(importFile(NAMES, people(3)));
	expect(message).toContain('Run the node again with the same file: people who are there already are not added twice.');
	const { items } = await importFile(NAMES, people(3));
	expect(items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 3 });
	expect(addresses()).toHaveLength(before + 3);
});
