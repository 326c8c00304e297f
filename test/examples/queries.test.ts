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
		received: 1,
		failedPercentBefore: 50,
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
		psaId: '7',
		documentationId: '8',
		timeZone: 'Europe/Berlin',
		settings: '',
		id: 7,
		name: customer,
		people: 12,
		attributes: { name: customer },
		inactive: false,
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
		ActionType: 'LinkClicked',
		until: YESTERDAY,
		sentKeys: '{}',
		sentCount: '3',
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

/** Runs the first query of an example. The expressions in it can't read the outputs of other nodes. */
async function runFirstQuery(
	example: string,
	inputs: QueryRow[][],
	nodeValues?: Record<string, QueryRow>,
): Promise<QueryRow[]> {
	const workflow = await readExample(example);
	const [node] = listQueries(workflow);
	if (!node) throw new Error('It has no query.');
	return prepareQuery(resolveQuery(workflow, node.query, nodeValues), node.inputCount)(inputs);
}

describe.each(['16-tickets', '20-renewals'])('%s: the company of a customer in the PSA', (example) => {
	const customers: QueryRow[] = [0, 1].map((index) => ({
		...createRow(`Customer ${index}`),
		companyName: 'Twin Peaks',
	}));
	const [firstId, secondId] = customers.map(({ companyResourceId }) => companyResourceId);
	const listAssignments = async (customerMap: QueryRow[]) => {
		const rows = await runFirstQuery(
			example,
			example === '16-tickets' ? [customers, customers, [], customerMap] : [customers, [], customerMap],
		);
		const assignments = rows.map(({ customerId, company, unclear }) => JSON.stringify([customerId, company, unclear]));
		return [...new Set(assignments)].sort().map((text) => JSON.parse(text) as unknown);
	};
	const MISSING_ID_REASON = 'no psaId in the table Security Awareness Customers: enter it there, or run example 27';

	test('an ID in the customer map only applies to its own customer, also if the names are the same', async () => {
		expect(
			await listAssignments([
				{ customerId: firstId, psaId: '7' },
				{ customerId: secondId, psaId: '' },
			]),
		).toEqual([
			[firstId, '7', ''],
			[secondId, '', MISSING_ID_REASON],
		]);
	});

	test('the reason in the customer map is shown, and two different IDs for one customer are unclear', async () => {
		expect(
			await listAssignments([
				{ customerId: firstId, psaId: '7' },
				{ customerId: firstId, psaId: '8' },
				{ customerId: firstId, psaId: '8' },
				{ customerId: secondId, psaId: null, why: '2 customers have this name' },
			]),
		).toEqual([
			[firstId, '7', '2 values of psaId are in the table Security Awareness Customers for this customer'],
			[secondId, '', MISSING_ID_REASON.replace(':', ' (2 customers have this name):')],
		]);
	});
});

