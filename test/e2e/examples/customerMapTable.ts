import type { ExampleContext } from './registerCheck';

/** The name of the data table that example 27 fills and other examples read. */
export const CUSTOMER_MAP_NAME = 'Security Awareness Customers';
/** The columns of the customer map. All of them are text. */
export const CUSTOMER_MAP_COLUMNS = [
	'customerId',
	'customer',
	'psaId',
	'documentationId',
	'directoryId',
	'contact',
	'chatUrl',
	'timeZone',
	'settings',
	'why',
] as const;

/** A row of the customer map. Cells without a value are empty. */
export type CustomerMapRow = Partial<Record<(typeof CUSTOMER_MAP_COLUMNS)[number], string>>;

/** Creates the customer map with these rows, as example 27 and a user do. Replaces the map if there is one. */
export async function enterCustomerMap({ client, dropTable }: ExampleContext, rows: CustomerMapRow[]): Promise<void> {
	await dropTable(CUSTOMER_MAP_NAME);
	const table = await client.createTable(
		CUSTOMER_MAP_NAME,
		CUSTOMER_MAP_COLUMNS.map((name) => ({ name, type: 'string' })),
	);
	await client.insertRows(
		table,
		rows.map((row) => Object.fromEntries(CUSTOMER_MAP_COLUMNS.map((name) => [name, row[name] ?? '']))),
	);
}

/** Deletes the customer map, as if example 27 had never run. */
export const dropCustomerMap = ({ dropTable }: ExampleContext): Promise<void> => dropTable(CUSTOMER_MAP_NAME);
