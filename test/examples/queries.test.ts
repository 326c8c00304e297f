/** Tests the SQL queries of the examples. An empty value, such as a missing license end date, must not remove rows of other customers. */
import { listExamples, readExample } from '../real-n8n/examples';
import { listQueries, prepareQuery, findReadColumns, resolveQuery, type QueryRow } from './queries';

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

/** Creates an input row for a customer, with every column that the queries read. */
function createRow(customer: string, inputIndex = 0): QueryRow {
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
		jobId: `${customer}-${inputIndex}/1`,
		campaignName: 'Parcel',
		jobStartTime: YESTERDAY,
		lastClickedTime: YESTERDAY,
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
		manager: 'boss@example.com',
		readAt: '2020-01-31T00:00:00.000Z',
		digest: '2020-W05',
	};
}

/** Returns the rows that contain the name of a customer. */
const findRows = (customer: string, rows: QueryRow[]) => rows.filter((row) => JSON.stringify(row).includes(customer));

/** Lists all strings in a value, at any depth. */
function listTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

test('an empty value removes no rows of other customers, and no text contains null', async () => {
	const faults: string[] = [];
	let columnCount = 0;
	for (const { name: example } of await listExamples()) {
		const workflow = await readExample(example);
		for (const { name, query, inputCount: count } of listQueries(workflow)) {
			const runQuery = prepareQuery(resolveQuery(workflow, query), count);
			const inputs = Array.from({ length: count }, (_, input) => [
				createRow('Bakery', input),
				createRow('Foundry', input),
				{},
			]);
			// The last input is a saved table. It also has rows of people and licenses that the other inputs no longer have.
			inputs
				.at(-1)
				?.push({ ...createRow('Bakery'), email: 'gone@bakery.example', person: 'gone', event: 'gone', state: 'in' });
			const expectedRows = findRows('Bakery', runQuery(inputs));
			if (expectedRows.length === 0) faults.push(`${example}, ${name}: has no row of the customer`);
			for (const [index, columns] of findReadColumns(runQuery, inputs).entries())
				for (const column of columns) {
					if (!(column in createRow('Bakery'))) faults.push(`${example}, ${name}: the test has no value for ${column}`);
					columnCount++;
					for (const emptyValue of [null, undefined]) {
						const location = `${example}, ${name}: input${index + 1}.${column} is ${String(emptyValue)}`;
						const changedInputs = inputs.map((rows, inputIndex) =>
							inputIndex === index
								? rows.map((row) => (row.companyName === 'Foundry' ? { ...row, [column]: emptyValue } : row))
								: rows,
						);
						try {
							const rows = runQuery(changedInputs);
							if (JSON.stringify(findRows('Bakery', rows)) !== JSON.stringify(expectedRows))
								faults.push(`${location}: another customer's rows change`);
							const texts = listTexts(rows).filter((text) => /\b(null|undefined|NaN)\b/.test(text));
							if (texts.length > 0) faults.push(`${location}: it says "${texts[0]}"`);
						} catch (error) {
							faults.push(`${location}: ${String(error)}`);
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
])(
	'%s: an event %s is still reported if the table only has the similar event %s',
	async (example, event, similarEvent) => {
		const workflow = await readExample(example);
		for (const { query, inputCount: count } of listQueries(workflow)) {
			const runQuery = prepareQuery(resolveQuery(workflow, query), count);
			const buildInputs = (savedEvents: string) =>
				Array.from({ length: count }, (_, inputIndex) => [
					{ ...createRow('Bakery', inputIndex), resourceId: event, told: savedEvents },
				]);
			const otherEvents = ['Bakery-1/1', 'Bakery-2/1'];
			expect(runQuery(buildInputs([similarEvent, ...otherEvents].join(' ')))).toHaveLength(1);
			expect(runQuery(buildInputs([event, ...otherEvents].join(' ')))).toHaveLength(0);
		}
	},
);

describe.each(['16-tickets', '20-renewals'])('%s: matching a customer with a company of the PSA', (example) => {
	const UNCLEAR_COLUMN = 'unclear';
	/**
	 * Runs the query for customers with these names.
	 * @param companyNumbers the PSA's company numbers in the saved table, by the key of the row
	 */
	async function runQueryFor(
		customerNames: string[],
		companyNumbers: Record<string, string> = {},
	): Promise<QueryRow[]> {
		const workflow = await readExample(example);
		const [node] = listQueries(workflow);
		if (!node) throw new Error('It has no query.');
		const customers = customerNames.map((companyName, index) => ({ ...createRow(`Customer ${index}`), companyName }));
		const savedRows = Object.entries(companyNumbers).map(([key, company]) => ({
			person: key,
			event: key,
			company,
			why: 'waits',
		}));
		const inputs = example === '16-tickets' ? [customers, customers, savedRows, customers] : [customers, savedRows];
		return prepareQuery(resolveQuery(workflow, node.query), node.inputCount)(inputs);
	}
	const listReasons = (rows: QueryRow[]) => [...new Set(rows.map((row) => row[UNCLEAR_COLUMN]))];
	const getCustomerId = (index: number) => `id-of-Customer ${index}`.replace(' ', '-');

	test('two customers with the same name are unclear, even if spaces or capital letters differ', async () => {
		expect(listReasons(await runQueryFor(['Twin Peaks', ' twin peaks']))).toEqual(['2 customers have this name']);
		expect(listReasons(await runQueryFor(['Twin Peaks', 'Twin Hills']))).toEqual(['']);
	});

	test('a number in the table only applies to its own customer', async () => {
		const rows = await runQueryFor(['Twin Peaks', 'Twin Peaks'], { [`${getCustomerId(0)} ends 2026-12-24`]: '7' });
		const assignments = rows.map(({ customerId, company, unclear }) => [customerId, company, unclear]);
		expect(new Set(assignments.map((assignment) => JSON.stringify(assignment)))).toEqual(
			new Set([
				JSON.stringify([getCustomerId(0), '7', '']),
				JSON.stringify([getCustomerId(1), '', '2 customers have this name']),
			]),
		);
	});

	test('two different numbers for one customer are unclear', async () => {
		const rows = await runQueryFor(['Twin Peaks'], {
			[`${getCustomerId(0)} a`]: '7',
			[`${getCustomerId(0)} b`]: '8',
			[`${getCustomerId(0)} c`]: '8',
		});
		expect(listReasons(rows)).toEqual(['2 numbers are in the column company for this customer']);
	});
});
