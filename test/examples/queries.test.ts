/** Tests of the examples' queries: an empty value, such as a license without an end, must not remove the rows of other customers. */
import { listExamples, readExample } from '../real-n8n/examples';
import { listQueries, prepareQuery, readColumns, resolveQuery, type QueryRow } from './queries';

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

/** Creates a row of an input for a customer, with every column that the queries read. */
function createRow(customer: string, input = 0): QueryRow {
	const customerId = `id-of-${customer}`.replaceAll(' ', '-');
	const email = `anna@${customer.toLowerCase()}.example`;
	return {
		companyResourceId: customerId,
		companyName: customer,
		customerId,
		customer,
		email,
		error: undefined,
		firstName: 'Anna',
		lastName: 'Smith',
		department: 'Sales',
		userEmail: email,
		jobId: `${customer}-${input}/1`,
		campaignName: 'Parcel',
		jobStartTime: YESTERDAY,
		opened: true,
		clicked: true,
		submitted: true,
		reported: true,
		resourceId: `mail-of-${customer}`,
		reportedBy: email,
		createTime: YESTERDAY,
		subject: 'Bill',
		result: 'Phishing',
		enrollmentId: `enrollment-of-${customer}`,
		enrollmentName: 'Basics',
		trainingName: 'Basics',
		score: 80,
		status: 'In Progress',
		examStatusName: 'Passed',
		completed: null,
		due: '2020-01-31T00:00:00Z',
		isActive: true,
		sentDate: YESTERDAY,
		lastSendTime: YESTERDAY,
		licenseEndDate: YESTERDAY,
		licenceExpired: false,
		licenseTypeName: 'Standard',
		isNumberOfUsersLimited: true,
		numberOfUsers: 10,
		targetUserCount: 12,
		person: `${customerId} ${email}`,
		told: '',
		ticket: '1000',
		company: '7',
		event: `${customerId} full 9`,
		why: '',
		state: 'going in',
		since: YESTERDAY,
		groupId: 'group',
		userId: 'user',
		trainings: 'Basics',
	};
}

/** Returns the rows of a result that name a customer. */
const findRows = (customer: string, rows: QueryRow[]) => rows.filter((row) => JSON.stringify(row).includes(customer));

/** Lists the texts in a value, at any depth. */
function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

test('an empty value in a column of a query removes no other row, and no text says null', async () => {
	const faults: string[] = [];
	let columnCount = 0;
	for (const { name: example } of await listExamples()) {
		const workflow = await readExample(example);
		for (const { name, query, inputs: count } of listQueries(workflow)) {
			const run = prepareQuery(resolveQuery(workflow, query), count);
			const inputs = Array.from({ length: count }, (_, input) => [
				createRow('Bakery', input),
				createRow('Foundry', input),
				{},
			]);
			// A table has rows of people and licenses that are nowhere else.
			inputs
				.at(-1)
				?.push({ ...createRow('Bakery'), email: 'gone@bakery.example', person: 'gone', event: 'gone', state: 'in' });
			const expected = findRows('Bakery', run(inputs));
			if (expected.length === 0) faults.push(`${example}, ${name}: has no row of the customer`);
			for (const [index, columns] of readColumns(run, inputs).entries())
				for (const column of columns) {
					if (!(column in createRow('Bakery'))) faults.push(`${example}, ${name}: the test has no value for ${column}`);
					columnCount++;
					for (const empty of [null, undefined]) {
						const where = `${example}, ${name}: input${index + 1}.${column} is ${String(empty)}`;
						const changed = inputs.map((rows, at) =>
							at === index
								? rows.map((row) => (row.companyName === 'Foundry' ? { ...row, [column]: empty } : row))
								: rows,
						);
						try {
							const rows = run(changed);
							if (JSON.stringify(findRows('Bakery', rows)) !== JSON.stringify(expected))
								faults.push(`${where}: another customer's rows change`);
							const texts = listTexts(rows).filter((text) => /\b(null|undefined|NaN)\b/.test(text));
							if (texts.length > 0) faults.push(`${where}: it says "${texts[0]}"`);
						} catch (error) {
							faults.push(`${where}: ${String(error)}`);
						}
					}
				}
		}
	}
	expect(columnCount).toBeGreaterThan(100);
	expect(faults).toEqual([]);
});

test.each([
	['06-repeat-clickers', 'Bakery-0/1', 'Bakery-0/10'],
	['15-click-training', 'Bakery-0/1', 'Bakery-0/10'],
	['16-tickets', 'Bakery-0/1/submitted', 'New-Bakery-0/1/submitted'],
])('%s: %s is not known because the table has %s', async (example, event, similar) => {
	const workflow = await readExample(example);
	for (const { query, inputs: count } of listQueries(workflow)) {
		const run = prepareQuery(resolveQuery(workflow, query), count);
		const inputs = (known: string) =>
			Array.from({ length: count }, (_, input) => [{ ...createRow('Bakery', input), resourceId: event, told: known }]);
		const others = ['Bakery-1/1', 'Bakery-2/1'];
		expect(run(inputs([similar, ...others].join(' ')))).toHaveLength(1);
		expect(run(inputs([event, ...others].join(' ')))).toHaveLength(0);
	}
});

describe.each(['16-tickets', '20-renewals'])('%s: which company of the PSA a customer is', (example) => {
	const UNCLEAR = 'unclear';
	/** Runs the query for the customers of these names; the table has the PSA's number of some of them. */
	async function runFor(names: string[], companies: Record<string, string> = {}): Promise<QueryRow[]> {
		const workflow = await readExample(example);
		const [node] = listQueries(workflow);
		if (!node) throw new Error('It has no query.');
		const customers = names.map((companyName, index) => ({ ...createRow(`Customer ${index}`), companyName }));
		const known = Object.entries(companies).map(([key, company]) => ({
			person: key,
			event: key,
			company,
			why: 'waits',
		}));
		const inputs = example === '16-tickets' ? [customers, customers, known, customers] : [customers, known];
		return prepareQuery(resolveQuery(workflow, node.query), node.inputs)(inputs);
	}
	const listReasons = (rows: QueryRow[]) => [...new Set(rows.map((row) => row[UNCLEAR]))];
	const row = (index: number) => `id-of-Customer ${index}`.replace(' ', '-');

	test('two customers with the same name wait, also if only blanks and capital letters differ', async () => {
		expect(listReasons(await runFor(['Twin Peaks', ' twin peaks']))).toEqual(['2 customers have this name']);
		expect(listReasons(await runFor(['Twin Peaks', 'Twin Hills']))).toEqual(['']);
	});

	test('a number in the table decides for that customer only', async () => {
		const rows = await runFor(['Twin Peaks', 'Twin Peaks'], { [`${row(0)} ends 2026-12-24`]: '7' });
		const found = rows.map(({ customerId, company, unclear }) => [customerId, company, unclear]);
		expect(new Set(found.map((each) => JSON.stringify(each)))).toEqual(
			new Set([JSON.stringify([row(0), '7', '']), JSON.stringify([row(1), '', '2 customers have this name'])]),
		);
	});

	test('two numbers for one customer decide nothing', async () => {
		const rows = await runFor(['Twin Peaks'], { [`${row(0)} a`]: '7', [`${row(0)} b`]: '8', [`${row(0)} c`]: '8' });
		expect(listReasons(rows)).toEqual(['2 numbers are in the column company for this customer']);
	});
});