describe('27-customer-map: matching customers by name', () => {
	/** Builds customers with these names, whose IDs are c0, c1 and so on. */
	const buildCustomers = (...names: string[]) =>
		names.map((companyName, index) => ({ companyResourceId: `c${index}`, companyName }));
	/** Builds companies of a PSA or organizations of a documentation system, whose IDs are 1, 2 and so on. */
	const buildRecords = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }));
	const createMapRow = (customerId: string, values: QueryRow = {}): QueryRow => ({
		customerId,
		customer: '',
		psaId: '',
		documentationId: '',
		timeZone: 'Europe/Berlin',
		why: '',
		...values,
	});
	const runMap = async (
		customers: QueryRow[],
		companies: QueryRow[],
		mapRows: QueryRow[] = [],
		organizations: QueryRow[] = [],
	) =>
		runFirstQuery('27-customer-map', [customers, companies, organizations, mapRows], {
			'What Was Read': {
				customers: 'read',
				psa: 'read',
				documentation: organizations.length === 0 ? 'none' : 'read',
			},
		});
	const pickIds = (rows: QueryRow[]) => rows.map(({ psaId, why }) => [psaId, why]);

	test('spaces and capital letters do not matter', async () => {
		const rows = await runMap(buildCustomers(' twin  peaks'), buildRecords('Twin Peaks', 'Twin Hills'));
		expect(pickIds(rows)).toEqual([['1', '']]);
		expect(rows[0]?.outcome).toBe('new');
	});

	test('the names of Autotask and IT Glue are found where these systems have them', async () => {
		const rows = await runMap(
			buildCustomers('Bakery'),
			[
				{ id: 3, companyName: 'Bakery', isActive: true },
				{ id: 4, companyName: 'Bakery', isActive: false },
			],
			[],
			[{ id: '5', attributes: { name: 'bakery' } }],
		);
		expect(rows.map(({ psaId, documentationId, why }) => [psaId, documentationId, why])).toEqual([['3', '5', '']]);
	});

	test('a name that occurs twice on either side is not matched', async () => {
		expect(pickIds(await runMap(buildCustomers('Twin Peaks', ' twin peaks'), buildRecords('Twin Peaks')))).toEqual([
			['', '2 customers have this name'],
			['', '2 customers have this name'],
		]);
		expect(pickIds(await runMap(buildCustomers('Bakery'), buildRecords('Bakery', 'BAKERY')))).toEqual([
			['', 'the PSA has 2 companies with this name'],
		]);
		expect(pickIds(await runMap(buildCustomers('Bakery'), buildRecords('Foundry')))).toEqual([
			['', 'the PSA has no company with this name'],
		]);
	});

	test('an ID that a person has entered stays, and belongs to no other customer', async () => {
		const rows = await runMap(buildCustomers('Bakery', 'Foundry'), buildRecords('Bakery', 'Foundry'), [
			createMapRow('c0', { psaId: '2' }),
		]);
		expect(pickIds(rows)).toEqual([
			['2', ''],
			['', 'the PSA has one company with this name, and its ID belongs to another customer'],
		]);
	});

	test('both reasons are shown, and the same reason once', async () => {
		const rows = await runMap(buildCustomers('Bakery', 'Twin', 'twin'), buildRecords('Foundry'), [], [{ id: 1 }]);
		expect(rows.map(({ why }) => why)).toEqual([
			'the PSA has no company with this name; the documentation has no organization with this name',
			'2 customers have this name',
			'2 customers have this name',
		]);
	});

	test('a renamed customer keeps its ID, and a complete row is unchanged', async () => {
		const rows = await runMap(buildCustomers('New Name', 'Foundry'), buildRecords('Bakery', 'Foundry'), [
			createMapRow('c0', { customer: 'Bakery', psaId: '1' }),
			createMapRow('c1', { customer: 'Foundry', psaId: '2' }),
		]);
		expect(rows.map(({ customer, psaId, outcome }) => [customer, psaId, outcome])).toEqual([
			['New Name', '1', 'changed'],
			['Foundry', '2', 'unchanged'],
		]);
	});

	test('two rows of one customer are not changed', async () => {
		const rows = await runMap(buildCustomers('Bakery'), buildRecords('Bakery'), [
			createMapRow('c0'),
			createMapRow('c0', { psaId: '8' }),
		]);
		expect(rows.map(({ why, outcome }) => [why, outcome])).toEqual([
			['2 rows in the table have this customer ID', 'unchanged'],
		]);
	});

	test('a removed customer keeps its row, and gets the reason once', async () => {
		const why = 'the platform no longer lists this customer';
		const mapRows = [createMapRow('gone', { customer: 'Gone', psaId: '5' })];
		const [row] = await runMap([], [], mapRows);
		expect([row?.psaId, row?.why, row?.outcome]).toEqual(['5', why, 'removed']);
		const [nextRow] = await runMap([], [], [{ ...mapRows[0], why }]);
		expect(nextRow?.outcome).toBe('unchanged');
	});
});
