/** The import of people from a file: what a person notices beyond the case. */
import type { IDataObject } from 'n8n-workflow';
import { runCase } from '../cases/operationFixture';
import { turnClock } from '../setup/turnedClock';
import { deployedRuns, failureOf } from './deployed';

const { g } = deployedRuns();
turnClock();

const PATH = '/api/target-users';
const UPLOAD = `POST ${PATH}/upload`;
const ROWS = `POST ${PATH}/{transactionId}/search`;
const IMPORT = `POST ${PATH}/{transactionId}/import`;

/** People as a file has them; every twelfth has no address, or no number. */
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => [
		`Person ${index}`,
		index % 24 === 11 ? `person${index}` : `person${index}@harbour.example`,
		index % 24 === 23 ? '' : `+49 30 ${index}`,
	]);

async function importFile(names: string[], lines: string[][], more: IDataObject = {}, signal?: AbortSignal) {
	const content = Buffer.from([names, ...lines].map((line) => line.join(',')).join('\n'));
	return await runCase(
		g,
		{ node: 'TargetUser', operation: 'importFile' },
		{
			parameters: { ...g.customer.scoped, file: 'data', ...more },
			files: { data: { fileName: 'people.csv', mimeType: 'text/csv', content } },
		},
		signal ? { signal } : {},
	);
}

const NAMES = ['First Name', 'E-MAIL', 'phone_number'];
const addresses = () => g.customer.holdings.users.map(({ email }) => email).sort();

test('60 rows of which 5 are not valid, twice: 55 people, none of them twice', async () => {
	const before = addresses();
	const first = await importFile(NAMES, people(60));
	const [summary, ...invalid] = first.items.map(({ json }) => json);
	expect(summary).toMatchObject({ isSummary: true, rowCount: 60, duplicateCount: 0 });
	expect(summary).toMatchObject({ newUserCount: 55, existingUserCount: 0, invalidUserCount: 5 });
	expect(invalid.map(({ isSummary, firstName }) => [isSummary, firstName]).sort()).toEqual(
		[11, 23, 35, 47, 59].map((index) => [false, `Person ${index}`]).sort(),
	);
	for (const { validationDetail } of invalid) expect(JSON.stringify(validationDetail)).toMatch(/It is (no|required)/);
	const after = addresses();
	expect(after).toHaveLength(before.length + 55);

	const second = await importFile(NAMES, people(60));
	expect(second.items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 55, invalidUserCount: 5 });
	expect(second.items).toHaveLength(6);
	expect(addresses()).toEqual(after);
	expect([...first.hints, ...second.hints]).toEqual([]);
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
	expect(g.customer.holdings.users.at(-1)?.firstName).toBe('Person 2');
});

describe('refused before anybody is imported', () => {
	afterEach(() => expect(g.service.requests(IMPORT)).toEqual([]));

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
		expect(await failureOf(importFile(NAMES, people(3), { columns: { rows } }))).toContain(message);
		expect(g.service.requests(UPLOAD)).toEqual([]);
	});

	test('no column whose name says that it has the numbers', async () => {
		const message = await failureOf(importFile(['First Name', 'Email', 'Handy'], people(3)));
		expect(message).toContain("'Columns' must have a column for Phone Number");
		expect(message).toContain("The columns of the file are 'First Name', 'Email', 'Handy'.");
		expect(g.service.requests(`POST ${PATH}/create-mapping`)).toEqual([]);
	});

	test('a column that the file does not have', async () => {
		const rows = [
			{ column: 'E-MAIL', field: 'email' },
			{ column: 'Mobile', field: 'phoneNumber' },
		];
		const message = await failureOf(importFile(NAMES, people(3), { columns: { rows } }));
		expect(message).toContain("'Columns' names 'Mobile', which the file does not have");
	});

	test('a file without rows', async () => {
		expect(await failureOf(importFile(NAMES, []))).toContain("'Input Data Field Name' has no rows");
	});

	test('the platform does not get ready: gives up after the time-out, and names the transaction', async () => {
		g.service.setOptions({
			garble: (envelope, { route }) =>
				route === ROWS ? { data: { items: { results: [] }, newUserCount: 1 } } : envelope,
		});
		const began = Date.now();
		const message = await failureOf(importFile(NAMES, people(3), { options: { importTimeout: 60 } }));
		g.service.setOptions({ garble: undefined });
		const waited = (Date.now() - began) / 1000;
		expect(waited).toBeGreaterThanOrEqual(60);
		expect(waited).toBeLessThan(70);
		expect(message).toContain('the platform has checked 1 of 3 rows within 60 seconds');
		expect(message).toContain(`The transaction is '${transactionAsked()}'.`);
		expect(g.service.requests(ROWS).length).toBeLessThan(20);
	});

	test('Stop ends the wait at once', async () => {
		const stop = new AbortController();
		g.service.setOptions({
			garble: (envelope, { route }) => {
				if (route === ROWS) setTimeout(() => stop.abort(), 100);
				return envelope;
			},
		});
		const began = Date.now();
		const message = await failureOf(importFile(NAMES, people(3), {}, stop.signal));
		g.service.setOptions({ garble: undefined });
		expect(message).toMatch(/cancel|stopped/i);
		expect(Date.now() - began).toBeLessThan(1000);
		expect(g.service.requests(ROWS)).toHaveLength(1);
	});

	test('an upload that the platform does not know any more has expired', async () => {
		let asked = 0;
		g.service.setOptions({
			beforeAnswer: () => {
				if (g.service.requests(ROWS).length > 1 && asked++ === 0) g.service.reset();
			},
		});
		const message = await failureOf(importFile(NAMES, people(3)));
		g.service.setOptions({ beforeAnswer: undefined });
		expect(message).toMatch(/the upload '\w+' has expired \(404\)/);
		expect(message).toContain('Run the node again with the same file');
	});
});

const transactionAsked = () => g.service.requests(ROWS)[0]?.path.split('/').at(-2) ?? '';

test('every row is invalid: nothing is imported, and each is told', async () => {
	const { items } = await importFile(NAMES, [['Ada', 'nobody', '1']]);
	expect(items.map(({ json }) => json.isSummary)).toEqual([true, false]);
	expect(g.service.requests(IMPORT)).toEqual([]);
});

test('an import whose answer is lost: the next run finds those who are there', async () => {
	const before = addresses().length;
	g.service.fault({ route: IMPORT, kind: 'reset-after', times: 1 });
	const message = await failureOf(importFile(NAMES, people(3)));
	expect(message).toContain('Run the node again with the same file: people who are there already are not added twice.');
	const { items } = await importFile(NAMES, people(3));
	expect(items[0]?.json).toMatchObject({ newUserCount: 0, existingUserCount: 3 });
	expect(addresses()).toHaveLength(before + 3);
});
